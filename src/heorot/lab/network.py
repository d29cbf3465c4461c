"""The network of a lab: a bridge or a switch, and a link of given rate and delay to each node.

It is set up by `ip` and `tc` inside the lab's namespaces; the host's network is unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from heorot.errors import SetupError
from heorot.lab.client import SUPERVISOR, LabClient
from heorot.lab.model import HEAD, LabNode, Laboratory, Link
from heorot.lab.requirements import tool

BRIDGE = "br0"
INTERFACE = "eth0"
SECOND_INTERFACE = "eth1"
# Size of unshaped bursts: as small as a timer of 250 us allows.
_LEAST_BURST_BYTES = 16_000
_BURST_SECONDS = 0.25e-3
_QUEUE = "50ms"
# netem's default queue of 1000 packets is too short for a large bandwidth-delay product.
_NETEM_PACKETS = 100_000


def bridge_batch() -> str:
    """Input of `ip` in the supervisor's namespace, once."""
    return (
        f"link add name {BRIDGE} type bridge mcast_snooping 0\n"
        f"link set dev {BRIDGE} up\n"
        "link set dev lo up\n"
    )


def cable_batch(nodes: Iterable[LabNode], pids: Mapping[str, int]) -> str:
    """Input of `ip` in the supervisor's namespace that connects nodes.

    Args:
        pids: their first processes in that namespace.
    """
    return "".join(
        f"link add name {node.name} type veth"
        f" peer name {INTERFACE} address {node.hardware_address} netns {pids[node.name]}\n"
        for node in nodes
    )


def port_batch(laboratory: Laboratory, nodes: Iterable[LabNode]) -> str:
    """Input of `ip` in the supervisor's namespace for the ports of nodes that are alive."""
    master = "nomaster" if laboratory.wiring == "program" else f"master {BRIDGE}"
    return "".join(
        f"link set dev {node.name} {master}\n"
        f"link set dev {node.name} {'down' if node.link.is_cut else 'up'}\n"
        for node in nodes
    )


def node_batch(laboratory: Laboratory, node: LabNode) -> str:
    """Input of `ip` on a node: its addresses, and static entries of all others.

    A second network is a second interface on the node's link, with addresses of its own.

    Entries are static: discovered neighbours have a limit over all namespaces, which 32 nodes that
    all know each other exceed.
    """
    lines = [
        "link set dev lo up",
        f"address add {node.address}/24 broadcast + dev {INTERFACE}",
        f"link set dev {INTERFACE} up",
    ]
    others = [other for other in laboratory.everyone if other != node]
    lines += [
        f"neighbour replace {other.address} lladdr {other.hardware_address}"
        f" dev {INTERFACE} nud permanent"
        for other in others
    ]
    if laboratory.second_rate_bits is not None:
        lines += [
            (
                f"link add link {INTERFACE} name {SECOND_INTERFACE}"
                f" address {node.second_hardware_address} type macvlan mode bridge"
            ),
            f"address add {node.second_address}/24 broadcast + dev {SECOND_INTERFACE}",
            f"link set dev {SECOND_INTERFACE} up",
        ]
        lines += [
            f"neighbour replace {other.second_address} lladdr {other.second_hardware_address}"
            f" dev {SECOND_INTERFACE} nud permanent"
            for other in others
        ]
    return "".join(f"{line}\n" for line in lines)


def shape_batch(interface: str, link: Link, *, netem: bool) -> str:
    """Input of `tc` for one end of a cable.

    Args:
        netem: whether the kernel delays packets.
    """
    lines = []
    if link.rate_bits is not None:
        burst = max(_LEAST_BURST_BYTES, round(link.rate_bits / 8 * _BURST_SECONDS))
        lines.append(
            f"qdisc replace dev {interface} root handle 1: tbf"
            f" rate {round(link.rate_bits)}bit burst {burst}b latency {_QUEUE}"
        )
    if netem and link.latency_seconds > 0:
        where = "root handle 2:" if link.rate_bits is None else "parent 1: handle 2:"
        half = round(link.latency_seconds / 2 * 1e6)
        lines.append(
            f"qdisc replace dev {interface} {where} netem delay {half}us limit {_NETEM_PACKETS}"
        )
    return "".join(f"{line}\n" for line in lines)


def hosts_table(laboratory: Laboratory) -> str:
    """The file /etc/hosts of every node."""
    return "127.0.0.1 localhost\n" + "".join(
        f"{node.address} {node.name}\n" for node in laboratory.everyone
    )


def is_slowed(laboratory: Laboratory) -> bool:
    """Whether rates or delays of links are limited, or a program passes the packets."""
    return (
        laboratory.wiring == "program"
        or any(
            node.link.rate_bits is not None or node.link.latency_seconds > 0
            for node in laboratory.nodes
        )
        or laboratory.second_rate_bits is not None
    )


def make_bridge(client: LabClient) -> None:
    """Create the bridge.

    Raises:
        SetupError: the kernel refuses.
    """
    _run_batch(client, SUPERVISOR, "ip", bridge_batch())


def connect(laboratory: Laboratory, client: LabClient, nodes: Iterable[LabNode]) -> None:
    """Connect nodes that have just started.

    Raises:
        SetupError: the kernel refuses.
    """
    fresh = list(nodes)
    pids = client.operate(SUPERVISOR, "nodes")["nodes"]
    _run_batch(client, SUPERVISOR, "ip", cable_batch(fresh, pids))
    for node in fresh:
        _run_batch(client, node.name, "ip", node_batch(laboratory, node))
    adjust(laboratory, client, fresh)


def adjust(laboratory: Laboratory, client: LabClient, nodes: Iterable[LabNode]) -> None:
    """Apply rate, delay and state of the links of living nodes.

    Raises:
        SetupError: the kernel refuses.
    """
    wanted = list(nodes)
    _run_batch(client, SUPERVISOR, "ip", port_batch(laboratory, wanted))
    work = {"segmentation": not is_slowed(laboratory), "checksum": laboratory.wiring != "program"}
    client.operate(SUPERVISOR, "offloads", interfaces=[node.name for node in wanted], **work)
    netem = laboratory.wiring == "netem"
    ports = ""
    for node in wanted:
        second = [SECOND_INTERFACE] if laboratory.second_rate_bits is not None else []
        client.operate(node.name, "offloads", interfaces=[INTERFACE, *second], **work)
        link = Link() if node.name == HEAD else node.link
        ports += shape_batch(node.name, link, netem=netem)
        inside = shape_batch(INTERFACE, link, netem=netem)
        if laboratory.second_rate_bits is not None and node.name != HEAD:
            slower = Link(rate_bits=laboratory.second_rate_bits)
            inside += shape_batch(SECOND_INTERFACE, slower, netem=False)
        _run_batch(client, node.name, "tc", inside)
    _run_batch(client, SUPERVISOR, "tc", ports)


def set_links(laboratory: Laboratory, client: LabClient, nodes: Iterable[LabNode]) -> None:
    """Set the links of nodes up or down.

    Raises:
        SetupError: the kernel refuses.
    """
    _run_batch(client, SUPERVISOR, "ip", port_batch(laboratory, nodes))


def disconnect(client: LabClient, node: LabNode) -> None:
    """Remove the port of a dead node; usually it is gone with the node's namespace."""
    client.command(SUPERVISOR, [tool("ip"), "link", "delete", "dev", node.name])


def clear(client: LabClient, node: LabNode) -> None:
    """Remove the shaping of a link, if any."""
    for place, interface in ((SUPERVISOR, node.name), (node.name, INTERFACE)):
        client.command(place, [tool("tc"), "qdisc", "delete", "dev", interface, "root"])


def has_netem(client: LabClient) -> bool:
    """Whether the kernel can delay packets."""
    device = ["dev", "lo", "root"]
    tried = client.command(
        SUPERVISOR, [tool("tc"), "qdisc", "add", *device, "netem", "delay", "1us"]
    )
    if tried.ok:
        client.command(SUPERVISOR, [tool("tc"), "qdisc", "delete", *device])
    return tried.ok


def _run_batch(client: LabClient, place: str, program: str, batch: str) -> None:
    if not batch:
        return
    done = client.command(place, [tool(program), "-batch", "-"], batch)
    if not done.ok:
        lines = (done.err or done.out).strip().splitlines() or [f"exit code {done.code}"]
        raise SetupError(
            f"{program} cannot set up the network of the lab: {lines[0]}",
            "the kernel must have veth, bridges and tbf: modprobe -a veth bridge macvlan sch_tbf",
        )
