"""Positions of measured regions in the roofline."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heorot.analyse import stages
from heorot.analyse.node_roofline.roofline_points import FoundPoints, find_points
from heorot.analyse.node_roofline.roofs import find_roofs
from heorot.analyse.node_roofline.working_set_levels import WorkingSetLevels
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.levels import SHARE_OF_ROOFLINE
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.metrics import Ceiling, Metric, Traffic
from tests.unit.analyse.builders import QUIET, a_benchmark, a_result, a_step
from tests.unit.analyse.node_roofline.synthetic_node import (
    FEEDS,
    KIB,
    MIB,
    MILL,
    PEAK,
    TOGETHER,
    a_room,
    copies_of,
    cores,
    grinding,
    measured,
    roof_rows,
)


def found_in(context: Context) -> FoundPoints:
    return find_points(context, find_roofs(context), WorkingSetLevels(context), "test")


def test_a_place_by_hand() -> None:
    # 1e6 flops and 4e6 bytes in 0.5 ms: 2 Gflop/s at 0.25 flop/B
    found = found_in(a_room(grinding(5e-4, 128 * MIB)))
    (place,) = found.points
    assert (place.benchmark, place.level, place.cores) == (MILL.name, "memory", 1)
    assert place.intensity == pytest.approx(0.25)
    assert place.rate.median == pytest.approx(2e9)
    assert place.bound == pytest.approx(0.25 * FEEDS["memory"])
    assert place.share == pytest.approx(0.5)
    assert place.share_of_peak == pytest.approx(2e9 / PEAK)
    assert not place.by_units
    assert place.headline
    (row,) = found.rows
    assert (row.metric, row.id, row.derived) == (SHARE_OF_ROOFLINE, place.row, True)
    assert row.median == pytest.approx(0.5)
    assert row.n == 10


def test_many_flops_for_a_byte_are_limited_by_the_units() -> None:
    (place,) = found_in(a_room(grinding(2e-5, 128 * MIB, moved=1e4))).points
    assert place.by_units
    assert place.bound == PEAK


def test_the_level_that_holds_the_working_set_feeds_it() -> None:
    (place,) = found_in(a_room(grinding(1e-4, 16 * KIB))).points
    assert place.level == "L1"
    assert place.bound == pytest.approx(0.25 * FEEDS["l1"])


def test_copies_and_threads_have_the_roofs_of_all_cores() -> None:
    alone = grinding(5e-4, 128 * MIB)
    threads = grinding(3e-4, 256 * MIB, case="all_cores", threads=2)
    found = found_in(a_room(alone, copies_of(alone, slower=1.2), threads))
    of_two = [place for place in found.points if place.cores == 2]
    assert [(place.copies, place.headline) for place in of_two] == [(2, False), (0, True)]
    assert {place.bandwidth for place in of_two} == {TOGETHER["memory"]}
    assert of_two[0].rate.median == pytest.approx(2 * 2e9 / 1.2)


def test_other_numbers_of_cores_have_no_roofs() -> None:
    found = found_in(a_room(grinding(5e-4, 128 * MIB, case="three", threads=3)))
    assert (found.points, found.rows, found.n_elsewhere) == ([], [], 1)


def test_what_is_not_trusted_or_counts_nothing_has_no_place() -> None:
    bad = grinding(5e-4, 128 * MIB, verified="failed")
    mute = grinding(5e-4, 128 * MIB, region="other", counts={"flops": 1e6})
    far = grinding(5e-4, 128 * MIB, region="spread", nodes=2, ranks=2)
    assert found_in(a_room(bad, mute, far)).points == []


def test_of_a_sweep_each_level_has_one_place() -> None:
    sizes = [4 * KIB << k for k in range(16)]
    # faster in caches than in memory, fastest in the middle of the first one
    sweep = [grinding(1e-4 if size != 8 * KIB else 9e-5, size, moved=1e6) for size in sizes]
    found = found_in(a_room(*sweep))
    sets = {place.level: place.working_set_bytes for place in found.points}
    assert [*sets] == ["L1", "L2", "L3", "memory"]
    assert sets["L1"] == 8 * KIB
    assert sets["memory"] == sizes[-1]
    assert [place.level for place in found.points if place.headline] == ["memory"]


def moving(*, fetched: float = 1.0, carried: float = 1.0) -> Benchmark:
    """The mill with these fetched and carried bytes per counted byte."""
    return replace(MILL, traffic=(Traffic(fetched=fetched, carried=carried),))


def test_what_is_loaded_and_stored_is_fetched_once() -> None:
    # as in axpy: of 24 bytes 16 are fetched, and 24 come or go
    series = grinding(5e-4, 512 * KIB)
    (place,) = found_in(a_room(series, benchmarks=(moving(fetched=2 / 3),))).points
    assert place.level == "L2"
    assert place.intensity == pytest.approx(3 / 8)
    assert place.bound == pytest.approx(min(3 / 8 * FEEDS["l2"], 1 / 4 * FEEDS["l2"]))


def test_stores_are_carried_both_ways_and_loops_that_store_show_how_fast() -> None:
    wrote = measured("memory/hierarchy", "write", "bandwidth_l2", FEEDS["l2"])
    rows, series = [*roof_rows(), wrote], grinding(5e-4, 512 * KIB)
    (place,) = found_in(a_room(series, rows=rows, benchmarks=(moving(fetched=2 / 3),))).points
    # 64 GB/s written are fetched before: 128 GB/s both ways, and fetching is the limit
    assert place.bound == pytest.approx(3 / 8 * FEEDS["l2"])
    (place,) = found_in(a_room(series, rows=rows, benchmarks=(moving(carried=3.0),))).points
    assert place.bound == pytest.approx(1 / 12 * 2 * FEEDS["l2"])


def test_axpy_from_memory_is_no_faster_than_memory() -> None:
    """It counts 24 bytes where reading would count the 16 that it fetches."""
    counted = 1.07 * FEEDS["memory"]
    axpy = grinding(
        24e6 / counted,
        128 * MIB,
        benchmark="compute/vector_kernels",
        region="axpy",
        point={"access": "contiguous", "n": 8388608, "working_set_bytes": 128 * MIB},
        flops=2e6,
        moved=24e6,
    )
    # triad has 0.9 of the read bandwidth by its counts, and carries a third more
    triad = measured("memory/stream", "triad", "bandwidth", 0.9 * FEEDS["memory"], derived=False)
    (place,) = found_in(a_room(axpy, rows=[*roof_rows(), triad])).points
    assert place.share == pytest.approx(1.07 / 1.2)


def test_in_the_first_level_operands_are_counted() -> None:
    series = grinding(5e-4, 16 * KIB)
    (place,) = found_in(a_room(series, benchmarks=(moving(fetched=0.5, carried=3.0),))).points
    assert place.bound == pytest.approx(1 / 4 * FEEDS["l1"])


def test_a_working_set_between_two_levels_has_a_part_in_each() -> None:
    rows = roof_rows() + [
        measured(
            "memory/hierarchy",
            "read",
            "bandwidth",
            rate,
            point={"working_set_bytes": size * MIB},
            derived=False,
        )
        for size, rate in ((4, 32e9), (8, 27e9), (16, 22e9), (32, 18e9), (64, 16e9))
    ]
    (place,) = found_in(a_room(grinding(5e-4, 20 * MIB), rows=rows)).points
    assert (place.level, place.neighbour, place.resident_in) == ("memory", "L3", "L3 and memory")
    assert place.bandwidth == pytest.approx(FEEDS["l3"])  # 32 MiB are known to fit there
    (place,) = found_in(a_room(grinding(5e-4, 128 * MIB), rows=rows)).points
    assert (place.resident_in, place.bandwidth) == ("memory", 16e9)


def test_what_is_fed_as_fast_as_a_nearer_level_lives_there() -> None:
    """A matrix of 8.58 MiB on each of two cores is read at four times the memory bandwidth."""
    rows = roof_rows() + [
        measured(
            "memory/hierarchy",
            "read",
            "bandwidth",
            rate,
            point={"working_set_bytes": size * KIB},
            derived=False,
            **cores(2),
        )
        for size, rate in ((5793, 40e9), (8192, 39e9), (11585, 28e9), (16384, 20e9))
    ]
    solver = grinding(2e6 / 9.7e9, 2 * 8998912, flops=2e6, moved=8e6, threads=2, case="both")
    (place,) = found_in(a_room(solver, rows=rows)).points
    assert (place.working_set_bytes, place.resident_in) == (8998912, "L3")
    assert place.share == pytest.approx(4 * 9.7 / 39)


def test_what_passes_its_bound_has_no_share_and_stands_for_no_program() -> None:
    # memory allows 4 Gflop/s
    for seconds, share in ((1 / 4.16e3, 1.04), (1 / 4.24e3, None)):
        (place,) = found_in(a_room(grinding(seconds, 128 * MIB))).points
        assert place.share == (None if share is None else pytest.approx(share))
        assert place.headline is (share is not None)


def test_what_computes_nothing_has_no_place() -> None:
    some = Metric(name="r", unit="flop/s", better="higher", count="flops", regions=("grind",))
    mill = replace(MILL, metrics=(some,))
    moves = grinding(5e-4, 128 * MIB, region="shift")
    found = found_in(a_room(grinding(5e-4, 128 * MIB), moves, benchmarks=(mill,)))
    assert [place.region for place in found.points] == ["grind"]


def test_no_share_that_others_tell_moves_the_roof() -> None:
    context = a_room(grinding(5e-4, 128 * MIB))
    point = {"working_set_bytes": 128 * MIB}
    reported = a_result(
        benchmark=MILL.name,
        region="grind",
        point=point,
        metric=SHARE_OF_ROOFLINE,
        median=0.25,
        derived=True,
    )
    context = context.adding([reported])
    (place,) = found_in(context).points
    assert place.bound == pytest.approx(place.intensity * place.bandwidth)


def test_what_memory_really_moves_is_an_intensity_of_its_own() -> None:
    context = a_room(grinding(5e-4, 128 * MIB))
    assert found_in(context).points[0].measured_intensity is None
    (row,) = [row for row in context.rows if row.benchmark == MILL.name]
    fields = {"metric": "memory_traffic", "unit": "B/s", "median": 4e9, "derived": True}
    context = context.adding([row.model_copy(update=fields)])
    (place,) = found_in(context).points
    assert place.measured_intensity == pytest.approx(0.5)
    assert place.intensity == pytest.approx(0.25)


def test_traffic_is_known_before_places_are_found() -> None:
    counted = QUIET.model_copy(update={"window_seconds": 1.0, "memory_bytes": 4e9})
    room = a_room(grinding(5e-4, 128 * MIB, disturbance=counted))
    depth = stages.explain(room, (), "test").depth
    assert [place.measured_intensity for place in depth.points] == [pytest.approx(0.5)]


def test_a_rule_of_the_program_tells_what_its_units_do() -> None:
    context = a_room(grinding(2e-5, 128 * MIB, moved=1e4))
    (row,) = [row for row in context.rows if row.benchmark == MILL.name]
    # of single precision the units do twice as much
    context = context.replacing([row.model_copy(update={"share_of_ceiling": 50e9 / (2 * PEAK)})])
    assert found_in(context).points[0].flop_peak == pytest.approx(2 * PEAK)


def test_of_an_unknown_working_set_the_first_level_is_the_bound() -> None:
    blind = grinding(1e-4, 0, point={})
    (place,) = found_in(a_room(blind)).points
    assert (place.level, place.bandwidth) == ("", FEEDS["l1"])
    step = a_step(benchmark=MILL.name, memory_bytes=128 * MIB)
    (place,) = found_in(a_room(blind, steps=(step,))).points
    assert place.level == "memory"


def test_a_program_without_headlines_is_reported_by_its_largest_problem() -> None:
    plain = a_benchmark(MILL.name, metrics=MILL.metrics, ceilings=(Ceiling(metric="x", most=1.0),))
    small, large = grinding(1e-4, 16 * KIB), grinding(5e-4, 128 * MIB)
    found = found_in(a_room(small, large, benchmarks=(plain,)))
    assert [place.level for place in found.points if place.headline] == ["memory"]
