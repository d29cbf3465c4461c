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
from heorot.session import run_status
from heorot.session.cluster.sites import require_own_site_in, site_of
from heorot.throughput.session.job_outcomes import classify_job, classify_single
from heorot.throughput.session.prepare import gather
from heorot.throughput.session.schedulers.fcfs_scheduler import read_note
from heorot.throughput.session.schedulers.node_inventory import resolve_for_throughput
from heorot.throughput.session.work import Work
from heorot.throughput.store import ThroughputDirectory

TestState = Literal["before the load", "under load", "alone", "complete"]


@dataclass(frozen=True)
class ThroughputStatus:
    """State of a test.

    Attributes:
        state: `alone`: no heorot follows it; submitted jobs continue.
        seconds: since the load began; None before and after the load [s].
        later: number of jobs that are not submitted yet.
        states: numbers of ended jobs by final state.
    """

    state: TestState
    seconds: float | None
    later: int
    waiting: tuple[str, ...]
    running: tuple[str, ...]
    states: dict[JobState, int]


def is_throughput_test(path: Path) -> bool:
    """Whether a directory is that of a throughput test."""
    return ThroughputDirectory(path).command == "throughput"


def throughput_status(path: Path) -> ThroughputStatus:
    """The state of a test, from the files of its jobs.

    Raises:
        RunError: it is damaged.
    """
    directory = ThroughputDirectory.open_prepared(path)
    facts = directory.throughput_facts()
    prepared = gather(directory)
    states: dict[JobState, int] = {}
    later, waiting, running = 0, [], []
    for arrival in prepared.arrivals:
        work = prepared.works[arrival.serial]
        job = classify_job(work, arrival, facts.begun or 0.0)
        if job.fate != "unfinished":
            states[job.fate] = states.get(job.fate, 0) + 1
        elif job.own_start is not None:
            running.append(job.label)
        elif job.submitted is not None or read_note(work) is not None:
            waiting.append(job.label)
        else:
            later += 1
    return ThroughputStatus(
        state=_state(directory),
        seconds=time.time() - facts.begun if facts.begun and facts.ended is None else None,
        later=later,
        waiting=tuple(waiting),
        running=tuple(running),
        states=states,
    )


def _state(directory: ThroughputDirectory) -> TestState:
    facts = directory.throughput_facts()
    if facts.ended is not None:
        return "complete"
    if directory.holder() is None:
        return "alone"
    return "under load" if facts.begun is not None else "before the load"


def stop_throughput(path: Path, *, trust: bool = False) -> bool:
    """End all jobs of a test, waiting ones first; whether it was followed or had any.

    Args:
        trust: whether it and its site file, which names the jobs to end, may belong to another
            user.

    Raises:
        RunError: it is damaged, or belongs to another user.
        SiteError: its site file belongs to another user.
        UsageError: the heorot that follows it is on another machine, or does not end.
    """
    directory = ThroughputDirectory.open(path)
    require_own_run(path, trust=trust)
    require_own_site_in(directory, directory.request().site, trust=trust)
    was_followed = run_status.end_holder(directory)
    if not directory.is_prepared or directory.throughput_facts().ended is not None:
        return was_followed
    prepared, request = gather(directory), directory.request()
    target = resolve_for_throughput(request, site_of(directory, request.site))
    unended = [work for work in prepared.every if _is_unended(work)]
    for work in reversed(unended):  # no waiting job may start meanwhile
        note = read_note(work)
        adapter = target.adapter_on(note.hosts[0]) if note and note.hosts else target.adapter
        with suppress(SetupError):
            adapter.cancel(read_job(work.place))
    return was_followed or bool(unended)


def _is_unended(work: Work) -> bool:
    """Whether a job with a script may be running, or was killed before its last record."""
    if not (work.place / "script.sh").exists():
        return False
    status = read_status(work.place)
    tidies = status.own([step.id for step in work.steps]) == "ok" and status.own(()) is None
    return tidies or classify_single(work).fate == "unfinished"
