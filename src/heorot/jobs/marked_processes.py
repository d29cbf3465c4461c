"""Finds processes on this machine by a mark in their environment, and ends them reliably.

A process that forks and ends may be gone before it is read, with a child that was not yet listed.
So the list is read until nothing is new, processes that ended unread count as missed, and only
several successive scans without a find mean that none is left.
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
# Two scans without misses, or ten on a machine with constant process turnover.
_SURE, _ENOUGH = 5, 10


def pids() -> Iterator[int]:
    """All processes on this machine except this one."""
    own = os.getpid()
    for entry in os.scandir("/proc"):
        if entry.name.isdigit() and int(entry.name) != own:
            yield int(entry.name)


def environment_of(pid: int) -> list[bytes]:
    """The variables of a process, `NAME=VALUE`; empty if ended or of another user."""
    with suppress(OSError):
        return _read(pid).split(b"\0")
    return []


def end_marked(mark: str, *, seconds: float, clock: Clock = SYSTEM_CLOCK) -> bool:
    """Kill all processes with a variable in their environment, and all that they start meanwhile.

    Args:
        mark: the variable, `NAME=VALUE`.
        seconds: time limit, for processes that cannot be killed or respawn [s].
        clock: of the limit.

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
        # A killed process certainly ends, however late it gets a processor.
        stays = any(pid not in struck or not _is_dying(pid) for pid in look.found)
        if stays and n_looks >= _ENOUGH and clock.monotonic() >= deadline:
            return False
        struck = look.found
        clock.sleep(_PAUSE_SECONDS)


@dataclass(frozen=True)
class Process:
    """A process at the time of a scan.

    Attributes:
        parent: pid of its parent.
        state: one letter, as in ps.
        began: start in ticks since boot; unique together with the pid.
    """

    pid: int
    parent: int
    state: str
    began: int

    @property
    def has_ended(self) -> bool:
        """Whether it has ended; threads may outlive the first thread of a program."""
        if self.state not in {"Z", "X"}:
            return False
        try:
            return len([*Path(f"/proc/{self.pid}/task").iterdir()]) <= 1
        except OSError:
            return True

    def signal(self, number: int) -> None:
        """Send it a signal, unless it has ended; never to another process with the same pid."""
        with suppress(OSError):
            descriptor = os.pidfd_open(self.pid)
            try:
                now = process_of(self.pid)
                if now is not None and now.began == self.began:
                    signal.pidfd_send_signal(descriptor, number)
            finally:
                os.close(descriptor)


def signal_marked(pid: int, mark: bytes, *numbers: int) -> None:
    """Send signals to a process if it has a variable in its environment.

    Its pid may have been reused, hence the descriptor, which stays bound to the process whose
    environment is read after it was opened.

    Args:
        mark: the variable, `NAME=VALUE`.
        numbers: of the signals, in order.
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
    """A process by pid; None if there is none."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        return Process(pid=pid, parent=int(words[1]), state=words[0], began=int(words[19]))
    except (OSError, ValueError, IndexError):
        return None


def descendants_of(pid: int) -> list[Process]:
    """The descendants of a process, without those that have ended."""
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
    """Kill all descendants of a process, and those that they start meanwhile.

    Args:
        seconds: time limit [s].
    """
    deadline = clock.monotonic() + seconds
    while found := descendants_of(pid):
        for process in found:
            process.signal(signal.SIGKILL)
        if clock.monotonic() >= deadline:
            return
        clock.sleep(_PAUSE_SECONDS)


class _Look:
    """One scan of all processes, which kills those with a mark.

    Args:
        ended: processes that had ended at earlier scans and are still listed; updated.

    Attributes:
        found: processes with the mark.
        missed: whether a process ended before it was read.
    """

    def __init__(self, mark: bytes, ended: set[int]) -> None:
        self._mark, self._ended = mark, ended
        self.found: set[int] = set()
        self.missed = False
        self._hollow: list[int] = []  # without an environment: ended, of the kernel, or in an exec
        self._groups: set[int] = set()  # of the processes found
        self._strange = {os.getpgrp()}  # groups with other members

    def take(self) -> None:
        """Read the list of processes until nothing in it is new; then kill whole groups."""
        seen: set[int] = set()
        for _ in range(_LISTINGS):
            fresh = set(pids()) - seen
            if not fresh:
                break
            seen |= fresh
            for pid in sorted(fresh, reverse=True):  # respawned ones are among the youngest
                if not self._try(pid):
                    self._hollow.append(pid)
        else:
            self.missed = True
        for pid in self._hollow:
            if not self._try(pid):
                self._account_for(pid)
        # A process that forks cannot escape a signal to its group.
        # A group with its leader in another namespace has number 0 here, which would be ours.
        for group in self._groups - self._strange - {0, 1}:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)

    def _account_for(self, pid: int) -> None:
        """Count a process as missed if it is gone, or has ended since the last scan.

        Kernel threads have an empty environment, too.
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
        """Kill a process if it has the mark; returns whether its environment is not empty."""
        try:
            group, text = os.getpgid(pid), _read(pid)
        except PermissionError:  # of another user
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
    """Whether a process has ended, or ends when it next runs: not one that waits for a disk."""
    try:
        return _is_killed(Path(f"/proc/{pid}/status").read_text(errors="replace"))
    except OSError:
        return True


def _is_killed(text: str) -> bool:
    """Whether a process has been killed and waits for a processor, by its `status` in /proc."""
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
