"""The table of starts: how well the ranks of collective operations began together."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.model.analysis.disturbance import StartQuality
from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.units import NOTHING, format_quantity

_LITTLE = 0.95


def start_table(qualities: Sequence[StartQuality], allowance: Allowance) -> Table:
    """A row for each program, case, toolchain and way to start."""
    columns = [
        *map(Column, ("program", "case", "toolchain", "started by")),
        Column("ranks", numeric=True),
        Column("regions", numeric=True),
        Column("operations", numeric=True),
        Column("began in time", numeric=True, copied="began in time [%]"),
        Column("clock error at most", numeric=True, copied="clock error at most [s]"),
    ]
    caption = "Starts: operations that all ranks begin at a common instant"
    return make_table("starts", caption, columns, [_row(one) for one in qualities], allowance)


def _row(one: StartQuality) -> Row:
    by_window = one.by == "window"
    kept = 100.0 * one.kept
    return Row(
        (
            Cell(one.benchmark),
            Cell(one.case),
            Cell(str(one.stack)),
            Cell(one.by),
            Cell(str(one.ranks), one.ranks),
            Cell(str(one.regions), one.regions),
            Cell(str(one.bodies), one.bodies),
            Cell(f"{kept:.1f} %", kept, "warn" if one.kept < _LITTLE else "")
            if by_window
            else Cell(NOTHING, tone="muted"),
            _error(one) if by_window else Cell(NOTHING, tone="muted"),
        )
    )


def _error(one: StartQuality) -> Cell:
    """Where all ranks read the same clock, there is nothing to be wrong about."""
    if one.clock_error_seconds == 0.0:
        return Cell("one clock", 0.0, "muted")
    return Cell(format_quantity(one.clock_error_seconds, "s"), one.clock_error_seconds)
