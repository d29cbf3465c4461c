"""Vector operations explained: fits, cache levels, ideal speed, few points, missing rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from heorot.families.compute.vectors.sweeps import cache_levels, explain
from heorot.model.analysis.result import Result
from heorot.model.machine.machine import Cache, Machine
from heorot.model.run.series import Series
from tests.unit.analyse.builders import a_machine, a_measured_context
from tests.unit.analyse.synthesis import Synthesis

ACCESS = ("contiguous", "stride3", "indirect")
# From the tables of the method: flops per operand access.
INTENSITIES = {
    "add": 1 / 3,
    "rotation": 3 / 5,
    "dotproduct": 1.0,
    "polynomial9": 9.0,
    "axpy": 2 / 3,
}


def explained(series: Iterable[Series], machine: Machine | None = None) -> list[Result]:
    return explain(a_measured_context(series, machine=machine))


def pick(rows: Iterable[Result], region: str, metric: str, access: str = "contiguous") -> Result:
    (row,) = [
        row
        for row in rows
        if (row.region, row.metric, dict(row.point)) == (region, metric, {"access": access})
    ]
    return row


def metrics(rows: Iterable[Result], region: str, access: str = "contiguous") -> set[str]:
    return {row.metric for row in rows if row.region == region and row.point["access"] == access}


@pytest.fixture(scope="module")
def run() -> Synthesis:
    return Synthesis(
        n_samples=12, octave=1.0, access=ACCESS, launch_noise=0.001, sample_noise=0.002
    )


@pytest.fixture(scope="module")
def rows(run: Synthesis) -> list[Result]:
    """Its derived rows."""
    return explained(run.series)


def test_start_up_and_cycles_are_found(rows: list[Result]) -> None:
    for region, cycles in (("axpy", 0.19), ("recurrence1", 4.0), ("divide", 1.0)):
        each = pick(rows, region, "cycles_per_element")
        start = pick(rows, region, "latency")
        half = pick(rows, region, "n_half")
        assert each.median == pytest.approx(cycles, rel=0.03)
        assert start.median == pytest.approx(20.0, rel=0.03)
        assert half.median == pytest.approx(20.0 / cycles, rel=0.05)
        assert half.ci_low <= half.median <= half.ci_high
        assert (each.unit, half.unit, each.derived) == ("cycle", "element", True)


def test_only_lengths_inside_the_first_cache_are_fitted(rows: list[Result]) -> None:
    row = pick(rows, "triad", "cycles_per_element")
    # 24 bytes for n = 2, 4 ... 2048 (48 KiB)
    assert row.n == 11


def test_the_end_of_the_first_cache_is_between_two_lengths(rows: list[Result]) -> None:
    row = pick(rows, "triad", "first_level_end")
    assert (row.median, row.ci_low, row.ci_high) == (48 << 10, 48 << 10, 96 << 10)
    assert row.unit == "B"


def test_an_end_that_was_not_seen_is_not_reported(rows: list[Result]) -> None:
    # A recurrence is as slow inside the cache as outside.
    assert "first_level_end" not in metrics(rows, "recurrence1")
    assert "latency" in metrics(rows, "recurrence1")


def test_every_level_has_its_own_largest_rate(rows: list[Result]) -> None:
    rates = [
        pick(rows, "triad", metric).median
        for metric in ("r_max_l1", "r_max_l2", "r_max_l3", "r_max_memory")
    ]
    # bandwidths of the invented levels, 12 bytes per flop
    assert rates[1:] == pytest.approx([100e9 / 12, 40e9 / 12, 15e9 / 12], rel=0.02)
    assert rates[0] == pytest.approx(2 * 3.5e9 / (0.19 + 20 / 2048), rel=0.02)


def test_the_longest_vectors_show_the_bandwidth_of_the_memory(rows: list[Result]) -> None:
    for region, bytes_per_flop in (("triad", 12), ("dotproduct", 8)):
        bandwidth = pick(rows, region, "longest_vectors_bandwidth")
        rate = pick(rows, region, "r_max_memory")
        assert bandwidth.median == pytest.approx(15e9, rel=0.02)
        for name in ("median", "ci_low", "ci_high"):
            assert getattr(bandwidth, name) == pytest.approx(bytes_per_flop * getattr(rate, name))
        assert (bandwidth.unit, bandwidth.derived) == ("B/s", True)


def test_the_ideal_follows_from_the_intensity(rows: list[Result]) -> None:
    for region, intensity in INTENSITIES.items():
        assert pick(rows, region, "intensity").median == pytest.approx(intensity)
        # The index of indirect access is no operand.
        assert pick(rows, region, "intensity", "indirect").median == pytest.approx(intensity)
    ideal = {region: pick(rows, region, "ideal_rate").median for region in INTENSITIES}
    assert ideal["rotation"] == pytest.approx(ideal["add"] * 9 / 5)
    # No rate exceeds the FMA peak.
    assert ideal["polynomial9"] == pytest.approx(0.97 * 32 * 3.5e9, rel=0.01)


def test_the_attained_share_is_at_most_all(rows: list[Result]) -> None:
    first_level = [row for row in rows if row.metric == "r_max_l1"]
    shares = {(row.region, row.point["access"]): row.share_of_ceiling or 0.0 for row in first_level}
    # The one that moves most operands is the reference of the others, and has no share.
    assert sum(row.is_ceiling for row in first_level) == 1
    assert all(row.share_of_ceiling is None for row in first_level if row.is_ceiling)
    assert 0.9 < max(shares.values()) < 1.0
    assert shares["recurrence1", "contiguous"] < 0.1
    assert shares["triad", "stride3"] < shares["triad", "contiguous"]
    top = pick(rows, "polynomial9", "r_max_l1")
    ideal = pick(rows, "polynomial9", "ideal_rate")
    assert top.share_of_ceiling == pytest.approx(top.median / ideal.median)


def test_without_a_clock_there_is_no_fit_but_all_else(run: Synthesis) -> None:
    rows = explained([one for one in run.series if one.benchmark != "compute/peak"])
    assert {"r_max_l1", "r_max_l2", "r_max_memory", "ideal_rate"} <= metrics(rows, "add")
    assert not {"latency", "n_half", "cycles_per_element"} & metrics(rows, "add")


def test_a_few_points_are_enough() -> None:
    run = Synthesis(n_samples=10, octave=0.5, n_launches=2, launch_noise=0.002)
    rows = explained(run.series)
    row = pick(rows, "axpy", "cycles_per_element")
    assert row.n in {6, 7}
    assert row.median == pytest.approx(0.19, rel=0.05)
    assert {"r_max_l1", "r_max_l2", "r_max_l3", "r_max_memory"} <= metrics(rows, "axpy")
    end = pick(rows, "axpy", "first_level_end")
    assert end.ci_low <= 48 << 10 <= end.ci_high


def test_a_sweep_outside_the_first_cache_has_no_fit(run: Synthesis) -> None:
    long = [
        one for one in run.series if int(one.point.get("working_set_bytes", 1 << 20)) >= 1 << 20
    ]
    rows = explained(long)
    assert "r_max_memory" in metrics(rows, "axpy")
    assert not {"latency", "r_max_l1"} & metrics(rows, "axpy")


def test_one_point_is_no_crash(run: Synthesis) -> None:
    one = next(o for o in run.series if o.region == "axpy" and o.point["n"] == 64)
    assert metrics(explained([one]), "axpy") == {"r_max_l1", "intensity", "ideal_rate"}


def test_failed_lengths_are_left_out(run: Synthesis) -> None:
    series = [
        replace(one, verified="failed") if one.point.get("n") == 1024 else one for one in run.series
    ]
    assert pick(explained(series), "triad", "cycles_per_element").n == 10
    failed = [replace(one, verified="failed") for one in run.series if one.region == "axpy"]
    assert explained(failed) == []


def test_unknown_caches_leave_the_drop(run: Synthesis) -> None:
    rows = explained(run.series, a_machine(caches=()))
    assert pick(rows, "triad", "first_level_end").median == 48 << 10
    assert pick(rows, "triad", "latency").n == 11
    # A level as slow as memory is memory, even if the end of the caches is unknown.
    assert pick(rows, "triad", "r_max_memory").median == pytest.approx(15e9 / 12, rel=0.02)


@pytest.mark.slow
def test_caches_of_a_whole_host_do_not_hide_the_memory(run: Synthesis) -> None:
    caches = (*a_machine().node.caches, Cache(level=3, kind="unified", size_bytes=480 << 20))
    rows = explained(run.series, a_machine(caches=caches))
    assert pick(rows, "triad", "r_max_memory").median == pytest.approx(15e9 / 12, rel=0.02)
    alone = [one for one in run.series if one.benchmark != "memory/stream"]
    rows = explained(alone, a_machine(caches=caches))
    assert not {"r_max_memory", "longest_vectors_bandwidth"} & metrics(rows, "triad")


def test_levels_are_data_caches_nearest_first() -> None:
    caches = (
        Cache(level=2, kind="unified", size_bytes=1 << 20),
        Cache(level=1, kind="instruction", size_bytes=64 << 10),
        Cache(level=1, kind="data", size_bytes=32 << 10),
        Cache(level=1, kind="data", size_bytes=48 << 10),  # the larger kind of core
        Cache(level=3, kind="unified", size_bytes=None),
    )
    assert cache_levels(a_machine(caches=caches)) == [("l1", 48 << 10), ("l2", 1 << 20)]


def test_keys_are_unique(rows: list[Result]) -> None:
    assert len({row.id for row in rows}) == len(rows)
