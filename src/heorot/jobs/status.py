"""Reads what job scripts wrote: which steps started, how they ended, which were lost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
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
from heorot.printable import one_line

_MOST_NAMES, _LONGEST_NAME = 5, 32
_STOPPED = re.compile(r"job [^:]+ stopped: ")


@dataclass(frozen=True)
class JobStatus:
    """What one job's script wrote, over all the times it was started.

    Attributes:
        directory: the job's directory.
        hosts: where its script ran, in order.
        allocated: the hosts it was given, the last time it was started.
        started: when each step last started, Unix time [s].
        placed: the hosts on which each step last started.
        begun: when the script first ran, Unix time; None if it never did [s].
        last_begun: when it last began, in the same way [s].
        finished: when it came to its end, Unix time; None if it did not [s].
        exits: how each step ended, in order of ending.
        repeated: steps that ended more than once, which must not be.
        interrupted: whether it was last stopped on request.
        overtime: whether that was since its time was up.
        ended: whether the script came to its end.
        left: what steps left behind.
        overdue: whether the script was found stopped, by the steps whose time limit it let pass.
        complaint: the last thing the script itself complained about.
        gave_up: whether it has ever stopped for a reason of its own, such as a full disk.
        heard: when it wrote last, Unix time; None if it never did [s].
        run_seconds: from its starts to its last words before the next start, summed [s].
        step_seconds: of these, those in which at least one step ran [s].
    """

    directory: Path
    hosts: tuple[str, ...] = ()
    allocated: tuple[str, ...] = ()
    started: dict[str, float] = field(default_factory=dict)
    placed: dict[str, tuple[str, ...]] = field(default_factory=dict)
    begun: float | None = None
    last_begun: float | None = None
    finished: float | None = None
    exits: dict[str, Exit] = field(default_factory=dict)
    repeated: tuple[str, ...] = ()
    interrupted: bool = False
    overtime: bool = False
    ended: bool = False
    left: tuple[Left, ...] = ()
    overdue: dict[str, bool] = field(default_factory=dict)
    complaint: str = ""
    gave_up: bool = False
    heard: float | None = None
    run_seconds: float = 0.0
    step_seconds: float = 0.0

    def own(self, steps: Collection[str]) -> Own | None:
        """How the script says that it ended: well if it came to its end or all steps have ended.

        Args:
            steps: ids of the job's steps; none where that is not known.
        """
        if self.ended or (steps and set(steps) <= self.exits.keys()):
            return "ok"
        if self.interrupted:
            return "timeout" if self.overtime else "interrupted"
        return None


def read_status(directory: Path) -> JobStatus:
    """Read a job's status file; a job that never ran has an empty one."""
    events = _events(directory / "status.jsonl")
    begun = [event for event in events if event.event == "job"]
    started = [event for event in events if isinstance(event, StepStart)]
    ended = [event for event in events if isinstance(event, StepEnd)]
    finished = [event.time for event in events if event.event == "end"]
    last = next((one for one in reversed(events) if not isinstance(one, StepOverdue)), None)
    interrupted = last is not None and last.event == "interrupted"
    run_seconds, step_seconds = _spans(events)
    overdue = {event.step: event for event in events if isinstance(event, StepOverdue)}
    said = complaints(directory)
    return JobStatus(
        directory=directory,
        hosts=tuple(event.host for event in begun),
        allocated=begun[-1].hosts if begun else (),
        started={event.step: event.time for event in started},
        placed={event.step: event.hosts for event in started},
        begun=begun[0].time if begun else None,
        last_begun=begun[-1].time if begun else None,
        finished=finished[-1] if finished else None,
        exits={one.step: one.exit(late=_is_late(one, overdue.get(one.step))) for one in ended},
        repeated=tuple(step for step, n in Counter(e.step for e in ended).items() if n > 1),
        interrupted=interrupted,
        overtime=interrupted and last is not None and last.cause == "time_limit",
        ended=last is not None and last.event == "end",
        left=_left(events),
        overdue={step: event.stopped for step, event in overdue.items()},
        complaint=next(reversed(said), ""),
        gave_up=any(_STOPPED.match(line) for line in said),
        heard=last.time if last else None,
        run_seconds=run_seconds,
        step_seconds=step_seconds,
    )


def _is_late(end: StepEnd, overdue: StepOverdue | None) -> bool:
    return overdue is not None and overdue.time >= end.started


def _left(events: Iterable[Event]) -> tuple[Left, ...]:
    """What steps left behind; of a step that ran again, the last time."""
    by_steps = {event.steps: event for event in events if isinstance(event, StepsLeft)}
    return tuple(
        Left(
            steps=steps,
            n=event.n,
            names=tuple(one_line(name)[:_LONGEST_NAME] for name in event.names[:_MOST_NAMES]),
        )
        for steps, event in by_steps.items()
    )


def _spans(events: Iterable[Event]) -> tuple[float, float]:
    """How long the script ran, and how long of that any step did, over all its starts [s].

    A step that was cut off ran until the last word of that start: what the script did not live to
    write is not known.
    """
    ran = in_steps = 0.0
    before: float | None = None
    running: set[str] = set()
    for event in events:
        if event.event == "job":
            before = None
            running.clear()
        if before is not None and isinstance(event, StepEnd):
            before = _as_set(before, event)
        # Steps of a wave write at the same time, so their times may be out of order.
        passed = max(0.0, event.time - before) if before is not None else 0.0
        before = event.time if before is None else max(before, event.time)
        ran += passed
        in_steps += passed if running else 0.0
        if isinstance(event, StepStart):
            running.add(event.step)
        elif isinstance(event, StepEnd):
            running.discard(event.step)
    return ran, in_steps


def _as_set(before: float, event: StepEnd) -> float:
    """The time of an earlier event by the clock as it was set before this one."""
    # Of steps that ran at the same time only the first to end accounts for the step of the clock.
    is_first = abs(event.time - before) > abs(event.clock_set) / 2
    return before + event.clock_set if is_first else before


def read_jobs(jobs: Path) -> tuple[JobStatus, ...]:
    """Read all jobs of a run, in the order they were made.

    Args:
        jobs: directory with one directory per job.
    """
    found = (path for path in jobs.glob("J*") if path.is_dir())
    directories = sorted(found, key=lambda path: (len(path.name), path.name))
    return tuple(read_status(directory) for directory in directories)


def _events(path: Path) -> list[Event]:
    """The events of a status file; a line torn by a crash is no event."""
    return [event for line in read_from(path, 0).split(b"\n") if (event := parse_event(line))]
