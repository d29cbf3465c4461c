"""The policy of messages/one_sided: a region that may crash is a case, and time is estimated."""

from __future__ import annotations

from heorot.families.messages.between_two.one_sided import ONE_SIDED
from heorot.model.catalogue.benchmark import PROFILES
from tests.unit.analyse.builders import a_machine


def test_compare_and_swap_takes_no_other_operation_with_it() -> None:
    for profile in PROFILES:
        most, swap = ONE_SIDED.cases(a_machine(8), profile)
        assert "compare_and_swap" not in str(most.options["operations"])
        assert swap.options["operations"] == "compare_and_swap"
        assert (most.ranks, most.needs_cores, swap.ranks, swap.needs_cores) == (2, 2, 2, 2)


def test_smoke_and_quick_are_short() -> None:
    seconds = {
        profile: sum(case.needs.seconds for case in ONE_SIDED.cases(a_machine(8), profile))
        for profile in PROFILES
    }
    assert seconds["smoke"] < 0.5
    assert seconds["quick"] < 2.0
    assert seconds["quick"] < seconds["standard"] < seconds["full"]


def test_an_estimate_knows_what_is_asked_for() -> None:
    machine = a_machine(8)
    most, _ = ONE_SIDED.cases(machine, "full")
    assert ONE_SIDED.estimate is not None
    few = most.model_copy(update={"options": {"operations": "put", "epochs": "lock"}})
    assert ONE_SIDED.estimate(machine, few).needs.seconds < most.needs.seconds
    large = most.model_copy(update={"options": {"operations": "put", "sizes": "1073741824"}})
    assert ONE_SIDED.estimate(machine, large).needs.memory_bytes == 4 << 30


def test_nodes_are_compared_in_twos() -> None:
    assert ONE_SIDED.over_nodes is not None
    names = [case.name for case in ONE_SIDED.over_nodes(a_machine(8), "quick", 2)]
    assert names == ["two_nodes", "two_nodes_compare_and_swap"]
    assert ONE_SIDED.over_nodes(a_machine(8), "quick", 4) == ()
