"""Reads the status files of job scripts: which steps started, how they ended, which were lost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from math import inf
from pathlib import Path

from heorot.files import read_from
from heorot.jobs.events import (
    Event,
    Own,
    StepEnd,
    StepOverdue,
    StepsLeft,
    StepStart,
    complaints,
    parse_event,
)
from heorot.model.run.outcome import Exit, Left

_WHOLE = frozenset({"job", "interrupted", "end"})
_STOPPED = re.compile(r"job [^:]+ stopped: ")


@dataclass(frozen=True)
class JobStatus:
    """The output of a job's script, over all its runs.

    Attributes:
        events: in the order of writing.
        complaints: lines of the script on stderr.
    """

    directory: Path
    events: tuple[Event, ...] = ()
    complaints: tuple[str, ...] = ()

    @cached_property
    def _begins(self) -> list[Event]:
        return [event for event in self.events if event.event == "job"]

    @cached_property
    def _starts(self) -> list[StepStart]:
        return [event for event in self.events if isinstance(event, StepStart)]

    @cached_property
    def _ends(self) -> list[StepEnd]:
        return [event for event in self.events if isinstance(event, StepEnd)]

    @cached_property
    def _last(self) -> Event | None:
        """The last event of the script as a whole, steps left out."""
        whole = (event for event in reversed(self.events) if event.event in _WHOLE)
        return next(whole, None)

    @property
    def hosts(self) -> tuple[str, ...]:
        """Hosts of the script, in order."""
        return tuple(event.host for event in self._begins)

    @property
    def allocated(self) -> tuple[str, ...]:
        """The allocated hosts of its latest run."""
        return self._begins[-1].hosts if self._begins else ()

    @property
    def started(self) -> dict[str, float]:
        """The latest start of each step, Unix time [s]."""
        return {event.step: event.time for event in self._starts}

    @property
    def placed(self) -> dict[str, tuple[str, ...]]:
        """The hosts of the latest start of each step."""
        return {event.step: event.hosts for event in self._starts}

    @property
    def begun(self) -> float | None:
        """The first start of the script, Unix time; None if it never ran [s]."""
        return self._begins[0].time if self._begins else None

    @property
    def last_begun(self) -> float | None:
        """Its latest start, likewise [s]."""
        return self._begins[-1].time if self._begins else None

    @property
    def finished(self) -> float | None:
        """When it reached its end, Unix time; None if it did not [s]."""
        times = (event.time for event in reversed(self.events) if event.event == "end")
        return next(times, None)

    @property
    def over(self) -> float | None:
        """When it ended or was interrupted, unless it has started again since [s]."""
        return self._last.time if self._last and self._last.event != "job" else None

    @cached_property
    def exits(self) -> dict[str, Exit]:
        """The end of each step, in order of ending."""
        late = {event.step: event.time for event in self._overdue}
        return {
            end.step: end.exit(late=late.get(end.step, -inf) >= end.started) for end in self._ends
        }

    @property
    def repeated(self) -> tuple[str, ...]:
        """Steps that ended more than once, which is an error."""
        counts = Counter(end.step for end in self._ends)
        return tuple(step for step, n in counts.items() if n > 1)

    @property
    def running(self) -> dict[str, float]:
        """Start times of the steps that have not ended, Unix time [s]."""
        found: dict[str, float] = {}
        for event in self.events:
            if event.event == "job":  # steps of an earlier run without an end
                found.clear()
            elif isinstance(event, StepStart):
                found[event.step] = event.time
            elif isinstance(event, StepEnd):
                found.pop(event.step, None)
        return found

    @property
    def interrupted(self) -> bool:
        """Whether it was last stopped on request."""
        return self._last is not None and self._last.event == "interrupted"

    @property
    def overtime(self) -> bool:
        """Whether that was at its time limit."""
        return self.interrupted and self._last is not None and self._last.cause == "time_limit"

    @property
    def ended(self) -> bool:
        """Whether the script reached its end."""
        return self._last is not None and self._last.event == "end"

    @property
    def left(self) -> tuple[Left, ...]:
        """Processes left by steps; of a repeated step, by the latest run."""
        found = (event for event in self.events if isinstance(event, StepsLeft))
        return tuple(event.left for event in {event.steps: event for event in found}.values())

    @property
    def _overdue(self) -> list[StepOverdue]:
        return [event for event in self.events if isinstance(event, StepOverdue)]

    @property
    def overdue(self) -> dict[str, bool]:
        """Whether the script was found suspended, by the steps whose time limit it missed."""
        return {event.step: event.stopped for event in self._overdue}

    @property
    def complaint(self) -> str:
        """The script's latest complaint."""
        return next(reversed(self.complaints), "")

    @property
    def gave_up(self) -> bool:
        """Whether it ever stopped by itself, for a reason such as a full disk."""
        return any(_STOPPED.match(line) for line in self.complaints)

    @property
    def heard(self) -> float | None:
        """Time of its latest event, Unix time; None if it never ran [s]."""
        own = (event.time for event in reversed(self.events) if not isinstance(event, StepOverdue))
        return next(own, None)

    @property
    def run_seconds(self) -> float:
        """Sum over its runs, from the start to the latest event of the run [s]."""
        return self._spans[0]

    @property
    def step_seconds(self) -> float:
        """The part of it with at least one running step [s]."""
        return self._spans[1]

    @cached_property
    def _spans(self) -> tuple[float, float]:
        """Time of the script, and time with a running step, over all its runs [s].

        A step without an end counts up to the latest event of its run; the rest is unknown.
        """
        ran = in_steps = 0.0
        before: float | None = None
        running: set[str] = set()
        for event in self.events:
            if event.event == "job":
                before = None
                running.clear()
            if before is not None and isinstance(event, StepEnd):
                before = _as_set(before, event)
            # Steps of a wave write at the same time, so their events may be out of order.
            passed = max(0.0, event.time - before) if before is not None else 0.0
            before = event.time if before is None else max(before, event.time)
            ran += passed
            in_steps += passed if running else 0.0
            if isinstance(event, StepStart):
                running.add(event.step)
            elif isinstance(event, StepEnd):
                running.discard(event.step)
        return ran, in_steps

    def own(self, steps: Collection[str]) -> Own | None:
        """The script's own record of its end: well if it or all its steps ended.

        An exit code other than 0 is not well.

        Args:
            steps: ids of the job's steps; empty if unknown.
        """
        if self.ended and self._last and self._last.exit_code:
            return "failed"
        if self.ended or (steps and set(steps) <= self.exits.keys()):
            return "ok"
        if self.interrupted:
            return "timeout" if self.overtime else "interrupted"
        return None


def read_status(directory: Path) -> JobStatus:
    """Read a job's status file; empty for a job that never ran."""
    lines = read_from(directory / "status.jsonl", 0).split(b"\n")
    events = (event for line in lines if (event := parse_event(line)))  # torn lines are dropped
    return JobStatus(directory, tuple(events), tuple(complaints(directory)))


def _as_set(before: float, event: StepEnd) -> float:
    """The time of an earlier event by the clock as set before this one."""
    # Of simultaneous steps only the first to end accounts for the change of the clock.
    is_first = abs(event.time - before) > abs(event.clock_set) / 2
    return before + event.clock_set if is_first else before


def read_jobs(jobs: Path) -> tuple[JobStatus, ...]:
    """Read all jobs of a run, by number.

    Args:
        jobs: directory with one directory per job.
    """
    found = (path for path in jobs.glob("J*") if path.is_dir())
    directories = sorted(found, key=lambda path: (len(path.name), path.name))
    return tuple(read_status(directory) for directory in directories)
