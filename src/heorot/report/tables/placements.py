"""The columns that tell, beside a rate, what placing its ranks in another way cost or gained."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from heorot.model.analysis.placement import EFFICIENCY, PLACEMENT_METRICS
from heorot.model.analysis.result import Result
from heorot.model.run.identity import Key
from heorot.report.anchors import Anchors
from heorot.report.tables.table import Cell, Column
from heorot.report.wording import split_interval, word_name


class Placements:
    """Ratios to other placements, each beside the rate that it is about.

    As rows of their own they would repeat case, layout and point, and be most of a table.

    Args:
        results: all rows of a program.
    """

    def __init__(self, results: Sequence[Result]) -> None:
        ratios = [row for row in results if row.metric in PLACEMENT_METRICS]
        measured: dict[Key, Result] = {}
        for row in results:
            if not row.derived:
                measured.setdefault(row.key, row)
        self._found: dict[str, dict[str, Result]] = {}
        beside: set[str] = set()
        for ratio in ratios:
            rate = measured.get(ratio.key)
            if rate and ratio.metric not in self._found.setdefault(rate.id, {}):
                self._found[rate.id][ratio.metric] = ratio
                beside.add(ratio.id)
        self.rows = [row for row in results if row.id not in beside]
        """Those that have a row of their own, in their order."""
        present = {metric for each in self._found.values() for metric in each}
        self._metrics = [metric for metric in PLACEMENT_METRICS if metric in present]

    def columns(self) -> list[Column]:
        """A column for each kind of ratio."""
        return [
            Column(
                word_name(metric),
                numeric=True,
                copied="" if metric == EFFICIENCY else f"{metric}\tci_low\tci_high",
            )
            for metric in self._metrics
        ]

    def cells(self, row: Result, anchors: Anchors) -> list[Cell]:
        """The ratios of a row.

        Args:
            row: one of those that have a row of their own.
        """
        ratios = self._found.get(row.id, {})
        return [_cell(ratios.get(metric), anchors) for metric in self._metrics]

    def with_ratios(self, row: Result) -> Iterable[str]:
        """The keys of a row and of the ratios beside it."""
        return (row.id, *(ratio.id for ratio in self._found.get(row.id, {}).values()))


def _cell(ratio: Result | None, anchors: Anchors) -> Cell:
    if ratio is None:
        return Cell("")
    text, interval = split_interval(
        ratio.median, ratio.ci_low, ratio.ci_high, ratio.unit, ratio.n_launches
    )
    copied = ""
    if ratio.metric != EFFICIENCY:  # whose interval is that of its speedup, a column before
        text += f" {interval}"
        copied = f"{ratio.median:.6g}\t{ratio.ci_low:.6g}\t{ratio.ci_high:.6g}"
    place = anchors.place(ratio) if ratio.id in anchors.cited else ""
    return Cell(text, ratio.median, "" if ratio.ranked else "struck", copied=copied, id=place)
