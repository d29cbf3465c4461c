"""Estimates follow the budget, and the line or the memory where messages outlast it."""

from __future__ import annotations

import pytest

from heorot.catalogue.asked import Asked
from heorot.families.messages.durations import affordable, sampled_seconds
from heorot.families.messages.layouts import Layout
from heorot.model.catalogue.benchmark import Case
from heorot.model.machine.machine import Limits, Machine, Node, Processor
from heorot.model.machine.site import SiteNetwork

MACHINE = Machine(
    hostname="here",
    nodes=(Node(names=("here",), processor=Processor(isa="x86_64"), limits=Limits()),),
    networks=(SiteNetwork(name="lan", rate_bits=100e6),),
)
CASE = Case(name="two_nodes", options={"budget": 0.5}, ranks=8, nodes=4)
ASKED = Asked("messages/ring", CASE)


def test_short_messages_take_the_budget() -> None:
    assert sampled_seconds(MACHINE, ASKED, [8, 64, 512], 0.8) == pytest.approx(3 * 0.4)


def test_long_ones_take_a_few_bodies_over_the_line_of_a_node() -> None:
    # Two ranks of a node send 10 MB each over 12.5 MB/s, at least twice timed and twice verified.
    one = sampled_seconds(MACHINE, ASKED, [10e6], 0.8)
    assert 4 * 1.6 <= one <= 8 * 1.6
    assert sampled_seconds(MACHINE, ASKED, [8, 10e6], 0.8) == pytest.approx(one + 0.4)
    inside = CASE.model_copy(update={"nodes": 1})
    assert sampled_seconds(MACHINE, Asked(ASKED.name, inside), [10e6], 0.8) < 0.1 * one


def test_over_a_slow_line_the_longest_messages_are_left_out() -> None:
    layout = Layout("4_nodes_2", 8, 4)
    assert affordable(MACHINE, layout, "8,1048576,4194304") == "8,1048576"
    assert affordable(MACHINE, layout, "8,1048576,4194304", sends=64) == "8"
    # There is always one.
    assert affordable(MACHINE, layout, "1048576,4194304", sends=64) == "1048576"
    inside = Layout("all_cores", 8)
    assert affordable(MACHINE, inside, "8,4194304", sends=64) == "8,4194304"
