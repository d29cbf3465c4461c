"""Bounds that others exceed, or that are far from their own, are questioned themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.analyse.validity.ceilings import apply_ceilings
from heorot.analyse.validity.suspect_bounds import find_suspect_bounds
from heorot.model.catalogue.metrics import Ceiling, Reference
from tests.unit.analyse.builders import a_benchmark, a_context, a_steady_result

if TYPE_CHECKING:
    from heorot.model.analysis.result import Finding, Result

LIMIT = Ceiling(metric="rate", by="peak", reason="nothing computes faster")
PEAK = Reference(name="peak", metric="rate", regions=("main",), least_share=0.9)


def rate(benchmark: str, median: float, **changes: Any) -> Result:
    fields = {"benchmark": benchmark, "region": "main", "metric": "rate", "unit": "flop/s"}
    return a_steady_result(median=median, **(fields | changes))


def doubts(*rows: Result) -> list[Finding]:
    programs = (
        a_benchmark("units/top", publishes=(PEAK,)),
        a_benchmark("work/some", ceilings=(LIMIT,)),
        a_benchmark("work/other", ceilings=(LIMIT,)),
    )
    context = a_context(rows, benchmarks=programs)
    context = context.replacing(apply_ceilings(context))
    return find_suspect_bounds(context)


def test_a_sound_bound_is_not_questioned() -> None:
    top = rate("units/top", 100e9, share_of_ceiling=0.97)
    assert doubts(top, rate("work/some", 103e9)) == []


@pytest.mark.parametrize("disturbed", [False, True])
def test_a_bound_that_others_pass_is_in_question(disturbed: bool) -> None:
    top = rate("units/top", 100e9, disturbed=disturbed)
    others = [rate("work/some", 130e9), rate("work/other", 150e9)]
    (found,) = doubts(top, *others)
    assert "the bound peak of one core, 100 Gflop/s [100…100 in 3 launches]" in found.text
    assert "is exceeded by work/some, work/other, up to 1.50 times (150 Gflop/s)" in found.text
    assert found.text.endswith("the bound itself is suspect")
    assert found.evidence == (top.id, *(row.id for row in others))


@pytest.mark.parametrize(
    ("reached", "words"), [(0.7, "70.0 % [70.0…70.0 in 3 launches]"), (1.3, "130 %")]
)
def test_a_bound_far_from_its_own_is_in_question(reached: float, words: str) -> None:
    top = rate("units/top", 100e9, share_of_ceiling=reached)
    (found,) = doubts(top)
    assert words in found.text
    assert "exceeded" not in found.text


def test_what_failed_its_check_questions_nothing() -> None:
    wrong = rate("work/some", 900e9, verified="failed")
    assert doubts(rate("units/top", 100e9), wrong) == []


def test_only_the_best_of_a_case_is_a_bound() -> None:
    """Narrow vectors may be far from what their units could do."""
    narrow = rate("units/top", 40e9, point={"width": 16}, share_of_ceiling=0.6)
    wide = rate("units/top", 100e9, point={"width": 64}, share_of_ceiling=0.97)
    assert doubts(narrow, wide) == []
    assert len(doubts(narrow)) == 1


def test_a_wide_interval_is_no_reason_to_doubt() -> None:
    unsteady = rate("units/top", 80e9, ci_low=55e9, ci_high=97e9, share_of_ceiling=0.8)
    assert doubts(unsteady) == []
