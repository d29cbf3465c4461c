"""The memory levels: levels of plateaus, latencies in cycles, outstanding loads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.families import BENCHMARKS
from heorot.families.memory.levels import explain
from heorot.model.machine.machine import Cache, Memory
from tests.unit.analyse.builders import a_context, a_machine, a_result

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result

KIB, MIB = 1 << 10, 1 << 20
CACHES = [("L1", 32.0 * KIB), ("L2", 1.0 * MIB), ("L3", 32.0 * MIB)]
SIZES = [4 * KIB << step for step in range(18)]  # 4 KiB to 512 MiB


def curve(program: str, region: str, levels: dict[int, float], **fields: Any) -> list[Result]:
    """A row for every size, of the nearest level that holds it."""
    return [
        a_result(
            benchmark=program,
            region=region,
            point={"working_set_bytes": size, **fields.get("point", {})},
            median=next(value for end, value in levels.items() if size <= end),
            **{name: value for name, value in fields.items() if name != "point"},
        )
        for size in SIZES
    ]


RATES = {32 * KIB: 200e9, MIB: 100e9, 32 * MIB: 50e9, 1 << 40: 15e9}
TIMES = {32 * KIB: 1e-9, MIB: 4e-9, 32 * MIB: 15e-9, 1 << 40: 90e-9}
LATENCY = {"metric": "latency", "unit": "s", "better": "lower"}


def explained(rows: list[Result]) -> dict[tuple[str, str, str], Result]:
    found = explain(a_context(rows, benchmarks=BENCHMARKS))
    return {(row.benchmark, row.region, row.metric): row for row in found}


def test_bandwidths_of_the_levels_and_their_ends() -> None:
    rows = explained(curve("memory/hierarchy", "read", RATES))
    for level, rate in zip(("l1", "l2", "l3", "memory"), RATES.values(), strict=True):
        assert rows["memory/hierarchy", "read", f"bandwidth_{level}"].median == rate
    ends = {level: rows["memory/hierarchy", "read", f"end_{level}"] for level in ("l1", "l2", "l3")}
    assert [row.median for row in ends.values()] == [32 * KIB, MIB, 32 * MIB]
    assert (ends["l1"].ci_low, ends["l1"].ci_high) == (32 * KIB, 64 * KIB)
    assert ("memory/hierarchy", "read", "end_memory") not in rows


def test_latencies_in_cycles_of_the_measured_clock() -> None:
    clock = a_result(
        benchmark="compute/peak", region="clock_multiply", metric="clock", unit="Hz", median=3e9
    )
    rows = explained([clock, *curve("memory/latency", "chase", TIMES, **LATENCY)])
    for level, time in zip(("l1", "l2", "l3", "memory"), TIMES.values(), strict=True):
        assert rows["memory/latency", "chase", f"latency_{level}"].median == time
        cycles = rows["memory/latency", "chase", f"cycles_{level}"]
        assert cycles.median == pytest.approx(3e9 * time)
        assert (cycles.unit, cycles.better) == ("cycle", "lower")


def test_memory_is_where_reading_came_from_memory() -> None:
    # The machine reports a cache larger than all sizes.
    sizes = {1: 32 * KIB, 2: MIB, 3: 512 * MIB}
    caches = tuple(
        Cache(level=level, kind="unified", size_bytes=size) for level, size in sizes.items()
    )
    fed = a_result(benchmark="memory/stream", region="triad", metric="bandwidth", median=14e9)
    rows = [
        fed,
        *curve("memory/hierarchy", "read", RATES),
        *curve("memory/latency", "chase", TIMES, **LATENCY),
    ]
    machine = a_machine(caches=caches)
    found = explain(a_context(rows, benchmarks=BENCHMARKS, machine=machine))
    reported = {row.metric: row.median for row in found if row.benchmark == "memory/latency"}
    assert reported["latency_l3"] == TIMES[32 * MIB]
    assert reported["latency_memory"] == TIMES[1 << 40]


def test_lines_under_way() -> None:
    rows = curve("memory/latency", "chase", TIMES, **LATENCY)
    rows += [
        a_result(
            benchmark="memory/latency",
            region="parallel",
            point={"working_set_bytes": SIZES[-1], "chains": chains},
            median=time,
            **LATENCY,
        )
        for chains, time in ((2, 45e-9), (8, 12e-9), (16, 9e-9), (32, 10e-9))
    ]
    found = explained(rows)["memory/latency", "parallel", "parallelism"]
    assert found.median == pytest.approx(10.0)
    assert (found.better, dict(found.point)) == ("higher", {"working_set_bytes": SIZES[-1]})


@pytest.mark.parametrize(
    ("policy", "pages", "under_way"),
    [
        ("always", "", 9.0),
        ("madvise", "huge", 9.0),
        ("madvise", "", 18.0),
        ("never", "huge", 18.0),
        (None, "huge", 18.0),
    ],
)
def test_updates_under_way_only_where_the_table_lies_in_memory(
    policy: str | None, pages: str, under_way: float
) -> None:
    """With the pages that the table gets."""
    slower = {end: 2.0 * time for end, time in TIMES.items()}
    rows = curve("memory/latency", "chase", TIMES, **LATENCY)
    rows += curve("memory/latency", "small_pages", slower, **LATENCY)
    rows += [
        a_result(
            benchmark="memory/gups",
            region="update",
            metric="update_rate",
            unit="update/s",
            median=1e8,
            options={"pages": pages},
            point={"working_set_bytes": size},
        )
        for size in (MIB, 256 * MIB)
    ]
    machine = a_machine(memory=Memory(total_bytes=1 << 34, huge_pages=policy))
    context = a_context(rows, benchmarks=BENCHMARKS, machine=machine)
    (found,) = (row for row in explain(context) if row.metric == "updates_under_way")
    assert found.median == pytest.approx(under_way)
    assert found.point == {"working_set_bytes": 256 * MIB}


def test_few_points_are_no_curve() -> None:
    assert not explained(curve("memory/hierarchy", "read", RATES)[:2])
