"""The tables of programs below their roofs, and of the memory wall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from heorot.model.analysis.depth.roofs import Place, Wall
from heorot.model.analysis.result import Result
from heorot.report.anchors import Anchors
from heorot.report.figures.kinds.roofline import numbered
from heorot.report.sections.depth.cells import (
    middle_cell,
    number_cell,
    several_toolchains,
    without_size,
    word_problem,
)
from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.report.wording import count, word_layout
from heorot.units import NOTHING, format_binary, format_quantity


@dataclass(frozen=True)
class _Also:
    """Which columns there are besides the usual ones: those that have something to tell."""

    toolchain: bool
    moved: bool


def _also(places: Sequence[Place]) -> _Also:
    return _Also(
        toolchain=several_toolchains(places),
        moved=any(place.measured_intensity is not None for place in places),
    )


def _place_columns(also: _Also) -> tuple[Column, ...]:
    return (
        Column("program"),
        *([Column("toolchain")] if also.toolchain else []),
        Column("region, problem, layout"),
        Column("resident in"),
        Column("flop/B", numeric=True),
        *([Column("flop/B measured at memory", numeric=True)] if also.moved else []),
        Column("rate", numeric=True, copied="rate [flop/s]\tlow\thigh"),
        Column("bound", numeric=True, copied="bound [flop/s]"),
        Column("of the bound", numeric=True, copied="of the bound\tlow\thigh"),
        Column("of the peak", numeric=True, copied="of the peak\tlow\thigh"),
        Column("limited by"),
    )


def point_table(
    identifier: str, where: str, places: Sequence[Place], anchors: Anchors, allowance: Allowance
) -> Table:
    """The points of the figure, with their numbers."""
    points = numbered(places)
    also = _also([place for _, place in points])
    rows = [_place_row(number, place, also, anchors) for number, place in points]
    columns = [Column("no.", numeric=True), *_place_columns(also)]
    return make_table(
        identifier, f"The points: programs on {where}", columns, rows, allowance, prominent=True
    )


def place_table(
    identifier: str,
    where: str,
    places: Sequence[Place],
    anchors: Anchors,
    allowance: Allowance,
    export: str,
) -> Table:
    """All places of some cores."""
    also = _also(places)
    return make_table(
        identifier,
        f"All regions below the roofs of {where}",
        _place_columns(also),
        [_place_row(None, place, also, anchors) for place in places],
        allowance,
        elsewhere=export,
        folded=True,
    )


def _place_row(number: int | None, place: Place, also: _Also, anchors: Anchors) -> Row:
    moved = place.measured_intensity
    cells = (
        *([Cell(str(number), number)] if number is not None else []),
        Cell(place.benchmark, target=anchors.ids.get(place.row, "")),
        *([Cell(str(place.stack))] if also.toolchain else []),
        Cell(word_problem(place.region, without_size(place.point), _layout(place))),
        _home(place),
        Cell(format_quantity(place.intensity), place.intensity),
        *([number_cell(moved, "")] if also.moved else []),
        middle_cell(place.rate, "flop/s", anchors.rows.get(place.row)),
        *_reached(place, anchors.rows.get(place.row)),
    )
    return Row(cells)


def _reached(place: Place, row: Result | None) -> tuple[Cell, ...]:
    """The bound, the shares of it and of the peak, what it is; nothing of one that is passed."""
    share, of_peak = place.share, middle_cell(place.of_peak, "%", row)
    if share is None:
        nothing = Cell(NOTHING, None, "muted")
        withheld = Cell("withheld", None, "muted", copied="withheld" + 2 * f"\t{NOTHING}")
        return (nothing, withheld, of_peak, nothing)
    return (
        number_cell(place.bound, "flop/s"),
        replace(middle_cell(place.of_bound, "%", row), share=min(1.0, share)),
        of_peak,
        Cell("units" if place.by_units else place.home or "bandwidth"),
    )


def _layout(place: Place) -> str:
    if place.copies:
        return count(place.copies, "copy")
    return "" if place.cores == 1 else word_layout(place.ranks, place.threads)


def _home(place: Place) -> Cell:
    if not place.level:
        return Cell(NOTHING, None, "muted")
    size = place.working_set_bytes
    words = f" ({format_binary(size)})" if size is not None else ""
    return Cell(f"{place.home}{words}", size)


def wall_table(walls: Sequence[Wall], anchors: Anchors, allowance: Allowance) -> Table:
    """What must be computed for each byte of every level."""
    several = several_toolchains(walls)
    columns = [
        *([Column("toolchain")] if several else []),
        Column("cores", numeric=True),
        Column("level"),
        Column("bandwidth", numeric=True, copied="bandwidth [B/s]"),
        Column("peak rate", numeric=True, copied="peak rate [flop/s]"),
        Column("flop/B", numeric=True, copied="flop/B\tlow\thigh"),
        Column("flop per double", numeric=True, copied="flop/double\tlow\thigh"),
    ]
    rows = [
        Row(
            (
                *([Cell(str(wall.stack))] if several else []),
                Cell(str(wall.of.n), wall.of.n),
                Cell(wall.level, target=anchors.ids.get(wall.row, "")),
                number_cell(wall.feed, "B/s"),
                number_cell(wall.ceiling, "flop/s"),
                middle_cell(wall.flops_per_byte, "", anchors.rows.get(wall.row)),
                middle_cell(wall.flops_per_double, "", anchors.rows.get(wall.row)),
            )
        )
        for wall in walls
    ]
    caption = "Machine balance: from how many flops per byte on the peak is the limit"
    return make_table("depth-walls", caption, columns, rows, allowance)
