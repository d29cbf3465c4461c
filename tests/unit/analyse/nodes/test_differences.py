"""Differences between nodes as findings that name them."""

from __future__ import annotations

from typing import get_args

import pytest

from heorot.analyse.nodes.differences import find_below_quoted, find_different
from heorot.model.machine.nodes import Fact, NodeDifference, NodeValue, QuotedNetwork


def differ(fact: Fact, value: str, *names: str, part: str = "") -> NodeDifference:
    return NodeDifference(
        fact=fact,
        part=part,
        expected="performance",
        n_expected=8 - len(names),
        n_nodes=8,
        others=(NodeValue(value=value, names=names),),
    )


def test_nothing_differs() -> None:
    assert find_different([]) == []
    assert find_below_quoted([QuotedNetwork(name="ib", quoted_bits=1e9)]) == []


@pytest.mark.parametrize("fact", get_args(Fact))
def test_every_fact_has_its_advice(fact: Fact) -> None:
    (finding,) = find_different([differ(fact, "x", "n3")])
    assert finding.severity in {"warning", "note"}
    assert finding.remedy
    assert finding.affected == ("n3",)
    assert fact in finding.text


def test_one_value_is_reported_in_the_sentence() -> None:
    (finding,) = find_different([differ("governor", "powersave", "n3", "n5")])
    assert finding.text == (
        "2 nodes of 8 differ from most others in governor: n3, n5 "
        "(powersave instead of performance)"
    )
    assert finding.severity == "warning"
    assert finding.rows == ()


def test_of_many_nodes_a_few_are_named_in_the_sentence() -> None:
    names = ("n1", "n2", "n3", "n4", "n5")
    (finding,) = find_different([differ("PCIe link", "x4", *names, part="mlx5_0")])
    assert finding.text == (
        "5 nodes of 8 differ from most others in PCIe link of mlx5_0: n1, n2, n3 and 2 more "
        "(x4 instead of performance)"
    )
    assert finding.affected == names


def test_several_parts_make_one_finding_with_a_table() -> None:
    found = [
        differ("driver", "old", "n1", part="eth0"),
        differ("kernel", "6.1", "n2"),
        differ("driver", "older", "n1", "n2", part="eth1"),
    ]
    driver, kernel = find_different(found)
    assert driver.text == "2 nodes of 8 differ from most others in driver: n1, n2"
    assert driver.columns == ("of", "nodes", "have", "most others have")
    assert driver.rows == (
        ("eth0", "n1", "old", "performance"),
        ("eth1", "n1, n2", "older", "performance"),
    )
    assert kernel.text.startswith("1 node of 8 differs from most others in kernel: n2 (6.1")


def test_what_the_hardware_could_do_is_another_finding() -> None:
    slow = differ("PCIe link", "x4", "n1", part="eth0").model_copy(update={"basis": "maximum"})
    peers, most = find_different([differ("PCIe link", "x4", "n1", part="eth0"), slow])
    assert peers.text.startswith("1 node of 8 differs from most others in PCIe link of eth0")
    assert most.text == (
        "the PCIe link of eth0 is slower than its adapter is capable of on 1 node of 8: n1 "
        "(x4 instead of performance)"
    )


def test_clocks() -> None:
    (one,) = find_different(
        [differ("clock", "2 s ahead at least", "n1").model_copy(update={"basis": "clock"})]
    )
    assert one.text == ("1 node of 8 does not keep the time of the job: n1 (2 s ahead at least)")
    others = (NodeValue(value="a", names=("n1",)), NodeValue(value="b", names=("n2",)))
    two = differ("clock", "a", "n1").model_copy(update={"basis": "clock", "others": others})
    (both,) = find_different([two])
    assert both.text == "2 nodes of 8 do not keep the time of the job: n1, n2"
    assert [row[1:3] for row in both.rows] == [("n1", "a"), ("n2", "b")]


def test_networks_below_what_was_quoted() -> None:
    network = QuotedNetwork(
        name="fast",
        interface="ib0",
        quoted_bits=100e9,
        found_bits=50e9,
        n_found=4,
        missing=("n9",),
        slower=("n1", "n2"),
    )
    slower, missing = find_below_quoted([network])
    assert slower.text == (
        "2 nodes of 4 negotiated less on fast (ib0) than the 100 Gbit/s that were quoted, "
        "50.0 Gbit/s at least: n1, n2"
    )
    assert slower.affected == ("n1", "n2")
    assert missing.text == "1 node without the interface ib0 of fast: n9"
    assert (slower.severity, missing.severity) == ("warning", "warning")
