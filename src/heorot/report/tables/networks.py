"""The table of networks: what was quoted, what adapters negotiated, what messages found."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heorot.model.analysis.studies.networks import Carrier, Measured, MeasuredNetwork
from heorot.model.machine.nodes import QuotedNetwork
from heorot.report.tables import columns
from heorot.report.tables.table import Allowance, Cell, Table, make_table
from heorot.report.wording import split_interval
from heorot.units import NOTHING, format_quantity


def network_table(networks: Sequence[MeasuredNetwork], allowance: Allowance) -> Table:
    """Every network with what it was to be and what it is."""
    several = len({each.toolchain for each in networks if each.toolchain}) > 1
    fields: columns.Fields[MeasuredNetwork] = [
        columns.text("network", lambda each: each.quoted.name),
        columns.text("interface", lambda each: each.quoted.interface or NOTHING),
        columns.text("toolchain", lambda each: each.toolchain or NOTHING) if several else None,
        columns.quantity("quoted rate", lambda each: each.quoted.quoted_bits, "bit/s"),
        columns.numbers("negotiated", lambda each: _negotiated(each.quoted), "negotiated [bit/s]"),
        *_measured("measured rate", lambda each: each.rate, "B/s"),
        columns.quantity("of the quoted", lambda each: each.share, "%"),
        columns.quantity("quoted latency", lambda each: each.quoted.quoted_seconds, "s"),
        *_measured("measured latency", lambda each: each.latency, "s"),
        columns.plain("carried by", lambda each: _carrier(each.carrier)),
        columns.quantity(
            "bytes", lambda each: each.carrier.carried_bytes if each.carrier else None, "B"
        ),
    ]
    caption = "Networks: what was quoted, what messages between two nodes found"
    return make_table("networks", caption, *columns.lay_out(networks, fields), allowance)


def _negotiated(quoted: QuotedNetwork) -> Cell:
    """The rate of the slowest node, and of the fastest if that is another one."""
    slowest = columns.quantity_cell(quoted.found_bits, "bit/s")
    if quoted.fastest_bits == quoted.found_bits:
        return slowest
    fastest = format_quantity(quoted.fastest_bits, "bit/s")
    return Cell(f"{slowest.text} to {fastest}", slowest.number, "warn")


def _measured(
    title: str, found: Callable[[MeasuredNetwork], Measured | None], unit: str
) -> tuple[columns.Field[MeasuredNetwork], columns.Field[MeasuredNetwork]]:
    """The columns of a value and of its interval."""

    def value(network: MeasuredNetwork) -> Cell:
        one = found(network)
        return (
            columns.quantity_cell(None) if one is None else Cell(_split(one, unit)[0], one.median)
        )

    def interval(network: MeasuredNetwork) -> Cell:
        one = found(network)
        if one is None:
            return Cell(NOTHING, tone="muted")
        return Cell(_split(one, unit)[1], copied=f"{one.ci_low:.6g}\t{one.ci_high:.6g}")

    ends = f"ci_low [{unit}]\tci_high [{unit}]"
    return (
        columns.numbers(title, value, f"{title} [{unit}]"),
        columns.numbers("95 % interval", interval, ends),
    )


def _split(one: Measured, unit: str) -> tuple[str, str]:
    return split_interval(one.median, one.ci_low, one.ci_high, unit, one.n_launches)


def _carrier(carrier: Carrier | None) -> Cell:
    """The interface that carried the bytes of the messages."""
    if carrier is None:
        return Cell(NOTHING, tone="muted")
    return Cell(carrier.interface, tone="bad" if carrier.is_another else "")
