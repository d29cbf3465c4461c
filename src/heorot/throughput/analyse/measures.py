"""Metrics of a timeline, real or simulated, by the same definitions.

Each metric names its jobs: waits are of jobs that started, run times and slowdowns of jobs that
ended well, use and bounds of all jobs that started and ended. No job is dropped for being early or
late in the test.

Source: D. G. Feitelson et al., Theory and Practice in Parallel Job Scheduling, JSSPP 1997 (bounded
slowdown). Other sources: see `whole`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heorot.throughput.analyse.whole.capacity import LEAST_NODE_SECONDS, find_bound, measure_loss
from heorot.throughput.analyse.whole.classes import measure_kinds, measure_sizes, spread_of
from heorot.throughput.analyse.whole.courses import (
    Stays,
    alike,
    count_rates,
    find_held,
    find_stays,
    integrate,
    make_course,
    waiting_ends,
)
from heorot.throughput.analyse.whole.taken import Capacity, find_capacity
from heorot.throughput.model.measures import Course, JobMeasures, ThroughputMeasures, Use
from heorot.throughput.model.spread import Spread
from heorot.throughput.model.timeline import Booleans, Floats, Integers, Timeline

TAU = 10.0
"""Shorter run times [s] count as this one in slowdowns."""


def measure(
    timeline: Timeline, *, busy: Floats | None = None, alone: Floats | None = None
) -> ThroughputMeasures:
    """Compute all metrics of a timeline.

    Args:
        busy: run time of the programs of each job [s], shape (n,), NaN for unknown; None if
            unknown for all.
        alone: single-user time of each job [s], shape (n,), NaN where its own run time is used;
            None if unknown for all.
    """
    ran = np.flatnonzero(~np.isnan(timeline.end - timeline.start))
    stays = find_stays(timeline, ran)
    held, shared = find_held(timeline, ran, stays)
    came = timeline.submit[~np.isnan(timeline.eligible)]
    begin = float(came.min()) if came.size else 0.0
    end = max(begin, float(timeline.end[ran].max())) if ran.size else begin
    started = np.flatnonzero(~np.isnan(timeline.start))
    by_eligible = timeline.start[started][np.argsort(timeline.eligible[started], kind="stable")]
    inversions = count_inversions(by_eligible)
    cores = alike(make_course(timeline.start[ran], timeline.end[ran], timeline.cores[ran]), held)
    others = find_capacity(timeline, stays, held, cores if shared else None, (begin, end))
    dead, dead_by_node = _find_dead(timeline, stays)
    use = _measure_use(timeline, ran, (held, shared, others), (begin, end), busy, alone)
    active = make_course(timeline.start[ran], timeline.end[ran], np.ones(ran.size))
    until = waiting_ends(timeline)
    waits = until > timeline.eligible
    jobs = _measure_jobs(timeline)
    return ThroughputMeasures(
        n_jobs=timeline.submit.size,
        n_started=started.size,
        n_ok=int(np.sum(jobs.ok)),
        use=use,
        n_overtaking=int(np.sum(jobs.overtook)),
        overtaking_share=float(np.sum(jobs.overtook)) / max(1, started.size),
        inversion_share=inversions / max(1, started.size * (started.size - 1) // 2),
        wait=spread_of(jobs.wait),
        slowdown=spread_of(jobs.slowdown[jobs.ok]),
        by_kind=measure_kinds(timeline, jobs),
        by_size=measure_sizes(timeline, jobs),
        dead=dead,
        dead_by_node=dead_by_node,
        held_by_node=_by_node(timeline, stays),
        others_by_node=np.empty(0) if others is None else others.by_node,
        queue=make_course(timeline.eligible[waits], until[waits], np.ones(int(np.sum(waits)))),
        cores=cores,
        held=held,
        active=alike(active, held),
        rates=count_rates(timeline),
        jobs=jobs,
    )


def _by_node(timeline: Timeline, stays: Stays | None) -> Floats:
    """Time allocated to jobs on each node [s]; empty if the nodes of jobs are unknown."""
    if stays is None:
        return np.empty(0)
    return np.bincount(stays.node, stays.end - stays.begin, timeline.n_nodes).astype(float)


def _measure_jobs(timeline: Timeline) -> JobMeasures:
    start, end = timeline.start, timeline.end
    wait, run = np.maximum(0.0, start - timeline.eligible), end - start
    names = np.array([*timeline.state_names, ""])[timeline.states]
    order = np.argsort(timeline.eligible, kind="stable")
    order = order[~np.isnan(start[order])]
    overtook = np.zeros(start.size, dtype=bool)
    overtook[order] = find_overtaking(start[order])
    return JobMeasures(
        wait=wait,
        run=run,
        turnaround=end - timeline.submit,
        slowdown=np.maximum(1.0, (wait + run) / np.maximum(run, TAU)),
        overtook=overtook,
        ok=(names == "ok") & ~np.isnan(run),
    )


def _measure_use(
    timeline: Timeline,
    ran: Integers,
    nodes: tuple[Course, bool, Capacity | None],
    span: tuple[float, float],
    busy: Floats | None,
    alone: Floats | None,
) -> Use:
    """Used and usable node time, and the ratios of both."""
    held, shared, others = nodes
    run, cores = (timeline.end - timeline.start)[ran], timeline.cores[ran]
    makespan = span[1] - span[0]
    n_cores = timeline.n_nodes * timeline.cores_per_node
    width, capacity = (cores, n_cores) if shared else (timeline.nodes[ran], timeline.n_nodes)
    taken = None if others is None else Course(others.width.times - span[0], others.width.values)
    submit = timeline.submit[ran] - span[0]
    bound, bound_by = find_bound(submit, run, width, capacity, taken)
    use = Use(*span, makespan, bound, bound_by, "core" if shared else "node")
    if makespan <= 0.0:
        return use
    ideal = run if alone is None else np.where(np.isnan(alone[ran]), run, alone[ran])
    whole = timeline.n_nodes * makespan
    gone = others.others + others.out if others else 0.0
    left = max(whole - gone, LEAST_NODE_SECONDS)  # node time available to jobs of this test
    loss_any, loss_fitting = measure_loss(timeline, held, span, others.nodes if others else None)
    core_time = left * timeline.cores_per_node
    return replace(
        use,
        efficiency=bound / makespan,
        esp_efficiency=float(np.sum(ideal * width)) / (capacity * makespan * left / whole),
        utilisation_held=integrate(held) / left,
        utilisation_cores=float(np.sum(run * cores)) / core_time,
        utilisation_busy=None if busy is None else float(np.nansum(busy[ran] * cores)) / core_time,
        loss_any=loss_any,
        loss_fitting=loss_fitting,
        others=others.others / whole if others else None,
        out=others.out / whole if others else None,
        watched=others.watched if others else 0.0,
    )


def _find_dead(timeline: Timeline, stays: Stays | None) -> tuple[Spread | None, Floats]:
    """Gaps between two jobs of a node where the second was waiting when the first ended."""
    if stays is None:
        return None, np.empty(0)
    same = stays.node[1:] == stays.node[:-1]
    waited = timeline.eligible[stays.first[1:]] <= stays.end[:-1]
    chosen = same & waited & ~_between(timeline, stays)
    pauses = (stays.begin[1:] - stays.end[:-1])[chosen]
    nodes = stays.node[1:][chosen]
    return spread_of(pauses), np.bincount(nodes, pauses, timeline.n_nodes).astype(float)


def _between(timeline: Timeline, stays: Stays) -> Booleans:
    """Whether others held a node in the gap before each stay but the first, shape (m - 1,)."""
    taken, found = timeline.taken, np.zeros(max(0, stays.node.size - 1), dtype=bool)
    if taken is None:
        return found
    for node, begin, end in zip(taken.node, taken.begin, taken.end, strict=True):
        found |= (stays.node[1:] == node) & (stays.end[:-1] < end) & (begin < stays.begin[1:])
    return found


def find_overtaking(start: Floats) -> Booleans:
    """Which jobs started before an earlier one, shape (n,).

    Args:
        start: start times, in the order in which jobs became eligible [s].
    """
    if not start.size:
        return np.zeros(0, dtype=bool)
    latest = np.maximum.accumulate(start)
    return np.append(False, start[1:] < latest[:-1])


def count_inversions(start: Floats) -> int:
    """Number of pairs of jobs that started in reverse order; equal times do not count.

    Radix sort of the ranks from the highest bit: within a group of equal higher bits, each one
    ahead of a zero is an inversion; then zeros move ahead of ones, in stable order. Ranks are a
    permutation of 0 to n - 1, so the first index of each group is known.

    Args:
        start: start times, in the order in which jobs became eligible [s].
    """
    n = start.size
    ranks = np.empty(n, dtype=np.int64)
    ranks[np.argsort(start, kind="stable")] = np.arange(n)
    place = np.arange(n)
    total = 0
    for bit in range((n - 1).bit_length() - 1, -1, -1) if n else ():
        group = (ranks >> (bit + 1)) << (bit + 1)
        one: Integers = (ranks >> bit) & 1
        before = np.cumsum(one) - one
        ones = before - before[group]
        total += int(np.sum(ones[one == 0]))
        moved = np.empty_like(ranks)
        moved[np.where(one == 1, group + (1 << bit) + ones, place - ones)] = ranks
        ranks = moved
    return total
