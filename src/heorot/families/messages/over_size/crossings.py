"""Crossovers of two curves, and their difference.

Of two measured curves over the same sizes each size has a winner if the intervals of the medians do
not overlap. A crossover lies where the winner changes from one size to a larger one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heorot.analyse.rows import over
from heorot.analyse.statistics.crossings import alike_from, changes, distance
from heorot.families.messages.over_size.curves import Curve, size_of
from heorot.model.analysis.extremes import Ends
from heorot.model.analysis.result import Result


@dataclass(frozen=True)
class Difference:
    """Two curves at a size.

    Attributes:
        first: row of the first curve.
    """

    first: Result
    second: Result

    @property
    def ratio(self) -> float:
        """Time of the second over that of the first."""
        return self.second.median / self.first.median

    @property
    def distance(self) -> float:
        """Time of the slower one over that of the faster one."""
        return distance(self.ratio)

    @property
    def ends(self) -> Ends:
        """Upper end of the interval of the distance, which encloses both intervals."""
        fast, slow = sorted((self.first, self.second), key=lambda row: row.median)
        return over(slow, fast)[1:]

    @property
    def winner(self) -> int:
        """-1 if the first is significantly faster, 1 if the second is, else 0."""
        if self.first.ci_high < self.second.ci_low:
            return -1
        return 1 if self.second.ci_high < self.first.ci_low else 0


@dataclass(frozen=True)
class Crossover:
    """Between two sizes the faster curve becomes the slower one.

    Attributes:
        below: the largest size at which the winner for short messages still wins.
        above: the smallest size from which on the other one wins.
    """

    below: Difference
    above: Difference


def differences(first: Curve, second: Curve) -> list[Difference]:
    """Both curves at the sizes they share, in ascending order."""
    others = {size_of(row): row for row in second.rows}
    return [Difference(row, others[size_of(row)]) for row in first.rows if size_of(row) in others]


def crossovers(found: Sequence[Difference]) -> list[Crossover]:
    """Where the winner changes, in ascending order of size.

    Args:
        found: two curves, from `differences`.
    """
    places = changes([each.winner for each in found])
    return [Crossover(found[left], found[right]) for left, right in places]


def converges_at(found: Sequence[Difference], within: float) -> Difference | None:
    """The size from which on the second curve stays near the first; None if never.

    Args:
        found: two curves, from `differences`.
        within: factor by which they may differ, such as 1.1.
    """
    place = alike_from([each.ratio for each in found], within)
    return None if place is None else found[place]
