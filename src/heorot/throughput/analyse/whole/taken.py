"""Node time of other users during a test, subtracted from idle time, bound and shares.

It is cut to the nodes free of our jobs, because clocks and the interval between two queries of the
queue would let both overlap.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heorot.throughput.analyse.whole.courses import (
    Stays,
    find_held,
    find_stays,
    integrate,
    make_course,
    value_at,
)
from heorot.throughput.model.measures import Course
from heorot.throughput.model.timeline import Floats, Taken, Timeline


@dataclass(frozen=True, eq=False)
class Capacity:
    """Capacity not available to the test.

    Attributes:
        nodes: nodes without our jobs, held by others or down, over time.
        width: the same in the unit of work: nodes, or cores.
        others, out: node time held by other users, and down or drained [node s].
        by_node: time of other users by node, weighted by share, shape (n_nodes,) [s].
        watched: share of the time in which the queue was watched [1].
    """

    nodes: Course
    width: Course
    others: float
    out: float
    by_node: Floats
    watched: float


def find_capacity(
    timeline: Timeline,
    stays: Stays | None,
    held: Course,
    cores: Course | None,
    span: tuple[float, float],
) -> Capacity | None:
    """Capacity not available to the test; None if the queue was not watched.

    Args:
        stays: times in which each node had our jobs, if known.
        held: nodes with our jobs over time.
        cores: cores of our jobs over time; None where they had nodes to themselves.
        span: begin and end of the makespan [s].
    """
    taken = timeline.taken
    if taken is None:
        return None
    inside = _within(taken, span)
    whole = cores is None
    pieces = [_of_node(inside, stays, node, whole=whole) for node in np.unique(inside.node)]
    node, begin, end, value, ours, others = np.hstack([np.empty((6, 0)), *pieces])
    nodes = _limited(
        make_course(begin, end, np.where(ours > 0, 0.0, value)), held, timeline.n_nodes
    )
    width = nodes
    if cores is not None:
        n_cores = timeline.n_nodes * timeline.cores_per_node
        width = _limited(make_course(begin, end, value * timeline.cores_per_node), cores, n_cores)
    lost = integrate(width) / (1 if cores is None else timeline.cores_per_node)
    lengths = end - begin
    everything = float(np.sum(lengths * value))
    by_others = lost * float(np.sum(lengths * others)) / everything if everything else 0.0
    known = node >= 0
    by_node = np.bincount(
        node[known].astype(np.int64), (lengths * others)[known], timeline.n_nodes
    ).astype(float)
    return Capacity(nodes, width, by_others, lost - by_others, by_node, _watched(taken, span))


def taken_nodes(timeline: Timeline) -> Taken | None:
    """Node time of other users in a real test, as numbers of nodes, for simulations of it."""
    if timeline.taken is None:
        return None
    ran = np.flatnonzero(~np.isnan(timeline.end - timeline.start))
    stays = find_stays(timeline, ran)
    held, shared = find_held(timeline, ran, stays)
    ends = (timeline.taken.end, timeline.end[ran])
    span = (0.0, max(float(np.max(x, initial=0.0)) for x in ends))
    cores = make_course(timeline.start[ran], timeline.end[ran], timeline.cores[ran])
    found = find_capacity(timeline, stays, held, cores if shared else None, span)
    if found is None:
        return None
    n = found.width.values[:-1] / (timeline.cores_per_node if shared else 1)
    some = n > 0.0
    return Taken(
        node=np.full(int(np.sum(some)), -1, dtype=np.int64),
        begin=found.width.times[:-1][some],
        end=found.width.times[1:][some],
        share=n[some],
        others=np.ones(int(np.sum(some)), dtype=bool),
        watched=timeline.taken.watched,
    )


def _within(taken: Taken, span: tuple[float, float]) -> Taken:
    begin, end = np.clip(taken.begin, *span), np.clip(taken.end, *span)
    chosen = end > begin
    return Taken(
        taken.node[chosen],
        begin[chosen],
        end[chosen],
        taken.share[chosen],
        taken.others[chosen],
        taken.watched,
    )


def _of_node(taken: Taken, stays: Stays | None, node: int, *, whole: bool) -> Floats:
    """Shares of one node held by others, shape (6, k).

    Rows: node, begins, ends, shares, whether we held it, share of other users.
    """
    mine = taken.node == node
    begin, end, share, by = (x[mine] for x in (taken.begin, taken.end, taken.share, taken.others))
    own_begin, own_end = np.empty(0), np.empty(0)
    if stays is not None:
        own = stays.node == node
        own_begin, own_end = stays.begin[own], stays.end[own]
    times = np.unique(np.concatenate((begin, end, own_begin, own_end)))
    times = times[(times >= begin.min()) & (times <= end.max())]
    at = times[:-1]
    total = value_at(make_course(begin, end, share), at)
    others = np.minimum(total, value_at(make_course(begin, end, share * by), at))
    ours = value_at(make_course(own_begin, own_end, np.ones(own_begin.size)), at)
    if node >= 0:
        total, others = np.minimum(1.0, total), np.minimum(1.0, others)
        if whole:
            total, others = (np.where(ours > 0, 0.0, x) for x in (total, others))
    return np.array((np.full(at.size, float(node)), at, times[1:], total, ours, others))


def _limited(course: Course, held: Course, most: float) -> Course:
    """A course limited to the part of a total that another course leaves."""
    times = np.union1d(course.times, held.times)
    left = np.maximum(0.0, most - value_at(held, times))
    return Course(times, np.minimum(value_at(course, times), left))


def _watched(taken: Taken, span: tuple[float, float]) -> float:
    makespan = span[1] - span[0]
    seen = np.clip(taken.watched, *span)
    return float(np.sum(seen[:, 1] - seen[:, 0])) / makespan if makespan > 0.0 else 0.0
