"""Compares rates between two nodes with the line rate of the network.

The line rate is the rate that the adapters negotiated or report; no message is faster. Rates inside
a node, such as copying by one core, are no limit there: adapters fetch messages by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heorot.analyse.validity.ceilings import concerns
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.catalogue.references import BETWEEN
from heorot.model.machine.machine import Machine

_BITS_PER_BYTE = 8.0
# The rate that these report is unrelated to their speed.
_PARAVIRTUAL = {"virtio_net", "vmxnet3", "hv_netvsc", "xen_netfront", "vif"}


@dataclass(frozen=True)
class Link:
    """A link of a node to a network.

    Attributes:
        names: of its adapter and interfaces, and their kind, by which networks are named.
        bytes_per_second: line rate in one direction [B/s].
    """

    names: tuple[str, ...]
    bytes_per_second: float

    def is_called(self, network: str) -> bool:
        """Whether a network may be named after it: `ib` after `ib0`, `ethernet` after its kind."""
        return any(name.lower().startswith(network.lower()) for name in self.names)


def inside_nodes(context: Context) -> list[Result]:
    """All rows but those over several nodes with a rule for one core inside a node."""

    def is_apart(row: Result) -> bool:
        known = context.benchmarks.get(row.benchmark) if row.nodes > 1 else None
        rules = known.ceilings if known else ()
        return any(rule.inside_only for rule in rules if concerns(rule, row))

    return [row for row in context.rows if not is_apart(row)]


def apply_line_rates(context: Context) -> list[Result]:
    """The rates of messages between nodes with their share of the line, the impossible marked.

    A share needs a known line of the message, or lines of equal rate. A library may use several at
    once: a result is implausible only if it exceeds the aggregate line rate.
    """
    published = context.references.publisher(BETWEEN)
    links = tuple(find_links(context.machine))
    if published is None or not links:
        return []
    program, reference = published
    judged = []
    for row in context.rows:
        if row.nodes == 1 or row.derived or row.plausible is False:
            continue
        if (row.benchmark, row.metric) == (program, reference.metric) and (
            row.region in reference.regions
        ):
            used = _used(links, row.stack.network)
            judged.append(_judge(row, [link.bytes_per_second for link in used]))
    return judged


def _judge(row: Result, rates: list[float]) -> Result:
    """The row with its share of the line, or of all lines if it is faster than one."""
    most = sum(rates)
    plausible = row.ci_low <= most
    known = len(set(rates)) == 1 or not plausible
    line = rates[0] if plausible and row.median <= rates[0] else most
    update = {"share_of_ceiling": row.median / line if known else None, "plausible": plausible}
    return row.model_copy(update=update)


def find_links(machine: Machine) -> Iterator[Link]:
    """The links of a node that are up and whose rate is known.

    An adapter with several ports counts port by port, an interface over such an adapter with it.
    """
    node = machine.node
    over: set[str] = set()
    interfaces = {each.name: each for each in node.interfaces}
    for hca in node.hcas:
        for port in hca.ports:
            if port.rate_bits and (port.state or "").upper() == "ACTIVE":
                over.update(hca.interfaces)
                kinds = [interfaces[name].kind for name in hca.interfaces if name in interfaces]
                names = (hca.name, *hca.interfaces, *kinds, (port.layer or "").lower())
                yield Link(names, port.rate_bits / _BITS_PER_BYTE)
    for each in node.interfaces:
        if each.virtual or each.kind == "loopback" or each.name in over or each.state != "up":
            continue
        if each.speed_bits and each.driver not in _PARAVIRTUAL:
            yield Link((each.name, each.kind), each.speed_bits / _BITS_PER_BYTE)


def _used(links: tuple[Link, ...], network: str) -> tuple[Link, ...]:
    """The links that a network is named after; all of them if none is."""
    named = tuple(link for link in links if network and link.is_called(network))
    return named or links
