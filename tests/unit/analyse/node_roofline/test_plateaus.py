"""Plateaus of the sweeps of any program."""

from __future__ import annotations

import math

import pytest

from heorot.analyse.node_roofline.plateaus import find_level_plateaus
from heorot.analyse.node_roofline.working_set_levels import WorkingSetLevels
from heorot.analyse.rows import derive
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.shares import LevelPlateau
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Size
from tests.unit.analyse.builders import a_benchmark
from tests.unit.analyse.node_roofline.synthetic_node import KIB, MIB, MILL, a_room, grinding

# 10 Gflop/s to 512 KiB, 2 Gflop/s from 32 MiB, and a slope between.
SIZES = [4 * KIB << k for k in range(16)]
SWEEP = [
    grinding(1e-4 * min(max(2 * size / MIB, 1.0), 64.0) ** math.log(5.0, 64.0), size)
    for size in SIZES
]


def found_in(context: Context) -> list[tuple[LevelPlateau, Result | None]]:
    return list(find_level_plateaus(context, WorkingSetLevels(context)))


def test_a_plateau_is_named_after_the_level_in_which_it_ends() -> None:
    found = found_in(a_room(*SWEEP))
    (near, row), (far, _) = found
    assert (near.level, near.low_bytes, near.high_bytes) == ("L2", 4 * KIB, 512 * KIB)
    assert near.value == pytest.approx(1e10)
    assert (far.level, far.high_bytes) == ("memory", 128 * MIB)
    assert row is not None
    assert (row.metric, row.id, dict(row.point)) == ("flop_rate_l2", near.row, {})


def test_few_sizes_are_no_sweep() -> None:
    assert found_in(a_room(*SWEEP[:4])) == []


def test_a_family_that_tells_levels_is_believed() -> None:
    tells = a_benchmark(MILL.name, metrics=MILL.metrics, derived=("flop_rate_l1",))
    context = a_room(*SWEEP, benchmarks=(tells,))
    assert found_in(context) == []
    first = next(row for row in context.rows if row.benchmark == MILL.name)
    reported = derive([first], "flop_rate_l1", "flop/s", "higher", (1e10, 1e10, 1e10), point={})
    context = context.adding([reported])
    ((stretch, row),) = found_in(context)
    assert row is None
    assert (stretch.level, stretch.high_bytes, stretch.row) == ("L1", 512 * KIB, reported.id)


def test_a_level_that_is_reported_is_found_by_its_point_and_the_nearest_plateau() -> None:
    tells = a_benchmark(MILL.name, metrics=MILL.metrics, derived=("flop_rate_l1",))
    context = a_room(*SWEEP, benchmarks=(tells,))
    first = next(row for row in context.rows if row.benchmark == MILL.name)
    nearly = (1.0001e10, 1e10, 1.1e10)  # as another way to take the middle might have it
    point = {"way": "other"}
    for place in ({}, point):
        reported = derive([first], "flop_rate_l1", "flop/s", "higher", nearly, point=place)
        context = context.adding([reported])
    ((stretch, _),) = found_in(context)
    assert (dict(stretch.point), stretch.high_bytes) == ({}, 512 * KIB)


def test_a_plateau_lives_where_the_working_set_of_a_core_does() -> None:
    divided = a_benchmark(
        MILL.name, metrics=MILL.metrics, size=Size(coordinate="working_set_bytes")
    )
    sizes = [3 * KIB << k for k in range(5)]  # to 48 KiB, of which each of two has half
    ranks = [grinding(1e-4, size, case="two", ranks=2) for size in sizes]
    ((stretch, _),) = found_in(a_room(*ranks, benchmarks=(divided,)))
    assert stretch.level == "L1"
    ((stretch, _),) = found_in(a_room(*ranks))
    assert stretch.level == "L2"
