"""Ceilings: what is healthy stays plausible, what is impossible does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.analyse.analysis import analyse
from heorot.analyse.trust.ceilings import apply_ceilings
from heorot.model.analysis.result import Result

if TYPE_CHECKING:
    from tests.unit.analyse.conftest import Kit


def peak(kit: Kit, **changes: object) -> Result:
    fields = {
        "benchmark": "compute/peak",
        "region": "fma_double",
        "metric": "flop_rate",
        "unit": "flop/s",
        "median": 100e9,
    }
    row: Result = kit.result(**(fields | changes))
    return row


def ep(kit: Kit, **changes: object) -> Result:
    fields = {
        "benchmark": "npb/ep",
        "region": "ep",
        "metric": "flop_rate",
        "unit": "flop/s",
        "median": 20e9,
    }
    row: Result = kit.result(**(fields | changes))
    return row


def test_the_share_is_of_the_row_with_as_many_cores(kit: Kit) -> None:
    rows = [peak(kit), peak(kit, threads=2, median=150e9), ep(kit, threads=2, median=30e9)]
    judged = apply_ceilings(rows, kit.benchmarks)[-1]
    assert judged.share_of_ceiling == pytest.approx(0.2)
    assert judged.plausible is True


def test_without_as_many_cores_one_core_is_scaled(kit: Kit) -> None:
    judged = apply_ceilings([peak(kit), ep(kit, threads=4)], kit.benchmarks)[-1]
    assert judged.share_of_ceiling == pytest.approx(20 / 400)


def test_ten_times_the_ceiling_is_impossible(kit: Kit) -> None:
    judged = apply_ceilings([peak(kit), ep(kit, median=1000e9)], kit.benchmarks)[-1]
    assert judged.plausible is False
    assert not judged.ranked


def test_the_intervals_of_both_decide(kit: Kit) -> None:
    touching = ep(kit, median=112e9, ci_low=104e9, ci_high=120e9)
    above = ep(kit, median=112e9, ci_low=111e9, ci_high=113e9)
    rows = apply_ceilings([peak(kit), touching, above], kit.benchmarks)
    assert [row.plausible for row in rows[1:]] == [True, False]


def test_no_measured_ceiling_means_no_verdict(kit: Kit) -> None:
    (judged,) = apply_ceilings([ep(kit)], kit.benchmarks)
    assert judged.plausible is None
    assert judged.share_of_ceiling is None


@pytest.mark.parametrize("flaw", [{"verified": "failed"}, {"plausible": False}])
def test_a_number_that_is_wrong_is_no_ceiling(kit: Kit, flaw: dict[str, Any]) -> None:
    judged = apply_ceilings([peak(kit, **flaw), ep(kit)], kit.benchmarks)[-1]
    assert judged.share_of_ceiling is None


def test_a_disturbed_ceiling_convicts_nobody(kit: Kit) -> None:
    judged = apply_ceilings([peak(kit, median=3e9, disturbed=True), ep(kit)], kit.benchmarks)[-1]
    assert judged.plausible is None


def test_a_disturbed_ceiling_gives_way_to_one_core(kit: Kit) -> None:
    rows = [peak(kit), peak(kit, threads=2, median=3e9, disturbed=True), ep(kit, threads=2)]
    judged = apply_ceilings(rows, kit.benchmarks)[-1]
    assert judged.share_of_ceiling == pytest.approx(0.1)
    assert judged.plausible is True


def test_a_slow_measurement_of_all_cores_does_not_convict_others(kit: Kit) -> None:
    rows = [peak(kit), peak(kit, threads=2, median=3e9), ep(kit, threads=2)]
    assert apply_ceilings(rows, kit.benchmarks)[-1].plausible is True


def test_the_same_toolchain_comes_first(kit: Kit) -> None:
    rows = [peak(kit, median=50e9), peak(kit, toolchain="clang-16"), ep(kit)]
    assert apply_ceilings(rows, kit.benchmarks)[-1].share_of_ceiling == pytest.approx(0.4)
    rows = [peak(kit, toolchain="clang-16"), ep(kit)]
    assert apply_ceilings(rows, kit.benchmarks)[-1].share_of_ceiling == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("region", "median", "plausible"),
    [
        ("triad", 14e9, True),
        ("triad", 22e9, True),  # a processor that does not load lines before it stores them
        ("triad", 150e9, False),
        ("copy", 28e9, True),
        ("copy", 40e9, False),
        ("memcpy", 30e9, True),
        ("memcpy", 60e9, False),
    ],
)
def test_stream_is_held_against_reading(
    kit: Kit, region: str, median: float, plausible: bool
) -> None:
    rows = [kit.result(region="read", median=15e9), kit.result(region=region, median=median)]
    assert apply_ceilings(rows, kit.benchmarks)[-1].plausible is plausible


def test_a_message_is_at_least_one_copy(kit: Kit) -> None:
    vectors = {"benchmark": "compute/vector_kernels", "region": "copy"}
    message = {"benchmark": "messages/pingpong", "region": "pingpong", "ranks": 2}
    rows = [
        kit.result(**vectors, median=100e9, point={"working_set_bytes": 4096}),
        kit.result(**vectors, median=40e9, point={"working_set_bytes": 1 << 20}),
        kit.result(**message, median=45e9, point={"bytes": 1024}),
        kit.result(**message, median=100e9, point={"bytes": 8}),
        kit.result(**message, median=5e9, point={"bytes": 65536}),
        kit.result(**message, median=5e9, point={"bytes": 4 << 20}),
    ]
    judged = apply_ceilings(rows, kit.benchmarks)[2:]
    shares = [row.share_of_ceiling for row in judged]
    assert shares == [pytest.approx(0.9), pytest.approx(2.0), pytest.approx(0.25), None]
    assert [row.plausible for row in judged] == [True, False, True, None]


def test_nothing_on_a_healthy_machine_is_implausible(kit: Kit) -> None:
    run = kit.run(n_samples=12, launch_noise=0.02, sample_noise=0.03)
    analysis = analyse(
        run.series, run.outcomes, run.steps, kit.benchmarks, kit.machine(), run="r", seed=1
    )
    assert [row.key for row in analysis.results if row.plausible is False] == []
    judged = {row.benchmark for row in analysis.results if row.plausible is True}
    assert judged == {benchmark.name for benchmark in kit.benchmarks}


@pytest.mark.parametrize(
    ("benchmark", "region"),
    [
        ("compute/peak", "fma_double"),
        ("compute/peak", "clock_multiply"),
        ("compute/vector_kernels", "axpy"),
        ("compute/vector_kernels", "divide"),
        ("compute/vector_kernels", "broadcast"),
        ("memory/stream", "triad"),
    ],
)
def test_a_hoisted_loop_is_found(kit: Kit, benchmark: str, region: str) -> None:
    run = kit.run(n_samples=8, n_launches=2)
    for one in run.series:
        if (one.benchmark, one.region) == (benchmark, region):
            one.seconds[:] /= 10.0
    analysis = analyse(
        run.series, run.outcomes, run.steps, kit.benchmarks, kit.machine(), run="r", seed=1
    )
    impossible = {(r.benchmark, r.region) for r in analysis.results if r.plausible is False}
    assert impossible == {(benchmark, region)}
    errors = [finding for finding in analysis.findings if finding.severity == "error"]
    assert errors
    assert all("cannot be" in finding.observation for finding in errors)
