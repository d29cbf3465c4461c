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
from heorot.throughput.model.timeline import Floats, Integers, Timeline

_MOST_WIDTHS = 64
LEAST_NODE_SECONDS = 1e-6
"""Of a day in which others had everything [node s]."""


def find_bound(
    submit: Floats, run: Floats, width: Integers, capacity: int, taken: Course | None = None
) -> tuple[float, Bound]:
    """No schedule of these jobs can be shorter than this [s].

    The largest of three: all work on all processors; the same for the jobs that come at or after
    any one moment, plus the time until then; the latest of submission + run time. Processors that
    others had for a time did no work then.

    Args:
        submit: when they came, in any order, from the begin of the day on [s], shape (n,).
        run: how long they ran [s].
        width: how many processors they had.
        taken: how many others had over time, from the begin of the day on; None for none.
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
    # The plainest reason where several are equal.
    return max(bounds, key=lambda bound: bound[0])


def _when_done(begins: Floats, work: Floats, capacity: int, taken: Course | None) -> Floats:
    """When work that begins at these times is done by all processors that are there [s]."""
    if taken is None or not taken.times.size:
        return begins + work / capacity
    last = float(taken.times[-1]) + float(np.max(begins)) + float(np.max(work)) / capacity + 1.0
    times = np.unique(np.concatenate(([0.0], taken.times[taken.times > 0.0], [last])))
    there = np.maximum(0.0, capacity - value_at(taken, times[:-1]))
    done = np.concatenate(([0.0], np.cumsum(there * np.diff(times))))
    target = np.interp(begins, times, done) + work
    # The piece in which the work is done is one in which something is there.
    piece = np.clip(np.searchsorted(done, target, side="left") - 1, 0, there.size - 1)
    rate = np.where(there[piece] > 0.0, there[piece], 1.0)
    return np.asarray(times[piece] + (target - done[piece]) / rate, dtype=np.float64)


def measure_loss(
    timeline: Timeline, held: Course, span: tuple[float, float], taken: Course | None = None
) -> tuple[float, float]:
    """Which share of node time was idle while jobs waited [1].

    The first is Zhang's: idle nodes while any job waits. The second counts idle nodes only while a
    job waits that needs no more nodes than are idle: a scheduler that keeps them for a wider job
    loses the first, one that sleeps loses the second. Where jobs have more than 64 different
    widths, these are rounded up to 64, so that the second may come out too small. Cores, limits
    and reservations do not count.

    Args:
        held: how many nodes have a job over time.
        span: begin and end of the makespan [s].
        taken: how many nodes others had over time, which are neither idle nor ours; None for none.
    """
    until = waiting_ends(timeline)
    waits = until > timeline.eligible
    begin, end, width = timeline.eligible[waits], until[waits], timeline.nodes[waits]
    queue = make_course(begin, end, np.ones(begin.size))
    taken = taken or Course(np.empty(0), np.empty(0))
    every = np.concatenate((held.times, queue.times, taken.times, span))
    times = np.unique(np.clip(every, *span))
    lengths = np.diff(times)
    there = timeline.n_nodes - value_at(taken, times[:-1])
    idle = np.maximum(0.0, there - value_at(held, times[:-1]))
    lost = idle * lengths
    whole = max(float(np.sum(there * lengths)), LEAST_NODE_SECONDS)
    waiting = value_at(queue, times[:-1]) > 0
    fitting = np.zeros(lengths.size, dtype=bool)
    for low, high in _widths(width):
        chosen = (width > low) & (width <= high)
        here = make_course(begin[chosen], end[chosen], np.ones(int(np.sum(chosen))))
        fitting |= (idle >= high) & (value_at(here, times[:-1]) > 0)
    return float(np.sum(lost[waiting])) / whole, float(np.sum(lost[fitting])) / whole


def _widths(width: Integers) -> list[tuple[int, int]]:
    """Classes of widths, each above the one and up to the other number of nodes."""
    ends = np.unique(width)
    if ends.size > _MOST_WIDTHS:
        ends = np.unique(ends[np.linspace(0, ends.size - 1, _MOST_WIDTHS).astype(int)])
    return list(pairwise([0, *ends.tolist()]))
