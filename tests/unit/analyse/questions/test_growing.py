"""Weak scaling: problems that grow with the cores have an efficiency, and no speedup."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from heorot.analyse.explain import scaling
from heorot.analyse.explain.spread.pairs import find_pairs
from heorot.analyse.questions.growing import METRIC, explain
from heorot.analyse.stages import explain as explain_all
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Size
from heorot.model.catalogue.metrics import Metric
from tests.unit.analyse import builders
from tests.unit.analyse.explain.problems import a_rate
from tests.unit.analyse.questions.asking import FEELING, a_run, answered, asked, sentence

GRIDS = builders.a_benchmark(
    "grids/box",
    title="Box",
    metrics=(
        Metric(name="flop_rate", unit="flop/s", better="higher", count="flops"),
        Metric(name="steps", unit="step/s", better="higher", count="steps"),
    ),
    size=Size(coordinate="n", of="rank"),
)
"""A program each of whose ranks has a box of its own."""
KNOWN = (FEELING, GRIDS)


def a_box(rate: float, ranks: int = 1, n: int = 64, **changes: Any) -> Result:
    """The rate of so many boxes."""
    fields: dict[str, Any] = {
        "benchmark": GRIDS.name,
        "point": {"n": n},
        "ranks": ranks,
        "case": f"{n}_{ranks}",
    }
    return a_rate(rate, **(fields | changes))


def test_what_is_kept_of_the_speed_per_core_is_reported_and_no_speedup() -> None:
    one, two, four = a_box(1e9), a_box(1.8e9, 2), a_box(3e9, 4)
    context = a_run(one, two, four, benchmarks=KNOWN)
    answer = answered(context, asked("cores", one, four, further=(two.setup,)))
    assert answer.lines == ()
    (line,) = answer.growing
    assert (line.problem, line.base) == ("Box with n = 64 for each rank", "1 rank")
    assert [point.cores for point in line.curve] == [1, 2, 4]
    assert [point.value.median for point in line.curve] == pytest.approx([1.0, 0.9, 0.75])
    assert sentence(answer) == (
        "Weak scaling, speed per core kept on 4 cores of a node, against one, least first: Box "
        "with n = 64 for each rank 75.0 % [73.5…76.5 in 3 launches]."
    )
    assert scaling.find_curves(context) == []
    assert find_pairs(context) == []


def test_problems_of_one_size_stand_apart_from_those_that_grow() -> None:
    fixed, boxes = [a_rate(1e9), a_rate(3.6e9, ranks=4)], [a_box(1e9), a_box(3e9, 4)]
    context = a_run(*fixed, *boxes, benchmarks=KNOWN)
    answer = answered(context, asked("cores", *fixed), asked("cores", *boxes))
    assert [line.problem for line in answer.lines] == ["Solver class W"]
    assert [line.problem for line in answer.growing] == ["Box with n = 64 for each rank"]
    first, second = (claim.text for claim in answer.sentences)
    assert "Box" not in first
    assert "Solver" not in second


def test_sizes_that_fill_memory_are_compared_by_the_work_of_a_core() -> None:
    filling = replace(FEELING, size=Size(coordinate="n"))
    one = a_rate(2e9, ranks=2, point={"n": 100}, case="fitted")
    four = a_rate(6e9, ranks=8, point={"n": 200}, case="fitted_4", nodes=4, per_node=2)
    answer = answered(a_run(one, four, benchmarks=(filling,)), asked("nodes", one, four))
    (line,) = answer.growing
    assert line.value.median == pytest.approx(0.75)
    assert (line.problem, line.base) == ("Solver with n = 200", "2 ranks, with n = 100")
    assert "kept on 8 cores on 4 nodes, against 2, least first" in sentence(answer)


def test_threads_of_one_rank_share_its_problem() -> None:
    one, threads = a_box(1e9), a_box(3e9, threads=4, case="threads")
    context = a_run(one, threads, benchmarks=KNOWN)
    answer = answered(context, asked("cores", one, threads))
    assert answer.growing == ()
    assert [line.value.median for line in answer.lines] == pytest.approx([3.0])
    assert [curve.way for curve in scaling.find_curves(context)] == ["threads"]


def test_of_equal_work_the_times_are_compared_and_rates_of_steps_are_not() -> None:
    steps: dict[str, Any] = {"metric": "steps", "unit": "step/s"}
    times: dict[str, Any] = {"metric": "time", "unit": "s", "better": "lower"}
    rows = [a_box(10.0, **steps), a_box(9.0, 4, **steps)]
    experiment = asked("cores", *rows)
    context = a_run(*rows, benchmarks=KNOWN)
    assert explain(context, [experiment]) == []
    rows += [a_box(10.0, **times), a_box(12.5, 4, **times)]
    (row,) = explain(a_run(*rows, benchmarks=KNOWN), [experiment])
    assert row.median == pytest.approx(0.8)


def test_every_number_of_cores_has_a_row_of_its_own_label() -> None:
    one, two, four = a_box(1e9), a_box(1.8e9, 2), a_box(3e9, 4)
    context = a_run(one, two, four, benchmarks=KNOWN)
    experiment = asked("cores", one, four, further=(two.setup,))
    rows = [*explain_all(context, (), "test", [experiment]).context.rows]
    kept = [row for row in rows if row.metric == METRIC]
    assert [(row.ranks, row.unit) for row in kept] == [(2, "1"), (4, "1")]
    assert [row.median for row in kept] == pytest.approx([0.9, 0.75])
    assert all(row.derived for row in kept)
    assert {"speedup", "parallel_efficiency"}.isdisjoint(row.metric for row in rows)
