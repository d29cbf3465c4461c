"""Finds and ends the processes of a lab by the mark in their environment, whatever else is lost."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from heorot.lab.place import MARK

_KILL_SECONDS = 10.0
_POLL_SECONDS = 0.01


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


def kill_marked(mark: str) -> bool:
    """Kill all processes of a lab; returns whether there were any.

    A process id may belong to a stranger by the time of the signal, hence the descriptor: it keeps
    meaning the process whose mark is read after it was opened.
    """
    found = marked(mark)
    deadline = time.monotonic() + _KILL_SECONDS
    left = found
    while left and time.monotonic() < deadline:
        for pid in left:
            _kill(pid, mark)
        time.sleep(_POLL_SECONDS)
        left = marked(mark)
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
