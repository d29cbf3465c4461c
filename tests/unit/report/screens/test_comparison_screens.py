"""First screens of comparisons."""

from __future__ import annotations

from heorot.report.screens.comparison_screens import systems_screen
from tests.unit.report.systems.sample_systems import make_systems


def test_a_lead_that_perturbed_samples_decide_is_no_good_news() -> None:
    side, _ = make_systems(3)
    one = side.comparisons[0]
    decided = [metric for metric in one.metrics if metric.verdict in ("better", "worse")]
    assert decided
    noisy = tuple(
        metric.model_copy(update={"disturbed": ("A",)}) if metric in decided else metric
        for metric in one.metrics
    )
    others = (one.model_copy(update={"metrics": noisy}), *side.comparisons[1:])
    before, after = (
        systems_screen(each).tiles[0]
        for each in (side, side.model_copy(update={"comparisons": others}))
    )
    assert before.tone in ("good", "bad")
    assert after.tone == "muted"
    assert after.note == f"{before.note}; {len(decided)} perturbed"
