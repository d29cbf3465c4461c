"""Which caches a problem fits."""

from __future__ import annotations

import pytest

from heorot.analyse.explain.reach import Reach
from tests.unit.analyse.explain.problems import BLIND, MIB, a_machine_with, a_rate, a_step_of
from tests.unit.analyse.templates.claims import words
from tests.unit.model.keys import but


def test_the_working_set_counts_before_the_memory_that_a_case_takes() -> None:
    row = a_rate(1e9)
    large = a_step_of(row, 1024 * MIB)
    machine = a_machine_with((2, MIB, 1, 2))
    assert Reach([large], machine).level_of(row) == "memory"
    known = large.model_copy(update={"working_set_bytes": MIB // 2})
    assert Reach([known], machine).level_of(row) == "level-2 cache"
    assert Reach([known], machine).working_set(row) == MIB // 2


@pytest.mark.parametrize(
    ("mebibytes", "ranks", "home"),
    [
        (1, 1, "level-2 cache"),
        (2, 1, "level-3 cache"),
        (2, 2, "level-2 cache"),  # half of it in each of two
        (8, 1, "level-3 cache"),
        (8, 4, "level-3 cache"),  # four cores share one instance, and there are two level-2 caches
        (9, 4, "memory"),
        (16, 8, "level-3 cache"),
        (17, 64, "memory"),  # there are two instances and no more
    ],
)
def test_cores_that_are_packed_closely_add_their_caches(
    mebibytes: int, ranks: int, home: str
) -> None:
    row = a_rate(1e9, ranks=ranks)
    machine = a_machine_with((3, 8 * MIB, 4, 2), (2, MIB, 1, 2))
    assert Reach([a_step_of(row, mebibytes * MIB)], machine).level_of(row) == home


def test_what_is_unknown_has_no_home() -> None:
    row = a_rate(1e9)
    assert BLIND.level_of(row) == ""
    assert BLIND.working_set(row) is None
    assert Reach([a_step_of(row, MIB)], a_machine_with()).level_of(row) == ""
    assert Reach([], a_machine_with((2, MIB, 1, 2))).level_of(row) == ""


def test_only_a_cache_that_is_nearer_is_crossed() -> None:
    one, two = a_rate(1e9), a_rate(2e9, ranks=2)
    steps = [a_step_of(one, 2 * MIB), a_step_of(two, 2 * MIB)]
    reach = Reach(steps, a_machine_with((2, MIB, 1, 2)))
    assert words(reach.crossed(one, two)).startswith(
        "its 2 MiB fit the level-2 caches of 2 cores (2 MiB)"
    )
    assert reach.crossed(two, one) is None
    assert reach.crossed(one, one) is None


def test_every_node_adds_its_caches_and_networks_have_names_of_their_own() -> None:
    row = a_rate(1e9, ranks=4, nodes=2, toolchain="gnu", network="ib")
    step = a_step_of(row, 4 * MIB)
    machine = a_machine_with((2, MIB, 4, 1), (3, 2 * MIB, 4, 1))
    assert Reach([step], machine).working_set(row) == 4 * MIB
    assert Reach([step], machine).level_of(row) == "level-3 cache"
    alone = but(row, nodes=1)
    assert Reach([but(step, nodes=1)], machine).level_of(alone) == "memory"
