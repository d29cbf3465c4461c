"""List scheduling: jobs in a given order, each as soon as it is submitted and fits.

Source: R. L. Graham, Bounds on Multiprocessing Timing Anomalies, SIAM J. Applied Math. 17 (1969).
"""

from __future__ import annotations

import heapq
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from heorot.throughput.model.measures import Course
from heorot.throughput.model.timeline import Floats, Integers

MOST_JOBS = 2000
"""Larger tests are not scheduled again, to save time."""

_SEED = 1
_DRAWS = 200
_MOST_STEPS = 20_000
# Rounding of sums of shares held by others, in processors.
_FUZZ = 1e-6


@dataclass(frozen=True, eq=False)
class Work:
    """Jobs to be scheduled.

    Attributes:
        submit: times of submission [s], shape (n,).
        run: run times [s].
        width: number of processors of each, at most `capacity`.
        capacity: number of processors.
        taken: processors held by others over time, 0 at the end; None for none.
    """

    submit: Floats
    run: Floats
    width: Integers
    capacity: int
    taken: Course | None = None


class _Others:
    """Processors held by others."""

    def __init__(self, taken: Course | None) -> None:
        self._times: list[float] = [] if taken is None else taken.times.tolist()
        self._values: list[float] = [0.0, *([] if taken is None else taken.values.tolist())]

    def most(self, begin: float, end: float) -> float:
        """The maximum between two times [s]."""
        first, last = bisect_right(self._times, begin), bisect_left(self._times, end)
        return max(self._values[first : max(first, last) + 1])

    def next_change(self, now: float) -> float:
        """The next change after a time; infinite for never [s]."""
        place = bisect_right(self._times, now)
        return self._times[place] if place < len(self._times) else np.inf


def pack(work: Work, order: Integers) -> float:
    """End of the last job, from the first submission [s].

    At each release of processors and each submission, the submitted jobs are tried in the given
    order, and each that fits is started. No job waits while it fits, but a wide one may wait long,
    as no processors are reserved for it. A job gets no processors that others hold before its end.
    """
    submit, run, width = work.submit.tolist(), work.run.tolist(), work.width.tolist()
    rank = [0] * len(submit)
    for place, job in enumerate(order.tolist()):
        rank[job] = place
    coming = sorted(range(len(submit)), key=lambda job: submit[job], reverse=True)
    ends: list[tuple[float, int]] = []
    waiting: list[tuple[int, int]] = []
    first = last = min(submit, default=0.0)
    free, others, now = work.capacity, _Others(work.taken), -np.inf
    while coming or waiting:
        change = others.next_change(now) if waiting else np.inf
        came = submit[coming[-1]] if coming else np.inf
        now = min(ends[0][0] if ends else np.inf, came, change)
        while ends and ends[0][0] <= now:
            free += heapq.heappop(ends)[1]
        while coming and submit[coming[-1]] <= now:
            job = coming.pop()
            waiting.append((rank[job], job))
        waiting.sort()
        left = []
        for place, job in waiting:
            left_over = free - width[job] + _FUZZ
            if left_over < 0.0 or others.most(now, now + run[job]) > left_over:
                left.append((place, job))
                continue
            free -= width[job]
            heapq.heappush(ends, (now + run[job], width[job]))
            last = max(last, now + run[job])
        waiting = left
    return last - first


def rules(work: Work) -> dict[str, Integers]:
    """Orders by simple rules, by name."""
    n = work.submit.size
    keys: dict[str, Callable[[], Floats | Integers]] = {
        "as submitted": lambda: np.arange(n),
        "longest first": lambda: -work.run,
        "widest first": lambda: -work.width,
        "largest first": lambda: -(work.run * work.width),
        "shortest first": lambda: work.run,
    }
    return {name: np.argsort(key(), kind="stable") for name, key in keys.items()}


def find_orders(work: Work) -> dict[str, float]:
    """Makespans of several orders [s], the best first.

    One of them is a local search: up to 200 exchanges of two jobs, each kept if the makespan is no
    longer; with a fixed seed.
    """
    orders = rules(work)
    found = {name: pack(work, order) for name, order in orders.items()}
    best = min(found, key=lambda name: found[name])
    order, makespan, n = orders[best].copy(), found[best], work.submit.size
    generator = np.random.default_rng(_SEED)
    for _ in range(min(_DRAWS, _MOST_STEPS // max(1, n)) if n > 1 else 0):
        one, other = generator.choice(n, 2, replace=False)
        trial = order.copy()
        trial[[one, other]] = trial[[other, one]]
        reached = pack(work, trial)
        if reached <= makespan:
            order, makespan = trial, reached
    if makespan < found[best]:
        found["exchanges of pairs"] = makespan
    return dict(sorted(found.items(), key=lambda each: each[1]))
