"""All results of a run in their order, found by what they are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from heorot.model.analysis.result import Result
from heorot.model.point import Scalar
from heorot.model.run.identity import Stack


class Rows:
    """Results in their order, found by program, region and metric without a look at all of them.

    Args:
        results: the first rows.
    """

    def __init__(self, results: Iterable[Result] = ()) -> None:
        self._all: list[Result] = []
        self._by_key: dict[tuple[str, str, str], list[Result]] = {}
        self.extend(results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self._all)

    def extend(self, results: Iterable[Result]) -> None:
        """Add rows behind those that are there."""
        for row in results:
            self._all.append(row)
            self._by_key.setdefault((row.benchmark, row.region, row.metric), []).append(row)

    def replace(self, results: Iterable[Result]) -> None:
        """Put rows in the places of those with the same keys."""
        instead = {row.id: row for row in results}
        concerned = {(row.benchmark, row.region, row.metric) for row in instead.values()}
        if instead:
            rows = [
                instead.get(row.id, row)
                if (row.benchmark, row.region, row.metric) in concerned
                else row
                for row in self._all
            ]
            self._all, self._by_key = [], {}
            self.extend(rows)

    def drop(self, keys: Collection[str]) -> None:
        """Take out the rows with these keys."""
        if keys:
            rows = [row for row in self._all if row.id not in keys]
            self._all, self._by_key = [], {}
            self.extend(rows)

    def find(
        self,
        benchmark: str,
        region: str,
        metric: str,
        *,
        point: Mapping[str, Scalar] | None = None,
        cores: int | None = None,
        stack: Stack | None = None,
    ) -> list[Result]:
        """Trustworthy rows of one metric of one region, in their order.

        Args:
            benchmark: the program.
            region: the region.
            metric: the metric.
            point: coordinates that must agree; others are free.
            cores: cores used, if it matters.
            stack: toolchain and network, if they matter.
        """
        return [
            row
            for row in self._by_key.get((benchmark, region, metric), ())
            if row.ranked
            and (cores is None or row.cores == cores)
            and (stack is None or row.stack == stack)
            and all(row.point.get(name) == value for name, value in (point or {}).items())
        ]
