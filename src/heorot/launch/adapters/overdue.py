"""Enforces the time limits of steps from outside of the job, where its script cannot.

A program can stop the processes that would end it: `timeout` or the job script. A process that
waits for a disk that does not answer cannot be killed. So the follower of a job escalates:
continue stopped processes, end the step, end all processes of the script, end the script.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from heorot.clock import Clock
from heorot.files import read_from
from heorot.jobs.events import note
from heorot.jobs.marked_processes import (
    Process,
    descendants_of,
    end_descendants,
    end_marked,
    environment_of,
    pids,
    process_of,
)
from heorot.jobs.tail import StatusTail
from heorot.launch.adapters.adapter import Adapter
from heorot.launch.job import Job
from heorot.launch.script import KILL_AFTER_SECONDS

# Between two steps the script finds and describes hosts and cleans up, each with its own limit.
_BETWEEN_SECONDS = 300.0
# After this time a script without progress is stuck, whatever it does.
_LATEST_SECONDS = 100.0
_KILLED = 137
_KILL_SECONDS = 5.0
# The largest process id is 4194304.
_PID_DIGITS = 7


class Means(Protocol):
    """Actions on a script that makes no progress."""

    def progress(self, job: Job) -> object:
        """A value that changes while the script makes progress."""

    def wake(self, job: Job) -> bool:
        """Continue all stopped processes of a job; whether there were any."""

    def end_step(self, job: Job, step: str) -> None:
        """End all processes with a step's mark."""

    def end_steps(self, job: Job) -> None:
        """End all processes that the script has started."""


class Here:
    """Actions on a script on this machine."""

    def progress(self, job: Job) -> object:
        pid = pid_of(job)
        return None if pid is None else progress_of(job, pid)

    def wake(self, job: Job) -> bool:
        stopped = [one for one in _family(job) if one.state == "T"]
        for one in stopped:
            one.signal(signal.SIGCONT)
        return bool(stopped)

    def end_step(self, job: Job, step: str) -> None:
        end_marked(f"HEOROT_STEP={job.marker}/{step}", seconds=_KILL_SECONDS)

    def end_steps(self, job: Job) -> None:
        pid = pid_of(job)
        if pid is not None and is_marked(pid, job):
            end_descendants(pid, seconds=_KILL_SECONDS)


class Watchdog:
    """Watches over one job.

    Args:
        silent_seconds: time without progress after which a script counts as stuck [s].
    """

    def __init__(self, job: Job, means: Means, clock: Clock, silent_seconds: float) -> None:
        self._job, self._means, self._clock = job, means, clock
        self._silent = silent_seconds
        self._since: dict[tuple[str, float], float] = {}
        self._step, self._round = "", 0
        self._sign: object = None
        self._heard = 0.0

    def look(self, tail: StatusTail) -> bool:
        """Take the action that is due; true if all have failed and the job must be ended."""
        now = self._clock.monotonic()
        doing = tail.status.running or {"": float(len(tail.status.exits))}
        self._since = {one: self._since.get(one, now) for one in doing.items()}
        late = {step: now - since - self._limit(step) for (step, _), since in self._since.items()}
        step = max(late, key=lambda one: late[one])
        if step != self._step or late[step] <= 0.0:
            self._step, self._round, self._heard = step, 0, now
        if late[step] <= 0.0:
            return False
        sign = self._means.progress(self._job)
        if sign != self._sign:
            self._sign, self._heard = sign, now
        gets_on = now - self._heard < self._silent
        if gets_on and late[step] < _LATEST_SECONDS * (self._round + 1):
            return False
        self._heard = now
        return self._act(step)

    def _limit(self, step: str) -> float:
        own = self._job.limits.get(step)
        return _BETWEEN_SECONDS if own is None else own + KILL_AFTER_SECONDS

    def _act(self, step: str) -> bool:
        self._round += 1
        if self._round == 2 and step:  # noqa: PLR2004 (the second try)
            self._means.end_step(self._job, step)
        elif self._round in {2, 3}:
            self._means.end_steps(self._job)
        stopped = self._means.wake(self._job)
        if self._round == 1 and step:
            note(
                self._job.directory,
                event="overdue",
                step=step,
                time=self._clock.time(),
                stopped=stopped,
            )
        return self._round > 3  # noqa: PLR2004 (after the third try)

    def conclude(self, tail: StatusTail) -> None:
        """Record a timeout for the unfinished steps of a script that is gone."""
        running = tail.status.running
        for (step, started), since in self._since.items():
            if running.get(step) == started and step in self._job.limits:
                ended = started + max(0.0, self._clock.monotonic() - since)
                fields = {"time": ended, "code": _KILLED, "timed_out": True, "started": started}
                note(self._job.directory, event="exit", step=step, **fields)

    def restart(self, adapter: Adapter, tail: StatusTail, is_gone: Callable[[], bool]) -> bool:
        """End a script that makes no progress and start another; not if it cannot be ended.

        Args:
            is_gone: whether it has ended for certain.
        """
        adapter.cancel(self._job)
        if not is_gone():
            return False
        self.conclude(tail)
        adapter.start(self._job)
        return True


def _family(job: Job) -> list[Process]:
    """The job's script, its descendants, and the processes with the job's mark."""
    script = pid_of(job)
    found = {pid: process_of(pid) for pid in processes_of(job)}
    if script in found:
        found |= {one.pid: one for one in descendants_of(script)}
    return [one for one in found.values() if one is not None]


def processes_of(job: Job) -> Iterator[int]:
    """Process ids on this machine that carry the job's mark, our own excluded."""
    return (pid for pid in pids() if is_marked(pid, job))


def mark_of(job: Job) -> str:
    """The variable that all processes of a job carry."""
    return f"HEOROT_JOB={job.marker}"


def is_marked(pid: int, job: Job) -> bool:
    """Whether a process has the job's mark; one that has ended has none."""
    return mark_of(job).encode() in environment_of(pid)


def progress_of(job: Job, pid: int) -> object:
    """A value that changes with progress: status file, CPU time of the script and its children."""
    used = read_from(Path(f"/proc/{pid}/stat"), 0).rpartition(b")")[2].split()[7:15]
    return len(read_from(job.status, 0)), used


def pid_of(job: Job) -> int | None:
    """The process id that a job's script wrote, possibly reused by now; None if there is none."""
    text = read_from(job.directory / "pid", 0).strip()
    return int(text) if text.isdigit() and len(text) <= _PID_DIGITS else None
