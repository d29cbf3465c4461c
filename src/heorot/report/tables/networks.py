"""The tables of networks and hosts: stated in the site file, negotiated, and measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heorot.model.analysis.studies.networks import Carrier, Measured, MeasuredNetwork
from heorot.model.machine.nodes import QuotedNetwork
from heorot.model.machine.site import SiteHost, SiteNetwork
from heorot.report.tables import columns
from heorot.report.tables.table import Allowance, Cell, Table, make_table
from heorot.report.wording import split_interval
from heorot.units import NOTHING, format_quantity

UNKNOWN = "unknown"
"""Shown for keys that the site file lacks."""


def network_table(
    networks: Sequence[MeasuredNetwork],
    allowance: Allowance,
    described: Sequence[SiteNetwork] = (),
) -> Table:
    """Every network with what it was to be and what it is.

    Args:
        described: those of the site file; none of a site that names none.
    """
    by_name = {each.name: each for each in described}

    def stated(word: Callable[[SiteNetwork], str | None]) -> Callable[[MeasuredNetwork], str]:
        """The rate and latency that the site file states."""

        def said(each: MeasuredNetwork) -> str:
            known = by_name.get(each.quoted.name)
            return (word(known) if known else None) or UNKNOWN

        return said

    several = len({each.toolchain for each in networks if each.toolchain}) > 1
    fields: columns.Fields[MeasuredNetwork] = [
        columns.text("network", lambda each: each.quoted.name),
        columns.text("interface", lambda each: each.quoted.interface or NOTHING),
        columns.text("shared", stated(_word_shared)) if described else None,
        columns.text("topology", stated(lambda each: each.topology)) if described else None,
        columns.text("toolchain", lambda each: each.toolchain or NOTHING) if several else None,
        columns.quantity("quoted rate", lambda each: each.quoted.quoted_bits, "bit/s"),
        columns.numbers("negotiated", lambda each: _negotiated(each.quoted), "negotiated [bit/s]"),
        _measured("measured rate", lambda each: each.rate, "B/s"),
        columns.quantity("of the quoted", lambda each: each.share, "%"),
        columns.quantity("quoted latency", lambda each: each.quoted.quoted_seconds, "s"),
        _measured("measured latency", lambda each: each.latency, "s"),
        columns.plain("carried by", lambda each: _carrier(each.carrier)),
        columns.quantity(
            "bytes", lambda each: each.carrier.carried_bytes if each.carrier else None, "B"
        ),
    ]
    caption = "Networks: what was quoted, what messages between two nodes found"
    table = make_table("networks", caption, *columns.lay_out(networks, fields), allowance)
    return table.narrow(("topology", "shared", "bytes", "interface"))


def _word_shared(network: SiteNetwork) -> str | None:
    """Whether others use it too, such as file systems."""
    return None if network.shared is None else "yes" if network.shared else "no"


def host_table(hosts: Sequence[SiteHost], allowance: Allowance) -> Table:
    """The hosts of the site file."""
    fields: columns.Fields[SiteHost] = (
        columns.text("host", lambda each: each.name),
        columns.text("switch port", lambda each: each.switch_port or UNKNOWN),
        columns.text("cores for a job", lambda each: str(each.cores or UNKNOWN)),
        columns.text("features", lambda each: ", ".join(each.features) or NOTHING),
    )
    caption = "Hosts, as the site file describes them"
    laid = columns.lay_out(hosts, fields)
    return make_table("hosts", caption, *laid, allowance, folded=True)


def _negotiated(quoted: QuotedNetwork) -> Cell:
    """The rate of the slowest node, and of the fastest if that is another one."""
    slowest = columns.quantity_cell(quoted.found_bits, "bit/s")
    if quoted.fastest_bits == quoted.found_bits:
        return slowest
    fastest = format_quantity(quoted.fastest_bits, "bit/s")
    return Cell(f"{slowest.text} to {fastest}", slowest.number, "warn")


def _measured(
    title: str, found: Callable[[MeasuredNetwork], Measured | None], unit: str
) -> columns.Field[MeasuredNetwork]:
    """The column of a value with its interval."""

    def value(network: MeasuredNetwork) -> Cell:
        one = found(network)
        if one is None:
            return columns.quantity_cell(None)
        copied = "\t".join(f"{each:.6g}" for each in (one.median, one.ci_low, one.ci_high))
        return Cell(" ".join(_split(one, unit)), one.median, copied=copied)

    ends = f"{title} [{unit}]\tci_low [{unit}]\tci_high [{unit}]"
    return columns.numbers(title, value, ends)


def _split(one: Measured, unit: str) -> tuple[str, str]:
    return split_interval(one.median, one.ci_low, one.ci_high, unit, one.n_launches)


def _carrier(carrier: Carrier | None) -> Cell:
    """The interface that carried the bytes of the messages."""
    if carrier is None:
        return Cell(NOTHING, tone="muted")
    return Cell(carrier.interface, tone="bad" if carrier.is_another else "")
