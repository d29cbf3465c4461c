"""Finds and kills the processes of a lab by the mark in their environment."""

from __future__ import annotations

import os
import signal

from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import SetupError
from heorot.jobs.marked_processes import environment_of, pids, process_of, signal_marked
from heorot.lab.storage import MARK

_KILL_SECONDS = 10.0
_POLL_SECONDS = 0.01
_LOOKS = 2


def marked(mark: str) -> list[int]:
    """Process ids with a lab's mark, except our own and our ancestors'."""
    family, wanted = _ancestors(), _variable(mark)
    return [pid for pid in pids() if pid not in family and wanted in environment_of(pid)]


def kill_marked(mark: str, clock: Clock = SYSTEM_CLOCK) -> bool:
    """Kill all processes of a lab; returns whether there were any.

    Raises:
        SetupError: some do not end.
    """
    found = left = marked(mark)
    deadline = clock.monotonic() + _KILL_SECONDS
    # During exec a process has no environment: one look may miss it.
    n_empty = 0 if found else 1
    while n_empty < _LOOKS:
        if left and clock.monotonic() > deadline:
            raise SetupError(
                f"processes of the lab do not end: {', '.join(map(str, left))}",
                "they may wait for a disk or a file system that does not answer; try again later",
            )
        for pid in left:
            signal_marked(pid, _variable(mark), signal.SIGKILL)
        clock.sleep(_POLL_SECONDS)
        left = marked(mark)
        found = found or left
        n_empty = 0 if left else n_empty + 1
    return bool(found)


def _variable(mark: str) -> bytes:
    return f"{MARK}={mark}".encode()


def _ancestors() -> set[int]:
    found: set[int] = set()
    process = process_of(os.getppid())
    while process is not None and process.pid not in found:
        found.add(process.pid)
        process = process_of(process.parent)
    return found
