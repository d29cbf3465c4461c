"""Where one curve begins to be faster than another, and by how much they differ.

Of two measured curves over the same sizes each size has a winner if the intervals of the medians
do not overlap. Where the winner changes from one size to a larger one lies a crossover.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from heorot.families.messages.derived.curves import Curve, size_of
from heorot.model.analysis.result import Result


@dataclass(frozen=True)
class Difference:
    """Two curves at a size.

    Attributes:
        first: row of the first curve.
        second: of the second.
    """

    first: Result
    second: Result

    @property
    def ratio(self) -> float:
        """What the second takes, as a multiple of the first."""
        return self.second.median / self.first.median

    @property
    def winner(self) -> int:
        """-1 if the first is faster beyond doubt, 1 if the second is, else 0."""
        if self.first.ci_high < self.second.ci_low:
            return -1
        return 1 if self.second.ci_high < self.first.ci_low else 0


@dataclass(frozen=True)
class Crossover:
    """Between two sizes the faster curve becomes the slower one.

    Attributes:
        below: the largest size at which the curve that wins for short messages still wins.
        above: the smallest size from which the other one wins.
    """

    below: Difference
    above: Difference

    @property
    def size(self) -> float:
        """Where the curves meet if both are powers of the size between the two [B]."""
        low, high = size_of(self.below.first), size_of(self.above.first)
        if low <= 0.0:
            return high
        lead, lag = abs(math.log(self.below.ratio)), abs(math.log(self.above.ratio))
        return float(low * (high / low) ** (lead / (lead + lag)))


def differences(first: Curve, second: Curve) -> list[Difference]:
    """Both curves at the sizes they share, in ascending order.

    Args:
        first: a curve.
        second: another one.
    """
    others = {size_of(row): row for row in second.rows}
    return [Difference(row, others[size_of(row)]) for row in first.rows if size_of(row) in others]


def crossovers(found: Sequence[Difference]) -> list[Crossover]:
    """Where the winner changes, in ascending order of size.

    Sizes without a winner are passed over: they lie between.

    Args:
        found: two curves, as `differences` has them.
    """
    decided = [each for each in found if each.winner]
    return [
        Crossover(below, above)
        for below, above in itertools.pairwise(decided)
        if below.winner != above.winner
    ]


def converges_at(found: Sequence[Difference], within: float) -> Difference | None:
    """From which size on the second curve stays near the first; None if never.

    Args:
        found: two curves, as `differences` has them.
        within: factor by which they may differ, such as 1.1.
    """
    last: Difference | None = None
    for each in reversed(found):
        if not 1.0 / within <= each.ratio <= within:
            break
        last = each
    return last
