"""Crossover of two curves over the same values, and where both become equal."""

from __future__ import annotations

import itertools
from collections.abc import Sequence


def distance(ratio: float) -> float:
    """The larger ratio of two positive numbers."""
    return max(ratio, 1.0 / ratio)


def changes(winners: Sequence[int]) -> list[tuple[int, int]]:
    """The positions between which the better curve changes, in ascending order.

    Positions without a winner lie between: they are passed over.

    Args:
        winners: at each position the number of the better curve, 0 if neither is better.
    """
    decided = [place for place, winner in enumerate(winners) if winner]
    return [
        (left, right)
        for left, right in itertools.pairwise(decided)
        if winners[left] != winners[right]
    ]


def alike_from(ratios: Sequence[float], within: float) -> int | None:
    """The position from which on both curves stay equal; None if they end apart.

    Args:
        within: factor by which they may differ, such as 1.1.
    """
    apart = [place for place, ratio in enumerate(ratios) if distance(ratio) > within]
    first = apart[-1] + 1 if apart else 0
    return first if first < len(ratios) else None
