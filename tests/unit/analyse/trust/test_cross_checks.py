"""Quantities measured in two ways: which are held against each other, and what agrees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.analyse.analysis import analyse
from heorot.analyse.rows import Rows
from heorot.analyse.trust.cross_checks import cross_check
from heorot.model.analysis.result import CrossCheck, Result
from heorot.model.run.records import SecondClock

if TYPE_CHECKING:
    from tests.unit.analyse.conftest import Kit


def latency(kit: Kit, region: str, median: float, **changes: object) -> Result:
    fields = {
        "benchmark": "messages/pingpong",
        "region": region,
        "metric": "latency",
        "unit": "s",
        "better": "lower",
        "point": {"bytes": 8},
        "median": median,
        "ranks": 2,
    }
    row: Result = kit.result(**(fields | changes))
    return row


def clock(kit: Kit, region: str, median: float, **changes: object) -> Result:
    fields = {"benchmark": "compute/peak", "region": region, "metric": "clock", "unit": "Hz"}
    row: Result = kit.result(**(fields | changes), median=median)
    return row


def vectors(kit: Kit, region: str, median: float, metric: str = "bandwidth") -> Result:
    point: dict[str, Any] = {"access": "contiguous"}
    if metric == "bandwidth":
        point |= {"n": 1 << 22, "working_set_bytes": 1 << 27}
    row: Result = kit.result(
        benchmark="compute/vector_kernels",
        region=region,
        metric=metric,
        point=point,
        median=median,
        derived=metric != "bandwidth",
    )
    return row


def only(checks: list[CrossCheck]) -> CrossCheck:
    (check,) = checks
    return check


@pytest.mark.parametrize(("second", "agrees"), [(0.6e-6, True), (0.7e-6, False), (0.1e-6, False)])
def test_latency_by_two_programs(kit: Kit, second: float, agrees: bool) -> None:
    rows = [latency(kit, "pingpong", 0.3e-6), latency(kit, "turning_broadcast", second)]
    check = only(cross_check([], Rows(rows)))
    assert check.agrees is agrees
    assert check.ratio == pytest.approx(second / 0.3e-6)
    assert "8 bytes" in check.quantity


def test_another_size_is_another_quantity(kit: Kit) -> None:
    rows = [
        latency(kit, "pingpong", 0.3e-6, point={"bytes": 16}),
        latency(kit, "turning_broadcast", 0.3e-6),
    ]
    assert cross_check([], Rows(rows)) == []


def test_toolchains_are_compared_with_themselves_and_named(kit: Kit) -> None:
    rows = [
        latency(kit, region, median, toolchain=chain)
        for chain, median in (("a", 0.3e-6), ("b", 3e-6))
        for region in ("pingpong", "turning_broadcast")
    ]
    checks = cross_check([], Rows(rows))
    assert [check.agrees for check in checks] == [True, True]
    assert [check.quantity[-3:] for check in checks] == [", a", ", b"]


def test_every_chain_is_held_against_the_first(kit: Kit) -> None:
    rows = [
        clock(kit, "clock_xor", 3.5e9),
        clock(kit, "clock_multiply", 3.5e9),
        clock(kit, "clock_add", 4.0e9),
        clock(kit, "clock_multiply", 1.0e9, threads=2),
    ]
    checks = cross_check([], Rows(rows))
    assert [(check.second_name, check.agrees) for check in checks] == [
        ("chain of add", False),
        ("chain of xor", True),
    ]
    assert {check.first_name for check in checks} == {"chain of multiply"}


def test_one_chain_alone_has_nothing_to_agree_with(kit: Kit) -> None:
    assert cross_check([], Rows([clock(kit, "clock_add", 3.5e9)])) == []


@pytest.mark.parametrize(("other", "agrees"), [(14e9, True), (150e9, False)])
def test_memory_bandwidth_by_two_programs(kit: Kit, other: float, agrees: bool) -> None:
    rows = [
        kit.result(region="triad", median=15e9),
        kit.result(region="triad", median=28e9, threads=2),
        vectors(kit, "triad", other),
        vectors(kit, "triad", 1e9, "r_max_memory"),
    ]
    check = only(cross_check([], Rows(rows)))
    assert (check.first, check.second, check.agrees) == (15e9, other, agrees)


def test_vectors_that_stay_in_a_cache_say_nothing_of_memory(kit: Kit) -> None:
    rows = [kit.result(region="read", median=15e9), vectors(kit, "dotproduct", 60e9)]
    assert cross_check([], Rows(rows)) == []


def test_numbers_that_are_not_trusted_are_not_compared(kit: Kit) -> None:
    rows = [
        latency(kit, "pingpong", 0.3e-6, verified="failed"),
        latency(kit, "turning_broadcast", 0.3e-6),
    ]
    assert cross_check([], Rows(rows)) == []


@pytest.mark.parametrize(("drift", "agrees"), [(1e-6, True), (0.01, False)])
def test_two_clocks_tell_the_same_time(kit: Kit, drift: float, agrees: bool) -> None:
    other = SecondClock(name="tsc", elapsed_seconds=0.05 * (1 + drift))
    check = only(cross_check([kit.series(second_clock=other)] * 3, Rows()))
    assert check.first == pytest.approx(0.15)
    assert check.agrees is agrees
    assert check.second_name == "tsc clock"


def test_without_a_second_clock_there_is_nothing_to_compare(kit: Kit) -> None:
    assert cross_check([kit.series(second_clock=None)], Rows()) == []


@pytest.mark.parametrize(("ranks_rate", "agrees"), [(2.0e8, True), (1.5e8, False)])
def test_ranks_and_threads_do_the_same_work(kit: Kit, ranks_rate: float, agrees: bool) -> None:
    fields = {"benchmark": "npb/ep", "region": "ep", "metric": "operation_rate"}
    rows = [
        kit.result(**fields, case="W_all_cores_threads", threads=2, median=2.1e8),
        kit.result(**fields, case="W_all_cores_ranks", ranks=2, median=ranks_rate),
        kit.result(**fields, case="A_all_cores_ranks", ranks=2, median=1e6),
    ]
    check = only(cross_check([], Rows(rows)))
    assert check.quantity == "EP class W on 2 cores"
    assert check.agrees is agrees


def test_a_whole_run_has_all_of_them(kit: Kit) -> None:
    run = kit.run(n_samples=8)
    analysis = analyse(
        run.series, run.outcomes, run.steps, kit.benchmarks, kit.machine(), run="r", seed=1
    )
    assert [check.quantity for check in analysis.cross_checks] == [
        "time spent sampling",
        "core clock",
        "core clock",
        "latency of 8 bytes",
        "memory bandwidth of one core",
        "memory bandwidth of one core",
        "EP class W on 2 cores",
    ]
    assert all(check.agrees for check in analysis.cross_checks)
