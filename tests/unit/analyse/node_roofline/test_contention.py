"""Causes of contention, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from heorot.analyse.explain.copies import METRIC, attribute, explain
from heorot.analyse.node_roofline.causes import word_cause
from heorot.analyse.node_roofline.contention import find_contentions
from heorot.analyse.node_roofline.working_set_levels import WorkingSetLevels
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.shares import Contention
from heorot.model.analysis.result import Result
from heorot.model.run.series import Series
from tests.unit.analyse.node_roofline.synthetic_node import (
    KIB,
    MIB,
    MILL,
    a_room,
    copies_of,
    grinding,
    measured,
    roof_rows,
)


def among_copies(series: Series, slower: float, *more: Result) -> Contention:
    """The causes for two copies that are slower by a factor."""
    context = a_room(series, copies_of(series, slower=slower), rows=[*roof_rows(), *more])
    return of_the_mill(context)


def of_the_mill(context: Context) -> Contention:
    """The cause of the only loss of the mill."""
    context = context.adding(explain(context))
    every = find_contentions(context, METRIC, WorkingSetLevels(context))
    (found,) = (one for one in every if one.benchmark == MILL.name)
    return found


def first_of(contention: Contention) -> str:
    """The cause with the largest cost."""
    return contention.explains[0][0]


def test_a_share_of_the_bandwidth_of_memory() -> None:
    # one copy consumes 16 GB/s; two cores get 20 GB/s together, 10 GB/s each: 37.5 % less
    found = among_copies(grinding(2.5e-4, 64 * MIB), 1.6)
    assert found.lost.median == pytest.approx(1.0 - 1.0 / 1.6)
    assert (found.level_alone, found.level, found.copies) == ("memory", "memory", 2)
    assert found.consumed == pytest.approx(16e9)
    assert found.part == pytest.approx(10e9)
    assert first_of(found) == "bandwidth"
    assert found.explains[0][1] == pytest.approx(0.375)
    assert word_cause(found).text == (
        "memory gives each copy 10.0 GB/s, and one copy alone uses 16.0 GB/s"
    )
    assert found.causes == ("bandwidth",)


def test_a_share_of_a_cache() -> None:
    # 12 MiB fit the 16 MiB that one core has of L3, and not the 8 MiB that each of two has
    found = among_copies(grinding(2e-4, 12 * MIB), 2.0)
    assert (found.level_alone, found.level) == ("L3", "memory")
    assert first_of(found) == "caches"
    assert found.explains[0][1] == pytest.approx(0.5)
    assert word_cause(found).text.startswith(
        "its 12 MiB fit L3 alone, but memory with others, which gives each copy 10.0 GB/s"
    )


def loaded(*waits: tuple[int, float]) -> list[Result]:
    """Memory latencies while other cores read."""
    return [
        measured(
            "memory/latency",
            "loaded",
            "latency",
            wait,
            point={"streams": streams, "working_set_bytes": 64 * MIB},
            case="loaded",
            threads=2,
            unit="s",
            better="lower",
            derived=False,
        )
        for streams, wait in waits
    ]


def test_longer_waits() -> None:
    waits = loaded((0, 100e-9), (1, 160e-9))
    slow = grinding(2.5e-4, 64 * MIB, moved=1e4)  # consumes almost nothing
    found = among_copies(slow, 1.5, *waits)
    assert first_of(found) == "waiting"
    assert found.explains[0][1] == pytest.approx(0.375)
    assert word_cause(found).text.startswith(
        "the load latency of memory is 160 ns under load, 100 ns alone"
    )
    near = among_copies(grinding(2.5e-4, 16 * KIB), 1.5, *waits)
    assert dict(near.explains)["waiting"] == 0.0


def clock(hertz: float, **changes: Any) -> Result:
    return measured(
        "compute/peak", "clock_add", "clock", hertz, unit="Hz", derived=False, **changes
    )


def test_a_lower_clock() -> None:
    copies = {"case": "all_cores_copies", "ranks": 2, "options": {"star": True}}
    found = among_copies(grinding(1e-4, 16 * KIB), 1.25, clock(4e9), clock(3.2e9, **copies))
    assert (found.level, found.clock_alone, found.clock) == ("L1", 4e9, 3.2e9)
    assert first_of(found) == "clock"
    assert found.explains[0][1] == pytest.approx(0.2)
    assert word_cause(found).text.startswith(
        "the core clock is 3.20 GHz with as many cores busy, 4.00 GHz alone"
    )


def test_what_nothing_explains_is_said_to_be_so() -> None:
    found = among_copies(grinding(2e-4, 16 * KIB), 1.5)
    assert word_cause(found).text == (
        "the shares of the bandwidth of L1 would cost less; another resource is shared, or other "
        "tenants use it"
    )
    assert found.causes == ()


def test_who_counts_no_bytes_is_said_to_share() -> None:
    found = among_copies(grinding(1e-4, 64 * MIB, counts={"flops": 1e6}), 1.5)
    assert (found.consumed, found.part, found.level) == (None, None, "")
    assert word_cause(found).text == "shared caches and memory"


def test_a_program_tells_why_its_copies_lose() -> None:
    series = grinding(2.5e-4, 64 * MIB)
    context = a_room(series, copies_of(series, slower=1.6))
    context = context.adding(explain(context))
    contentions = list(find_contentions(context, METRIC, WorkingSetLevels(context)))
    (reported,) = attribute(context, contentions)
    assert reported.text == (
        "Each of 2 copies of Mill working set 64 MiB loses 37.5 % [1 launch] of its "
        "speed if they run at once: memory gives each copy 10.0 GB/s, and one copy alone uses 16.0 "
        "GB/s."
    )


def test_of_a_sweep_the_largest_problem_of_each_level_is_held_against_one_alone() -> None:
    alone = [grinding(1e-4, 4 * KIB << k) for k in range(15)]
    context = a_room(*alone, *(copies_of(series) for series in alone))
    sizes = [row.point["working_set_bytes"] for row in explain(context)]
    assert sizes == [16 * KIB, 512 * KIB, 8 * MIB, 64 * MIB]


def test_who_streams_does_not_wait_for_single_loads() -> None:
    # 300 ns for 100 ns would cost 67 %; but it consumes 16 GB/s, 25 lines per latency
    found = among_copies(grinding(2.5e-4, 64 * MIB), 1.6, *loaded((0, 100e-9), (1, 300e-9)))
    assert (found.wait_alone, found.wait) == (None, None)
    assert dict(found.explains)["waiting"] == 0.0
    assert first_of(found) == "bandwidth"
    # of 2.56 GB/s or less it may be four loads at once
    waiting = among_copies(grinding(1.6e-3, 64 * MIB), 1.6, *loaded((0, 100e-9), (1, 300e-9)))
    assert waiting.wait == 300e-9
    assert first_of(waiting) == "waiting"


def test_nobody_draws_more_than_a_level_gives_one_core() -> None:
    # 80 GB/s are counted where memory has 16: what goes beyond comes from caches
    found = among_copies(grinding(5e-5, 64 * MIB), 1.15)
    assert found.consumed == pytest.approx(16e9)
    assert dict(found.explains)["bandwidth"] == pytest.approx(0.375)
    assert word_cause(found).text.endswith("one copy alone uses 16.0 GB/s")


def test_that_cause_comes_first_that_explains_most_and_of_equals_the_bandwidth() -> None:
    busy = {"case": "all_cores_copies", "ranks": 2, "options": {"star": True}}
    half = [clock(4e9), clock(1.6e9, **busy)]  # would cost 60 % of a loss of 37.5 %
    found = among_copies(grinding(2.5e-4, 64 * MIB), 1.6, *half)
    assert [cause for cause, _ in found.explains] == ["bandwidth", "clock", "waiting"]
    found = among_copies(
        grinding(2.5e-4, 64 * MIB), 2.5, *half
    )  # 60 % are lost: the clock explains all
    assert first_of(found) == "clock"


def test_what_is_not_lost_has_no_cause() -> None:
    found = among_copies(grinding(2.5e-4, 64 * MIB), 1.0)
    assert not found.is_loss
    assert word_cause(found).text == "within the noise"
    assert among_copies(grinding(2.5e-4, 64 * MIB), 1.6).is_loss


def test_samples_that_failed_draw_nothing() -> None:
    alone, wrong = grinding(2.5e-4, 64 * MIB), grinding(1e-9, 64 * MIB, case="x", verified="failed")
    context = a_room(alone, wrong, copies_of(alone, slower=1.6))
    assert of_the_mill(context).consumed == pytest.approx(16e9)
    slow = a_room(grinding(1e-3, 64 * MIB), wrong, copies_of(alone, slower=4.0))
    assert of_the_mill(slow).consumed == pytest.approx(4e9)


def test_of_other_numbers_of_readers_the_next_smaller_one_counts() -> None:
    waits = loaded((0, 100e-9), (1, 130e-9), (2, 150e-9), (4, 200e-9))
    series = grinding(2.5e-4, 64 * MIB, moved=1e4)
    context = a_room(series, copies_of(series, n=4, slower=1.5), rows=[*roof_rows(), *waits])
    assert of_the_mill(context).wait == 150e-9  # with three others


def test_waits_and_clocks_of_another_toolchain_stand_in() -> None:
    other = "gnu-12+blis"
    busy = {"case": "all_cores_copies", "ranks": 2, "options": {"star": True}}
    rows = [*roof_rows(), *loaded((0, 100e-9), (1, 160e-9)), clock(4e9), clock(3.2e9, **busy)]
    series = grinding(2.5e-4, 64 * MIB, moved=1e4, toolchain=other)
    context = a_room(series, copies_of(series, slower=1.5), rows=rows)
    found = of_the_mill(context)
    assert (found.wait_alone, found.wait) == (100e-9, 160e-9)
    assert (found.clock_alone, found.clock) == (4e9, 3.2e9)
