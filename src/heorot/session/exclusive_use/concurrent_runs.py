"""Exclusive use of a machine: detects other measurements, and waits for earlier ones."""

from __future__ import annotations

import fcntl
import os
import platform
import pwd
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path

from heorot import interruption
from heorot.build.programs import cache_directory
from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import SetupError, UsageError
from heorot.files import real
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.running import Running, running_jobs
from heorot.launch.target import ExecutionTarget
from heorot.printable import printable
from heorot.session.progress import Progress
from heorot.suggestion import suggest
from heorot.writing import open_staying

_LOOK_SECONDS = 0.5
_MOST_BYTES = 1 << 12
_ANYWAY = "or measure at the same time: --anyway"


def require_quiet(resumed: Path | None = None) -> None:
    """Refuse to measure next to another job: each would perturb the other.

    Args:
        resumed: the run to resume, whose own job is exempt.

    Raises:
        UsageError: such a job runs on this machine.
    """
    for job in _other_jobs(resumed):
        raise UsageError(*_describe(job))


def alone_unless(
    anyway: bool, target: ExecutionTarget, run: Path, progress: Progress
) -> AbstractContextManager[None]:
    """Use this machine exclusively if it is the one measured.

    Other nodes are allocated by their batch system or chosen in the site file.
    """
    shares = anyway or not isinstance(target.adapter, LocalAdapter)
    return nullcontext() if shares else alone(run, progress)


@contextmanager
def alone(run: Path, progress: Progress, clock: Clock = SYSTEM_CLOCK) -> Iterator[None]:
    """Measure while no other run of this user does on this machine; wait for earlier ones.

    Several runs started together have all found the machine quiet, and build before they measure.
    Of other users, and of runs whose heorot is gone, only the jobs are seen.

    Args:
        run: the run that is to measure, whose own jobs are exempt.
    """
    with ExitStack() as held:
        lock = _lock(held)
        reported = ""
        while reason := _reason(lock, run):
            if reason != reported:
                progress.stage(f"waiting for other measurements: {reason}")
                reported = reason
            interruption.raise_if_asked()
            clock.sleep(_LOOK_SECONDS)
        if reported:
            progress.stage("the machine is free again: measuring")
        yield


def _lock(held: ExitStack) -> int | None:
    """The file locked by the measuring process; None where there can be none."""
    try:
        path = cache_directory() / f"measuring-{platform.node()}.lock"
        lock = open_staying(path, os.O_RDWR | os.O_CREAT)
    except (OSError, SetupError):
        return None
    held.callback(os.close, lock)
    return lock


def _reason(lock: int | None, run: Path) -> str:
    """What prevents exclusive use now; empty if nothing does and the lock is taken."""
    if lock is not None:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            who = os.pread(lock, _MOST_BYTES, 0).decode(errors="replace")
            return f"another heorot measures here, {printable(who)}"
        except OSError:  # a file system without locks
            pass
        else:
            os.ftruncate(lock, 0)
            began = time.strftime("%Y-%m-%d %H:%M:%S")
            os.pwrite(lock, f"process {os.getpid()} for {run}, since {began}".encode(), 0)
    return next((_describe(job)[0] for job in _other_jobs(run)), "")


def _other_jobs(run: Path | None) -> Iterator[Running]:
    """Jobs on this machine except those of one run; first those that this user may end."""
    jobs = sorted(running_jobs(), key=lambda job: not job.is_ours)
    return (job for job in jobs if run is None or not _is_of(job, run))


def _is_of(job: Running, run: Path) -> bool:
    """Whether a job belongs to a run, by any of its names."""
    if job.run == real(run) and not job.is_apart:
        return True
    found, _ = _find_run(job)
    with suppress(OSError):
        return found is not None and found.samefile(run)
    return False


def _describe(job: Running) -> tuple[str, str]:
    """Describes a job with user and start; how to inspect it, and how to end it if it is ours."""
    who = f"process {job.pid} of {_user(job.user)}{_since(job.began)}"
    look = f"look at it: ps -o user,lstart,args -p {job.pid}"
    run, is_gone = _find_run(job)
    if run is not None:
        look = f"watch it: {suggest('status', run)}"
        if job.is_ours:
            message = f"a job of {run} still runs on this machine, {who}"
            end = f"end it: {suggest('stop', run)}; or add --anyway"
            return f"{message}: each would perturb the other", f"{look}; {end}"
    if is_gone and job.is_ours:
        message = f"a job whose directory is gone still runs here, {who}"
        return message, f"{look}; end it: kill {job.pid}; {_ANYWAY}"
    what = f"a job of {job.run}{', which is gone,' if is_gone else ''} runs on this machine"
    where = ", perhaps in a container or on a virtual node" if job.is_apart else ""
    message = f"{what}{where}, {who}: each would perturb the other"
    return message, f"{look}; wait for its end, {_ANYWAY}"


def _find_run(job: Running) -> tuple[Path | None, bool]:
    """The run of a job as seen from here, and whether it is certainly gone."""
    is_gone = True
    for way in job.ways:
        run = way / "../.." if way.name == "cwd" else way.parent.parent  # behind a link of /proc
        try:
            (run / "run.json").stat()
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:  # no permission
            is_gone = False
            continue
        return run, False
    return None, is_gone


def _user(number: int) -> str:
    with suppress(KeyError):
        return pwd.getpwuid(number).pw_name
    return f"user {number}"


def _since(began: float | None) -> str:
    if began is None:
        return ""
    return f", since {time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(began))}"
