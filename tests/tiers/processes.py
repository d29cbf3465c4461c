"""Processes started by a run of tests, directly or not: none is left when it is over."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of prctl(2)
_TURN_SECONDS = 0.1
# Fields of /proc/PID/stat behind the name: the times are its own and of those it has waited for.
_STATE, _PARENT, _TIMES = 0, 1, slice(11, 15)


def adopt_orphans() -> None:
    """Become the parent of orphaned descendants, so that none is lost."""
    ctypes.CDLL(None, use_errno=True).prctl(_SUBREAPER, 1, 0, 0, 0)


def descendants() -> dict[int, str]:
    """Process ids of all descendants, and their commands; zombies are left out."""
    parents: dict[int, int] = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit() and (fields := _stat(int(entry.name))) and fields[_STATE] != "Z":
            parents[int(entry.name)] = int(fields[_PARENT])
    found: set[int] = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return {pid: _command(pid) for pid in sorted(found - {os.getpid()})}


def reap(living: Iterable[int]) -> None:
    """Reap orphans that have ended.

    Args:
        living: children that are reaped elsewhere.
    """
    known = set(living)
    for entry in os.scandir("/proc"):
        fields = _stat(int(entry.name)) if entry.name.isdigit() else []
        if fields and fields[_STATE] == "Z" and int(fields[_PARENT]) == os.getpid():
            pid = int(entry.name)
            if pid not in known:
                with suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)


def await_end(seconds: float) -> dict[int, str]:
    """Wait until no descendant runs; returns those left after a time limit [s]."""
    deadline = time.monotonic() + seconds
    while (left := descendants()) and time.monotonic() < deadline:
        reap(())
        time.sleep(_TURN_SECONDS)
    return left


def kill_all() -> None:
    """Kill all descendants; those started meanwhile are found in the next round."""
    while left := descendants():
        for pid in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_TURN_SECONDS)
        reap(())


def busy_seconds() -> tuple[float, float]:
    """CPU time of all processes of this machine, and of descendants, ended or not [s]."""
    first = Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()
    user, nice, system, _, _, irq, softirq, steal = map(int, first[1:9])
    ticks = sum(sum(map(int, _stat(pid)[_TIMES] or "0")) for pid in descendants())
    per_second = os.sysconf("SC_CLK_TCK")
    everybody = (user + nice + system + irq + softirq + steal) / per_second
    return everybody, sum(os.times()[:4]) + ticks / per_second


def _stat(pid: int) -> list[str]:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:  # it has ended meanwhile
        return []
    return text.rpartition(")")[2].split()


def _command(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return ""
    return b" ".join(words).decode(errors="replace")[:120]
