"""The policy of messages/b_eff: as many patterns as HPC Challenge, if time allows."""

from __future__ import annotations

from heorot.families.messages.among_all.b_eff import B_EFF
from heorot.model.catalogue.benchmark import PROFILES
from tests.unit.analyse.builders import a_machine


def test_long_profiles_have_all_random_rings() -> None:
    patterns = {"latency-patterns", "bandwidth-patterns"}
    for profile in PROFILES:
        (case,) = B_EFF.cases(a_machine(8), profile)
        assert case.ranks == case.needs_cores == 8
        assert bool(patterns & set(case.options)) == (profile in {"smoke", "quick"})
    assert B_EFF.over_nodes is not None
    cases = B_EFF.over_nodes(a_machine(8), "standard", 4)
    assert [(case.ranks, case.per_node) for case in cases] == [(32, 8), (4, 1)]


def test_profiles_take_longer_one_after_the_other() -> None:
    seconds = [B_EFF.cases(a_machine(8), profile)[0].needs.seconds for profile in PROFILES]
    assert seconds == sorted(seconds)
    assert seconds[0] < 0.5
    assert seconds[1] < 2.0


def test_two_ranks_are_one_pair() -> None:
    assert B_EFF.estimate is not None
    few, many = (B_EFF.cases(a_machine(cores), "full")[0] for cores in (2, 8))
    assert few.needs.seconds < many.needs.seconds
    fewer = few.model_copy(update={"options": {**few.options, "latency-patterns": 10}})
    assert B_EFF.estimate(a_machine(2), fewer).needs.seconds < few.needs.seconds


def test_rings_in_a_node_stand_on_the_score_card() -> None:
    assert {headline.metric for headline in B_EFF.headlines} <= set(B_EFF.derived)
    for profile in PROFILES:
        (case,) = B_EFF.cases(a_machine(8), profile)
        assert (case.priority == "headline") == (profile in B_EFF.profiles)
    assert B_EFF.over_nodes is not None
    over = B_EFF.over_nodes(a_machine(8), "full", 2)
    assert {case.priority for case in over} == {"detail"}
