"""Turns a real day into a timeline: the same columns as simulations have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import numpy as np

from heorot.model.day.day import Day, DayFate, DayJob
from heorot.model.day.timeline import Floats, Timeline


def timeline_of(day: Day) -> Timeline:
    """Put the jobs of a day into columns, in the order of their submission.

    Times count from the begin of the day, or from the first submission if that is not known. A
    job that was never submitted has the time for which it was scheduled, and was never eligible.
    Nodes that the facts do not name are appended to those they do.

    Args:
        day: what became of its jobs.
    """
    jobs = ordered_jobs(day)
    zero = day.facts.begun
    if zero is None:
        zero = min((_submitted(job) for job in jobs), default=0.0)
    kinds = tuple(dict.fromkeys(job.kind for job in jobs))
    fates: tuple[str, ...] = get_args(DayFate)
    hosts = tuple(dict.fromkeys((*day.facts.node_names, *(h for job in jobs for h in job.hosts))))
    number = {host: place for place, host in enumerate(hosts)}
    submit = _column([_submitted(job) for job in jobs], zero)
    eligible = _column([job.eligible for job in jobs], zero)
    start = _column([job.start for job in jobs], zero)
    end = _column([job.end for job in jobs], zero)
    never = np.array([job.submitted is None and job.start is None for job in jobs], dtype=bool)
    # Clocks of nodes may be behind ours: no job starts before it came.
    submit = np.fmin(submit, start)
    places = [number[host] for job in jobs for host in job.hosts]
    known = any(job.hosts for job in jobs)
    return Timeline(
        kinds=np.array([kinds.index(job.kind) for job in jobs], dtype=np.int64),
        kind_names=kinds,
        submit=submit,
        # Batch systems tell whole seconds: none is eligible before it came or after its start.
        eligible=np.where(never, np.nan, np.fmin(np.fmax(eligible, submit), start)),
        start=start,
        end=np.where(np.isnan(end), np.nan, np.fmax(end, start)),
        nodes=np.array([job.nodes for job in jobs], dtype=np.int64),
        cores=np.array([job.cores for job in jobs], dtype=np.int64),
        limit=_column([job.limit_seconds for job in jobs], 0.0),
        fates=np.array([fates.index(job.fate) for job in jobs], dtype=np.int64),
        fate_names=fates,
        n_nodes=max(day.facts.n_nodes, len(hosts)),
        cores_per_node=day.facts.cores_per_node,
        labels=tuple(job.label for job in jobs),
        places=np.array(places if known else [], dtype=np.int64),
        offsets=np.cumsum([0, *(len(job.hosts) for job in jobs)]) if known else np.empty(0, int),
        node_names=hosts,
    )


def ordered_jobs(day: Day) -> list[DayJob]:
    """The jobs of a day in the order of its timeline: by submission, then by serial number.

    Args:
        day: what became of its jobs.
    """
    return sorted(day.jobs, key=lambda job: (_submitted(job), job.serial))


def _submitted(job: DayJob) -> float:
    return job.scheduled if job.submitted is None else job.submitted


def _column(values: Sequence[float | None], zero: float) -> Floats:
    return np.array([np.nan if value is None else value - zero for value in values], dtype=float)
