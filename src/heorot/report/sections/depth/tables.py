"""The tables of programs below their roofs, and of the memory wall."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.model.analysis.depth.roofs import Place, Wall
from heorot.report.anchors import Anchors
from heorot.report.figures.roofline.scene import numbered
from heorot.report.sections.depth.cells import middle_cell, number_cell, without_size, word_problem
from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.report.wording import count, word_layout
from heorot.units import NOTHING, format_binary, format_quantity

_PLACE_COLUMNS = (
    Column("program"),
    Column("region, problem, layout"),
    Column("lives in"),
    Column("flop/B", numeric=True),
    Column("rate", numeric=True, copied="rate [flop/s]\tlow\thigh"),
    Column("bound", numeric=True, copied="bound [flop/s]"),
    Column("of the bound", numeric=True),
    Column("of the peak", numeric=True),
    Column("limited by"),
)


def point_table(
    identifier: str, where: str, places: Sequence[Place], anchors: Anchors, allowance: Allowance
) -> Table:
    """The points of the figure, with their numbers.

    Args:
        identifier: unique in the page.
        where: the cores in words.
        places: below their roofs.
        anchors: where rows are shown.
        allowance: how many rows may still be packed; is reduced.
    """
    rows = [_place_row(number, place, anchors) for number, place in numbered(places)]
    columns = [Column("no.", numeric=True), *_PLACE_COLUMNS]
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
    """All places of some cores.

    Args:
        identifier: unique in the page.
        where: the cores in words.
        places: below their roofs.
        anchors: where rows are shown.
        allowance: how many rows may still be packed; is reduced.
        export: the command that writes all rows.
    """
    return make_table(
        identifier,
        f"All regions below the roofs of {where}",
        _PLACE_COLUMNS,
        [_place_row(None, place, anchors) for place in places],
        allowance,
        elsewhere=export,
        folded=True,
    )


def _place_row(number: int | None, place: Place, anchors: Anchors) -> Row:
    cells = (
        *([Cell(str(number), number)] if number is not None else []),
        Cell(place.benchmark, target=anchors.ids.get(place.key, "")),
        Cell(word_problem(place.region, without_size(place.point), _layout(place))),
        _home(place),
        Cell(format_quantity(place.intensity), place.intensity),
        middle_cell(place.rate, "flop/s"),
        number_cell(place.bound, "flop/s"),
        Cell(
            format_quantity(place.share, "%"),
            place.share,
            share=min(1.0, place.share),
        ),
        number_cell(place.share_of_peak, "%"),
        Cell("units" if place.by_units else place.level or "bandwidth"),
    )
    return Row(cells)


def _layout(place: Place) -> str:
    if place.copies:
        return count(place.copies, "copy")
    return "" if place.cores == 1 else word_layout(place.ranks, place.threads)


def _home(place: Place) -> Cell:
    if not place.level:
        return Cell(NOTHING, None, "muted")
    size = place.working_set_bytes
    words = f" ({format_binary(size)})" if size is not None else ""
    return Cell(f"{place.level}{words}", size)


def wall_table(walls: Sequence[Wall], anchors: Anchors, allowance: Allowance) -> Table:
    """What must be computed for each byte of every level.

    Args:
        walls: all of them.
        anchors: where rows are shown.
        allowance: how many rows may still be packed; is reduced.
    """
    several = len({wall.toolchain for wall in walls}) > 1
    columns = [
        *([Column("toolchain")] if several else []),
        Column("cores", numeric=True),
        Column("level"),
        Column("feeds", numeric=True, copied="feeds [B/s]"),
        Column("units compute", numeric=True, copied="units compute [flop/s]"),
        Column("flops for each byte", numeric=True, copied="flop/B\tlow\thigh"),
        Column("flops for each double", numeric=True),
    ]
    rows = [
        Row(
            (
                *([Cell(wall.toolchain)] if several else []),
                Cell(str(wall.cores), wall.cores),
                Cell(wall.level, target=anchors.ids.get(wall.key, "")),
                number_cell(wall.feed, "B/s"),
                number_cell(wall.ceiling, "flop/s"),
                middle_cell(wall.flops_per_byte, ""),
                number_cell(wall.flops_per_double, ""),
            )
        )
        for wall in walls
    ]
    caption = "How much must be computed for each byte, if units are to be the limit"
    return make_table("depth-walls", caption, columns, rows, allowance)
