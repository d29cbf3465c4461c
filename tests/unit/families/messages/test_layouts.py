"""Layouts of ranks on nodes, and their cases."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from heorot.families.messages.layouts import (
    PAIR,
    PAIR_OF_NODES,
    Layout,
    between,
    every_core,
    filled,
    inside,
    pair,
    pair_of_nodes,
    powers_below,
)
from tests.unit.analyse.builders import a_machine

if TYPE_CHECKING:
    from heorot.model.catalogue.benchmark import Case, Profile
    from heorot.model.machine.machine import Machine


def test_every_thread_of_a_case_needs_a_core() -> None:
    case = replace(PAIR, threads=3).case({"budget": 0.5}, priority="main")
    assert (case.name, case.ranks, case.threads, case.nodes) == ("two_ranks", 2, 3, 1)
    assert (case.needs_cores, case.priority) == (6, "main")
    named = PAIR_OF_NODES.case({}, name="far")
    assert (named.name, named.nodes, named.needs_cores, named.priority) == ("far", 2, 2, "detail")


def test_a_single_core_is_too_few_for_every_core() -> None:
    names = [every_core(a_machine(cores), "full") for cores in (1, 2, 6)]
    assert names == [(Layout("all_cores", ranks),) for ranks in (2, 2, 6)]


def test_nodes_of_one_core_are_full_with_one_rank_each() -> None:
    sparse = Layout("4_nodes_1", 4, 4)
    assert filled(a_machine(1), 4, ()) == (sparse,)
    assert filled(a_machine(8), 4, ()) == (Layout("4_nodes_8", 32, 4), sparse)


def test_nodes_are_filled_in_the_steps_that_are_asked_for() -> None:
    machine = a_machine(8)
    assert [each.ranks for each in filled(machine, 4, (1, 2, 8))] == [4, 8, 32]
    # One rank has no partner.
    assert filled(machine, 1, (1, 2)) == (Layout("1_node_2", 2, 1),)


def test_a_pair_of_nodes_is_for_two_nodes_only() -> None:
    machine = a_machine(8)
    assert pair(machine, "quick") == (PAIR,)
    assert [pair_of_nodes(machine, nodes, (1, 4)) for nodes in (2, 4)] == [(PAIR_OF_NODES,), ()]


def test_powers_lie_between_one_rank_and_all_where_there_is_time() -> None:
    assert [powers_below(most, "full") for most in (1, 2, 3, 8, 9)] == [
        [],
        [],
        [2],
        [2, 4],
        [2, 4, 8],
    ]
    assert powers_below(8, "quick") == []


def test_every_layout_has_all_cases_that_are_made_of_it() -> None:
    def make(machine: Machine, profile: Profile, layout: Layout) -> tuple[Case, ...]:
        del machine
        return tuple(layout.case({}, name=f"{layout.name}_{word}") for word in ("a", profile))

    machine = a_machine(2)
    names = [case.name for case in inside(make)(machine, "quick")]
    assert names == ["all_cores_a", "all_cores_quick"]
    several = [case.name for case in between(make)(machine, "full", 2)]
    assert several == ["2_nodes_2_a", "2_nodes_2_full", "2_nodes_1_a", "2_nodes_1_full"]
    assert between(make, pair_of_nodes)(machine, "full", 4) == ()
