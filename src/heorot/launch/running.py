"""Finds jobs with processes on this machine, and their owners."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from heorot.jobs.marked_processes import environment_of, pids, process_of

_PROC = Path("/proc")
_NAMESPACES = ("mnt", "pid", "user")


@dataclass(frozen=True)
class Running:
    """A job with processes on this machine, of any user, including processes left by its steps.

    Attributes:
        pid: process id of its script, or of a process that outlived it.
        directory: path of the job's directory in the namespace of that process; it may be gone, and
            may name another directory here.
        ways: paths to the same directory here.
        began: start of that process, Unix time [s]; None if unknown.
        is_apart: whether it has other namespaces than this process, as in a container.
    """

    pid: int
    directory: Path
    ways: tuple[Path, ...] = ()
    user: int = -1
    began: float | None = None
    is_apart: bool = False

    @property
    def run(self) -> Path:
        """The directory of the run in the namespace of the process."""
        return self.directory.parent.parent

    @property
    def is_ours(self) -> bool:
        """Whether it certainly belongs to this user, who may end it."""
        return self.user == os.geteuid() and not self.is_apart


def running_jobs() -> tuple[Running, ...]:
    """All jobs with processes that we may inspect, without the one that we are part of."""
    own = os.environ.get("HEOROT_JOB", "").encode()
    jobs: dict[bytes, Running] = {}
    for pid in pids():
        variables = dict(entry.partition(b"=")[::2] for entry in environment_of(pid))
        marker = variables.get(b"HEOROT_JOB", b"")
        if not marker or marker == own:
            continue
        with suppress(OSError):  # it has ended meanwhile
            # The script leads its session and stays in the job's directory.
            leads = os.getsid(pid) == pid and b"HEOROT_STEP" not in variables
            if leads or marker not in jobs:
                place = b"" if leads else variables.get(b"HEOROT_DIRECTORY", b"")
                jobs[marker] = _running(pid, os.fsdecode(place))
    return tuple(jobs.values())


def _running(pid: int, place: str) -> Running:
    """The job of a process; its directory is `place`, else the working directory."""
    process = _PROC / str(pid)
    is_apart = any(_is_another(process, kind) for kind in _NAMESPACES)
    directory = Path(os.path.realpath(place or process / "cwd"))
    ways = [] if is_apart else [directory]
    ways.append(process / "root" / directory.relative_to("/"))
    return Running(
        pid=pid,
        directory=directory,
        ways=(*ways, *([] if place else [process / "cwd"])),
        user=process.stat().st_uid,
        began=_began(pid),
        is_apart=is_apart,
    )


def _is_another(process: Path, kind: str) -> bool:
    """Whether a process is in another namespace of a kind; true if access is denied."""
    try:
        theirs = (process / "ns" / kind).readlink()
    except PermissionError:
        return True
    return theirs != (_PROC / "self/ns" / kind).readlink()


def _began(pid: int) -> float | None:
    """Start of a process, Unix time [s]; None if unknown."""
    process = process_of(pid)
    with suppress(OSError, ValueError, IndexError):
        for line in (_PROC / "stat").read_text(encoding="ascii").splitlines():
            if process is not None and line.startswith("btime "):
                return int(line.split()[1]) + process.began / os.sysconf("SC_CLK_TCK")
    return None
