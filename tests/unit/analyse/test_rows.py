"""Rows chosen among results, problems in words, and rows that come from fits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from heorot.analyse.rows import (
    best,
    best_on_most_cores,
    capability,
    derive,
    first_rate,
    largest,
    problem,
    rates,
    remark_small,
    rename,
    size_of,
    speeds,
)
from heorot.analyse.statistics.summary import summarise
from heorot.model.analysis.breakdown import Attribution
from heorot.model.analysis.node_roofline.levels import MOST_SHARE
from heorot.model.catalogue.benchmark import Size
from heorot.model.catalogue.metrics import Metric
from tests.unit.analyse.builders import a_benchmark, a_context, a_result

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from heorot.model.analysis.result import Result

TIME = Metric(name="time", unit="s", better="lower")
RATE = Metric(name="rate", unit="1/s", better="higher", count="steps")
SAME = Metric(name="flop_rate", unit="flop/s", better="higher", count="flops")


def rate(median: float, **changes: Any) -> Result:
    fields = {"benchmark": "family/program", "metric": "rate", "point": {"unknowns": 4096}}
    return a_result(median=median, **(fields | changes))


def test_the_speed_of_a_program_is_its_first_rate() -> None:
    assert first_rate(a_benchmark(metrics=(TIME, RATE, SAME))) == "rate"
    assert first_rate(a_benchmark(metrics=(TIME,))) == ""


def test_speeds_are_trusted_rates_of_whole_problems_of_a_size() -> None:
    sized = a_benchmark(metrics=(TIME, RATE, SAME), size=Size(coordinate="unknowns"))
    rows = [
        rate(1.0),
        rate(2.0, metric="time"),
        rate(3.0, metric="flop_rate"),
        rate(4.0, derived=True),
        rate(5.0, options={"star": True}),
        rate(6.0, verified="failed"),
        rate(7.0, plausible=False),
        rate(8.0, point={"bytes": 8}),
        rate(9.0, benchmark="family/without_size"),
        rate(10.0, benchmark="family/unknown"),
        rate(11.0, ranks=2),
        rate(12.0, ranks=2, nodes=2),
    ]
    without = a_benchmark("family/without_size", metrics=(RATE,))
    context = a_context(rows, benchmarks=(sized, without))
    assert [row.median for row in speeds(context)] == [1.0, 11.0]
    assert [row.median for row in rates(context)] == [1.0, 11.0, 12.0]


def test_the_most_cores_are_those_of_a_node_if_anything_ran_in_one() -> None:
    rows = [rate(1.0, ranks=2), rate(2.0, ranks=4), rate(9.0, ranks=8, nodes=2)]
    top = best_on_most_cores(rows)
    assert top is rows[1]
    assert best_on_most_cores(rows[2:]) is rows[2]


def test_a_problem_is_a_program_and_its_size() -> None:
    numbers = a_benchmark("family/program", title="Solver", size=Size(coordinate="unknowns"))
    words = a_benchmark("family/other", size=Size(coordinate="class", order=("S", "W")))
    context = a_context(benchmarks=(numbers, words))
    assert problem(context, rate(1.0)) == "Solver with 4096 unknowns"
    small = rate(1.0, benchmark="family/other", point={"class": "S"})
    assert problem(context, small) == "family/other class S"


def test_a_program_without_sizes_is_no_problem() -> None:
    context = a_context(benchmarks=(a_benchmark(),))
    with pytest.raises(ValueError, match="family/program have no size"):
        size_of(context, rate(1.0))


def test_the_best_is_the_largest_rate_or_the_smallest_time() -> None:
    rates = [rate(median) for median in (1.0, 3.0, 2.0)]
    times = [rate(median, better="lower") for median in (2.0, 1.0, 3.0)]
    assert best(rates) is rates[1]
    assert best(times) is times[1]
    assert best([]) is None


def test_the_most_cores_come_before_the_best() -> None:
    rows = [rate(9.0), rate(1.0, ranks=4), rate(2.0, ranks=2, threads=2)]
    assert best_on_most_cores(rows) is rows[2]
    assert best_on_most_cores([]) is None


def test_the_largest_is_by_its_coordinate() -> None:
    rows = [rate(1.0, point={"bytes": size}) for size in (8, 1024, 64)]
    assert largest(rows, "bytes") is rows[1]
    assert largest([], "bytes") is None


def test_a_derived_row_stands_as_well_as_its_sources() -> None:
    sources = [rate(1.0, plausible=True), rate(2.0, disturbed=True)]
    row = derive(sources, "start_up", "s", "lower", (2.0, 1.0, 4.0), point={"from": 1}, share=0.5)
    assert (row.metric, row.unit, row.better) == ("start_up", "s", "lower")
    assert (row.median, row.ci_low, row.ci_high) == (2.0, 1.0, 4.0)
    assert (row.min, row.q10, row.q90, row.max) == (1.0, 1.0, 4.0, 4.0)
    assert (row.n, row.derived, row.disturbed) == (2, True, True)
    assert (dict(row.point), row.share_of_ceiling, row.plausible) == ({"from": 1}, 0.5, None)
    assert not derive(sources[:1], "x", "s", "lower", (1.0, 1.0, 1.0), point={}).disturbed


def test_a_renamed_row_keeps_its_samples() -> None:
    source = rate(1.0, plausible=True, share_of_ceiling=0.9)
    row = rename(source, "peak", {"bytes": 8}, None)
    assert (row.metric, dict(row.point), row.derived) == ("peak", {"bytes": 8}, True)
    assert (row.share_of_ceiling, row.plausible) == (None, None)
    assert (row.median, row.ci_low, row.q90, row.n) == (1.0, source.ci_low, source.q90, source.n)


def a_row_of(launches: NDArray[np.float64]) -> Result:
    """The row of launches with one value each [B/s]."""
    reported = summarise([np.array([each]) for each in launches])
    fields = {"median": reported.median, "ci_low": reported.ci_low, "ci_high": reported.ci_high}
    return a_result(**fields, n_launches=len(launches))


@pytest.mark.slow
@pytest.mark.parametrize(("launches", "chance"), [(2, 0.04), (3, 0.015), (5, 0.003)])
def test_launches_that_are_slowed_down_move_no_bound(launches: int, chance: float) -> None:
    """A program at a roof, with both measured in launches of which a fifth run at half speed."""
    random = np.random.default_rng(7)

    def row() -> Result:
        slowed = np.where(random.random(launches) < 0.2, 0.5, 1.0)
        return a_row_of(10e9 * slowed * np.exp(0.01 * random.standard_normal(launches)))

    pairs = [(row(), row()) for _ in range(2000)]
    passed = np.mean([own.median > MOST_SHARE * capability(roof) for own, roof in pairs])
    by_medians = np.mean([own.median > MOST_SHARE * roof.median for own, roof in pairs])
    assert passed < chance
    assert by_medians > 3.0 * chance


def test_what_is_too_small_to_judge_is_said_to_be_so() -> None:
    size = Size(coordinate="class", order=("S", "W", "A"), for_trying=("S", "W"))
    rows = [a_result(benchmark="npb/x", point={"class": name}) for name in "WA"]
    context = a_context(rows, benchmarks=(a_benchmark("npb/x", size=size),))
    reported = [
        Attribution(benchmark="npb/x", text="It loses much.", evidence=(row.id,), lost=0.5)
        for row in rows
    ]
    small, whole = remark_small(context, reported)
    assert (small.text, small.lost) == ("It loses much (class W is too small to judge).", 0.0)
    assert whole == reported[1]


def test_a_bound_is_no_less_than_the_row_that_makes_it() -> None:
    assert capability(a_result(median=3.0, ci_low=1.0, ci_high=4.0)) == 4.0
