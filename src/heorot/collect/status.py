"""Reads what job scripts wrote: which steps started, how they ended, which were lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from heorot.collect.output import one_line
from heorot.files import read_regular
from heorot.model.base import Count, Moment, Whole
from heorot.model.run.account import Account
from heorot.model.run.outcome import Exit, Left, Outcome

_MOST_NAMES, _LONGEST_NAME = 5, 32


class _Event(BaseModel):
    """A line of status.jsonl."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    event: Literal["job", "start", "interrupted", "end"]
    time: Moment
    step: str = ""
    host: str = ""
    hosts: tuple[str, ...] = ()


class _Ended(_Event):
    """The line of a step's end: without one of its facts it is none."""

    event: Literal["exit"]  # type: ignore[assignment]
    step: str
    code: Whole
    timed_out: bool
    started: Moment
    clock_set: Whole = 0


class _Left(_Event):
    """The line about what steps left behind."""

    event: Literal["left"]  # type: ignore[assignment]
    steps: tuple[str, ...]
    n: Count
    names: tuple[str, ...] = ()


class _Overdue(_Event):
    """The line of whoever followed a job whose script let a step's time limit pass."""

    event: Literal["overdue"]  # type: ignore[assignment]
    step: str
    stopped: bool


_LINE: TypeAdapter[_Event] = TypeAdapter(
    Annotated[_Event | _Ended | _Left | _Overdue, Field(discriminator="event")]
)


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
        ended: whether the script came to its end.
        left: what steps left behind.
        overdue: whether the script was found stopped, by the steps whose time limit it let pass.
        complaint: the last thing the script itself complained about.
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
    ended: bool = False
    left: tuple[Left, ...] = ()
    overdue: dict[str, bool] = field(default_factory=dict)
    complaint: str = ""
    heard: float | None = None
    run_seconds: float = 0.0
    step_seconds: float = 0.0


def read_status(directory: Path) -> JobStatus:
    """Read a job's status file; a job that never ran has an empty one.

    Args:
        directory: the job's directory.
    """
    events = _events(directory / "status.jsonl")
    begun = [event for event in events if event.event == "job"]
    started = [event for event in events if event.event == "start"]
    ended = [event for event in events if isinstance(event, _Ended)]
    finished = [event.time for event in events if event.event == "end"]
    last = next((one for one in reversed(events) if not isinstance(one, _Overdue)), None)
    run_seconds, step_seconds = _spans(events)
    overdue = {event.step: event for event in events if isinstance(event, _Overdue)}
    return JobStatus(
        directory=directory,
        hosts=tuple(event.host for event in begun),
        allocated=begun[-1].hosts if begun else (),
        started={event.step: event.time for event in started},
        placed={event.step: event.hosts for event in started},
        begun=begun[0].time if begun else None,
        last_begun=begun[-1].time if begun else None,
        finished=finished[-1] if finished else None,
        exits={event.step: _exit(event, overdue.get(event.step)) for event in ended},
        repeated=tuple(step for step, n in Counter(e.step for e in ended).items() if n > 1),
        interrupted=last is not None and last.event == "interrupted",
        ended=last is not None and last.event == "end",
        left=_left(events),
        overdue={step: event.stopped for step, event in overdue.items()},
        complaint=_complaint(directory / "stderr"),
        heard=last.time if last else None,
        run_seconds=run_seconds,
        step_seconds=step_seconds,
    )


def _exit(event: _Ended, overdue: _Overdue | None) -> Exit:
    """How a step ended; one that was overdue had its time, whatever code its programs gave."""
    late = overdue is not None and overdue.time >= event.started
    return Exit(
        step=event.step,
        started=event.started,
        ended=event.time,
        code=event.code,
        timed_out=event.timed_out or late,
        clock_set=event.clock_set,
    )


def _left(events: Iterable[_Event]) -> tuple[Left, ...]:
    """What steps left behind; of a step that ran again, the last time."""
    by_steps = {event.steps: event for event in events if isinstance(event, _Left)}
    return tuple(
        Left(
            steps=steps,
            n=event.n,
            names=tuple(one_line(name)[:_LONGEST_NAME] for name in event.names[:_MOST_NAMES]),
        )
        for steps, event in by_steps.items()
    )


def _spans(events: Iterable[_Event]) -> tuple[float, float]:
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
        if before is not None and isinstance(event, _Ended):
            before = _as_set(before, event)
        # Steps of a wave write at the same time, so their times may be out of order.
        passed = max(0.0, event.time - before) if before is not None else 0.0
        before = event.time if before is None else max(before, event.time)
        ran += passed
        in_steps += passed if running else 0.0
        if event.event == "start":
            running.add(event.step)
        elif not isinstance(event, _Overdue):
            running.discard(event.step)
    return ran, in_steps


def _as_set(before: float, event: _Ended) -> float:
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


def reconcile(
    submitted: Iterable[str], outcomes: Iterable[Outcome], jobs: Iterable[JobStatus]
) -> Account:
    """Account for every step asked for and every end reported.

    Args:
        submitted: ids of the steps asked for.
        outcomes: how they ended.
        jobs: what the job scripts wrote.
    """
    wanted = list(submitted)
    states = [outcome.state for outcome in outcomes]
    repeated: set[str] = set()
    seen: set[str] = set()
    for job in jobs:
        repeated |= {*job.repeated, *(seen & job.exits.keys())}
        seen |= job.exits.keys()
    return Account(
        submitted=len(wanted),
        completed=states.count("completed"),
        failed=states.count("failed"),
        timed_out=states.count("timed_out"),
        lost=states.count("lost"),
        refused=states.count("refused"),
        repeated=tuple(sorted(repeated)),
        unknown=tuple(sorted(seen.difference(wanted))),
    )


def _events(path: Path) -> list[_Event]:
    """The events of a status file; a line torn by a crash is no event."""
    try:
        lines = read_regular(path).split(b"\n")
    except OSError:
        return []
    events: list[_Event] = []
    for line in lines:
        try:
            events.append(_LINE.validate_json(line))
        except ValidationError:
            continue
    return events


def _complaint(path: Path) -> str:
    try:
        lines = read_regular(path).decode(errors="replace").splitlines()
    except OSError:
        return ""
    said = [line.removeprefix("heorot: ") for line in lines if line.startswith("heorot: ")]
    return one_line(said[-1]) if said else ""
