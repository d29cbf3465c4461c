"""Rates of an algorithm predicted from kernels, by hand."""

from __future__ import annotations

import pytest

from heorot.analyse.node_roofline.kernel_predictions import find_predictions
from heorot.analyse.node_roofline.working_set_levels import WorkingSetLevels
from heorot.families import BENCHMARKS
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.levels import TIMES_KERNELS
from heorot.model.analysis.node_roofline.shares import KernelPrediction
from heorot.model.analysis.result import Result
from heorot.model.catalogue.metrics import Contribution, Metric, Reference
from tests.unit.analyse.builders import a_benchmark
from tests.unit.analyse.node_roofline.synthetic_node import (
    KIB,
    MIB,
    MILL,
    a_room,
    grinding,
    measured,
    spread,
)

KERNELS = a_benchmark(
    "works/kernels",
    metrics=MILL.metrics,
    publishes=tuple(
        Reference(name=f"{kernel}_speed", metric="flop_rate", regions=(kernel,))
        for kernel in ("turn", "lift")
    ),
)
PARTS = (
    Contribution(kernel="turn_speed", title="turn", share=0.75),
    Contribution(kernel="lift_speed", title="lift", share=0.25),
)


def kernel(region: str, size: int, rate: float) -> Result:
    return measured(
        KERNELS.name,
        region,
        "flop_rate",
        rate,
        unit="flop/s",
        point={"working_set_bytes": size},
        derived=False,
    )


def a_mill(*parts: Contribution, rows: list[Result], size: int = 64 * MIB) -> Context:
    made_of = a_benchmark(MILL.name, metrics=MILL.metrics, contributions=parts or PARTS)
    return a_room(grinding(5e-4, size), rows=rows, benchmarks=(KERNELS, made_of))


def predicted(context: Context) -> list[KernelPrediction]:
    return [prediction for prediction, _ in find_predictions(context, WorkingSetLevels(context))]


RATES = [
    kernel("turn", 64 * MIB, 3e9),
    kernel("lift", 64 * MIB, 1e9),
    kernel("turn", 64 * KIB, 30e9),
    kernel("lift", 64 * KIB, 10e9),
]


def test_two_kernels_by_hand() -> None:
    # 0.75 / 3 + 0.25 / 1 = 0.5 ns for a flop: 2 Gflop/s, which is what the mill does
    ((prediction, row),) = find_predictions(
        a_mill(rows=RATES), WorkingSetLevels(a_mill(rows=RATES))
    )
    assert prediction.predicted.median == pytest.approx(2e9)
    assert prediction.times.median == pytest.approx(1.0)
    assert [(part.kernel, part.rate) for part in prediction.parts] == [("turn", 3e9), ("lift", 1e9)]
    assert (row.metric, row.id, row.derived) == (TIMES_KERNELS, prediction.row, True)
    assert row.unit == ""  # a factor, no share


def test_kernels_count_with_the_size_of_the_problem() -> None:
    (prediction,) = predicted(a_mill(rows=RATES, size=60 * KIB))
    assert prediction.predicted.median == pytest.approx(20e9)
    assert predicted(a_mill(rows=RATES, size=1 * MIB)) == []  # nothing of that size was measured
    (prediction,) = predicted(
        a_mill(rows=RATES, size=512 * MIB)
    )  # the largest stands for all larger
    assert prediction.predicted.median == pytest.approx(2e9)


def test_a_kernel_that_was_not_measured_leaves_no_promise() -> None:
    assert predicted(a_mill(rows=RATES[:1])) == []


def test_regions_that_are_made_of_something_else_have_none() -> None:
    part = Contribution(kernel="turn_speed", title="turn", share=1.0, regions=("sift",))
    assert predicted(a_mill(part, rows=RATES)) == []


def test_parts_of_less_than_all_flops_promise_for_what_they_are() -> None:
    part = Contribution(kernel="turn_speed", title="turn", share=0.5)
    (prediction,) = predicted(a_mill(part, rows=RATES))
    assert prediction.predicted.median == pytest.approx(3e9)


def test_the_intervals_of_kernels_and_their_perturbation_count() -> None:
    first, second = map(spread, RATES[:2])
    rates = [first, second.model_copy(update={"disturbed": True})]
    context = a_mill(rows=rates)
    ((prediction, row),) = find_predictions(context, WorkingSetLevels(context))
    # both kernels are known to 1 %, and the mill's samples are all alike
    assert (prediction.predicted.low, prediction.predicted.high) == pytest.approx((1.98e9, 2.02e9))
    assert (row.ci_low, row.ci_high) == pytest.approx((1 / 1.01, 1 / 0.99))
    assert row.disturbed


def test_kernels_promise_nothing_to_nominal_operations() -> None:
    nominal = Metric(name="nominal", unit="flop/s", better="higher", count="nominal_flops")
    made_of = a_benchmark(MILL.name, metrics=(nominal, *MILL.metrics), contributions=PARTS)
    counts = {"flops": 1e6, "nominal_flops": 3e6, "bytes": 4e6}
    series = grinding(5e-4, 64 * MIB, counts=counts)
    context = a_room(series, rows=RATES, benchmarks=(KERNELS, made_of))
    (prediction,) = predicted(context)
    assert prediction.found.median == pytest.approx(2e9)


def test_programs_are_made_of_kernels_that_somebody_publishes() -> None:
    published = {each.name for one in BENCHMARKS for each in one.publishes}
    for benchmark in BENCHMARKS:
        assert {part.kernel for part in benchmark.contributions} <= published, benchmark.name
        for region in {region for part in benchmark.contributions for region in part.regions}:
            parts = [part for part in benchmark.contributions if region in part.regions]
            assert 0.9 <= sum(part.share for part in parts) <= 1.0 + 1e-9, (benchmark.name, region)


def test_a_transform_turns_and_adds() -> None:
    kernels = [
        measured(
            "compute/vector_kernels",
            name,
            "flop_rate",
            rate,
            unit="flop/s",
            point={"access": "contiguous", "working_set_bytes": 64 * MIB},
            derived=False,
        )
        for name, rate in (("rotation", 3e9), ("axpy", 1e9))
    ]
    point = {"n": 2 * MIB, "working_set_bytes": 64 * MIB}
    line = grinding(5e-4, 64 * MIB, benchmark="algorithms/fft", region="complex_1d", point=point)
    (prediction,) = predicted(a_room(line, rows=kernels))
    # a third at 3 and two thirds at 1 Gflop/s: 7/9 ns for a flop
    assert prediction.predicted.median == pytest.approx(9e9 / 7)
    assert [part.kernel for part in prediction.parts] == ["rotation", "DAXPY"]
