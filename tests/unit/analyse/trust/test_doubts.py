"""Ceilings that others pass, or that are far from their own, are questioned themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.analyse.trust.ceilings import apply_ceilings
from heorot.analyse.trust.doubts import doubt_ceilings
from heorot.model.catalogue.metrics import Ceiling, Reference

if TYPE_CHECKING:
    from heorot.model.analysis.result import Finding, Result
    from tests.unit.conftest import Kit

LIMIT = Ceiling(metric="rate", by="peak", reason="nothing computes faster")
PEAK = Reference(name="peak", metric="rate", regions=("main",), least_share=0.9)


def rate(kit: Kit, benchmark: str, median: float, **changes: Any) -> Result:
    fields = {"benchmark": benchmark, "region": "main", "metric": "rate", "unit": "flop/s"}
    return kit.result(median=median, **(fields | changes))


def doubts(kit: Kit, *rows: Result) -> list[Finding]:
    programs = (
        kit.benchmark("units/top", publishes=(PEAK,)),
        kit.benchmark("work/some", ceilings=(LIMIT,)),
        kit.benchmark("work/other", ceilings=(LIMIT,)),
    )
    context = kit.context(rows, benchmarks=programs)
    context.rows.replace(apply_ceilings(context))
    return doubt_ceilings(context)


def test_a_sound_ceiling_is_not_questioned(kit: Kit) -> None:
    top = rate(kit, "units/top", 100e9, share_of_ceiling=0.97)
    assert doubts(kit, top, rate(kit, "work/some", 103e9)) == []


@pytest.mark.parametrize("disturbed", [False, True])
def test_a_ceiling_that_others_pass_is_in_question(kit: Kit, disturbed: bool) -> None:
    top = rate(kit, "units/top", 100e9, disturbed=disturbed)
    others = [rate(kit, "work/some", 130e9), rate(kit, "work/other", 150e9)]
    (found,) = doubts(kit, top, *others)
    assert "the ceiling peak of one core, 100 Gflop/s [99, 101]" in found.observation
    assert (
        "is passed by work/some, work/other, at most 1.50 times (150 Gflop/s)" in found.observation
    )
    assert found.observation.endswith("the ceiling is in question before what it limits")
    assert found.evidence == (top.key, *(row.key for row in others))


@pytest.mark.parametrize(("reached", "words"), [(0.7, "70.0 % [69.3, 70.7]"), (1.3, "130 %")])
def test_a_ceiling_far_from_its_own_is_in_question(kit: Kit, reached: float, words: str) -> None:
    top = rate(kit, "units/top", 100e9, share_of_ceiling=reached)
    (found,) = doubts(kit, top)
    assert words in found.observation
    assert "passed" not in found.observation


def test_what_failed_its_check_questions_nothing(kit: Kit) -> None:
    wrong = rate(kit, "work/some", 900e9, verified="failed")
    assert doubts(kit, rate(kit, "units/top", 100e9), wrong) == []


def test_only_the_best_of_a_case_is_a_ceiling(kit: Kit) -> None:
    """Narrow vectors may be far from what their units could do."""
    narrow = rate(kit, "units/top", 40e9, point={"width": 16}, share_of_ceiling=0.6)
    wide = rate(kit, "units/top", 100e9, point={"width": 64}, share_of_ceiling=0.97)
    assert doubts(kit, narrow, wide) == []
    assert len(doubts(kit, narrow)) == 1


def test_a_wide_interval_is_no_reason_to_doubt(kit: Kit) -> None:
    unsteady = rate(kit, "units/top", 80e9, ci_low=55e9, ci_high=97e9, share_of_ceiling=0.8)
    assert doubts(kit, unsteady) == []
