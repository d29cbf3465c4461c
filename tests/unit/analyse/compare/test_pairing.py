"""Pairing of the rows of two runs: by quantity, not by the name of the case."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heorot.analyse.compare.pairing import HARNESS_OPTIONS
from heorot.analyse.compare.runs import compare_runs
from heorot.analyse.compare.side import Side
from heorot.families import BENCHMARKS
from heorot.model.analysis.comparison import Comparison
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.metrics import Metric
from heorot.model.run.series import Series
from tests.unit.analyse.builders import a_series

_ROOT = Path(__file__).resolve().parents[4]


def launches(n: int = 2, **changes: Any) -> list[Series]:
    """Launches of a case of npb/ep, class W; any field can be changed."""
    fields = {
        "benchmark": "npb/ep",
        "case": "W_one_core",
        "region": "ep",
        "point": {"class": "W"},
        "counts": {"operations": 2e6, "pairs": 1e6, "flops": 6e7},
        "options": {"class": "W", "budget": 0.5},
    }
    return [
        a_series(**(fields | {"step": f"S{launch}", "launch": launch} | changes))
        for launch in range(1, n + 1)
    ]


def compared(
    a: Sequence[Series], b: Sequence[Series], benchmarks: Sequence[Benchmark] = BENCHMARKS
) -> Comparison:
    first, second = (Side(name="x", system="s", series=run, results=()) for run in (a, b))
    return compare_runs(first, second, benchmarks)


def left(comparison: Comparison) -> list[tuple[str, str]]:
    return [(row.why, row.setup.layout) for row in comparison.uncompared]


def test_all_cores_of_four_meet_four_of_eight() -> None:
    four = {"ranks": 4, "per_node": 4}
    eight = {"ranks": 8, "per_node": 8}
    comparison = compared(
        launches(case="W_all_cores_ranks", **four),
        launches(case="W_all_cores_ranks", **eight) + launches(case="W_4_cores", **four),
    )
    assert [metric.setup.layout for metric in comparison.metrics] == ["1x4x1"]
    assert left(comparison) == [("only in B", "1x8x1")]


@pytest.mark.parametrize(
    ("changes", "layout"),
    [
        ({"nodes": 3}, "3x4x1"),
        ({"ranks": 3}, "2x3x1"),
        ({"per_node": 3}, "2x4x1, 3 on a node"),
        ({"threads": 2}, "2x4x2"),
        ({"options": {"class": "W", "star": True}}, "2x4x1 copies"),
    ],
)
def test_different_layouts_never_meet(changes: dict[str, Any], layout: str) -> None:
    spread = {"nodes": 2, "ranks": 4, "per_node": 2}
    assert [m.setup.layout for m in compared(launches(**spread), launches(**spread)).metrics] == [
        "2x4x1"
    ]
    comparison = compared(launches(**spread), launches(**spread | changes))
    assert comparison.metrics == ()
    assert left(comparison) == [("only in A", "2x4x1"), ("only in B", layout)]


@pytest.mark.parametrize(
    "effort",
    [
        {"budget": 5.0},
        {"samples-min": 3, "samples-max": 7},
        {"precision": 0.5, "sample-seconds": 0.1},
        {"clock": "monotonic"},
    ],
)
def test_options_of_effort_do_not_separate(effort: dict[str, Any]) -> None:
    comparison = compared(launches(), launches(3, options={"class": "W"} | effort))
    assert len(comparison.metrics) == 1
    assert comparison.uncompared == ()


def test_the_options_of_the_harness_are_those_it_declares() -> None:
    source = (_ROOT / "native/harness/program.cpp").read_text(encoding="utf-8")
    declared = set(re.findall(r'declare\([\w.]+, "([\w-]+)"', source))
    assert declared - {"help", "describe", "count"} == HARNESS_OPTIONS


def test_words_among_the_options_define_the_problem() -> None:
    random, ordered = (
        launches(options={"class": "W", "order": order}) for order in ("random", "ascending")
    )
    assert len(compared(random, random).metrics) == 1
    assert compared(random, ordered).metrics == ()


def test_flags_among_the_options_define_the_problem() -> None:
    assert compared(launches(), launches(options={"class": "W", "periodic": True})).metrics == ()


def test_a_coordinate_tells_more_than_the_option_of_its_name() -> None:
    one, both = (launches(options={"class": classes}) for classes in ("W", "all"))
    assert len(compared(one, both).metrics) == 1


def test_the_largest_size_of_a_sweep_does_not_separate() -> None:
    small, large = (launches(options={"max-bytes": size}) for size in (1 << 20, 1 << 30))
    assert len(compared(small, large).metrics) == 1


def test_equal_numbers_meet_first() -> None:
    """Two cases that differ in a number only are both compared, each with its own kind."""
    one, sixteen = (
        launches(case=f"in_flight_{n}", options={"in-flight": n}, seconds=np.full(10, seconds))
        for n, seconds in ((1, 1e-3), (16, 1e-4))
    )
    comparison = compared(one + sixteen, sixteen + one)
    assert [metric.ratio for metric in comparison.metrics] == pytest.approx([1.0, 1.0])
    assert comparison.uncompared == ()


def test_points_that_differ_do_not_meet() -> None:
    comparison = compared(launches(), launches(point={"class": "A"}))
    assert comparison.metrics == ()
    assert left(comparison) == [("only in A", "1x1x1"), ("only in B", "1x1x1")]


def test_the_order_of_coordinates_does_not_matter() -> None:
    a = launches(point={"class": "W", "n": 2})
    assert len(compared(a, launches(point={"n": 2, "class": "W"})).metrics) == 1


def test_other_counts_are_other_work() -> None:
    comparison = compared(launches(), launches(counts={"operations": 4e6, "pairs": 1e6}))
    assert comparison.metrics == ()
    (row,) = comparison.uncompared
    assert row.why == "not the same work"
    assert row.detail == "operations 2e+06 / 4e+06 per body"


def test_rounding_of_counts_is_no_other_work() -> None:
    counts = {"operations": 2e6 * (1 + 1e-12), "pairs": 1e6, "flops": 6e7}
    (metric,) = compared(launches(), launches(counts=counts)).metrics
    assert metric.differs == ()


def test_the_same_work_done_with_fewer_operations_is_compared_and_marked() -> None:
    counts = {"operations": 2e6, "pairs": 1e6, "flops": 5e7}
    (metric,) = compared(launches(), launches(counts=counts)).metrics
    assert metric.differs == ("flops per body",)


@pytest.mark.parametrize(("flops", "n_compared"), [(6e7, 1), (5e7, 0)])
def test_all_counts_witness_the_work_behind_a_plain_time(flops: float, n_compared: int) -> None:
    ep = next(benchmark for benchmark in BENCHMARKS if benchmark.name == "npb/ep")
    timed = replace(ep, metrics=(Metric(name="time", unit="s", better="lower"),))
    counts = {"operations": 2e6, "pairs": 1e6, "flops": flops}
    assert len(compared(launches(), launches(counts=counts), (timed,)).metrics) == n_compared


def test_metrics_stand_in_the_order_of_the_catalogue() -> None:
    """Whether they were paired at once or only without numeric options."""
    stream = launches(benchmark="memory/stream", counts={"bytes": 1.0})
    near, far = (
        launches(benchmark="compute/peak", options={"steps": n}, counts={"flops": 1.0})
        for n in (1, 2)
    )
    comparison = compared(stream + near, stream + far)
    assert [m.benchmark for m in comparison.metrics] == ["compute/peak", "memory/stream"]


@pytest.mark.parametrize(("point", "meets"), [({}, True), ({"n": 7}, False)])
def test_a_region_without_coordinates_has_no_size(point: dict[str, Any], meets: bool) -> None:
    """Registers of twice the width do twice the operations in a body of compute/peak."""
    peak: dict[str, Any] = {
        "benchmark": "compute/peak",
        "region": "fma_double",
        "options": {},
        "point": point,
    }
    narrow, wide = (launches(**peak, counts={"flops": flops}) for flops in (1e6, 2e6))
    assert bool(compared(narrow, wide).metrics) is meets


def test_of_several_cases_the_best_sampled_one_is_compared() -> None:
    # Launches count before samples.
    few = launches(2, case="few", seconds=np.full(100, 1e-4))
    many = launches(3, case="many", seconds=np.full(10, 2e-4))
    other = launches(3, case="other")
    for run in (few + many, many + few):
        comparison = compared(run, other)
        (metric,) = comparison.metrics
        assert metric.ratio == pytest.approx(2.0)
        (row,) = comparison.uncompared
        assert row.why == "several cases"
        assert row.case == "few"
        assert row.detail.startswith("many is compared")


def test_with_as_many_launches_samples_decide() -> None:
    few, many = launches(case="x_few"), launches(case="many", seconds=np.full(11, 2e-4))
    (row,) = compared(launches(), few + many).uncompared
    assert row.case == "x_few"


def test_equally_sampled_cases_are_chosen_by_name_whatever_their_order() -> None:
    one, two = launches(case="one"), launches(case="two")
    for run in (one + two, two + one):
        (row,) = compared(run, launches()).uncompared
        assert row.case == "one"


BOX = {"ranks": 4, "per_node": 4}
BOXES = {"ranks": 4, "per_node": 1, "nodes": 4}


def by_cores(a: Sequence[Series], b: Sequence[Series]) -> Comparison:
    first, second = (Side(name="x", system="s", series=run, results=()) for run in (a, b))
    return compare_runs(first, second, BENCHMARKS, by_cores=True)


def test_one_box_of_four_meets_four_boxes_of_one_by_cores() -> None:
    comparison = by_cores(launches(**BOX), launches(**BOXES))
    (metric,) = comparison.metrics
    assert metric.layouts == "1x4x1 / 4x4x1"
    assert metric.differs == ("layout",)
    assert comparison.uncompared == ()
    (group,) = comparison.groups
    assert group.judgement == "indistinguishable (1 of 1 in other layouts)"


def test_equal_layouts_meet_first() -> None:
    comparison = by_cores(launches(**BOX), launches(**BOXES) + launches(**BOX))
    assert [metric.layouts for metric in comparison.metrics] == ["1x4x1"]
    assert left(comparison) == [("only in B", "4x4x1")]


def test_the_same_ranks_and_threads_meet_before_other_splits_of_the_cores() -> None:
    threads = {"threads": 4}
    comparison = by_cores(launches(**BOX), launches(**threads) + launches(**BOXES))
    assert [metric.layouts for metric in comparison.metrics] == ["1x4x1 / 4x4x1"]
    (metric,) = by_cores(launches(**BOX), launches(**threads)).metrics
    assert metric.layouts == "1x4x1 / 1x1x4"


def test_of_several_layouts_the_one_on_fewest_nodes_is_compared() -> None:
    two = {"ranks": 4, "per_node": 2, "nodes": 2}
    comparison = by_cores(launches(**BOX), launches(**BOXES) + launches(**two))
    assert [metric.layouts for metric in comparison.metrics] == ["1x4x1 / 2x4x1"]
    (row,) = comparison.uncompared
    assert row.detail.startswith("W_one_core, 2x4x1, is compared")


@pytest.mark.parametrize(
    "other",
    [
        {"ranks": 8, "per_node": 2, "nodes": 4},
        {"point": {"class": "A"}, "options": {"class": "A"}},
        {"options": {"class": "W", "star": True}},
        {"options": {"class": "W", "order": "random"}},
    ],
)
def test_other_cores_problems_and_options_never_meet_by_cores(other: dict[str, Any]) -> None:
    assert by_cores(launches(**BOX), launches(**BOXES | other)).metrics == ()
