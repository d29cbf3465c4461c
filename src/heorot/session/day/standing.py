"""Looks at a day from outside while it runs: how it stands, and how to end it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from heorot.jobs.status import read_status
from heorot.model.batch.states import JobState
from heorot.ownership.trust import require_own_run
from heorot.session import watch
from heorot.session.cluster.sites import require_own_site_in, site_of
from heorot.session.day.desks.census import desk_of, resolve_for_day
from heorot.session.day.desks.own import read_note
from heorot.session.day.prepare import gather
from heorot.session.day.settle import settle
from heorot.session.programs import Programs
from heorot.store.day import DayDirectory

TestState = Literal["before the load", "under load", "alone", "complete"]


@dataclass(frozen=True)
class DayStanding:
    """How a day stands.

    Attributes:
        state: `alone`: nobody follows it, jobs that were submitted go on all the same.
        seconds: since the load began; None if it has not, or has ended [s].
        later: so many jobs are not submitted yet.
        waiting: labels of those that wait.
        running: labels of those that run.
        fates: how many ended in which way.
    """

    state: TestState
    seconds: float | None
    later: int
    waiting: tuple[str, ...]
    running: tuple[str, ...]
    fates: dict[JobState, int]


def is_day(path: Path) -> bool:
    """Whether a directory is that of a day."""
    return DayDirectory(path).command == "throughput"


def standing(path: Path) -> DayStanding:
    """How a day stands, by what its jobs have written.

    Raises:
        RunError: it is damaged.
    """
    directory = DayDirectory.open_day(path)
    facts = directory.day()
    prepared = gather(directory)
    fates: dict[JobState, int] = {}
    later, waiting, running = 0, [], []
    for arrival in prepared.arrivals:
        work = prepared.works[arrival.serial]
        job = settle(work, arrival, facts.begun or 0.0)
        if job.fate != "unfinished":
            fates[job.fate] = fates.get(job.fate, 0) + 1
        elif job.own_start is not None:
            running.append(job.label)
        elif job.submitted is not None or read_note(work) is not None:
            waiting.append(job.label)
        else:
            later += 1
    return DayStanding(
        state=_state(directory),
        seconds=time.time() - facts.begun if facts.begun and facts.ended is None else None,
        later=later,
        waiting=tuple(waiting),
        running=tuple(running),
        fates=fates,
    )


def _state(directory: DayDirectory) -> TestState:
    facts = directory.day()
    if facts.ended is not None:
        return "complete"
    if directory.holder() is None:
        return "alone"
    return "under load" if facts.begun is not None else "before the load"


def end(path: Path, *, trust: bool = False) -> bool:
    """End all jobs of a day, those that wait first; whether anybody followed it, or it had any.

    Args:
        path: its directory.
        trust: whether it, and its site file, may be another's, who names what is ended.

    Raises:
        RunError: it is damaged, or another's.
        SiteError: its site file is another's.
        UsageError: who follows it is on another machine, or does not end.
    """
    directory = DayDirectory.open(path)
    require_own_run(path, trust=trust)
    require_own_site_in(directory, directory.request().site, trust=trust)
    was_followed = watch.end_holder(directory)
    if not directory.is_prepared or directory.day().ended is not None:
        return was_followed
    prepared, request = gather(directory), directory.request()
    nothing = Programs(
        paths={}, chains={}, networks=(), recipes={}, watch=None, builds=directory.builds
    )
    target = resolve_for_day(request, site_of(directory, request.site))
    desk = desk_of(directory, target, nothing)
    n_ended = 0
    for arrival in prepared.arrivals:
        work = prepared.works[arrival.serial]
        there, status = (work.place / "script.sh").exists(), read_status(work.place)
        well = status.own([step.id for step in work.steps]) == "ok"
        tidies = well and status.own(()) is None  # or was killed before its last word
        if there and (tidies or settle(work, arrival, 0.0).fate == "unfinished"):
            desk.hand_in(work)
            n_ended += 1
    desk.cancel_all()
    return was_followed or n_ended > 0
