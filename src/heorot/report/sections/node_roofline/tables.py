"""The tables of programs below their roofs, and of machine balance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heorot.model.analysis.node_roofline.roofs import MachineBalance, RooflinePoint
from heorot.report.anchors import Anchors, Frame
from heorot.report.figures.kinds.roofline import numbered
from heorot.report.sections.node_roofline.cells import (
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


def _place_fields(
    places: Sequence[RooflinePoint], anchors: Anchors
) -> columns.Fields[RooflinePoint]:
    moved: columns.Field[RooflinePoint] | None = None
    if any(point.measured_intensity is not None for point in places):
        moved = columns.quantity(
            "flop/B measured at memory", lambda point: point.measured_intensity
        )
    return (
        *program(places, anchors),
        columns.text("region, problem, layout", _word_problem),
        columns.plain("resident in", _home),
        columns.quantity("flop/B", lambda point: point.intensity),
        moved,
        middle("rate", lambda point: point.rate, "flop/s", anchors),
        columns.quantity(
            "bound", lambda point: None if point.share is None else point.bound, "flop/s"
        ),
        columns.numbers(
            "of the bound", lambda point: _of_bound(point, anchors), "of the bound\tlow\thigh"
        ),
        middle("of the peak", lambda point: point.of_peak, "%", anchors),
        columns.plain("limited by", _limit),
    )


def level_table(
    identifier: str, where: str, places: Sequence[RooflinePoint], frame: Frame, *, drawn: bool
) -> Table:
    """All places of some cores, first those that have a number in the figure if it is drawn."""
    points = dict(numbered(places)) if drawn else {}
    numbers = {point.row: number for number, point in points.items()}
    others = [point for point in places if point.row not in numbers]
    ordered = [*points.values(), *others]

    def number(point: RooflinePoint) -> Cell:
        known = numbers.get(point.row)
        return Cell(NOTHING, tone="muted") if known is None else Cell(str(known), known)

    fields: columns.Fields[RooflinePoint] = (
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


def _word_problem(point: RooflinePoint) -> str:
    layout = "" if point.cores == 1 else word_layout(point.ranks, point.threads)
    if point.copies:
        layout = count(point.copies, "copy")
    return word_problem(point.region, without_size(point.point), layout)


def _home(point: RooflinePoint) -> Cell:
    if not point.level:
        return Cell(NOTHING, None, "muted")
    size = point.working_set_bytes
    words = f" ({format_binary(size)})" if size is not None else ""
    return Cell(f"{point.resident_in}{words}", size)


def _of_bound(point: RooflinePoint, anchors: Anchors) -> Cell:
    """The share of the bound, withheld if that is passed."""
    if point.share is None:
        return Cell("withheld", None, "muted", copied="withheld" + 2 * f"\t{NOTHING}")
    cell = middle_cell(point.of_bound, "%", anchors.rows.get(point.row))
    return replace(cell, share=min(1.0, point.share))


def _limit(point: RooflinePoint) -> Cell:
    if point.share is None:
        return Cell(NOTHING, None, "muted")
    return Cell("units" if point.by_units else point.resident_in or "bandwidth")


def balance_table(balances: Sequence[MachineBalance], frame: Frame) -> Table:
    """What must be computed for each byte of every level."""
    anchors = frame.anchors
    fields: columns.Fields[MachineBalance] = (
        toolchain(balances),
        columns.numbers("cores", lambda balance: Cell(str(balance.of.n), balance.of.n)),
        columns.plain(
            "level", lambda balance: Cell(balance.level, target=anchors.ids.get(balance.row, ""))
        ),
        columns.quantity("bandwidth", lambda balance: balance.bandwidth, "B/s"),
        columns.quantity("peak rate", lambda balance: balance.flop_peak, "flop/s"),
        middle("flop/B", lambda balance: balance.flops_per_byte, "", anchors),
        middle(
            "flop per double", lambda balance: balance.flops_per_double, "", anchors, "flop/double"
        ),
    )
    caption = "Machine balance: from how many flops per byte on the peak is the limit"
    return make_table("depth-walls", caption, *columns.lay_out(balances, fields), frame.allowance)
