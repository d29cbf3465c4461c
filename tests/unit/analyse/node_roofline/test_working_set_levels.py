"""The memory level in which a working set is resident."""

from __future__ import annotations

import pytest

from heorot.analyse.node_roofline.working_set_levels import WorkingSetLevels, stated_bytes
from heorot.model.catalogue.benchmark import Size
from heorot.model.machine.cores import Cores
from heorot.model.machine.machine import Cache
from heorot.model.run.identity import Stack
from tests.unit.analyse.builders import a_benchmark, a_context, a_machine, a_result, a_step
from tests.unit.analyse.node_roofline.synthetic_node import CHAIN, KIB, MIB, a_room, roof_rows
from tests.unit.model.keys import but


@pytest.mark.parametrize(
    ("size", "alone", "with_others"),
    [
        (16 * KIB, "L1", "L1"),
        (32 * KIB, "L2", "L2"),
        (8 * MIB - 1, "L3", "L3"),
        (8 * MIB, "L3", "memory"),
        (64 * MIB, "memory", "memory"),
    ],
)
def test_a_working_set_lives_where_it_was_seen_to_fit(
    size: int, alone: str, with_others: str
) -> None:
    homes = WorkingSetLevels(a_room())
    assert homes.level_of(size, 1, Stack(CHAIN)) == alone
    assert homes.level_of(size, 2, Stack(CHAIN)) == with_others


def test_what_no_plateau_showed_ends_where_memory_begins() -> None:
    rows = [row for row in roof_rows() if row.metric != "end_l3"]
    homes = WorkingSetLevels(a_room(rows=rows))
    # the machine has 32 MiB, and memory began at 32 MiB, or 16 MiB for each of two
    assert homes.ends(1, Stack(CHAIN))[-1] == ("L3", 32.0 * MIB)
    assert homes.ends(2, Stack(CHAIN))[-1] == ("L3", 16.0 * MIB)


def test_without_measurements_the_machine_tells() -> None:
    homes = WorkingSetLevels(a_room(rows=[]))
    assert homes.ends(1, Stack(CHAIN)) == (("L1", 48.0 * KIB), ("L2", MIB), ("L3", 32.0 * MIB))


def test_other_numbers_of_cores_share_what_one_was_seen_to_have() -> None:
    shared = Cache(level=3, kind="unified", size_bytes=32 * MIB, n_cpus=4)
    rows = [row for row in roof_rows() if row.ranks == 1]
    homes = WorkingSetLevels(a_context(rows, machine=a_machine(4, caches=(shared,))))
    assert stated_bytes(a_machine(4, caches=(shared,)), "L3", 4) == 8 * MIB
    # one core by itself was measured to have 16 MiB of 32: four have a quarter of that each
    assert dict(homes.ends(4, Stack(CHAIN)))["L3"] == 4 * MIB
    assert dict(homes.ends(4, Stack(CHAIN)))["L2"] == MIB


def test_what_a_core_is_told_to_have_is_its_own_cache() -> None:
    """Two P cores of two threads with a cache each, and four E cores that share one."""
    cores = (Cores(kind="P", cpus=("0-1", "2-3")), Cores(kind="E", cpus=("4", "5", "6", "7")))
    own = Cache(level=2, kind="unified", size_bytes=MIB, n_cpus=2, cpu_sets=("0-1", "2-3"))
    shared = Cache(level=2, kind="unified", size_bytes=2 * MIB, n_cpus=4, cpu_sets=("4-7",))
    machine = a_machine(6, cores=cores, caches=(own, shared))
    assert [stated_bytes(machine, "L2", n) for n in (1, 2, 3, 4, 6)] == [
        MIB,
        MIB,
        MIB,
        MIB,
        MIB // 2,
    ]
    assert [machine.node.sharers(cache) for cache in (own, shared)] == [1, 4]


def test_threads_have_equal_parts_and_plans_stand_in() -> None:
    step = a_step(
        benchmark="a/b", case="c", ranks=2, working_set_bytes=6 * MIB, memory_bytes=64 * MIB
    )
    homes = WorkingSetLevels(a_context(steps=(step,)))
    row = a_result(threads=4, point={"working_set_bytes": 8 * MIB})
    assert homes.working_set(row) == 2 * MIB
    assert homes.working_set(a_result(benchmark="a/b", case="c", ranks=2)) == 3 * MIB
    assert homes.working_set(a_result()) is None


def test_ranks_that_solve_one_problem_have_parts_of_it() -> None:
    sized = a_benchmark("a/grid", size=Size(coordinate="unknowns"))
    homes = WorkingSetLevels(a_context(benchmarks=(sized,)))
    row = a_result(benchmark="a/grid", ranks=4, point={"working_set_bytes": 8 * MIB})
    assert homes.working_set(row) == 2 * MIB
    assert homes.working_set(but(row, options={"star": True})) == 8 * MIB
    assert homes.working_set(but(row, benchmark="a/other")) == 8 * MIB
