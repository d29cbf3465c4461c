"""Networks as stated, compared with negotiated rates of nodes."""

from __future__ import annotations

from collections.abc import Callable

from heorot.machine.nodes.stated_networks import compare_networks, find_rate
from heorot.model.machine.machine import Hca, HcaPort, NetworkInterface, Node, Processor
from heorot.model.machine.nodes import NodeCopy, QuotedNetwork
from heorot.model.machine.site import SiteNetwork

NODE = Node(names=("n",), processor=Processor(isa="x86_64"))


def node(name: str, rate: float | None, interface: str = "eth0") -> Node:
    one = NetworkInterface(name=interface, state="up", speed_bits=rate)
    return NODE.model_copy(update={"names": (name,), "interfaces": (one,)})


def test_compare_networks() -> None:
    network = SiteNetwork(name="fast", interface="eth0", rate_bits=25e9, latency_seconds=1e-6)
    nodes = [node("n1", 25e9), node("n2", 10e9), node("n3", None), node("n4", 25e9, "eno1")]
    assert compare_networks([network], nodes) == (
        QuotedNetwork(
            name="fast",
            interface="eth0",
            quoted_bits=25e9,
            quoted_seconds=1e-6,
            found_bits=10e9,
            fastest_bits=25e9,
            n_found=2,
            missing=("n4",),
            slower=("n2",),
        ),
    )


def test_rounded_quotes_are_kept_to() -> None:
    network = SiteNetwork(name="ib", interface="eth0", rate_bits=54.5e9)
    (row,) = compare_networks([network], [node("n1", 54e9)])
    assert row.slower == ()


def test_without_an_interface_or_a_rate_nothing_is_found() -> None:
    nameless, rateless = compare_networks(
        [SiteNetwork(name="a", rate_bits=1e9), SiteNetwork(name="b", interface="eth0")],
        [node("n1", 1e9)],
    )
    assert (nameless.found_bits, nameless.n_found, nameless.missing) == (None, 0, ())
    assert (rateless.found_bits, rateless.slower) == (1e9, ())


def test_rates_of_adapters_and_of_interfaces_over_them(
    captured: Callable[..., NodeCopy],
) -> None:
    there = captured("omnipath_connectx").node
    assert find_rate(there, "hfi1_0") == 100e9
    assert find_rate(there, "mlx4_0:2") == 40e9
    assert find_rate(there, "mlx4_0:3") == 0.0
    assert find_rate(there, "eth0") == 1e9
    assert find_rate(there, "ib0") is None
    ports = (HcaPort(number=1, state="DOWN", rate_bits=10e9), HcaPort(number=2, rate_bits=56e9))
    over = Hca(name="mlx4_0", ports=ports, interfaces=("ib0",))
    silent = node("n", None, "ib0").model_copy(update={"hcas": (over,)})
    assert find_rate(silent, "ib0") == 56e9
    assert find_rate(silent, "mlx4_0:1") == 0.0
