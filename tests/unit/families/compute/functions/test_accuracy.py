"""Errors of elementary functions as rows, digits lost as findings, evaluations in cycles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.families.compute.functions.accuracy import explain, find
from heorot.families.compute.functions.intrinsics import INTRINSICS
from heorot.model.run.outcome import Outcome
from heorot.model.run.records import NoteLine
from heorot.report.figures.kind import Material
from heorot.report.figures.show import draw
from tests.unit.analyse.builders import a_context, a_result, a_step

if TYPE_CHECKING:
    from heorot.model.analysis.context import Context
    from heorot.model.analysis.result import Result


def rate(region: str, median: float = 2e8, **changes: object) -> Result:
    fields: dict[str, object] = {
        "benchmark": INTRINSICS.name,
        "region": region,
        "metric": "rate",
        "unit": "evaluation/s",
        "point": {"precision": "double", "way": "loop"},
        "median": median,
    }
    return a_result(**(fields | changes))


def run_of(rows: list[Result], *launches: dict[str, float]) -> Context:
    """A run whose launches noted these numbers."""
    steps = [a_step(id=f"S{i}", benchmark=INTRINSICS.name) for i in range(len(launches))]
    outcomes = [
        Outcome(
            step=f"S{i}",
            state="completed",
            notes=tuple(
                NoteLine(type="note", name=name, value=value) for name, value in notes.items()
            ),
        )
        for i, notes in enumerate(launches)
    ]
    return a_context(rows, steps=steps, outcomes=outcomes)


def test_the_largest_error_of_all_launches_counts() -> None:
    context = run_of(
        [rate("exp")],
        {"error_exp_double_loop": 0.5},
        {"error_exp_double_loop": 50.0, "worst_exp_double_loop": -3.0},
    )
    rows = {row.metric: row for row in explain(context)}
    assert (rows["largest_error"].median, rows["largest_error"].unit) == (50.0, "ulp")
    assert rows["digits_lost"].median == pytest.approx(2.0)
    assert rows["digits_lost"].point == {
        "precision": "double",
        "way": "loop",
        "arguments": "ordinary",
        "argument": "-3",
    }


def test_without_its_argument_an_error_is_reported_all_the_same() -> None:
    rows = explain(run_of([rate("exp")], {"error_exp_double_loop": 0.5}))
    assert rows[0].point == {"precision": "double", "way": "loop"}


def test_what_is_rounded_well_loses_nothing() -> None:
    context = run_of([rate("exp")], {"error_exp_double_loop": 0.499})
    lost = [row.median for row in explain(context) if row.metric == "digits_lost"]
    assert lost == [0.0]
    assert find(context) == []


def test_more_than_a_digit_is_a_finding_with_its_argument() -> None:
    rows = [rate("exp"), rate("sin"), rate("log")]
    context = run_of(
        rows,
        {
            "error_exp_double_loop": 5.1,
            "worst_exp_double_loop": 1.5,
            "error_sin_double_loop": 5e15,
            "worst_sin_double_loop": -1e22,
            "error_log_double_loop": 4.9,
        },
    )
    (finding,) = find(context)
    assert finding.text == (
        "The math library loses more than one decimal digit: sin in double precision 16.0 digits "
        "at -1e+22."
    )
    assert finding.severity == "warning"
    assert [(row[0], row[-1]) for row in finding.rows] == [("exp", "1.5"), ("sin", "-1e+22")]
    assert finding.evidence == (rows[0].id, rows[1].id)


def test_the_hardest_argument_is_a_finding_of_its_own() -> None:
    context = run_of(
        [rate("cos")],
        {"error_cos_double_loop": 0.5, "hardest_cos_double_loop": 8.0},
    )
    (finding,) = find(context)
    assert finding.text.startswith("At the double closest to a multiple of pi/2")
    assert finding.severity == "note"
    assert finding.rows == (("cos", "double", "loop", "gnu-12", "8", "1.2", ""),)


def test_wrong_results_have_an_error_too() -> None:
    wrong = rate("exp", verified="failed")
    context = run_of([wrong], {"error_exp_double_loop": 1e9})
    assert len(find(context)) == 1


def test_an_evaluation_in_cycles_of_the_measured_clock() -> None:
    clock = a_result(
        benchmark="compute/peak", region="clock_multiply", metric="clock", unit="Hz", median=4e9
    )
    (row,) = explain(run_of([clock, rate("exp", 2e8)]))
    assert (row.metric, row.unit) == ("cycles_per_evaluation", "cycle")
    assert row.median == pytest.approx(20.0)
    assert row.ci_low < 20.0 < row.ci_high


def test_toolchains_are_distinguished_by_their_names_and_not_by_arguments() -> None:
    chains = ("gnu", "clang", "flang")
    rows = [
        a_result(
            benchmark=INTRINSICS.name,
            region=region,
            metric="largest_error",
            unit="ulp",
            median=0.5 + number,
            toolchain=chain,
            point={
                "precision": "double",
                "way": "loop",
                "arguments": ("ordinary", "tiny")[number % 2],
                "argument": str(number),
            },
        )
        for region in ("exp", "log")
        for number, chain in enumerate(chains)
    ]
    (figure,) = (one for one in INTRINSICS.figures if one.metric == "largest_error")
    drawing = draw(figure, Material(rows), "f")
    assert drawing is not None
    assert [name for name, _ in drawing.keys] == [*chains]
