"""Where measured regions stand below the roofs."""

from __future__ import annotations

import pytest

from heorot.analyse.analysis import _explain
from heorot.analyse.depth.levels import Homes
from heorot.analyse.depth.places import Found, find_places
from heorot.analyse.depth.roofs import find_roofs
from heorot.model.analysis.context import Context
from heorot.model.analysis.depth.levels import SHARE_OF_ROOFLINE
from heorot.model.catalogue.metrics import Ceiling
from tests.unit.analyse.builders import QUIET, a_benchmark, a_result, a_step
from tests.unit.analyse.depth.machine_room import (
    FEEDS,
    KIB,
    MIB,
    MILL,
    PEAK,
    TOGETHER,
    a_room,
    copies_of,
    grinding,
)


def found_in(context: Context) -> Found:
    return find_places(context, find_roofs(context), Homes(context), "test")


def test_a_place_by_hand() -> None:
    # 1e6 flops and 4e6 bytes in 0.5 ms: 2 Gflop/s with a quarter flop for each byte
    found = found_in(a_room(grinding(5e-4, 64 * MIB)))
    (place,) = found.places
    assert (place.benchmark, place.level, place.cores) == (MILL.name, "memory", 1)
    assert place.intensity == pytest.approx(0.25)
    assert place.rate.median == pytest.approx(2e9)
    assert place.bound == pytest.approx(0.25 * FEEDS["memory"])
    assert place.share == pytest.approx(0.5)
    assert place.share_of_peak == pytest.approx(2e9 / PEAK)
    assert not place.by_units
    assert place.headline
    (row,) = found.rows
    assert (row.metric, row.key, row.derived) == (SHARE_OF_ROOFLINE, place.key, True)
    assert row.median == pytest.approx(0.5)
    assert row.n == 10


def test_many_flops_for_a_byte_are_limited_by_the_units() -> None:
    (place,) = found_in(a_room(grinding(2e-5, 64 * MIB, moved=1e4))).places
    assert place.by_units
    assert place.bound == PEAK


def test_the_level_that_holds_the_working_set_feeds_it() -> None:
    (place,) = found_in(a_room(grinding(1e-4, 16 * KIB))).places
    assert place.level == "L1"
    assert place.bound == pytest.approx(0.25 * FEEDS["l1"])


def test_copies_and_threads_have_the_roofs_of_all_cores() -> None:
    alone = grinding(5e-4, 64 * MIB)
    threads = grinding(3e-4, 64 * MIB, case="all_cores", threads=2)
    found = found_in(a_room(alone, copies_of(alone, slower=1.2), threads))
    of_two = [place for place in found.places if place.cores == 2]
    assert [(place.copies, place.headline) for place in of_two] == [(2, False), (0, True)]
    assert {place.feed for place in of_two} == {TOGETHER["memory"]}
    assert of_two[0].rate.median == pytest.approx(2 * 2e9 / 1.2)


def test_other_numbers_of_cores_have_no_roofs() -> None:
    found = found_in(a_room(grinding(5e-4, 64 * MIB, case="three", threads=3)))
    assert (found.places, found.rows, found.n_elsewhere) == ([], [], 1)


def test_what_is_not_trusted_or_counts_nothing_has_no_place() -> None:
    bad = grinding(5e-4, 64 * MIB, verified="failed")
    mute = grinding(5e-4, 64 * MIB, region="other", counts={"flops": 1e6})
    far = grinding(5e-4, 64 * MIB, region="spread", nodes=2, ranks=2)
    assert found_in(a_room(bad, mute, far)).places == []


def test_of_a_sweep_each_level_has_one_place() -> None:
    sizes = [4 * KIB << k for k in range(16)]
    # faster in caches than in memory, fastest in the middle of the first one
    sweep = [grinding(1e-4 if size != 8 * KIB else 9e-5, size) for size in sizes]
    found = found_in(a_room(*sweep))
    sets = {place.level: place.working_set_bytes for place in found.places}
    assert [*sets] == ["L1", "L2", "L3", "memory"]
    assert sets["L1"] == 8 * KIB
    assert sets["memory"] == sizes[-1]
    assert [place.level for place in found.places if place.headline] == ["memory"]


def test_no_share_that_others_tell_moves_the_roof() -> None:
    context = a_room(grinding(5e-4, 64 * MIB))
    point = {"working_set_bytes": 64 * MIB}
    told = a_result(
        benchmark=MILL.name,
        region="grind",
        point=point,
        metric=SHARE_OF_ROOFLINE,
        median=0.25,
        derived=True,
    )
    context.rows.extend([told])
    (place,) = found_in(context).places
    assert place.bound == pytest.approx(place.intensity * place.feed)


def test_what_memory_really_moves_is_an_intensity_of_its_own() -> None:
    context = a_room(grinding(5e-4, 64 * MIB))
    assert found_in(context).places[0].measured_intensity is None
    (row,) = [row for row in context.rows if row.benchmark == MILL.name]
    fields = {"metric": "memory_traffic", "unit": "B/s", "median": 4e9, "derived": True}
    context.rows.extend([row.model_copy(update=fields)])
    (place,) = found_in(context).places
    assert place.measured_intensity == pytest.approx(0.5)
    assert place.intensity == pytest.approx(0.25)


def test_traffic_is_known_before_places_are_found() -> None:
    counted = QUIET.model_copy(update={"window_seconds": 1.0, "memory_bytes": 4e9})
    _, depth = _explain(a_room(grinding(5e-4, 64 * MIB, disturbance=counted)), (), "test")
    assert [place.measured_intensity for place in depth.places] == [pytest.approx(0.5)]


def test_a_rule_of_the_program_tells_what_its_units_do() -> None:
    context = a_room(grinding(2e-5, 64 * MIB, moved=1e4))
    (row,) = [row for row in context.rows if row.benchmark == MILL.name]
    # of single precision the units do twice as much
    context.rows.replace([row.model_copy(update={"share_of_ceiling": 50e9 / (2 * PEAK)})])
    assert found_in(context).places[0].ceiling == pytest.approx(2 * PEAK)


def test_of_an_unknown_working_set_the_first_level_is_the_bound() -> None:
    blind = grinding(1e-4, 0, point={})
    (place,) = found_in(a_room(blind)).places
    assert (place.level, place.feed) == ("", FEEDS["l1"])
    step = a_step(benchmark=MILL.name, memory_bytes=64 * MIB)
    (place,) = found_in(a_room(blind, steps=(step,))).places
    assert place.level == "memory"


def test_a_program_without_headlines_is_told_by_its_largest_problem() -> None:
    plain = a_benchmark(MILL.name, metrics=MILL.metrics, ceilings=(Ceiling(metric="x", most=1.0),))
    small, large = grinding(1e-4, 16 * KIB), grinding(5e-4, 64 * MIB)
    found = found_in(a_room(small, large, benchmarks=(plain,)))
    assert [place.level for place in found.places if place.headline] == ["memory"]
