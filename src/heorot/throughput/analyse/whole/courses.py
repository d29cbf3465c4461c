"""Quantities over time made of intervals: waiting jobs, cores and nodes in use."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heorot.throughput.model.measures import Course, Rates
from heorot.throughput.model.timeline import Floats, Integers, Timeline

_ROUND = (1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1800.0, 3600.0, 7200.0)
_DAY = 86400.0
_MOST_INTERVALS = 60
# Node time counted twice by clocks and whole seconds of batch systems, at most [1].
_FUZZ = 0.01
_BLOCK = 1 << 16  # of millions of times, so many are looked up at once


@dataclass(frozen=True, eq=False)
class Stays:
    """Times in which a node had jobs without a break, by node and time; shape (m,) each.

    Attributes:
        node: its number.
        begin, end: of the time [s].
        first: the first job of it.
    """

    node: Integers
    begin: Floats
    end: Floats
    first: Integers


def make_course(begins: Floats, ends: Floats, weights: Floats | Integers) -> Course:
    """Sum of the weights of the intervals at every time.

    Args:
        begins: of intervals [s], shape (n,).
        ends: not before the begins [s].
    """
    times = np.concatenate((begins, ends))
    order = np.argsort(times, kind="stable")
    times = times[order]
    totals = np.cumsum(np.concatenate((weights, -weights))[order], dtype=np.float64)
    last = np.append(times[1:] != times[:-1], np.ones(min(1, times.size), dtype=bool))
    return Course(times[last], totals[last])


def alike(course: Course, other: Course) -> Course:
    """The same course with the arrays of another where they are equal: they are large."""
    times = other.times if np.array_equal(course.times, other.times) else course.times
    values = other.values if np.array_equal(course.values, other.values) else course.values
    return Course(times, values)


def value_at(course: Course, times: Floats) -> Floats:
    """The values from these times [s] on; 0 before the begin."""
    found = np.zeros(times.size)
    for start in range(0, times.size if course.times.size else 0, _BLOCK):
        place = np.searchsorted(course.times, times[start : start + _BLOCK], side="right")
        found[start : start + _BLOCK] = np.where(place > 0, course.values[place - 1], 0.0)
    return found


def integrate(course: Course) -> float:
    """Area under a course [its unit times s]."""
    return float(np.sum(course.values[:-1] * np.diff(course.times)))


def waiting_ends(timeline: Timeline) -> Floats:
    """End of each job's wait [s], shape (n,); NaN if it never waited or the end is unknown.

    A job waits until it starts; if it never starts, until its recorded end; if it is unfinished,
    until the last known event. Rejected and lost jobs do not wait.
    """
    known = [timeline.submit, timeline.start, timeline.end]
    horizon = max((float(np.nanmax(x)) for x in known if not np.isnan(x).all()), default=0.0)
    names = np.array([*timeline.state_names, ""])[timeline.states]
    settled = np.where(names == "unfinished", horizon, timeline.end)
    settled = np.where(np.isin(names, ("rejected", "vanished")), np.nan, settled)
    return np.where(np.isnan(timeline.start), settled, timeline.start)


def find_stays(timeline: Timeline, ran: Integers) -> Stays | None:
    """Times in which each node had jobs; None if the nodes of jobs are unknown."""
    if not timeline.offsets.size:
        return None
    counts = np.diff(timeline.offsets)
    chosen = np.zeros(counts.size, dtype=bool)
    chosen[ran] = True
    job = np.repeat(np.arange(counts.size), counts)
    node, inside = timeline.places, chosen[job]
    job, node = job[inside], node[inside]
    order = np.lexsort((timeline.start[job], node))
    job, node = job[order], node[order]
    begin, end = timeline.start[job], timeline.end[job]
    if not job.size:
        return Stays(node, begin, end, job)
    # Disjoint ranges for the nodes: one running maximum serves all.
    low = float(begin.min())
    apart = node * (float(end.max()) - low + 1.0)
    reached = np.maximum.accumulate(end - low + apart)
    fresh = np.append(True, begin[1:] - low + apart[1:] >= reached[:-1])
    groups = np.flatnonzero(fresh)
    return Stays(node[groups], begin[groups], np.maximum.reduceat(end, groups), job[groups])


def find_held(timeline: Timeline, ran: Integers, stays: Stays | None) -> tuple[Course, bool]:
    """Nodes with a job over time, and whether jobs shared nodes.

    If nodes are unknown, jobs are taken to have had them to themselves unless this exceeds the
    machine at some time; then nodes are counted by cores.
    """
    start, end = timeline.start[ran], timeline.end[ran]
    asked = make_course(start, end, timeline.nodes[ran])
    if stays is not None:
        held = make_course(stays.begin, stays.end, np.ones(stays.node.size))
        counts = np.diff(timeline.offsets)[ran]
        total = float(np.sum((end - start) * counts))
        return held, total - integrate(held) > _FUZZ * total
    if not asked.values.size or asked.values.max() <= timeline.n_nodes:
        return asked, False
    return make_course(start, end, timeline.cores[ran] / timeline.cores_per_node), True


def count_rates(timeline: Timeline) -> Rates:
    """Submissions, starts and ends in at most sixty intervals of a round width."""
    submit = np.where(np.isnan(timeline.eligible), np.nan, timeline.submit)
    times = [submit, timeline.start, timeline.end]
    begin = float(np.nanmin(submit)) if not np.isnan(submit).all() else 0.0
    last = max((float(np.nanmax(x)) for x in times if not np.isnan(x).all()), default=begin)
    least = (last - begin) / _MOST_INTERVALS
    width = next((w for w in _ROUND if w >= least), float(np.ceil(least / _DAY)) * _DAY)
    # An event at the very end belongs to the last interval.
    n = max(1, int(np.ceil((last - begin) / width - 1e-9)))
    counted = [_count(x, begin, width, n) for x in times]
    return Rates(width, begin + width * np.arange(n, dtype=np.float64), *counted)


def _count(times: Floats, begin: float, width: float, n: int) -> Integers:
    known = times[~np.isnan(times)]
    place = np.clip(((known - begin) / width).astype(np.int64), 0, n - 1)
    return np.bincount(place, minlength=n).astype(np.int64)
