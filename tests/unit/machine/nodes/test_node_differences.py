"""Nodes that differ from most others, from their links' capability, from the job's clock."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from heorot.machine.nodes.node_differences import differences, is_slow
from heorot.model.base import Record
from heorot.model.machine.machine import Hca, HcaPort, NetworkInterface
from heorot.model.machine.nodes import NodeCopy, NodeDifference, NodeValue

Taker = Callable[..., NodeCopy]
CARD = NetworkInterface(
    name="eth0",
    state="up",
    kind="ethernet",
    speed_bits=25e9,
    driver="mlx5_core",
    pcie_width=8,
    pcie_speed=8e9,
    pcie_width_max=8,
    pcie_speed_max=8e9,
)


def changed(copy: NodeCopy, name: str, part: str, **fields: object) -> NodeCopy:
    """The node under another name, with fields of one part changed."""
    piece: Record = getattr(copy.node, part)
    node = copy.node.model_copy(
        update={"names": (name,), part: piece.model_copy(update=dict(fields))}
    )
    return copy.model_copy(update={"name": name, "node": node})


def with_card(copy: NodeCopy, name: str, *cards: NetworkInterface) -> NodeCopy:
    node = copy.node.model_copy(update={"interfaces": cards})
    return copy.model_copy(update={"name": name, "node": node})


def four(copy: NodeCopy) -> list[NodeCopy]:
    return [copy.model_copy(update={"name": f"n{number}"}) for number in (1, 2, 3, 4)]


def test_equal_nodes_do_not_differ(captured: Taker) -> None:
    assert differences(four(captured("core_i7_8650u"))) == ()
    assert differences(four(captured("epyc_zen5_kvm"))[:1]) == ()
    assert differences([]) == ()


@pytest.mark.parametrize(
    ("part", "fields", "fact", "value"),
    [
        ("processor", {"governor": "performance"}, "governor", "performance"),
        ("processor", {"n_cores": 3}, "cores", "1 socket, 3 cores, 2 hardware threads"),
        ("processor", {"boost": True}, "boost", "on"),
        ("processor", {"frequency_driver": "intel_cpufreq"}, "frequency driver", "intel_cpufreq"),
        ("processor", {"smt": True}, "SMT", "on"),
        ("processor", {"max_hz": 3e9}, "clock range", "800 MHz to 3.00 GHz"),
        ("processor", {"model": "Other"}, "processor", "Other (skylake)"),
        ("platform", {"kernel": "9.9"}, "kernel", "9.9"),
        ("platform", {"container": "docker"}, "container", "docker"),
        ("platform", {"numa_balancing": True}, "NUMA balancing", "on"),
        ("memory", {"huge_pages": "never"}, "huge pages", "never"),
        ("memory", {"huge_page_defrag": "always"}, "huge page defrag", "always"),
        (
            "memory",
            {"module_kind": "DDR4", "module_transfers": 2.4e9},
            "memory modules",
            "DDR4 at 2400 MT/s",
        ),
        ("memory", {"swap_bytes": 5}, "swap", "on"),
        ("memory", {"total_bytes": 1 << 30}, "memory", "1 GiB"),
        ("limits", {"n_allowed_cpus": 3}, "limits", "3 CPUs"),
    ],
)
def test_one_of_four_differs(
    captured: Taker, part: str, fields: dict[str, object], fact: str, value: str
) -> None:
    copy = captured("core_i7_8650u")
    copy = changed(copy, "n", "platform", container=None)
    copy = changed(copy, "n", "memory", total_bytes=2 << 30, swap_bytes=0)
    copies = four(copy)
    copies[2] = changed(copy, "n3", part, **fields)
    (found,) = differences(copies)
    assert (found.fact, found.part, found.basis) == (fact, "", "peers")
    assert found.others == (NodeValue(value=value, names=("n3",)),)
    assert (found.n_expected, found.n_nodes, found.names) == (3, 4, ("n3",))


def test_states_differ_too(captured: Taker) -> None:
    copy = captured("core_i7_8650u")
    boot = {"mitigations": {"meltdown": "PTI"}, "boot_options": ()}
    copies = [changed(copy, f"n{number}", "platform", **boot) for number in (1, 2, 3, 4)]
    other = {"mitigations": {"meltdown": "Vulnerable"}, "boot_options": ("nosmt",)}
    state = copy.state.model_copy(update={"microcode": "0xb5", "bios": "ACME 2"})
    copies[0] = changed(copy, "n1", "platform", **other).model_copy(update={"state": state})
    found = {(one.fact, one.part): one for one in differences(copies)}
    assert found.keys() == {
        ("microcode", ""),
        ("firmware of the computer", ""),
        ("boot options", ""),
        ("mitigations", "meltdown"),
    }
    assert found["mitigations", "meltdown"].expected == "PTI"
    assert found["boot options", ""].others[0].value == "nosmt"


def test_what_most_have_is_expected_even_if_it_is_less(captured: Taker) -> None:
    copy = captured("core_i7_8650u")
    copies = [changed(copy, f"n{n}", "processor", n_cores=4 if n == 1 else 3) for n in range(4)]
    (found,) = differences(copies)
    assert found.names == ("n1",)
    assert found.expected == "1 socket, 3 cores, 2 hardware threads"


def test_adapters_link_driver_and_absence(captured: Taker) -> None:
    copy = captured("epyc_zen5_kvm")
    slower = CARD.model_copy(update={"speed_bits": 10e9})
    patched = CARD.model_copy(update={"driver_version": "5.8-1"})
    copies = [
        with_card(copy, "n1", CARD),
        with_card(copy, "n2", CARD),
        with_card(copy, "n3", slower),
        with_card(copy, "n4", patched),
        with_card(copy, "n5"),
    ]
    link, driver, absent = sorted(differences(copies), key=lambda one: one.names)
    assert (link.fact, link.part, link.names) == ("network link", "eth0", ("n3",))
    assert (link.expected, link.others[0].value) == ("25.0 Gbit/s up", "10.0 Gbit/s up")
    assert (driver.fact, driver.others[0].value) == ("driver", "mlx5_core 5.8-1")
    assert (absent.fact, absent.others[0].value, absent.names) == (
        "network adapter",
        "missing",
        ("n5",),
    )


def test_a_link_slower_than_its_peers_and_than_it_can_be(captured: Taker) -> None:
    copy = captured("epyc_zen5_kvm")
    narrow = CARD.model_copy(update={"pcie_width": 4})
    copies = [with_card(copy, f"n{n}", narrow if n == 3 else CARD) for n in (1, 2, 3)]
    peers, most = differences(copies)
    assert (peers.fact, peers.basis, peers.expected) == ("PCIe link", "peers", "x8 at 8 GT/s")
    assert most == NodeDifference(
        fact="PCIe link",
        part="eth0",
        basis="maximum",
        expected="x8 at 8 GT/s",
        n_expected=2,
        n_nodes=3,
        others=(NodeValue(value="x4 at 8 GT/s", names=("n3",)),),
    )
    # Equally slow links do not differ, but are slow; so is a single one.
    alike = [with_card(copy, f"n{n}", narrow) for n in (1, 2)]
    (both,) = differences(alike)
    assert (both.basis, both.names, both.n_expected) == ("maximum", ("n1", "n2"), 0)
    assert differences(alike[:1])[0].names == ("n1",)


def test_links_that_are_not_in_use_may_be_slow() -> None:
    down = CARD.model_copy(update={"pcie_width": 1, "state": "down"})
    assert not is_slow(down)
    assert is_slow(down.model_copy(update={"state": "up"}))
    assert not is_slow(CARD)
    assert not is_slow(CARD.model_copy(update={"pcie_width": None}))
    assert is_slow(CARD.model_copy(update={"pcie_speed": 5e9}))
    hca = Hca(name="mlx5_0", pcie_width=8, pcie_width_max=16)
    assert not is_slow(hca)
    assert is_slow(hca.model_copy(update={"ports": (HcaPort(number=1, state="ACTIVE"),)}))


def test_clocks_apart_from_the_job(captured: Taker) -> None:
    copies = four(captured("core_i7_8650u"))
    offsets = (0.0, 2.25, -0.05, None)
    copies = [
        copy.model_copy(
            update={"state": copy.state.model_copy(update={"clock_offset_seconds": seconds})}
        )
        for copy, seconds in zip(copies, offsets, strict=True)
    ]
    (found,) = differences(copies)
    assert (found.fact, found.basis, found.n_expected) == ("clock", "clock", 2)
    assert found.others == (NodeValue(value="2.2 s ahead at least", names=("n2",)),)


def test_host_channel_adapters(captured: Taker) -> None:
    copies = four(captured("omnipath_connectx"))
    omnipath, connectx = copies[0].node.hcas
    down = tuple(port.model_copy(update={"state": "DOWN"}) for port in omnipath.ports)
    for number, odd in ((1, {"ports": down}), (2, {"firmware": "1.0"}), (3, {"model": "other"})):
        hcas = (omnipath.model_copy(update=odd), connectx)
        node = copies[number].node.model_copy(update={"hcas": hcas})
        copies[number] = copies[number].model_copy(update={"node": node})
    found = {one.fact: one for one in differences(copies)}
    assert found.keys() == {"network link", "firmware", "network adapter"}
    assert {one.part for one in found.values()} == {"hfi1_0"}
    assert found["network link"].expected == "100 Gbit/s 4X EDR active"
    assert found["network link"].others == (
        NodeValue(value="100 Gbit/s 4X EDR down", names=("n2",)),
    )
    assert found["firmware"].names == ("n3",)
    assert found["network adapter"].names == ("n4",)
