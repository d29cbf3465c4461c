"""Networks as stated in the site file, compared with the negotiated rates of the nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from heorot.model.machine.machine import Node
from heorot.model.machine.nodes import QuotedNetwork
from heorot.model.machine.site import SiteNetwork

# Stated rates are rounded numbers.
_TOLERANCE = 0.01


def compare_networks(
    networks: Iterable[SiteNetwork], nodes: Sequence[Node]
) -> tuple[QuotedNetwork, ...]:
    """A row for each network of the site.

    Args:
        nodes: nodes described by themselves: nodes of one type may have other names of
            interfaces.
    """
    return tuple(_compare(network, nodes) for network in networks)


def _compare(network: SiteNetwork, nodes: Sequence[Node]) -> QuotedNetwork:
    row = QuotedNetwork(
        name=network.name,
        interface=network.interface,
        quoted_bits=network.rate_bits,
        quoted_seconds=network.latency_seconds,
    )
    if network.interface is None:
        return row
    has = {node.names: find_rate(node, network.interface) for node in nodes}
    rates = {names: rate for names, rate in has.items() if rate}
    least = (network.rate_bits or 0.0) * (1.0 - _TOLERANCE)
    return row.model_copy(
        update={
            "found_bits": min(rates.values(), default=None),
            "fastest_bits": max(rates.values(), default=None),
            "n_found": sum(len(names) for names in rates),
            "missing": tuple(one for names, rate in has.items() if rate is None for one in names),
            "slower": tuple(one for names, rate in rates.items() if rate < least for one in names),
        }
    )


def find_rate(node: Node, interface: str) -> float | None:
    """The negotiated rate of an interface or adapter [bit/s].

    Args:
        interface: its name, such as `eth0`, `ib0`, `mlx5_0`, or `mlx5_0:1` for one port.

    Returns:
        The highest of its ports; 0 if it is unknown or not connected; None if there is no such
            interface.
    """
    for one in node.interfaces:
        if one.name == interface and one.speed_bits:
            return one.speed_bits
    adapter, _, port = interface.partition(":")
    for hca in node.hcas:
        # Older kernels report the rate of an InfiniBand interface at its adapter only.
        if adapter == hca.name or interface in hca.interfaces:
            of = [one for one in hca.ports if port in ("", str(one.number))]
            rates = (one.rate_bits for one in of if one.state in (None, "ACTIVE"))
            return max((rate for rate in rates if rate), default=0.0)
    return 0.0 if any(one.name == interface for one in node.interfaces) else None
