"""What explains that copies lose speed, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from heorot.analyse.depth.causes import word_cause
from heorot.analyse.depth.contention import find_contentions
from heorot.analyse.depth.levels import Homes
from heorot.analyse.explain.copies import METRIC, attribute, explain
from heorot.model.analysis.depth.shares import Contention
from heorot.model.analysis.result import Result
from heorot.model.run.series import Series
from tests.unit.analyse.depth.machine_room import (
    KIB,
    MIB,
    a_room,
    copies_of,
    grinding,
    measured,
    roof_rows,
)


def beside(series: Series, slower: float, *more: Result) -> Contention:
    """What explains that two copies of something are slower by a factor."""
    context = a_room(series, copies_of(series, slower=slower), rows=[*roof_rows(), *more])
    context.rows.extend(explain(context))
    every = find_contentions(context, METRIC, Homes(context))
    (found,) = (one for one in every if one.benchmark == series.benchmark)
    return found


def first_of(contention: Contention) -> str:
    """The cause that would cost most."""
    return contention.explains[0][0]


def test_a_share_of_the_bandwidth_of_memory() -> None:
    # alone 16 GB/s are drawn; two cores get 20 GB/s together, 10 GB/s each: 37.5 % less
    found = beside(grinding(2.5e-4, 64 * MIB), 1.6)
    assert found.lost.median == pytest.approx(1.0 - 1.0 / 1.6)
    assert (found.level_alone, found.level, found.copies) == ("memory", "memory", 2)
    assert found.drawn == pytest.approx(16e9)
    assert found.part == pytest.approx(10e9)
    assert first_of(found) == "bandwidth"
    assert found.explains[0][1] == pytest.approx(0.375)
    assert word_cause(found) == (
        "memory feeds 10.0 GB/s to each, where a copy alone draws 16.0 GB/s, which costs up to 38 %"
    )


def test_a_share_of_a_cache() -> None:
    # 12 MiB fit the 16 MiB that one core has of L3, and not the 8 MiB that each of two has
    found = beside(grinding(2e-4, 12 * MIB), 2.0)
    assert (found.level_alone, found.level) == ("L3", "memory")
    assert first_of(found) == "caches"
    assert found.explains[0][1] == pytest.approx(0.5)
    assert word_cause(found).startswith(
        "alone it has its 12 MiB in L3, beside others in memory, which feeds 10.0 GB/s to each"
    )


def test_longer_waits() -> None:
    waits = [
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
        for streams, wait in ((0, 100e-9), (1, 160e-9))
    ]
    slow = grinding(2.5e-4, 64 * MIB, moved=1e4)  # draws next to nothing
    found = beside(slow, 1.5, *waits)
    assert first_of(found) == "waiting"
    assert found.explains[0][1] == pytest.approx(0.375)
    assert word_cause(found).startswith(
        "a load waits 160 ns for memory while the others read, and 100 ns alone"
    )
    near = beside(grinding(2.5e-4, 16 * KIB), 1.5, *waits)
    assert dict(near.explains)["waiting"] == 0.0


def clock(hertz: float, **changes: Any) -> Result:
    return measured(
        "compute/peak", "clock_add", "clock", hertz, unit="Hz", derived=False, **changes
    )


def test_a_lower_clock() -> None:
    copies = {"case": "all_cores_copies", "ranks": 2, "options": {"star": True}}
    found = beside(grinding(1e-4, 16 * KIB), 1.25, clock(4e9), clock(3.2e9, **copies))
    assert (found.level, found.clock_alone, found.clock) == ("L1", 4e9, 3.2e9)
    assert first_of(found) == "clock"
    assert found.explains[0][1] == pytest.approx(0.2)
    assert word_cause(found).startswith("a core runs at 3.20 GHz while all are busy, and at 4.00")


def test_what_nothing_explains_is_said_to_be_so() -> None:
    found = beside(grinding(2e-4, 16 * KIB), 1.5)
    assert word_cause(found) == (
        "their parts of the bandwidth of L1 (0 %) would cost less, so that something else is "
        "shared, or lent to others"
    )


def test_who_counts_no_bytes_is_said_to_share() -> None:
    found = beside(grinding(1e-4, 64 * MIB, counts={"flops": 1e6}), 1.5)
    assert (found.drawn, found.part, found.level) == (None, None, "")
    assert word_cause(found) == "they share what feeds them, caches and memory"


def test_a_program_tells_why_its_copies_lose() -> None:
    series = grinding(2.5e-4, 64 * MIB)
    context = a_room(series, copies_of(series, slower=1.6))
    context.rows.extend(explain(context))
    contentions = list(find_contentions(context, METRIC, Homes(context)))
    (told,) = attribute(context, contentions)
    assert told.text == (
        "Of 2 copies of Mill working_set_bytes 67108864 at once each loses 38 % of the speed it "
        "has alone: memory feeds 10.0 GB/s to each, where a copy alone draws 16.0 GB/s, which "
        "costs up to 38 %."
    )


def test_of_a_sweep_the_largest_problem_of_each_level_is_held_against_one_alone() -> None:
    alone = [grinding(1e-4, 4 * KIB << k) for k in range(15)]
    context = a_room(*alone, *(copies_of(series) for series in alone))
    sizes = [row.point["working_set_bytes"] for row in explain(context)]
    assert sizes == [16 * KIB, 512 * KIB, 8 * MIB, 64 * MIB]
