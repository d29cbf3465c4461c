"""The quantities that two setups of a program share, and its representative one.

For a program whose problems have a size it is its rate, for others the quantity of the score card,
else the first of its metrics at its largest size.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from heorot.analyse.rows import first_rate, over
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.point import Point
from heorot.model.run.identity import Setup

SIZE = "bytes"
"""The coordinate that is the size of a message [B]."""

_Ends = tuple[float, float, float]


@dataclass(frozen=True)
class Both:
    """A quantity of two setups.

    Attributes:
        row: of the compared setup.
        base: of the baseline.
    """

    row: Result
    base: Result

    @property
    def longer(self) -> _Ends:
        """Time of the row over that of the base, with an interval that encloses both intervals."""
        if self.row.better == "higher":
            return over(self.base, self.row)
        return over(self.row, self.base)

    @property
    def faster(self) -> _Ends:
        """The inverse."""
        centre, low, high = self.longer
        return 1.0 / centre, 1.0 / high, 1.0 / low

    @property
    def launches(self) -> int:
        """Number of launches that both rest on."""
        return min(self.row.n_launches, self.base.n_launches)


QuantityKey = tuple[str, str, Point]
"""A quantity of a setup: metric, region and point."""


class Numbers:
    """The trustworthy sampled numbers of a run, by setup."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._found: dict[Setup, dict[QuantityKey, Result]] = {}
        for row in context.rows:
            # A ratio needs a base that is not zero.
            if row.ranked and not row.derived and row.ci_low > 0.0:
                here = self._found.setdefault(row.setup, {})
                here[row.metric, row.region, row.point] = row

    def rows(self, setup: Setup) -> list[Result]:
        """All quantities of a setup, in their order."""
        return [*self._found.get(setup, {}).values()]

    def both(self, setup: Setup, base: Setup) -> list[Both]:
        """All quantities that two setups have, in their order."""
        others = self._found.get(base, {})
        own = self._found.get(setup, {})
        return [Both(row, others[place]) for place, row in own.items() if place in others]

    def main(self, setup: Setup, base: Setup) -> Both | None:
        """The representative quantity of the program; None if the setups share none."""
        benchmark = self._context.benchmarks.get(setup.benchmark)
        if benchmark is None:
            return None
        both = self.both(setup, base)
        found = [one for one in both if _is_shown(benchmark, one.row)]
        usual = (first_rate(benchmark) if benchmark.size else "") or benchmark.metrics[0].name
        found = found or [one for one in both if one.row.metric == usual]
        return max(found, key=lambda one: size_of(benchmark, one.row), default=None)

    def of(self, setup: Setup, like: Result) -> Result | None:
        """The same quantity of another setup; None if it has none."""
        return self._found.get(setup, {}).get((like.metric, like.region, like.point))

    def sizes(self, setup: Setup, base: Setup) -> Mapping[tuple[str, Point], list[Both]]:
        """The first metric by size of messages, by region and the other coordinates."""
        benchmark = self._context.benchmarks.get(setup.benchmark)
        first = benchmark.metrics[0].name if benchmark else ""
        found: dict[tuple[str, Point], list[Both]] = {}
        for one in self.both(setup, base):
            row = one.row
            if row.metric == first and not isinstance(row.point.get(SIZE, ""), str):
                found.setdefault((row.region, row.point.without(SIZE)), []).append(one)
        return found

    def shares_work(self, row: Result) -> bool:
        """Whether a quantity is a rate of all cores together."""
        benchmark = self._context.benchmarks[row.benchmark]
        metric = benchmark.metric(row.metric)
        return metric is not None and metric.is_rate and not metric.per_rank


def _is_shown(benchmark: Benchmark, row: Result) -> bool:
    """Whether the score card shows such a row, of a program whose problems have no size."""
    return benchmark.size is None and any(
        (one.metric, one.region) == (row.metric, row.region)
        and all(row.point.get(name) == at for name, at in one.point.items())
        for one in benchmark.headlines
    )


def size_of(benchmark: Benchmark, row: Result) -> tuple[float, ...]:
    """Orders problems: by size, else by their numeric coordinates in order."""
    if benchmark.size is not None and benchmark.size.coordinate in row.point:
        return (benchmark.size.rank(row.point),)
    return tuple(float(at) for at in row.point.values() if not isinstance(at, str))
