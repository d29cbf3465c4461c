"""The table behind the figures of a program: every result with unit and interval."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from heorot.model.analysis.placement import EFFICIENCY, PLACEMENT_METRICS
from heorot.model.analysis.result import Result
from heorot.model.grouping import best_of_each
from heorot.model.run.identity import Key
from heorot.report.anchors import Anchors, Frame
from heorot.report.tables.table import Cell, Column, Row, Table, make_table
from heorot.report.wording import (
    format_coordinate,
    split_interval,
    split_result,
    split_row,
    word_name,
    word_row_layout,
)
from heorot.units import format_quantity

# One of these is the size of a problem; other coordinates may follow from it.
_SIZES = {"working set", "size"}
# Shares and ratios are always derived: they need no mark.
_PLAIN_RATIOS = {"1", ""}
_SPREAD, _TALLY = "10 %–90 % of samples", "samples / launches"
_NUMBERS = (
    Column("median", numeric=True, copied="median\tunit"),
    Column("95 % interval, or range", numeric=True, copied="ci_low\tci_high"),
    Column(_SPREAD, numeric=True, copied="q10\tq90"),
    Column(_TALLY, numeric=True, copied="n\tlaunches"),
)


@dataclass(frozen=True)
class _Varying:
    """A column of the result table that is left out if it never varies."""

    column: Column
    value: Callable[[Result], str]
    cell: Callable[[Result], Cell] = field(repr=False)


class Placements:
    """Ratios to other placements, each in the row of its rate.

    Rows of their own would repeat case, layout and point, and fill most of a table.
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
        """The ratios of a row."""
        ratios = self._found.get(row.id, {})
        return [_ratio_cell(ratios.get(metric), anchors) for metric in self._metrics]

    def with_ratios(self, row: Result) -> Iterable[str]:
        """The keys of a row and of its ratios."""
        return (row.id, *(ratio.id for ratio in self._found.get(row.id, {}).values()))


def _ratio_cell(ratio: Result | None, anchors: Anchors) -> Cell:
    if ratio is None:
        return Cell("")
    text, interval = split_result(ratio)
    copied = ""
    if ratio.metric != EFFICIENCY:  # whose interval is that of its speedup, a column before
        text += f" {interval}"
        copied = f"{ratio.median:.6g}\t{ratio.ci_low:.6g}\t{ratio.ci_high:.6g}"
    place = anchors.place(ratio) if ratio.id in anchors.cited else ""
    return Cell(text, ratio.median, "" if ratio.ranked else "struck", copied=copied, id=place)


def result_table(identifier: str, title: str, results: Sequence[Result], frame: Frame) -> Table:
    """The table behind the figures of a program."""
    placements, anchors = Placements(results), frame.anchors
    results = placements.rows
    candidates = _candidates(results)
    varying = [each for each in candidates if len(set(map(each.value, results))) > 1]
    constant = [each for each in candidates if each not in varying and each.value(results[0])]
    marks = any(_marks(row) for row in results)
    limits = any(row.share_of_ceiling is not None or row.is_ceiling for row in results)

    def make_row(result: Result) -> Row:
        cells = [each.cell(result) for each in varying]
        cells += _numbers(result)
        cells += placements.cells(result, anchors)
        cells += [_share(result)] if limits else []
        cells += [_state(result)] if marks else []
        return Row(tuple(cells), anchors.place(result), "" if result.ranked else "bad")

    columns = [*(each.column for each in varying), *_NUMBERS, *placements.columns()]
    columns += [Column("of bound", numeric=True)] if limits else []
    columns += [Column("marks")] if marks else []
    same = "; ".join(f"{each.column.title} {each.value(results[0])}" for each in constant)

    def excerpt(most: int) -> list[Row]:
        return [make_row(result) for result in _excerpt(placements, anchors, most)]

    table = make_table(
        identifier,
        f"{title}: all results" + (f" ({same})" if same else ""),
        columns,
        [make_row(result) for result in results],
        frame.allowance,
        excerpt=excerpt,
        chosen="those that statements rest on, the best of every series, and others evenly spaced",
        elsewhere=frame.export,
    )
    return table.narrow(_spare(varying, placements))


def _spare(varying: Sequence[_Varying], placements: Placements) -> list[str]:
    """The titles of the columns to drop first: those that do not distinguish rows."""
    ratios = [column.title for column in placements.columns()]
    layout = ("case", "toolchain")
    numeric = [each.column.title for each in varying if each.column.numeric]
    sizes = [title for title in numeric if title not in _SIZES] if len(numeric) > 1 else []
    return [_TALLY, _SPREAD, *reversed(ratios), *reversed(sizes), *layout]


def _candidates(results: Sequence[Result]) -> list[_Varying]:
    def text(title: str, value: Callable[[Result], str]) -> _Varying:
        return _Varying(Column(title), value, lambda row: Cell(value(row)))

    def coordinate(name: str) -> _Varying:
        def value(row: Result) -> str:
            return format_coordinate(name, row.point[name]) if name in row.point else ""

        def cell(row: Result) -> Cell:
            x = row.point.get(name)
            return Cell(value(row), float(x) if isinstance(x, int | float) else None)

        numeric = all(not isinstance(row.point.get(name, 0), str) for row in results)
        return _Varying(Column(word_name(name), numeric), value, cell)

    names = dict.fromkeys(name for row in results for name in row.point)
    layout = text("layout", word_row_layout)
    return [
        text("region", lambda row: word_name(row.region)),
        *(coordinate(name) for name in names),
        text("quantity", lambda row: word_name(row.metric)),
        layout,
        text("case", lambda row: row.case),
        text("toolchain", lambda row: str(row.stack)),
    ]


def _numbers(row: Result) -> list[Cell]:
    value, interval = split_row(row)
    _, spread = split_interval(row.median, row.q10, row.q90, row.unit, None)
    tone = "" if row.ranked else "struck"
    width = (row.ci_high - row.ci_low) / abs(row.median) if row.median else 0.0
    return [
        Cell(value, row.median, tone, copied=f"{row.median:.6g}\t{row.unit}"),
        Cell(interval, width, tone, copied=f"{row.ci_low:.6g}\t{row.ci_high:.6g}"),
        Cell(spread, row.q10, "muted", copied=f"{row.q10:.6g}\t{row.q90:.6g}"),
        Cell(f"{row.n} / {row.n_launches}", row.n, "muted", copied=f"{row.n}\t{row.n_launches}"),
    ]


def _share(row: Result) -> Cell:
    share = row.share_of_ceiling
    if share is None:
        return Cell("best measured" if row.is_ceiling else "–", None, "muted")
    return Cell(format_quantity(share, "%"), share, share=min(1.0, max(0.0, share)))


def _marks(row: Result) -> list[str]:
    return [
        *(["check failed: withheld"] if row.verified == "failed" else []),
        *(["unchecked"] if row.verified == "unchecked" else []),
        *(["above its bound: withheld"] if row.plausible is False else []),
        *([row.caution] if row.caution else []),
        *(["derived"] if row.derived and row.unit not in _PLAIN_RATIOS else []),
    ]


def _state(row: Result) -> Cell:
    tone = "bad" if not row.ranked else "warn" if row.caution else "muted"
    return Cell(", ".join(_marks(row)), None, tone)


def _excerpt(placements: Placements, anchors: Anchors, most: int) -> list[Result]:
    """The rows that statements link to, the best of every series, and others evenly spaced."""
    results = placements.rows
    best = best_of_each(results, _series, lambda row: (row.ranked, _goodness(row)))
    keys = [row.id for row in results]
    linked = (row for row in results if not anchors.cited.isdisjoint(placements.with_ratios(row)))
    chosen: dict[str, None] = dict.fromkeys(row.id for row in linked)
    spaced = keys[:: max(1, len(keys) // most)]
    for key in (*(row.id for row in best.values()), *spaced):
        if len(chosen) < most:
            chosen[key] = None
    return [row for row, key in zip(results, keys, strict=True) if key in chosen]


def _series(row: Result) -> tuple[object, ...]:
    words = tuple(value for value in row.point.values() if isinstance(value, str))
    return row.metric, row.region, words, row.case, row.stack


def _goodness(row: Result) -> float:
    return row.median if row.better == "higher" else -row.median
