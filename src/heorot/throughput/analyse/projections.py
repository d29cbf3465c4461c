"""Node time by program; makespans projected for faster programs and other orders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import median

import numpy as np

from heorot.throughput.analyse.packing import MOST_JOBS, Work, find_orders, pack
from heorot.throughput.analyse.whole.capacity import find_bound
from heorot.throughput.analyse.whole.courses import make_course
from heorot.throughput.analyse.whole.taken import taken_nodes
from heorot.throughput.model.explanation import Component, Faster, Order
from heorot.throughput.model.measures import Course, ThroughputMeasures
from heorot.throughput.model.throughput import ThroughputJob, ThroughputTest
from heorot.throughput.model.timeline import Floats, Timeline

_MOST_FASTER = 8
# Shorter time of a composite job outside its programs is ignored [s].
_LEAST_REST = 1e-3


def find_components(test: ThroughputTest) -> tuple[Component, ...]:
    """Shares of programs in the node time of a test, the largest first.

    Composite jobs are split into their programs, with the rest under their own name. All jobs that
    started and ended count.
    """
    held: dict[str, list[tuple[float, float]]] = {}
    for job in test.jobs:
        for name, seconds in _pieces(job):
            held.setdefault(name, []).append((seconds, seconds * job.nodes))
    total = sum(nodes for pieces in held.values() for _, nodes in pieces)
    found = [
        Component(
            name=name,
            n=len(pieces),
            node_seconds=sum(nodes for _, nodes in pieces),
            share=sum(nodes for _, nodes in pieces) / total if total else 0.0,
            seconds=median(seconds for seconds, _ in pieces),
        )
        for name, pieces in held.items()
    ]
    return tuple(sorted(found, key=lambda each: -each.node_seconds))


def project_faster(
    jobs: Sequence[ThroughputJob],
    timeline: Timeline,
    measures: ThroughputMeasures,
    components: Sequence[Component],
    factor: float,
) -> tuple[Faster, ...]:
    """Makespans projected for one faster program, for the largest components.

    Two list schedules in the order of submission, one with the measured run times and one with
    the faster program; their ratio scales the measured makespan. Above 2000 jobs the work is scaled
    instead, as far as the bound allows.

    Args:
        jobs: in the order of the timeline.
    """
    work, ran = make_work(timeline, measures)
    ours = [jobs[i] for i in ran]
    real = measures.use.makespan
    if not ours or real <= 0.0:
        return ()
    lead = _lead(work, measures)
    before = lead + _length(work)
    found = []
    for component in components[:_MOST_FASTER]:
        saved = [
            sum(seconds for name, seconds in _pieces(job) if name == component.name)
            * (1.0 - 1.0 / factor)
            for job in ours
        ]
        run = np.maximum(0.0, work.run - np.array(saved))
        after = lead + _length(replace(work, run=run))
        found.append(
            Faster(
                name=component.name,
                factor=factor,
                makespan=real * after / before,
                change=after / before - 1.0,
                by="schedule" if len(ours) <= MOST_JOBS else "work",
            )
        )
    return tuple(found)


def project_orders(timeline: Timeline, measures: ThroughputMeasures) -> tuple[Order, ...]:
    """The same jobs and submission times in other orders; empty above 2000 jobs."""
    work, ran = make_work(timeline, measures)
    if not ran or len(ran) > MOST_JOBS:
        return ()
    lead = _lead(work, measures)
    return tuple(Order(name=name, makespan=lead + t) for name, t in find_orders(work).items())


def make_work(timeline: Timeline, measures: ThroughputMeasures) -> tuple[Work, list[int]]:
    """The jobs that started and ended, as input of list scheduling, and their indices."""
    ran = np.flatnonzero(~np.isnan(measures.jobs.run))
    by_node = measures.use.unit == "node"
    capacity = timeline.n_nodes * (1 if by_node else timeline.cores_per_node)
    width = (timeline.nodes if by_node else timeline.cores)[ran]
    submit: Floats = timeline.eligible[ran]
    taken = _taken(timeline, 1 if by_node else timeline.cores_per_node)
    work = Work(submit, measures.jobs.run[ran], np.minimum(width, capacity), capacity, taken)
    return work, ran.tolist()


def _taken(timeline: Timeline, per_node: int) -> Course | None:
    """Processors held by others over time; None if the queue was not watched."""
    taken = taken_nodes(timeline)
    if taken is None:
        return None
    return make_course(taken.begin, taken.end, taken.share * per_node)


def _lead(work: Work, measures: ThroughputMeasures) -> float:
    """From the begin of the makespan to the first job in the list schedule [s].

    The makespan counts from the first submission, even of a job that never ran or was held.
    """
    return max(0.0, float(work.submit.min()) - measures.use.begin)


def _length(work: Work) -> float:
    """Makespan by list scheduling; for large tests its lower bound [s]."""
    n = work.submit.size
    if n <= MOST_JOBS:
        return max(pack(work, np.arange(n)), 1e-9)
    first, taken = float(work.submit.min()), work.taken
    taken = taken and Course(taken.times - first, taken.values)
    bound, _ = find_bound(work.submit - first, work.run, work.width, work.capacity, taken)
    return max(bound, 1e-9)


def _pieces(job: ThroughputJob) -> Iterable[tuple[str, float]]:
    """The programs of a job with their run times, and the rest of the job [s]."""
    if job.start is None or job.end is None:
        return
    whole = max(0.0, job.end - job.start)
    if len(job.parts) <= 1:
        yield job.kind, whole
        return
    rest = whole
    for part in job.parts:
        if part.seconds is not None:
            rest -= part.seconds
            yield f"{job.kind}/{part.name}", part.seconds
    if rest > _LEAST_REST:
        yield job.kind, rest
