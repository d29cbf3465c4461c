"""The policy of messages/one_sided: what may crash runs by itself, and time is foreseen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heorot.families.messages.between_two.one_sided import ONE_SIDED
from heorot.model.catalogue.benchmark import PROFILES

if TYPE_CHECKING:
    from tests.unit.conftest import Kit


def test_compare_and_swap_takes_no_other_operation_with_it(kit: Kit) -> None:
    for profile in PROFILES:
        most, swap = ONE_SIDED.cases(kit.machine(8), profile)
        assert "compare_and_swap" not in str(most.options["operations"])
        assert swap.options["operations"] == "compare_and_swap"
        assert (most.ranks, most.needs_cores, swap.ranks, swap.needs_cores) == (2, 2, 2, 2)


def test_smoke_and_quick_are_short(kit: Kit) -> None:
    seconds = {
        profile: sum(case.seconds for case in ONE_SIDED.cases(kit.machine(8), profile))
        for profile in PROFILES
    }
    assert seconds["smoke"] < 0.5
    assert seconds["quick"] < 2.0
    assert seconds["quick"] < seconds["standard"] < seconds["full"]


def test_an_estimate_knows_what_is_asked_for(kit: Kit) -> None:
    machine = kit.machine(8)
    most, _ = ONE_SIDED.cases(machine, "full")
    assert ONE_SIDED.estimate is not None
    few = most.model_copy(update={"options": {"operations": "put", "epochs": "lock"}})
    assert ONE_SIDED.estimate(machine, few).seconds < most.seconds
    large = most.model_copy(update={"options": {"operations": "put", "sizes": "1073741824"}})
    assert ONE_SIDED.estimate(machine, large).memory_bytes == 4 << 30


def test_nodes_are_compared_in_twos(kit: Kit) -> None:
    assert ONE_SIDED.over_nodes is not None
    names = [case.name for case in ONE_SIDED.over_nodes(kit.machine(8), "quick", 2)]
    assert names == ["two_nodes", "two_nodes_compare_and_swap"]
    assert ONE_SIDED.over_nodes(kit.machine(8), "quick", 4) == ()
