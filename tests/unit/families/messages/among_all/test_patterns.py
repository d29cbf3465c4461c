"""The policy of messages/patterns: regions by profile and layout."""

from __future__ import annotations

from heorot.families.messages.among_all.patterns import PATTERNS
from heorot.model.catalogue.benchmark import PROFILES
from tests.unit.analyse.builders import a_machine


def test_all_patterns_run_where_there_is_time() -> None:
    chosen = {
        profile: case.options["patterns"]
        for profile in PROFILES
        for case in PATTERNS.cases(a_machine(8), profile)
    }
    assert chosen["standard"] == chosen["full"] == "all"
    assert "pingpong" in str(chosen["smoke"]).split(",")


def test_short_profiles_are_short_and_ranks_have_cores() -> None:
    seconds = {}
    for profile in PROFILES:
        (case,) = PATTERNS.cases(a_machine(4), profile)
        assert case.ranks == case.needs_cores == 4
        seconds[profile] = case.needs.seconds
    assert seconds["smoke"] < 0.3
    assert seconds["quick"] < 3.0
    assert seconds["standard"] < seconds["full"] < 120.0


def test_over_nodes_one_rank_each_and_all_cores() -> None:
    assert PATTERNS.over_nodes is not None
    full, one_each = PATTERNS.over_nodes(a_machine(4), "standard", 2)
    assert (full.ranks, full.nodes, one_each.ranks, one_each.nodes) == (8, 2, 2, 2)


def test_an_estimate_grows_with_what_is_asked() -> None:
    assert PATTERNS.estimate is not None
    machine = a_machine(4)
    (case,) = PATTERNS.cases(machine, "quick")
    other = {**case.options, "patterns": "all", "sizes": "8,1048576,16777216"}
    larger = PATTERNS.estimate(machine, case.model_copy(update={"options": other}))
    assert larger.needs.seconds > 4 * case.needs.seconds
    assert larger.needs.memory_bytes == 16 * case.needs.memory_bytes
