"""Finds processes on this machine by a mark in their environment, and ends them for sure.

A process that forks and ends is gone before it is read, and its child was not there yet when the
processes were listed. So a list is read until nothing is new, what went before it was read counts
as missed, and only several looks in a row that find nothing say that nothing is left.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from heorot.clock import SYSTEM_CLOCK, Clock

_PAUSE_SECONDS = 0.02
_LISTINGS = 5
# Two looks that missed nothing, or ten on a machine where processes come and go all the time.
_SURE, _ENOUGH = 5, 10


def pids() -> Iterator[int]:
    """All processes on this machine but ours."""
    own = os.getpid()
    for entry in os.scandir("/proc"):
        if entry.name.isdigit() and int(entry.name) != own:
            yield int(entry.name)


def environment_of(pid: int) -> list[bytes]:
    """The variables of a process, `NAME=VALUE`; none for one that has ended or is not ours."""
    with suppress(OSError):
        return _read(pid).split(b"\0")
    return []


def end_marked(mark: str, *, seconds: float, clock: Clock = SYSTEM_CLOCK) -> bool:
    """Kill all processes that have a variable in their environment, and all they start meanwhile.

    Args:
        mark: the variable, `NAME=VALUE`.
        seconds: after which what cannot be killed, or starts anew all the time, is given up [s].
        clock: which time that is.

    Returns:
        Whether none is left.
    """
    deadline = clock.monotonic() + seconds
    quiet = n_looks = 0
    ended: set[int] = set()
    struck: set[int] = set()
    while True:
        look = _Look(mark.encode(), ended)
        look.take()
        n_looks += 1
        quiet = 0 if look.found else quiet + (1 if look.missed else _SURE)
        if quiet >= _ENOUGH:
            return True
        # What was killed and waits for a processor goes for certain, however late it gets one.
        stays = any(pid not in struck or not _is_dying(pid) for pid in look.found)
        if stays and n_looks >= _ENOUGH and clock.monotonic() >= deadline:
            return False
        struck = look.found
        clock.sleep(_PAUSE_SECONDS)


@dataclass(frozen=True)
class Process:
    """A process as it was at a look.

    Attributes:
        parent: of which process it is a child.
        state: one letter, as ps has it.
        began: when it did, in ticks since the start of the machine: with the number, it is its own.
    """

    pid: int
    parent: int
    state: str
    began: int

    @property
    def has_ended(self) -> bool:
        """Whether it has; a program may go on in its threads when its first one has ended."""
        if self.state not in {"Z", "X"}:
            return False
        try:
            return len([*Path(f"/proc/{self.pid}/task").iterdir()]) <= 1
        except OSError:
            return True

    def signal(self, number: int) -> None:
        """Send it a signal, unless it has ended; never to another that has its number by now."""
        with suppress(OSError):
            descriptor = os.pidfd_open(self.pid)
            try:
                now = process_of(self.pid)
                if now is not None and now.began == self.began:
                    signal.pidfd_send_signal(descriptor, number)
            finally:
                os.close(descriptor)


def signal_marked(pid: int, mark: bytes, *numbers: int) -> None:
    """Send signals to a process that has a variable in its environment, and to none without it.

    Its number may be a stranger's by now, hence the descriptor: it keeps meaning the process whose
    environment is read after it was opened.

    Args:
        mark: the variable, `NAME=VALUE`.
        numbers: of the signals, in their order.
    """
    with suppress(OSError):
        descriptor = os.pidfd_open(pid)
        try:
            if mark in _read(pid).split(b"\0"):
                for number in numbers:
                    signal.pidfd_send_signal(descriptor, number)
        finally:
            os.close(descriptor)


def process_of(pid: int) -> Process | None:
    """A process; None if there is none of that number."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        return Process(pid=pid, parent=int(words[1]), state=words[0], began=int(words[19]))
    except (OSError, ValueError, IndexError):
        return None


def descendants_of(pid: int) -> list[Process]:
    """The children of a process, their children, and so on, those who have ended left out."""
    children: dict[int, list[Process]] = {}
    for one in pids():
        process = process_of(one)
        if process is not None and not process.has_ended:
            children.setdefault(process.parent, []).append(process)
    found, new = [], children.get(pid, [])
    while new:
        found += new
        new = [child for one in new for child in children.get(one.pid, [])]
    return found


def end_descendants(pid: int, *, seconds: float, clock: Clock = SYSTEM_CLOCK) -> None:
    """Kill all descendants of a process, and what comes after them meanwhile.

    Args:
        seconds: how long that may take [s].
    """
    deadline = clock.monotonic() + seconds
    while found := descendants_of(pid):
        for process in found:
            process.signal(signal.SIGKILL)
        if clock.monotonic() >= deadline:
            return
        clock.sleep(_PAUSE_SECONDS)


class _Look:
    """One look at all processes, which kills those with a mark as it finds them.

    Args:
        ended: processes that had ended at earlier looks and are still listed; kept up to date.

    Attributes:
        found: those with the mark.
        missed: whether a process went before it was read.
    """

    def __init__(self, mark: bytes, ended: set[int]) -> None:
        self._mark, self._ended = mark, ended
        self.found: set[int] = set()
        self.missed = False
        self._hollow: list[int] = []  # without an environment: ended, the kernel's, or amid an exec
        self._groups: set[int] = set()  # of what was found
        self._strange = {os.getpgrp()}  # groups that others are in, too

    def take(self) -> None:
        """Read the list of processes until nothing in it is new; then end whole groups."""
        seen: set[int] = set()
        for _ in range(_LISTINGS):
            fresh = set(pids()) - seen
            if not fresh:
                break
            seen |= fresh
            for pid in sorted(fresh, reverse=True):  # what runs away is among the youngest
                if not self._try(pid):
                    self._hollow.append(pid)
        else:
            self.missed = True
        for pid in self._hollow:
            if not self._try(pid):
                self._account_for(pid)
        # A process that forks cannot run away from a signal to its group.
        # A group whose leader is in another namespace has no number here: 0 would be our own.
        for group in self._groups - self._strange - {0, 1}:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)

    def _account_for(self, pid: int) -> None:
        """Take a process for missed that is gone, or has ended since the last look.

        The kernel's own have nothing in their environment either.
        """
        try:
            state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[:1]
        except OSError:
            self.missed = True
            return
        if state in ([b"Z"], [b"X"]) and pid not in self._ended:
            self._ended.add(pid)
            self.missed = True

    def _try(self, pid: int) -> bool:
        """Kill a process if it has the mark; whether it has anything in its environment."""
        try:
            group, text = os.getpgid(pid), _read(pid)
        except PermissionError:  # of somebody else
            return True
        except OSError:
            return False
        if self._mark in text.split(b"\0"):
            self.found.add(pid)
            self._groups.add(group)
            signal_marked(pid, self._mark, signal.SIGKILL)
        elif text:
            self._strange.add(group)
        return bool(text)


def _is_dying(pid: int) -> bool:
    """Whether a process has ended, or will as soon as it runs: not one that waits for a disk."""
    try:
        return _tells_of_death(Path(f"/proc/{pid}/status").read_text(errors="replace"))
    except OSError:
        return True


def _tells_of_death(text: str) -> bool:
    """Whether a process has been killed and only wants a processor, by its `status` in /proc."""
    fields = dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)
    pending = int(fields.get("ShdPnd", "0"), 16) | int(fields.get("SigPnd", "0"), 16)
    return fields.get("State", "")[:1] != "D" and bool(pending >> (signal.SIGKILL - 1) & 1)


def _read(pid: int) -> bytes:
    handle = os.open(f"/proc/{pid}/environ", os.O_RDONLY | os.O_CLOEXEC)
    try:
        parts = []
        while part := os.read(handle, 1 << 20):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(handle)
