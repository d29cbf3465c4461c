"""All results of a run in their order, indexed by program, region and metric."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property

from heorot.model.analysis.result import Result
from heorot.model.grouping import group_by
from heorot.model.point import Scalar
from heorot.model.run.identity import Stack

_RowKey = tuple[str, str, str]


def _row_key(row: Result) -> _RowKey:
    return row.benchmark, row.region, row.metric


class Rows:
    """Results in their order, indexed by program, region and metric.

    Immutable: adding or replacing rows makes a new object.
    """

    def __init__(self, results: Iterable[Result] = ()) -> None:
        self._all = tuple(results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self._all)

    @cached_property
    def _by_key(self) -> dict[_RowKey, list[Result]]:
        return group_by(self._all, _row_key)

    def adding(self, results: Iterable[Result]) -> Rows:
        """These rows after the existing ones."""
        more = tuple(results)
        return Rows((*self._all, *more)) if more else self

    def replacing(self, results: Iterable[Result]) -> Rows:
        """These rows in place of those with the same names."""
        instead = {row.id: row for row in results}
        concerned = {_row_key(row) for row in instead.values()}
        if not instead:
            return self
        return Rows(
            instead.get(row.id, row) if _row_key(row) in concerned else row for row in self._all
        )

    def without(self, names: Collection[str]) -> Rows:
        """All but the rows with these names."""
        return Rows(row for row in self._all if row.id not in names) if names else self

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
            point: coordinates that must agree; others are free.
        """
        return [
            row
            for row in self._by_key.get((benchmark, region, metric), ())
            if row.ranked
            and (cores is None or row.cores == cores)
            and (stack is None or row.stack == stack)
            and all(row.point.get(name) == value for name, value in (point or {}).items())
        ]
