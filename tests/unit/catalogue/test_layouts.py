"""Layouts on a node: their cases, and the affordable ones."""

from __future__ import annotations

from heorot.catalogue.layouts import (
    ONE_CORE,
    Layout,
    affordable,
    doubling,
    growing_copies,
    one_core_and_all,
    one_core_and_copies,
)
from heorot.model.catalogue.benchmark import Case, Profile
from tests.unit.analyse.builders import a_machine

MIB = 1 << 20


def test_longer_profiles_also_use_all_cores() -> None:
    machine = a_machine(4)
    assert one_core_and_all(machine, "quick") == (ONE_CORE,)
    assert one_core_and_all(machine, "standard") == (
        ONE_CORE,
        Layout("all_cores_copies", copies=4),
        Layout("all_cores", threads=4),
    )
    assert one_core_and_copies(machine, "smoke") == (ONE_CORE,)
    assert [each.name for each in one_core_and_copies(machine)] == ["one_core", "all_cores_copies"]


def test_longer_profiles_have_copies_on_every_power_of_two() -> None:
    def copies(n_cores: int, profile: Profile) -> list[tuple[str, int]]:
        return [(each.name, each.copies) for each in growing_copies(a_machine(n_cores), profile)]

    every = [("2_copies", 2), ("4_copies", 4), ("all_cores_copies", 8)]
    assert copies(8, "standard") == copies(8, "full") == every
    assert copies(6, "full") == [("2_copies", 2), ("4_copies", 4), ("all_cores_copies", 6)]
    assert copies(8, "quick") == [("all_cores_copies", 8)]
    assert copies(2, "full") == [("all_cores_copies", 2)]
    assert copies(1, "full") == []
    assert (doubling(1), doubling(8), doubling(6)) == ((1,), (1, 2, 4, 8), (1, 2, 4, 6))


def test_copies_on_some_cores_are_details() -> None:
    some, *_, every = (
        each.case({}, "main").priority for each in growing_copies(a_machine(8), "full")
    )
    assert (some, every) == ("detail", "main")


def test_one_core_has_no_other_layout() -> None:
    assert one_core_and_all(a_machine(1), "full") == (ONE_CORE,)
    assert one_core_and_copies(a_machine(1)) == (ONE_CORE,)


def test_copies_run_as_ranks_and_one_core_stands_on_the_score_card() -> None:
    copies = Layout("all_cores_copies", copies=4).case({"n": 3})
    assert copies.options == {"n": 3, "star": True}
    assert (copies.ranks, copies.threads, copies.needs_cores) == (4, 1, 4)
    assert copies.priority == "detail"
    together = Layout("all_cores", threads=4).case({}, "main")
    assert (together.options, together.ranks, together.threads) == ({}, 1, 4)
    assert (together.needs_cores, together.priority) == (4, "main")
    assert ONE_CORE.case({}, "main").priority == "headline"


def test_what_takes_too_long_is_halved() -> None:
    def sized(size: int, layout: Layout) -> Case:
        case = layout.case({"max-bytes": size})
        return case.estimated(memory_bytes=size, seconds=size / MIB)

    assert affordable(ONE_CORE, sized, 64 * MIB, 20.0).options["max-bytes"] == 16 * MIB
    assert affordable(ONE_CORE, sized, 64 * MIB, 64.0).options["max-bytes"] == 64 * MIB
