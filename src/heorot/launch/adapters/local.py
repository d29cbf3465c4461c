"""Runs jobs on this machine: detached, so that they outlive the one who started them."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen, TimeoutExpired

from heorot import interruption, process
from heorot.errors import SetupError
from heorot.launch.adapters.adapter import StepEvent
from heorot.launch.adapters.status import parse_event, read_from, script_complaint
from heorot.launch.job import RUNS_ALREADY, Job

_POLL_SECONDS = 0.02
# Seldom: whoever follows takes a core from what measures on all of them.
_FOLLOW_SECONDS = 0.1
_TURN_SECONDS = 0.002
_START_SECONDS = 10.0
# The script gives a step 2 s to end by itself and then looks for leftovers.
_GRACE_SECONDS = 5.0
_KILL_SECONDS = 5.0
# The largest number of a process is 4194304.
_PID_DIGITS = 7


class LocalAdapter:
    """Runs jobs on this machine."""

    def __init__(self) -> None:
        self._children: dict[str, list[Popen[bytes]]] = {}

    def start(self, job: Job, after: Job | None = None) -> None:
        """Start the job's script in a session of its own, unless it runs already.

        Args:
            job: what to run.
            after: what has ended.

        Raises:
            SetupError: bash cannot be started.
        """
        del after
        deadline = time.monotonic() + _START_SECONDS
        while not self.alive(job) and time.monotonic() < deadline:
            child = self._spawn(job)
            while child.poll() is None and time.monotonic() < deadline:
                if _pid(job) == child.pid:
                    return
                time.sleep(_TURN_SECONDS)
            # The lock of a copy that was killed just now is free a moment after the copy is gone.
            if child.returncode != RUNS_ALREADY:
                return
            time.sleep(_TURN_SECONDS)

    def _spawn(self, job: Job) -> Popen[bytes]:
        try:
            child = process.detach(
                ["bash", job.script],
                cwd=job.directory,
                environment=os.environ,
                out=job.directory / "stdout",
                err=job.directory / "stderr",
            )
        except OSError as error:
            raise SetupError(
                f"cannot start {job.script}: {error}", "bash must be in PATH and the disk writable"
            ) from error
        self._children.setdefault(job.marker, []).append(child)
        return child

    def alive(self, job: Job) -> bool:
        """Whether the job's script runs.

        Args:
            job: which one.
        """
        pid = _pid(job)
        return pid is not None and _is_marked(pid, job)

    def cancel(self, job: Job) -> None:
        """End the job with all its processes, politely first.

        Args:
            job: which one.
        """
        pid = _pid(job)
        if pid is not None and self.alive(job):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGTERM)
            deadline = time.monotonic() + _GRACE_SECONDS
            while self.alive(job) and time.monotonic() < deadline:
                time.sleep(_POLL_SECONDS)
        deadline = time.monotonic() + _KILL_SECONDS
        while (left := list(processes_of(job))) and time.monotonic() < deadline:
            for member in left:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(member, signal.SIGKILL)
            time.sleep(_POLL_SECONDS)
        self.leave(job)

    def leave(self, job: Job) -> None:
        """Take leave of the scripts of a job that we started ourselves and that have ended.

        Args:
            job: which one.
        """
        for child in self._children.pop(job.marker, []):
            with contextlib.suppress(TimeoutExpired):
                child.wait(timeout=_KILL_SECONDS)

    def follow(self, job: Job, on_event: Callable[[StepEvent], None]) -> None:
        """Report every start and exit, from the first step on, until the script ends.

        Args:
            job: which one.
            on_event: called in the order of the status file.
        """
        offset, torn = 0, b""
        while True:
            interruption.raise_if_asked()
            running = self.alive(job)  # asked before reading: what it wrote last is not missed
            fresh = read_from(job.status, offset)
            offset += len(fresh)
            *lines, torn = (torn + fresh).split(b"\n")
            for line in lines:
                event = parse_event(line)
                if event is not None:
                    on_event(event)
            if not running:
                self.leave(job)
                return
            time.sleep(_FOLLOW_SECONDS)

    def complaint(self, job: Job) -> str:
        """The last thing the job's script itself complained about, one line or empty.

        Args:
            job: which one.
        """
        return script_complaint(job)


def processes_of(job: Job) -> Iterator[int]:
    """Process ids on this machine that carry the job's mark, our own excluded.

    Args:
        job: which one.
    """
    return (pid for pid in _pids() if _is_marked(pid, job))


@dataclass(frozen=True)
class Running:
    """A job with processes on this machine, whoever started it.

    Attributes:
        pid: of its script, or of a process that has outlived it.
        directory: the job's directory; it need not be there any more.
    """

    pid: int
    directory: Path


def running_jobs() -> tuple[Running, ...]:
    """All jobs of this user with processes on this machine, but for one that we are part of."""
    own = os.environ.get("HEOROT_JOB", "").encode()
    jobs: dict[bytes, Running] = {}
    for pid in _pids():
        variables = dict(entry.partition(b"=")[::2] for entry in _environment(pid))
        marker = variables.get(b"HEOROT_JOB", b"")
        if not marker or marker == own:
            continue
        with contextlib.suppress(OSError):  # it has ended meanwhile
            # The script leads its session and stays in the job's directory.
            leads = os.getsid(pid) == pid and b"HEOROT_STEP" not in variables
            if leads or marker not in jobs:
                jobs[marker] = Running(pid, Path(f"/proc/{pid}/cwd").readlink())
    return tuple(jobs.values())


def _is_marked(pid: int, job: Job) -> bool:
    """Whether a process carries the job's mark; one that has ended carries nothing."""
    return f"HEOROT_JOB={job.marker}".encode() in _environment(pid)


def _environment(pid: int) -> list[bytes]:
    return read_from(Path(f"/proc/{pid}/environ"), 0).split(b"\0")


def _pids() -> Iterator[int]:
    """All processes on this machine but ours."""
    for entry in os.scandir("/proc"):
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            yield int(entry.name)


def _pid(job: Job) -> int | None:
    text = read_from(job.directory / "pid", 0).strip()
    return int(text) if text.isdigit() and len(text) <= _PID_DIGITS else None
