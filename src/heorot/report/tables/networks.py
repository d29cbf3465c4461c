"""The table of networks: what was quoted, what adapters negotiated, what messages found."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.model.analysis.studies.networks import Carrier, Measured, MeasuredNetwork
from heorot.model.machine.nodes import QuotedNetwork
from heorot.report.tables.table import Allowance, Cell, Column, Row, Table, make_table
from heorot.report.wording import split_interval
from heorot.units import NOTHING, format_quantity


def network_table(networks: Sequence[MeasuredNetwork], allowance: Allowance) -> Table:
    """Every network with what it was to be and what it is."""
    several = len({each.toolchain for each in networks if each.toolchain}) > 1
    columns = [
        Column("network"),
        Column("interface"),
        *([Column("toolchain")] if several else []),
        Column("quoted rate", numeric=True, copied="quoted rate [bit/s]"),
        Column("negotiated", numeric=True, copied="negotiated [bit/s]"),
        Column("measured rate", numeric=True, copied="measured rate [B/s]"),
        Column("95 % interval", numeric=True, copied="ci_low [B/s]\tci_high [B/s]"),
        Column("of the quoted", numeric=True),
        Column("quoted latency", numeric=True, copied="quoted latency [s]"),
        Column("measured latency", numeric=True, copied="measured latency [s]"),
        Column("95 % interval", numeric=True, copied="ci_low [s]\tci_high [s]"),
        Column("carried by"),
        Column("bytes", numeric=True, copied="bytes [B]"),
    ]
    rows = [_row(each, several=several) for each in networks]
    caption = "Networks: what was quoted, what messages between two nodes found"
    return make_table("networks", caption, columns, rows, allowance)


def _row(network: MeasuredNetwork, *, several: bool) -> Row:
    quoted = network.quoted
    cells = (
        Cell(quoted.name),
        Cell(quoted.interface or NOTHING),
        *([Cell(network.toolchain or NOTHING)] if several else []),
        _number(quoted.quoted_bits, "bit/s"),
        _negotiated(quoted),
        *_measured(network.rate, "B/s"),
        _number(network.share, "%"),
        _number(quoted.quoted_seconds, "s"),
        *_measured(network.latency, "s"),
        *_carried(network.carrier),
    )
    return Row(cells)


def _number(value: float | None, unit: str) -> Cell:
    return Cell(format_quantity(value, unit), value, "muted" if value is None else "")


def _negotiated(quoted: QuotedNetwork) -> Cell:
    """The rate of the slowest node, and of the fastest if that is another one."""
    slowest = _number(quoted.found_bits, "bit/s")
    if quoted.fastest_bits == quoted.found_bits:
        return slowest
    fastest = format_quantity(quoted.fastest_bits, "bit/s")
    return Cell(f"{slowest.text} to {fastest}", slowest.number, "warn")


def _measured(found: Measured | None, unit: str) -> tuple[Cell, Cell]:
    """A value and its interval."""
    if found is None:
        return _number(None, unit), Cell(NOTHING, tone="muted")
    middle, interval = split_interval(
        found.median, found.ci_low, found.ci_high, unit, found.n_launches
    )
    ends = f"{found.ci_low:.6g}\t{found.ci_high:.6g}"
    return Cell(middle, found.median), Cell(interval, copied=ends)


def _carried(carrier: Carrier | None) -> tuple[Cell, Cell]:
    """The interface that carried the bytes of the messages, and how many."""
    if carrier is None:
        return Cell(NOTHING, tone="muted"), _number(None, "B")
    tone = "bad" if carrier.is_another else ""
    return Cell(carrier.interface, tone=tone), _number(carrier.carried_bytes, "B")
