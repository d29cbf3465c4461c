"""Lower bound of the makespan, and node time idle while jobs waited.

Source: A. T. Wong et al., ESP: A System Utilization Benchmark, SC 2000 (efficiency).
Y. Zhang, H. Franke, J. Moreira, A. Sivasubramaniam, An Integrated Approach to Parallel Scheduling
Using Gang-Scheduling, Backfilling, and Migration, IEEE TPDS 14 (2003) (loss of capacity).
D. G. Feitelson, Metrics for Parallel Job Scheduling and Their Convergence, JSSPP 2001.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from heorot.throughput.analyse.whole.courses import make_course, value_at, waiting_ends
from heorot.throughput.model.measures import Bound, Course
from heorot.throughput.model.timeline import Booleans, Floats, Integers, Timeline

_MOST_WIDTHS = 64
_BLOCK = 1 << 16  # of millions of times, so many are judged at once
LEAST_NODE_SECONDS = 1e-6
"""Least node time of a test whose nodes others held throughout [node s]."""


def find_bound(
    submit: Floats, run: Floats, width: Integers, capacity: int, taken: Course | None = None
) -> tuple[float, Bound]:
    """Lower bound of the makespan of these jobs [s].

    The largest of three: all work on all processors; the same for the jobs submitted at or after
    any one time, plus that time; the latest submission + run time. Processors held by others do no
    work meanwhile.

    Args:
        submit: times of submission from the start of the test, in any order [s], shape (n,).
        run: run times [s].
        width: numbers of processors.
        taken: processors held by others over time, from the start of the test; None for none.
    """
    if not submit.size:
        return 0.0, "work"
    order = np.argsort(submit, kind="stable")
    work = np.cumsum((run * width)[order][::-1])[::-1]
    done = _when_done(submit[order], work, capacity, taken)
    bounds: list[tuple[float, Bound]] = [
        (float(_when_done(np.zeros(1), work[:1], capacity, taken)[0]), "work"),
        (float(np.max(done)), "late arrivals"),
        (float(np.max(submit + run)), "longest job"),
    ]
    # Of equal bounds, the simplest.
    return max(bounds, key=lambda bound: bound[0])


def _when_done(begins: Floats, work: Floats, capacity: int, taken: Course | None) -> Floats:
    """When all available processors have done the work that begins at these times [s]."""
    if taken is None or not taken.times.size:
        return begins + work / capacity
    last = float(taken.times[-1]) + float(np.max(begins)) + float(np.max(work)) / capacity + 1.0
    times = np.unique(np.concatenate(([0.0], taken.times[taken.times > 0.0], [last])))
    there = np.maximum(0.0, capacity - value_at(taken, times[:-1]))
    done = np.concatenate(([0.0], np.cumsum(there * np.diff(times))))
    target = np.interp(begins, times, done) + work
    # Work is completed in an interval with available processors.
    piece = np.clip(np.searchsorted(done, target, side="left") - 1, 0, there.size - 1)
    rate = np.where(there[piece] > 0.0, there[piece], 1.0)
    return np.asarray(times[piece] + (target - done[piece]) / rate, dtype=np.float64)


def measure_loss(
    timeline: Timeline, held: Course, span: tuple[float, float], taken: Course | None = None
) -> tuple[float, float]:
    """Shares of node time idle while jobs waited [1].

    The first is Zhang's: idle nodes while any job waits. The second counts idle nodes only while a
    waiting job needs no more nodes than are idle: a scheduler that reserves nodes for a wider job
    loses the first, a scheduler with a long interval loses the second. More than 64 different
    widths are rounded up to 64 classes, so the second may be too small. Cores, limits and
    reservations do not count.

    Args:
        held: nodes with a job over time.
        span: begin and end of the makespan [s].
        taken: nodes held by others over time, neither idle nor ours; None for none.
    """
    begin, end, width = _waits(timeline)
    queue = make_course(begin, end, np.ones(begin.size))
    others = [taken.times] if taken else []
    times = np.concatenate([held.times, queue.times, *others, np.array(span)])
    times = _distinct(np.clip(times, *span, out=times))
    waiting = value_at(queue, times[:-1]) > 0
    del queue
    there = float(timeline.n_nodes) - (value_at(taken, times[:-1]) if taken else 0.0)
    idle = there - value_at(held, times[:-1])
    np.maximum(0.0, idle, out=idle)
    fitting = _fits(begin, end, width, times, idle)
    del begin, end, width
    lengths = np.diff(times)
    lost = np.multiply(idle, lengths, out=idle)
    whole = max(float(np.sum(there * lengths)), LEAST_NODE_SECONDS)
    return float(np.sum(lost[waiting])) / whole, float(np.sum(lost[fitting])) / whole


def _waits(timeline: Timeline) -> tuple[Floats, Floats, Integers]:
    """Begins and ends of waits [s] and widths in nodes of the jobs that waited, by width."""
    until = waiting_ends(timeline)
    waits = np.flatnonzero(until > timeline.eligible)
    waits = waits[np.argsort(timeline.nodes[waits], kind="stable")]
    return timeline.eligible[waits], until[waits], timeline.nodes[waits]


def _distinct(times: Floats) -> Floats:
    """The same times, each once, in ascending order; sorts those it is given."""
    times.sort()
    first: Booleans = np.append(True, times[1:] != times[:-1])
    return times[first]


def _fits(begin: Floats, end: Floats, width: Integers, times: Floats, idle: Floats) -> Booleans:
    """Whether a job waits that needs no more nodes than are idle, from each time to the next.

    Each class of widths has a bit, which turns where the first of its jobs comes or the last goes.

    Args:
        begin, end: of the waits of jobs [s], shape (n,).
        width: in nodes, in ascending order.
        times: in ascending order [s], shape (m + 1,).
        idle: nodes from each time on, shape (m,).
    """
    turns = np.zeros(times.size + 1, dtype=np.uint64)
    highs: list[int] = []
    for low, high in _widths(width):
        chosen = slice(*np.searchsorted(width, (low, high), side="right"))
        here = make_course(begin[chosen], end[chosen], np.ones(begin[chosen].size))
        waiting = here.values > 0
        turned = here.times[waiting != np.append(False, waiting[:-1])]
        bit = np.uint64(1 << len(highs))
        np.bitwise_xor.at(turns, np.searchsorted(times, turned, side="left"), bit)
        highs.append(high)
    waits = np.bitwise_xor.accumulate(turns, out=turns)[: idle.size]
    # By how many classes fit: their bits.
    bits = np.array([(1 << n) - 1 for n in range(len(highs) + 1)], dtype=np.uint64)
    fit: Booleans = np.empty(idle.size, dtype=bool)
    for start in range(0, idle.size, _BLOCK):
        part = slice(start, start + _BLOCK)
        fit[part] = waits[part] & bits[np.searchsorted(highs, idle[part], side="right")] != 0
    return fit


def _widths(width: Integers) -> list[tuple[int, int]]:
    """Classes of widths in nodes, above the first and up to the second number."""
    ends = np.unique(width)
    if ends.size > _MOST_WIDTHS:
        ends = np.unique(ends[np.linspace(0, ends.size - 1, _MOST_WIDTHS).astype(int)])
    return list(pairwise([0, *ends.tolist()]))
