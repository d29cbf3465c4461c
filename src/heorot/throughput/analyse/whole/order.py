"""In which order jobs started, against the order in which they could have."""

from __future__ import annotations

import numpy as np

from heorot.throughput.model.measures import Booleans
from heorot.throughput.model.timeline import Floats, Integers


def find_overtaking(start: Floats) -> Booleans:
    """Which jobs started before one that stands before them, shape (n,).

    Args:
        start: times of jobs in the order in which they became eligible [s].
    """
    if not start.size:
        return np.zeros(0, dtype=bool)
    latest = np.maximum.accumulate(start)
    return np.append(False, start[1:] < latest[:-1])


def count_inversions(start: Floats) -> int:
    """How many pairs of jobs started in the other order; equal times are none.

    Bit by bit from the highest: where ranks agree so far, those with a one that stand before
    those with a zero are inversions; then zeros go before ones, each in their order. As ranks are
    0 to n - 1, each once, everything that agrees so far stands at a place that is known.

    Args:
        start: times of jobs in the order in which they became eligible [s].
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
