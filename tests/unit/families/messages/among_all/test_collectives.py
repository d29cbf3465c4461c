"""The policy of messages/collectives: few operations where time is short, defects kept apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.families.messages.among_all.collectives import COLLECTIVES
from heorot.model.catalogue.benchmark import PROFILES
from tests.unit.analyse.builders import a_machine

if TYPE_CHECKING:
    from heorot.model.catalogue.benchmark import Case, Profile


def cases(profile: Profile, n_cores: int = 8) -> dict[str, Case]:
    return {case.name: case for case in COLLECTIVES.cases(a_machine(n_cores), profile)}


def test_every_profile_has_the_headline_and_little_time() -> None:
    limits: dict[Profile, float] = {"smoke": 1.0, "quick": 2.0}
    for profile, most in limits.items():
        (case,) = cases(profile).values()
        assert (case.name, case.ranks, case.priority) == ("all_cores", 8, "headline")
        assert case.needs.seconds < most
        names = str(case.options["operations"]).split(",")
        assert {headline.region for headline in COLLECTIVES.headlines} <= set(names)
    sizes = [str(cases(profile)["all_cores"].options["sizes"]) for profile in PROFILES]
    assert all("8" in each.split(",") for each in sizes)


def test_a_defect_of_integer_sums_does_not_withhold_the_rest() -> None:
    apart = cases("standard")
    assert set(apart) == {"all_cores", "started", "integer_types", "2_ranks", "4_ranks"}
    assert [name for name, case in apart.items() if case.options.get("integer-types")] == [
        "integer_types"
    ]


def test_fewer_ranks_show_how_a_few_operations_grow() -> None:
    found = cases("standard")
    every = str(found["all_cores"].options["sizes"]).split(",")
    for ranks in (2, 4):
        case = found[f"{ranks}_ranks"]
        assert case.ranks == case.needs_cores == ranks
        assert case.needs.seconds < 0.2 * found["all_cores"].needs.seconds
        assert set(str(case.options["sizes"]).split(",")) <= set(every)
    assert set(cases("quick")) == {"all_cores"}


def test_started_operations_take_four_regions_each_and_a_computation() -> None:
    machine = a_machine(2)
    assert COLLECTIVES.estimate is not None
    case = cases("standard", 2)["all_cores"]
    seconds = [
        COLLECTIVES.estimate(
            machine, case.model_copy(update={"options": {"operations": names, "sizes": "8"}})
        ).needs.seconds
        for names in ("barrier,bcast", "ibarrier,ibcast")
    ]
    assert seconds[1] == pytest.approx((4 + 0.5) * seconds[0], rel=1e-3)


def test_ranks_that_all_need_room_for_each_other_are_held_back() -> None:
    assert COLLECTIVES.estimate is not None
    for n_cores in (2, 64, 512):
        (case,) = cases("quick", n_cores).values()
        assert case.needs.memory_bytes <= case.ranks * max(16 << 20, 2 * 65536)
        assert case.needs.seconds < 60.0


def test_over_nodes_are_as_many_ranks_as_cores_and_one_each() -> None:
    assert COLLECTIVES.over_nodes is not None
    for profile in PROFILES:
        found = COLLECTIVES.over_nodes(a_machine(8), profile, 4)
        assert [(case.name, case.ranks, case.nodes) for case in found] == [
            ("4_nodes_8", 32, 4),
            ("4_nodes_1", 4, 4),
        ]


def test_as_many_ranks_on_one_node_do_the_same_operations() -> None:
    assert COLLECTIVES.over_nodes is not None
    for profile in PROFILES:
        one, two, four = (
            COLLECTIVES.over_nodes(a_machine(8), profile, nodes, (4 // nodes,))[0]
            for nodes in (1, 2, 4)
        )
        assert (one.ranks, two.ranks, four.ranks) == (4, 4, 4)
        assert one.options["operations"] == two.options["operations"] == four.options["operations"]
