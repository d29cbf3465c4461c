"""Upper envelope of rates over a size.

A rate reached at a larger size is possible at any smaller one. Between two sizes, of which the
smaller or the larger one lies on a flat part of the curve, a level of the memory ends at an unknown
size: there the smaller one counts. Where the curve falls before and behind, it falls between.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable

# Neighbours that differ no more lie on a flat part.
_LEVEL = 1.1


class Envelope:
    """The upper envelope of rates over a size.

    Args:
        points: sizes, positive, with the rates measured there; several of a size are allowed.
    """

    def __init__(self, points: Iterable[tuple[float, float]]) -> None:
        best: dict[float, float] = {}
        for size, rate in points:
            best[size] = max(rate, best.get(size, 0.0))
        highest, curve = 0.0, []
        for size in sorted(best, reverse=True):
            highest = max(highest, best[size])
            curve.append((size, highest))
        self._curve = curve[::-1]

    def __bool__(self) -> bool:
        return bool(self._curve)

    def at(self, size: float) -> float:
        """The rate at a size: beyond the smallest and the largest one, the rate of these.

        Raises:
            ValueError: no rate was measured.
        """
        if not self._curve:
            raise ValueError("a curve without points allows nothing")
        after = bisect_right([each for each, _ in self._curve], size)
        if after in {0, len(self._curve)}:
            return self._curve[max(0, after - 1)][1]
        (low, fast), (high, slow) = self._curve[after - 1 : after + 1]
        if self._is_level(after - 2) or self._is_level(after):
            return fast
        part = math.log(size / low) / math.log(high / low)
        return fast + part * (slow - fast)

    def _is_level(self, first: int) -> bool:
        """Whether a point and the next are about equal, or only the next exists."""
        if first + 1 >= len(self._curve):
            return False
        return first < 0 or self._curve[first][1] <= _LEVEL * self._curve[first + 1][1]
