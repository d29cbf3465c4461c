"""Two curves over the same values: where the better one changes, and where both become alike."""

from __future__ import annotations

import itertools
from collections.abc import Sequence


def distance(ratio: float) -> float:
    """How many times as much the larger of two positive numbers is, by either ratio of them."""
    return max(ratio, 1.0 / ratio)


def changes(winners: Sequence[int]) -> list[tuple[int, int]]:
    """Between which places the better curve changes, in ascending order.

    Places without a winner lie between: they are passed over.

    Args:
        winners: at each place a number of each curve that is better there, 0 if none is.
    """
    decided = [place for place, winner in enumerate(winners) if winner]
    return [
        (left, right)
        for left, right in itertools.pairwise(decided)
        if winners[left] != winners[right]
    ]


def alike_from(ratios: Sequence[float], within: float) -> int | None:
    """From which place on both curves stay alike; None if they end apart.

    Args:
        within: factor by which they may differ, such as 1.1.
    """
    apart = [place for place, ratio in enumerate(ratios) if distance(ratio) > within]
    first = apart[-1] + 1 if apart else 0
    return first if first < len(ratios) else None
