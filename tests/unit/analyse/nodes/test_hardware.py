"""Kinds of nodes, and the two hosts of a pair."""

from __future__ import annotations

import pytest

from heorot.analyse.nodes.hardware import find_hardware, natural, split_pairs
from heorot.model.machine.machine import Machine, Memory, Node, Processor


def machine(*kinds: tuple[str, int, tuple[str, ...]]) -> Machine:
    """A machine with these kinds: processor, GiB, hosts."""
    return Machine(
        hostname="login",
        nodes=tuple(
            Node(
                names=names,
                processor=Processor(isa="x86_64", model=model),
                memory=Memory(total_bytes=gibibytes << 30),
            )
            for model, gibibytes, names in kinds
        ),
    )


def test_names_are_in_natural_order() -> None:
    assert sorted(["n10", "n9", "a", "n1b", "10"], key=natural) == ["a", "n1b", "n9", "n10", "10"]


def test_nodes_of_one_kind_need_no_name_for_it() -> None:
    found = find_hardware(machine(("EPYC", 64, ("n1", "n2"))), ["n10", "n2", "n1"])
    (kind,) = found.kinds
    assert kind.name == ""
    assert kind.nodes == ("n1", "n2", "n10")  # one that is not listed is like the others


def test_kinds_are_distinguished_and_unknown_hosts_are_a_kind_of_their_own() -> None:
    two = machine(("EPYC", 64, ("n1", "n2")), ("EPYC", 256, ("big1.site", "big2")))
    found = find_hardware(two, ["n2", "n1", "big1", "big2.site.org", "x"])
    assert [(kind.name, kind.nodes) for kind in found.kinds] == [
        ("EPYC, 64 GiB", ("n1", "n2")),
        ("EPYC, 256 GiB", ("big1", "big2.site.org")),
        ("not described", ("x",)),
    ]
    assert found.kind_of["x"] == 2


def test_kinds_are_named_by_what_differs() -> None:
    by_processor = machine(("A", 64, ("n1",)), ("B", 64, ("n2",)))
    assert [kind.name for kind in find_hardware(by_processor, ["n1", "n2"]).kinds] == ["A", "B"]
    alike = machine(("A", 64, ("n1",)), ("A", 64, ("n2",)))
    names = [kind.name for kind in find_hardware(alike, ["n1", "n2"]).kinds]
    assert names == ["A, 64 GiB, kind 1", "A, 64 GiB, kind 2"]


def test_pairs_are_split_where_names_end() -> None:
    assert split_pairs(["a-1/a-2", "n1/n2"]) == {"a-1/a-2": ("a-1", "a-2"), "n1/n2": ("n1", "n2")}


@pytest.mark.parametrize("pair", ["n1", "n1-n2", "n1/n2/n3", "unknown"])
def test_what_is_no_pair_is_left_out(pair: str) -> None:
    assert split_pairs([pair]) == {}
