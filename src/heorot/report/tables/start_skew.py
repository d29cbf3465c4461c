"""The table of starts: how well the ranks of collective operations began together."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.model.analysis.disturbance import StartQuality
from heorot.report.tables import columns
from heorot.report.tables.table import Allowance, Cell, Table, make_table
from heorot.units import NOTHING

_WINDOW = "window"
_LITTLE = 0.95


def start_table(qualities: Sequence[StartQuality], allowance: Allowance) -> Table:
    """A row for each program, case, toolchain and way to start."""
    fields: columns.Fields[StartQuality] = (
        columns.text("program", lambda one: one.benchmark),
        columns.text("case", lambda one: one.case),
        columns.text("toolchain", lambda one: str(one.stack)),
        columns.text("started by", lambda one: one.by),
        columns.whole("ranks", lambda one: one.ranks),
        columns.whole("regions", lambda one: one.regions),
        columns.whole("operations", lambda one: one.bodies),
        columns.numbers("began in time", _kept, "began in time [%]"),
        columns.numbers("clock error at most", _error, "clock error at most [s]"),
    )
    caption = "Common starts of all ranks"
    return make_table("starts", caption, *columns.lay_out(qualities, fields), allowance)


def _kept(one: StartQuality) -> Cell:
    if one.by != _WINDOW:
        return Cell(NOTHING, tone="muted")
    kept = 100.0 * one.kept
    return Cell(f"{kept:.1f} %", kept, "warn" if one.kept < _LITTLE else "")


def _error(one: StartQuality) -> Cell:
    """Where all ranks read the same clock, there is nothing to be wrong about."""
    if one.by != _WINDOW:
        return Cell(NOTHING, tone="muted")
    if one.clock_error_seconds == 0.0:
        return Cell("one clock", 0.0, "muted")
    return columns.quantity_cell(one.clock_error_seconds, "s")
