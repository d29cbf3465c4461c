"""Turns a real test into a timeline, with the columns of a simulation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

import numpy as np

from heorot.model.batch.states import JobState
from heorot.throughput.model.throughput import ThroughputJob, ThroughputTest
from heorot.throughput.model.timeline import Floats, Taken, Timeline

# Prologue and epilogue may keep a node busy before and after a job [s].
_TIDY = 10.0


def timeline_of(test: ThroughputTest) -> Timeline:
    """Put the jobs of a test into columns, in the order of their submission.

    Times count from the start of the test, or from the first submission if that is unknown. A
    job that was never submitted has its scheduled time, and was never eligible. Nodes missing from
    the facts are appended to those listed.
    """
    jobs, zero = ordered_jobs(test), test.zero
    kinds = tuple(dict.fromkeys(job.kind for job in jobs))
    states: tuple[str, ...] = get_args(JobState)
    hosts = tuple(dict.fromkeys((*test.facts.node_names, *(h for job in jobs for h in job.hosts))))
    number = {host: place for place, host in enumerate(hosts)}
    submit = _column([job.came for job in jobs], zero)
    eligible = _column([job.eligible for job in jobs], zero)
    start = _column([job.start for job in jobs], zero)
    end = _column([job.end for job in jobs], zero)
    never = np.array([job.submitted is None and job.start is None for job in jobs], dtype=bool)
    # Clocks of nodes may be behind ours: no job starts before its submission.
    submit = np.fmin(submit, start)
    places = [number[host] for job in jobs for host in job.hosts]
    known = any(job.hosts for job in jobs)
    return Timeline(
        kinds=np.array([kinds.index(job.kind) for job in jobs], dtype=np.int64),
        kind_names=kinds,
        submit=submit,
        # Whole seconds of batch systems: clip eligible to the time from submission to start.
        eligible=np.where(never, np.nan, np.fmin(np.fmax(eligible, submit), start)),
        start=start,
        end=np.where(np.isnan(end), np.nan, np.fmax(end, start)),
        nodes=np.array([job.nodes for job in jobs], dtype=np.int64),
        cores=np.array([job.cores for job in jobs], dtype=np.int64),
        limit=_column([job.limit_seconds for job in jobs], 0.0),
        states=np.array([states.index(job.fate) for job in jobs], dtype=np.int64),
        state_names=states,
        n_nodes=max(test.facts.n_nodes, len(hosts)),
        cores_per_node=test.facts.cores_per_node,
        labels=tuple(job.label for job in jobs),
        places=np.array(places if known else [], dtype=np.int64),
        offsets=np.cumsum([0, *(len(job.hosts) for job in jobs)]) if known else np.empty(0, int),
        node_names=hosts,
        taken=_taken(test, jobs, number, zero),
    )


def _taken(
    test: ThroughputTest, jobs: Sequence[ThroughputJob], number: Mapping[str, int], zero: float
) -> Taken | None:
    """Shares of known nodes held by others; None if the queue was not watched."""
    if test.occupancy is None:
        return None
    ours: dict[str, list[tuple[float, float]]] = {}
    for job in jobs:
        if job.start is not None and job.end is not None:
            for host in job.hosts:
                ours.setdefault(host, []).append((job.start - _TIDY, job.end + _TIDY))
    # An exclusive job cannot use a node of which others hold a part.
    least = 1.0 if all(job.exclusive for job in jobs) else 0.0
    rows = [
        (number[hold.node], begin - zero, end - zero, max(least, hold.share), hold.by == "others")
        for hold in test.occupancy.holds
        if hold.node in number
        for begin, end in (
            [(hold.begin, hold.end)]
            if hold.is_seen
            else _without(hold.begin, hold.end, ours.get(hold.node, ()))
        )
    ]
    columns = np.array(rows, dtype=float).reshape(-1, 5)
    return Taken(
        node=columns[:, 0].astype(np.int64),
        begin=columns[:, 1],
        end=columns[:, 2],
        share=columns[:, 3],
        others=columns[:, 4] > 0.0,
        watched=np.array(test.occupancy.watched, dtype=float).reshape(-1, 2) - zero,
    )


def _without(
    begin: float, end: float, spans: Sequence[tuple[float, float]]
) -> Iterator[tuple[float, float]]:
    """A time without other times, which may overlap [s]."""
    for a, b in sorted(spans):
        if begin < a < end:
            yield begin, a
        if a < end:
            begin = max(begin, b)
    if begin < end:
        yield begin, end


def ordered_jobs(test: ThroughputTest) -> list[ThroughputJob]:
    """Jobs in the order of the timeline: by submission, then by serial number."""
    return sorted(test.jobs, key=lambda job: (job.came, job.serial))


def _column(values: Sequence[float | None], zero: float) -> Floats:
    return np.array([np.nan if value is None else value - zero for value in values], dtype=float)
