"""Which jobs have processes on this machine, whose they are, and how to look at them."""

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
    """A job with processes on this machine, whoever started it, also such as its steps have left.

    Attributes:
        pid: of its script, or of a process that has outlived it.
        directory: the job's directory by the names that this process has for it; it need not be
            there any more, and from here the same name may lead elsewhere.
        ways: to the same directory from here.
        began: when that began, Unix time [s]; None if the system does not tell.
        is_apart: whether it has other namespaces than we, as in a container or a virtual node.
    """

    pid: int
    directory: Path
    ways: tuple[Path, ...] = ()
    user: int = -1
    began: float | None = None
    is_apart: bool = False

    @property
    def run(self) -> Path:
        """The run, by the names that the process has for it."""
        return self.directory.parent.parent

    @property
    def is_ours(self) -> bool:
        """Whether it is this user's, beyond doubt: it is his to end."""
        return self.user == os.geteuid() and not self.is_apart


def running_jobs() -> tuple[Running, ...]:
    """All jobs with processes that we may look at, but for one that we are part of."""
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
    """A job by one of its processes; without a place, that is its working directory."""
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
    """Whether a process is in another namespace of a kind; what may not be asked is another's."""
    try:
        theirs = (process / "ns" / kind).readlink()
    except PermissionError:
        return True
    return theirs != (_PROC / "self/ns" / kind).readlink()


def _began(pid: int) -> float | None:
    """When a process began, Unix time [s]."""
    process = process_of(pid)
    with suppress(OSError, ValueError, IndexError):
        for line in (_PROC / "stat").read_text(encoding="ascii").splitlines():
            if process is not None and line.startswith("btime "):
                return int(line.split()[1]) + process.began / os.sysconf("SC_CLK_TCK")
    return None
