"""Times over the size of messages: a curve for each operation, case and toolchain."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from heorot.model.analysis.result import Result
from heorot.model.analysis.rows import Rows
from heorot.model.run.identity import Stack

SIZE = "bytes"
TIME = "latency"


@dataclass(frozen=True)
class Estimate:
    """A value and the ends of its interval."""

    median: float
    low: float
    high: float

    def __add__(self, other: Estimate) -> Estimate:
        """The sum, whose interval encloses all sums of both."""
        return Estimate(self.median + other.median, self.low + other.low, self.high + other.high)


NOTHING = Estimate(0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Curve:
    """One operation over the size of its messages, in ascending order of size.

    Attributes:
        rows: at least one, of the same operation, case and toolchain.
    """

    rows: tuple[Result, ...]

    @property
    def first(self) -> Result:
        """Any row: they differ in size and value only."""
        return self.rows[0]

    @property
    def sizes(self) -> list[float]:
        """The sizes [B]."""
        return [size_of(row) for row in self.rows]

    def at(self, size: float) -> Estimate | None:
        """The time for a size [B]; None outside of the measured sizes.

        Between two sizes it is a power of the size: a straight line in a double logarithmic plot.
        """
        for row in self.rows:
            if size_of(row) == size:
                return Estimate(row.median, row.ci_low, row.ci_high)
        for left, right in zip(self.rows, self.rows[1:], strict=False):
            if 0.0 < size_of(left) < size < size_of(right):
                share = math.log(size / size_of(left)) / math.log(size_of(right) / size_of(left))
                return Estimate(
                    _between(left.median, right.median, share),
                    _between(left.ci_low, right.ci_low, share),
                    _between(left.ci_high, right.ci_high, share),
                )
        return None


def _between(left: float, right: float, share: float) -> float:
    """The geometric mean with weights; without a logarithm, a value is returned unchanged."""
    if left <= 0.0 or right <= 0.0:
        return max(left, right)
    return float(left ** (1.0 - share) * right**share)


def size_of(row: Result) -> float:
    """The size of the message of a row [B]."""
    return float(row.point[SIZE])


CurveKey = tuple[str, Stack]


def curves(rows: Rows, benchmark: str, metric: str = TIME) -> dict[CurveKey, dict[str, Curve]]:
    """The curves of a program, by case and toolchain, then by region.

    Rows with coordinates besides the size are left out: they form several curves.

    Args:
        metric: the time, by the program's name of it.
    """
    found: dict[CurveKey, dict[str, list[Result]]] = {}
    for row in _times(rows, benchmark, metric):
        found.setdefault((row.case, row.stack), {}).setdefault(row.region, []).append(row)
    return {
        place: {
            region: Curve(tuple(sorted(members, key=size_of))) for region, members in each.items()
        }
        for place, each in found.items()
    }


def _times(rows: Rows, benchmark: str, metric: str) -> Iterable[Result]:
    for row in rows:
        is_time = row.benchmark == benchmark and row.metric == metric and set(row.point) == {SIZE}
        if is_time and row.ranked and not row.derived:
            yield row
