"""Cost and final state of every job: its own file takes precedence over its batch system."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from heorot.jobs.facts import BatchFacts, read_facts
from heorot.jobs.outcome import JobEnd
from heorot.jobs.status import JobStatus
from heorot.model.batch.jobs import JobAccount, System
from heorot.model.run.account import Account
from heorot.model.run.outcome import Outcome
from heorot.model.run.plan import Step, nodes_of

_SURVEY = "J0000"


@dataclass(frozen=True)
class Ended(JobEnd):
    """A job that is over, with its steps.

    Attributes:
        asked: its planned steps; the started ones if unknown.
        elsewhere: whether it ran on hosts of the site file, without a batch system.
    """

    asked: tuple[Step, ...] = ()
    elsewhere: bool = False


def read_ended(
    statuses: Sequence[JobStatus], steps: Iterable[Step], asked: Mapping[str, Sequence[str]]
) -> tuple[Ended, ...]:
    """All jobs in order of creation; folders without a job are left out.

    Args:
        statuses: events written by their scripts.
        steps: all steps of the run.
        asked: ids of the steps of each job, by its name.
    """
    by_id = {step.id: step for step in steps}
    elsewhere = any(one.directory.name == _SURVEY or len(one.allocated) > 1 for one in statuses)
    found = []
    for status in statuses:
        facts = read_facts(status.directory)
        wanted = tuple(one for one in asked.get(status.directory.name, ()) if one in by_id)
        ids = wanted or dict.fromkeys((*status.started, *status.exits))
        own = tuple(by_id[one] for one in ids if one in by_id)
        if own or facts or status.heard is not None:
            found.append(Ended(status, facts, wanted, asked=own, elsewhere=elsewhere))
    return tuple(found)


def account_for(jobs: Sequence[Ended]) -> tuple[JobAccount, ...]:
    """Cost and final state of every job.

    Args:
        jobs: all of them, in order of creation.
    """
    ended = {step for job in jobs for step in job.status.exits}
    finished: list[float] = []
    accounts = []
    for job in jobs:
        accounts.append(_account(job, ended, finished))
        # The end of a job that was cut off is unknown: its last event is the best estimate.
        if job.status.heard is not None:
            finished.append(job.status.heard)
    return tuple(accounts)


def _account(job: Ended, ended: set[str], finished: Sequence[float]) -> JobAccount:
    """One job.

    Args:
        ended: the steps that ended in any job.
        finished: times of the last events of earlier jobs [s].
    """
    status, facts = job.status, job.facts
    wait = _wait(facts, status)
    here: System = "hosts" if job.elsewhere else "this machine"
    lost = tuple(step.id for step in job.asked if step.id not in ended)
    return JobAccount(
        id=job.name,
        system=facts.system if facts else here,
        nodes=len(status.allocated) or nodes_of(job.asked),
        wait_seconds=wait,
        queue_seconds=_in_queue(wait, facts, finished),
        run_seconds=None if status.heard is None else status.run_seconds,
        step_seconds=status.step_seconds,
        n_asked=len(job.asked),
        n_ended=sum(step.id in status.exits for step in job.asked),
        lost=lost,
        cut_off=tuple(step for step in lost if step in status.started),
        **job.record,
    )


def _wait(facts: BatchFacts | None, status: JobStatus) -> float | None:
    """Time from the last submission to the start of the script [s]."""
    if facts is None:
        return None
    if facts.wait_seconds is not None and math.isfinite(facts.wait_seconds):
        return facts.wait_seconds
    # The following process had ended before the job began.
    if status.begun is None or facts.submitted is None or facts.attempt > 1:
        return None
    return status.begun - facts.submitted


def _in_queue(
    wait: float | None, facts: BatchFacts | None, finished: Sequence[float]
) -> float | None:
    """The queue's part of a wait: each job of a run also waits for the one before [s]."""
    if wait is None or facts is None or facts.submitted is None:
        return wait
    began = facts.submitted + wait
    before = max((end for end in finished if end <= began), default=0.0)
    return min(wait, began - before)


def reconcile(
    submitted: Iterable[str], outcomes: Iterable[Outcome], jobs: Iterable[JobStatus]
) -> Account:
    """Account for every planned step and every reported end.

    Args:
        submitted: ids of the planned steps.
        jobs: events written by the job scripts.
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
