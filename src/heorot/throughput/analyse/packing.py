"""List scheduling: jobs in a given order, each as soon as it has come and fits.

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
"""More jobs are not put together anew: it would take too long."""

_SEED = 1
_DRAWS = 200
_MOST_STEPS = 20_000
# Sums of shares that others have, in processors.
_FUZZ = 1e-6


@dataclass(frozen=True, eq=False)
class Work:
    """Jobs to be put together.

    Attributes:
        submit: when they come [s], shape (n,).
        run: how long they take [s].
        width: how many processors they need, none more than there are.
        capacity: how many there are.
        taken: how many of them others had over time, none at the end; None for none.
    """

    submit: Floats
    run: Floats
    width: Integers
    capacity: int
    taken: Course | None = None


class _Others:
    """How many processors others have."""

    def __init__(self, taken: Course | None) -> None:
        self._times: list[float] = [] if taken is None else taken.times.tolist()
        self._values: list[float] = [0.0, *([] if taken is None else taken.values.tolist())]

    def most(self, begin: float, end: float) -> float:
        """The largest number from one time to another [s]."""
        first, last = bisect_right(self._times, begin), bisect_left(self._times, end)
        return max(self._values[first : max(first, last) + 1])

    def next_change(self, now: float) -> float:
        """When it is another number after a time; infinite for never [s]."""
        place = bisect_right(self._times, now)
        return self._times[place] if place < len(self._times) else np.inf


def pack(work: Work, order: Integers) -> float:
    """The end of the last job, from the first submission on [s].

    Whenever processors become free or a job comes, the jobs that have come are gone through in
    the order given, and each that fits is started. So none waits while it would fit, but a wide
    one may wait long: no processors are kept free for it. What others will have until a job ends
    is not given to it.
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
    """Orders by plain rules, by name."""
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
    """How long the day would be in several orders [s], the best first.

    Besides the rules: the best of up to 200 orders in which two jobs changed places, one after
    the other, each kept if it is no worse; with a fixed seed.
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
