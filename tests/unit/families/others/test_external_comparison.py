"""External programs compared with Heorot's own: only for the same work on equal core counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.families.others import family_of
from heorot.families.others.external_comparison import explain, sentences
from heorot.model.recipe import Recipe
from tests.unit.analyse.builders import a_context, a_result

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result


def a_recipe(comparable: str = "No: a test", **changes: Any) -> Recipe:
    """A recipe whose bandwidth is compared with that of our stream."""
    beside = {"benchmark": "memory/{kind}", "region": "{region}", "metric": "bandwidth", **changes}
    metric = {
        "name": "speed",
        "unit": "MB/s",
        "better": "higher",
        "pattern": r"(?P<region>\w+) at (?P<n>\d+): (?P<value>\S+)",
        "beside": beside,
    }
    return Recipe.model_validate(
        {
            "name": "theirs",
            "title": "their STREAM",
            "question": "?",
            "source": "a test",
            "licence": "none",
            "comparable": comparable,
            "parameters": {"kind": "stream"},
            "command": "x",
            "cases": [{"name": "a"}],
            "metrics": [metric, {**metric, "name": "alone", "beside": None}],
        }
    )


def theirs(median: float = 10e9, **changes: Any) -> Result:
    fields = {"benchmark": "others/theirs", "metric": "speed", "toolchain": "gnu-12", "case": "a"}
    return a_result(median=median, **(fields | changes))


def pairs(*rows: Result, **changes: Any) -> list[Result]:
    return explain([a_recipe(**changes)], a_context(rows))


def said(*rows: Result, comparable: str = "No: a test") -> list[str]:
    context = a_context(rows)
    return [each.text for each in sentences([a_recipe(comparable)], context)]


def test_rates_yield_a_ratio_of_times() -> None:
    (row,) = pairs(theirs(10e9), a_result(median=15e9))
    assert (row.metric, row.unit, row.better, row.derived) == (
        "theirs_over_ours_speed",
        "",
        "lower",
        True,
    )
    assert row.benchmark == "others/theirs"
    assert row.median == pytest.approx(1.5)


def test_times_yield_a_ratio_of_times() -> None:
    times = {"unit": "s", "better": "lower"}
    (row,) = pairs(theirs(3.0, **times), a_result(median=2.0, **times))
    assert row.median == pytest.approx(1.5)


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_the_interval_encloses_those_of_both(better: str) -> None:
    one = theirs(10.0, ci_low=9.0, ci_high=12.0, better=better)
    own = a_result(median=15.0, ci_low=14.0, ci_high=16.0, better=better)
    (row,) = pairs(one, own)
    ratios = [a / b for a in (14.0, 15.0, 16.0) for b in (9.0, 10.0, 12.0)]
    if better == "lower":
        ratios = [1.0 / ratio for ratio in ratios]
    assert row.ci_low == pytest.approx(min(ratios))
    assert row.ci_high == pytest.approx(max(ratios))
    assert row.ci_low < row.median < row.ci_high


def test_an_interval_that_reaches_nothing_has_no_upper_end() -> None:
    (row,) = pairs(theirs(10.0, ci_low=0.0), a_result(median=15.0))
    assert (row.median, row.ci_low, row.ci_high) == (1.5, 0.0, float("inf"))


@pytest.mark.parametrize(
    "other",
    [
        {"nodes": 2},
        {"ranks": 2},
        {"threads": 2},
        {"region": "copy"},
        {"metric": "rate"},
        {"unit": "flop/s"},
        {"benchmark": "memory/latency"},
        {"options": {"star": True}},
    ],
    ids=str,
)
def test_only_what_agrees_makes_a_pair(other: dict[str, Any]) -> None:
    assert pairs(theirs(), a_result(**other)) == []


@pytest.mark.parametrize(
    "flaw",
    [{"verified": "failed"}, {"plausible": False}, {"derived": True}, {"metric": "alone"}],
    ids=str,
)
def test_what_is_no_figure_of_theirs_makes_no_pair(flaw: dict[str, Any]) -> None:
    assert pairs(theirs(**flaw), a_result()) == []
    assert said(theirs(**flaw), a_result()) == []


@pytest.mark.parametrize("flaw", [{"verified": "failed"}, {"plausible": False}], ids=str)
def test_what_is_no_figure_of_ours_makes_no_pair(flaw: dict[str, Any]) -> None:
    assert pairs(theirs(), a_result(**flaw)) == []


def test_ours_of_the_same_toolchain_comes_first() -> None:
    other, same = a_result(median=20e9, toolchain="b"), a_result(median=15e9, toolchain="a")
    (row,) = pairs(theirs(toolchain="a"), other, same)
    assert row.median == pytest.approx(1.5)
    (row,) = pairs(theirs(toolchain="c"), other)
    assert row.median == pytest.approx(2.0)


def test_coordinates_must_agree() -> None:
    own = [a_result(median=15e9, point={"n": 8}), a_result(median=20e9, point={"n": 9})]
    one = theirs(point={"n": 9})
    (row,) = pairs(one, *own, point={"n": "{n}"})
    assert row.median == pytest.approx(2.0)
    assert row.point == {"n": 9}
    assert pairs(theirs(point={"n": 7}), *own, point={"n": "{n}"}) == []


def test_a_coordinate_that_a_region_lacks_makes_no_pair() -> None:
    assert pairs(theirs(point={}), a_result(), point={"n": "{n}"}) == []


def test_a_pair_is_reported_with_its_evidence() -> None:
    rows = [theirs(10e9, ranks=2, threads=3), a_result(median=15e9, ranks=2, threads=3)]
    (sentence,) = sentences([a_recipe()], a_context(rows))
    assert sentence.text == (
        "Their STREAM (a test, as installed) compared with Heorot's own: triad takes 1.5 [1.5…1.5 "
        "in 3 launches] times as long as memory/stream on 2 ranks of 3 threads."
    )
    assert sentence.evidence == (rows[0].id, rows[1].id)


def test_a_point_at_which_theirs_is_faster_comes_first() -> None:
    rows = [each for n in range(1, 7) for each in (theirs(ranks=n), a_result(ranks=n))]
    rows[10] = theirs(16e9, ranks=6)
    (text,) = said(*rows)
    assert "own: it is faster by more than 5 % at 1 of 6 points: triad takes 0.94 [" in text
    assert text.index("on 6 ranks") < text.index("on 1 rank")


def test_the_interval_of_one_launch_is_reported_as_such() -> None:
    assert "(one launch)" in said(theirs(n_launches=1), a_result())[0]
    assert "(one launch)" not in said(theirs(n_launches=2), a_result())[0]


def test_whose_figures_compare_is_reported() -> None:
    (text,) = said(theirs(), a_result(), comparable="Yes: by rule")
    assert text.endswith(" on 1 rank. Its figures are comparable with published ones.")


def test_many_pairs_are_counted() -> None:
    rows = [theirs(ranks=n) for n in range(1, 7)] + [a_result(ranks=n) for n in range(1, 7)]
    (text,) = said(*rows)
    assert text.count("times as long") == 4
    assert text.endswith("; 2 more pairs are in its table.")


def test_the_family_knows_its_recipes() -> None:
    family = family_of([a_recipe()])
    context = a_context([theirs(), a_result()])
    assert [each.name for each in family.benchmarks] == ["others/theirs"]
    own = family.analysis()
    assert [len(each(context)) for each in (*own.explain, *own.sentences)] == [1, 1, 0]
    assert said() == []
