"""Puts the rows of nodes, or of pairs, into tables: one item per line, one quantity per column.

Of the metrics of a region only the first counts, as the others are the same samples in other units.
Speeds are logarithms, with more being better. A row of perturbed samples is no evidence of a slow
node, unless all rows of that node are such: then a persistent background load is reported. Rows
that failed their checks are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from heorot.analyse.nodes.outliers import BoolArray, Speeds
from heorot.analyse.nodes.summaries import NodeRow
from heorot.analyse.statistics.summary import FloatArray
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.nodes import AVAILABILITY
from heorot.model.run.identity import Key, Setup

Quantity: TypeAlias = tuple[Key, str]
"""The quantity: setup, region, point without the item, and the metric."""


@dataclass(frozen=True)
class Sheet:
    """The speeds of all items in all quantities.

    Attributes:
        items: names of nodes or pairs.
        speeds: natural logarithms, shape (n_items, n_quantities, n_launches); NaN without launch.
        low: lower ends of the intervals, shape (n_items, n_quantities).
        disturbed: whether only perturbed samples exist, same shape.
        rows: the results behind them, by item and quantity.
    """

    items: tuple[str, ...]
    quantities: tuple[Quantity, ...]
    speeds: FloatArray
    low: FloatArray
    high: FloatArray
    disturbed: BoolArray
    rows: Mapping[tuple[int, int], Result]

    @property
    def all_disturbed(self) -> BoolArray:
        """Whether all rows of an item are perturbed, shape (n_items,).

        Availability is left out: it measures perturbations.
        """
        suffers = [metric != AVAILABILITY for _, metric in self.quantities]
        known = np.isfinite(self.low) & np.array(suffers, dtype=bool)
        found: BoolArray = (self.disturbed | ~known).all(axis=1) & known.any(axis=1)
        return found

    @property
    def setups(self) -> list[Setup]:
        """The setups of the quantities, each once."""
        return list(dict.fromkeys(key.setup for key, _ in self.quantities))

    def take(self, items: Sequence[int]) -> Speeds:
        """The speeds of some items, as far as they are evidence.

        Args:
            items: their indices, at least one.
        """
        chosen = list(items)
        unfit = self.disturbed[chosen] & ~self.all_disturbed[chosen][:, None]
        setups = self.setups
        resources = list(dict.fromkeys(_resource(one) for one in self.quantities))
        return Speeds(
            launches=np.where(unfit[:, :, None], np.nan, self.speeds[chosen]),
            low=np.where(unfit, np.nan, self.low[chosen]),
            high=np.where(unfit, np.nan, self.high[chosen]),
            resources=[resources.index(_resource(one)) for one in self.quantities],
            programs=[setups.index(key.setup) for key, _ in self.quantities],
        )


def make_sheet(rows: Sequence[NodeRow], coordinate: str, items: Sequence[str]) -> Sheet:
    """A table of rows.

    Args:
        rows: of nodes or of pairs; those without the coordinate are left out.
        items: all items, in the order of the lines.
    """
    line = {item: number for number, item in enumerate(items)}
    column: dict[Quantity, int] = {}
    places: list[tuple[int, int]] = []
    fit: list[NodeRow] = []
    for row in rows:
        one = row.result
        item = line.get(str(one.point.get(coordinate)))
        if item is not None and row.is_first and one.ranked and one.ci_low > 0.0:
            place = column.setdefault(_quantity(one, coordinate), len(column))
            places.append((item, place))
            fit.append(row)
    shape = (len(items), len(column))
    n_launches = max((row.launches.size for row in fit), default=1)
    speeds = np.full((*shape, n_launches), np.nan)
    low, high, disturbed = np.full(shape, np.nan), np.full(shape, np.nan), np.zeros(shape, bool)
    for (i, j), row in zip(places, fit, strict=True):
        turn = _turn(row.result)
        speeds[i, j, : row.launches.size] = turn(row.launches)
        ends = turn(np.array([row.result.ci_low, row.result.ci_high]))
        low[i, j], high[i, j] = ends.min(), ends.max()
        disturbed[i, j] = row.result.disturbed
    return Sheet(
        items=tuple(items),
        quantities=tuple(column),
        speeds=speeds,
        low=low,
        high=high,
        disturbed=disturbed,
        rows={place: row.result for place, row in zip(places, fit, strict=True)},
    )


def _quantity(row: Result, coordinate: str) -> Quantity:
    return row.key.but(point=row.point.without(coordinate)), row.metric


def _resource(quantity: Quantity) -> str:
    """The resource that a program tests: its family."""
    return quantity[0].setup.benchmark.partition("/")[0]


def _turn(row: Result) -> Callable[[FloatArray], FloatArray]:
    """Logarithms of speeds from values of a row."""
    sign = 1.0 if row.better == "higher" else -1.0
    return lambda values: sign * np.log(values)
