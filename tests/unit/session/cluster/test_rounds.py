"""Each node runs by itself: all at once, a number at a time, or one after the other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heorot.model.catalogue.benchmark import Profile
from heorot.session.cluster.rounds import rounds_of


def test_all_nodes_at_once_and_in_long_profiles_one_after_the_other() -> None:
    assert list(rounds_of(1, 3, None, "quick")) == [("every_node", (((0,), (1,), (2,)),))]
    assert list(rounds_of(1, 3, None, "full"))[1:] == [
        ("every_node_in_turn", (((0,),), ((1,),), ((2,),)))
    ]


def test_nodes_that_share_their_cores_take_turns_once() -> None:
    assert list(rounds_of(1, 2, 1, "full")) == [("every_node", (((0,),), ((1,),)))]


def test_two_nodes_are_one_pair_which_is_a_case_of_its_own() -> None:
    assert list(rounds_of(2, 2, None, "full")) == []


def test_pairs_form_a_ring_in_rounds_that_share_no_node() -> None:
    assert dict(rounds_of(2, 4, None, "quick")) == {
        "every_pair": (((0, 1), (2, 3)), ((1, 2), (3, 0)))
    }


@given(
    st.sampled_from((1, 2)),
    st.integers(2, 70),
    st.none() | st.integers(1, 70),
    st.sampled_from(("quick", "full")),
)
def test_every_node_has_its_turn_and_no_round_uses_one_twice(
    of_case: int, nodes: int, at_once: int | None, profile: Profile
) -> None:
    for _, rounds in rounds_of(of_case, nodes, at_once, profile):
        used = [[number for place in places for number in place] for places in rounds]
        assert all(len(set(numbers)) == len(numbers) for numbers in used)
        times = sorted(number for numbers in used for number in numbers)
        assert times == sorted([*range(nodes)] * of_case)
        if at_once is not None and at_once >= of_case:
            assert all(len(numbers) <= at_once for numbers in used)


@pytest.mark.parametrize("nodes", [3, 5])
def test_an_odd_ring_needs_a_third_set(nodes: int) -> None:
    (_, rounds), *_ = rounds_of(2, nodes, None, "quick")
    assert len(rounds) == 3
    assert rounds[-1] == ((nodes - 1, 0),)
