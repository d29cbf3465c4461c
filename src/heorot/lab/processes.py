"""Finds and ends the processes of a lab by the mark in their environment, whatever else is lost."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import SetupError
from heorot.lab.place import MARK

_KILL_SECONDS = 10.0
_POLL_SECONDS = 0.01
_LOOKS = 2


def marked(mark: str) -> list[int]:
    """Process ids with a lab's mark, but for us and those that started us."""
    family = _family()
    wanted = f"{MARK}={mark}".encode()
    found = []
    for entry in os.scandir("/proc"):
        if entry.name.isdigit() and int(entry.name) not in family:
            with suppress(OSError):
                if wanted in Path(entry.path, "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
    return found


def kill_marked(mark: str, clock: Clock = SYSTEM_CLOCK) -> bool:
    """Kill all processes of a lab; returns whether there were any.

    A process id may belong to a stranger by the time of the signal, hence the descriptor: it keeps
    meaning the process whose mark is read after it was opened.

    Raises:
        SetupError: some do not end.
    """
    found = left = marked(mark)
    deadline = clock.monotonic() + _KILL_SECONDS
    # One that becomes another program has no environment for a moment: one look may miss it.
    n_empty = 0 if found else 1
    while n_empty < _LOOKS:
        if left and clock.monotonic() > deadline:
            raise SetupError(
                f"processes of the lab do not end: {', '.join(map(str, left))}",
                "they may wait for a disk or a file system that does not answer; try again later",
            )
        for pid in left:
            _kill(pid, mark)
        clock.sleep(_POLL_SECONDS)
        left = marked(mark)
        found = found or left
        n_empty = 0 if left else n_empty + 1
    return bool(found)


def _kill(pid: int, mark: str) -> None:
    with suppress(OSError):
        descriptor = os.pidfd_open(pid)
        try:
            environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
            if f"{MARK}={mark}".encode() in environment:
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
        finally:
            os.close(descriptor)


def _family() -> set[int]:
    """We and our ancestors."""
    family, pid = set(), os.getpid()
    while pid > 0 and pid not in family:
        family.add(pid)
        try:
            text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            break
        pid = int(text.rpartition(")")[2].split()[1])
    return family
