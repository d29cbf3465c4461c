"""Accounts for every submitted job, down to the programs of composite jobs.

Missing work is stated, with an estimate of the totals that include it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median
from typing import get_args

from heorot.model.batch.states import JobState
from heorot.throughput.analyse.node_sharing import LEAST_SECONDS, application_seconds, run_times
from heorot.throughput.model.explanation import Account, Missing, PartAccount
from heorot.throughput.model.throughput import ThroughputJob, ThroughputTest

_ABSENT = "absent"


def reconcile(test: ThroughputTest, makespan: float) -> Account:
    """Account for every job, and every program of a composite one.

    A composite class is expected to have all programs that any of its jobs has. The makespan [s] is
    corrected by area: the missing work is assumed to pack as well as the rest.
    """
    jobs = test.jobs
    states = Counter(job.fate for job in jobs)
    names = _part_names(jobs)
    missing = tuple(_find_missing(test, names))
    done = sum(_work(job, names.get(job.kind, ())) for job in jobs)
    lost = sum(each.core_seconds or 0.0 for each in missing)
    return Account(
        scheduled=len(jobs),
        submitted=sum(job.submitted is not None for job in jobs),
        states={state: states[state] for state in get_args(JobState) if states[state]},
        parts=tuple(_count_parts(jobs, names)),
        missing=missing,
        interventions=tuple((job.label, what) for job in jobs for what in job.interventions),
        done_core_seconds=done,
        missing_core_seconds=lost,
        corrected_makespan=makespan * (1.0 + lost / done)
        if lost and done >= LEAST_SECONDS
        else None,
    )


def _work(job: ThroughputJob, names: Sequence[str]) -> float:
    """Work of a job: all if it ended well, else of its programs that did [core s]."""
    if job.fate == "ok":
        return (application_seconds(job) or 0.0) * job.cores
    well = [part for part in job.parts if part.name in names and part.fate == "ok"]
    return sum(part.seconds or 0.0 for part in well) * job.cores


def _part_names(jobs: Iterable[ThroughputJob]) -> dict[str, tuple[str, ...]]:
    """The programs of each composite job class."""
    names: dict[str, dict[str, None]] = {}
    for job in jobs:
        names.setdefault(job.kind, {}).update(dict.fromkeys(part.name for part in job.parts))
    return {kind: tuple(parts) for kind, parts in names.items() if len(parts) > 1}


def _count_parts(
    jobs: Sequence[ThroughputJob], names: dict[str, tuple[str, ...]]
) -> Iterable[PartAccount]:
    for kind, parts in names.items():
        ours = [job for job in jobs if job.kind == kind]
        for name in parts:
            ends: Counter[str] = Counter(_part_state(job, name) for job in ours)
            yield PartAccount(kind=kind, part=name, expected=len(ours), ends=dict(ends))


def _part_state(job: ThroughputJob, name: str) -> str:
    return next((part.fate for part in job.parts if part.name == name), _ABSENT)


def _find_missing(test: ThroughputTest, names: dict[str, tuple[str, ...]]) -> Iterable[Missing]:
    """Jobs that did not end well; of those that ran, their failed programs."""
    typical = _typical_seconds(test)
    for job in test.jobs:
        ours = names.get(job.kind, ())
        lost = [name for name in ours if _part_state(job, name) != "ok"]
        if job.fate != "ok" and len(lost) == len(ours):
            yield _missing_job(job, typical.get(job.kind))
            continue
        for name in lost:
            seconds = typical.get(f"{job.kind}/{name}")
            part = next((each for each in job.parts if each.name == name), None)
            yield Missing(
                label=job.label,
                serial=job.serial,
                part=name,
                state=_part_state(job, name),
                why=(part.why if part else "") or job.why,
                started=part is not None and part.started is not None,
                core_seconds=None if seconds is None else seconds * job.cores,
            )
        if job.fate != "ok" and not lost:
            # All its programs ended well: the job failed, but no work is missing.
            yield _missing_job(job, 0.0)


def _missing_job(job: ThroughputJob, seconds: float | None) -> Missing:
    return Missing(
        label=job.label,
        serial=job.serial,
        state=job.fate,
        why=job.why or job.reason,
        started=job.start is not None,
        core_seconds=None if seconds is None else seconds * job.cores,
    )


def _typical_seconds(test: ThroughputTest) -> dict[str, float]:
    """Median run times by job class and by `class/part`: of this test, else dedicated [s]."""
    here = {name: [seconds for seconds, _ in runs] for name, runs in run_times(test.jobs).items()}
    alone = {name: list(known) for name, known in (test.alone | test.alone_parts).items() if known}
    return {name: median(known) for name, known in (alone | here).items()}
