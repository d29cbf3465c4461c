"""State of a running test, read by another process; stops it."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from heorot.errors import SetupError
from heorot.jobs.status import read_status
from heorot.launch.job import read_job
from heorot.model.batch.states import JobState
from heorot.ownership.trust import require_own_run
from heorot.session import watch
from heorot.session.cluster.sites import require_own_site_in, site_of
from heorot.throughput.session.desks.census import resolve_for_day
from heorot.throughput.session.desks.own_desk import read_note
from heorot.throughput.session.prepare import gather
from heorot.throughput.session.settle import settle, settled
from heorot.throughput.session.work import Work
from heorot.throughput.store import DayDirectory

TestState = Literal["before the load", "under load", "alone", "complete"]


@dataclass(frozen=True)
class DayStatus:
    """How a day stands.

    Attributes:
        state: `alone`: nobody follows it, jobs that were submitted go on all the same.
        seconds: since the load began; None if it has not, or has ended [s].
        later: so many jobs are not submitted yet.
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


def day_status(path: Path) -> DayStatus:
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
    return DayStatus(
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


def stop_day(path: Path, *, trust: bool = False) -> bool:
    """End all jobs of a day, those that wait first; whether anybody followed it, or it had any.

    Args:
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
    target = resolve_for_day(request, site_of(directory, request.site))
    unended = [work for work in prepared.every if _is_unended(work)]
    for work in reversed(unended):  # none of those that wait is to start meanwhile
        note = read_note(work)
        adapter = target.adapter_on(note.hosts[0]) if note and note.hosts else target.adapter
        with suppress(SetupError):
            adapter.cancel(read_job(work.place))
    return was_followed or bool(unended)


def _is_unended(work: Work) -> bool:
    """Whether a job that has a script may go on, or was killed before its last word."""
    if not (work.place / "script.sh").exists():
        return False
    status = read_status(work.place)
    tidies = status.own([step.id for step in work.steps]) == "ok" and status.own(()) is None
    return tidies or settled(work).fate == "unfinished"
