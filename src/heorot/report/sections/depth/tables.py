"""The tables of programs below their roofs, and of the memory wall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heorot.model.analysis.depth.roofs import Place, Wall
from heorot.report.anchors import Anchors, Frame
from heorot.report.figures.kinds.roofline import numbered
from heorot.report.sections.depth.cells import (
    middle,
    middle_cell,
    program,
    toolchain,
    without_size,
    word_problem,
)
from heorot.report.tables import columns
from heorot.report.tables.table import Cell, Table, make_table
from heorot.report.wording import count, word_layout
from heorot.units import NOTHING, format_binary


def _place_fields(places: Sequence[Place], anchors: Anchors) -> columns.Fields[Place]:
    moved: columns.Field[Place] | None = None
    if any(place.measured_intensity is not None for place in places):
        moved = columns.quantity(
            "flop/B measured at memory", lambda place: place.measured_intensity
        )
    return (
        *program(places, anchors),
        columns.text("region, problem, layout", _word_problem),
        columns.plain("resident in", _home),
        columns.quantity("flop/B", lambda place: place.intensity),
        moved,
        middle("rate", lambda place: place.rate, "flop/s", anchors),
        columns.quantity(
            "bound", lambda place: None if place.share is None else place.bound, "flop/s"
        ),
        columns.numbers(
            "of the bound", lambda place: _of_bound(place, anchors), "of the bound\tlow\thigh"
        ),
        middle("of the peak", lambda place: place.of_peak, "%", anchors),
        columns.plain("limited by", _limit),
    )


def place_table(
    identifier: str, where: str, places: Sequence[Place], frame: Frame, *, drawn: bool
) -> Table:
    """All places of some cores, first those that have a number in the figure if it is drawn."""
    points = dict(numbered(places)) if drawn else {}
    numbers = {place.row: number for number, place in points.items()}
    others = [place for place in places if place.row not in numbers]
    ordered = [*points.values(), *others]

    def number(place: Place) -> Cell:
        known = numbers.get(place.row)
        return Cell(NOTHING, tone="muted") if known is None else Cell(str(known), known)

    fields: columns.Fields[Place] = (
        columns.numbers("no.", number) if drawn else None,
        *_place_fields(ordered, frame.anchors),
    )
    table = make_table(
        identifier,
        f"All regions below the roofs of {where}",
        *columns.lay_out(ordered, fields),
        frame.allowance,
        chosen="those of the figure first" if drawn else "the first",
        elsewhere=frame.export,
        folded=True,
    )
    return table.narrow(("flop/B measured at memory", "of the peak", "bound"))


def _word_problem(place: Place) -> str:
    layout = "" if place.cores == 1 else word_layout(place.ranks, place.threads)
    if place.copies:
        layout = count(place.copies, "copy")
    return word_problem(place.region, without_size(place.point), layout)


def _home(place: Place) -> Cell:
    if not place.level:
        return Cell(NOTHING, None, "muted")
    size = place.working_set_bytes
    words = f" ({format_binary(size)})" if size is not None else ""
    return Cell(f"{place.home}{words}", size)


def _of_bound(place: Place, anchors: Anchors) -> Cell:
    """The share of the bound, withheld if that is passed."""
    if place.share is None:
        return Cell("withheld", None, "muted", copied="withheld" + 2 * f"\t{NOTHING}")
    cell = middle_cell(place.of_bound, "%", anchors.rows.get(place.row))
    return replace(cell, share=min(1.0, place.share))


def _limit(place: Place) -> Cell:
    if place.share is None:
        return Cell(NOTHING, None, "muted")
    return Cell("units" if place.by_units else place.home or "bandwidth")


def wall_table(walls: Sequence[Wall], frame: Frame) -> Table:
    """What must be computed for each byte of every level."""
    anchors = frame.anchors
    fields: columns.Fields[Wall] = (
        toolchain(walls),
        columns.numbers("cores", lambda wall: Cell(str(wall.of.n), wall.of.n)),
        columns.plain("level", lambda wall: Cell(wall.level, target=anchors.ids.get(wall.row, ""))),
        columns.quantity("bandwidth", lambda wall: wall.feed, "B/s"),
        columns.quantity("peak rate", lambda wall: wall.ceiling, "flop/s"),
        middle("flop/B", lambda wall: wall.flops_per_byte, "", anchors),
        middle("flop per double", lambda wall: wall.flops_per_double, "", anchors, "flop/double"),
    )
    caption = "Machine balance: from how many flops per byte on the peak is the limit"
    return make_table("depth-walls", caption, *columns.lay_out(walls, fields), frame.allowance)
