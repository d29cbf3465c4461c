"""Verdicts, and the exchange of spreads between metrics and programs, calculated step by step."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from heorot.analyse.statistics.comparison import (
    Comparison,
    Direction,
    classify,
    compare,
    compare_group,
    compare_groups,
    moderate,
)
from heorot.analyse.statistics.significance import (
    Verdict,
    adjust_p_values,
    mean_difference,
    shrink_spreads,
)


def judge(comparisons: list[Comparison]) -> list[Verdict]:
    """The verdicts alone."""
    return [verdict for verdict, _ in classify(comparisons)]


def launches(*logarithms: float) -> list[list[float]]:
    """One sample per launch, given in hundredths of its logarithm."""
    return [[math.exp(value / 100)] for value in logarithms]


def t_interval(ratio: float, error: float, freedom: float) -> tuple[float, float, float]:
    """Ends of the 95 % interval and two-sided p-value of Student's t on the logarithm."""
    reach = stats.t.ppf(0.975, freedom) * error
    p_value = 2.0 * stats.t.sf(abs(math.log(ratio)) / error, freedom)
    return ratio * math.exp(-reach), ratio * math.exp(reach), float(p_value)


NARROW = compare(launches(0, 1, 2), launches(5, 6, 7), better="lower")
MIDDLE = compare(launches(0, 2, 4), launches(1, 4), better="lower")
WIDE = compare(launches(0, 9, 3), launches(2, 0, 8), better="higher")


def test_metrics_lend_each_other_their_spread() -> None:
    ranked = compare(launches(*range(7)), launches(*(9 + 2 * i for i in range(7))), better="lower")
    single = compare([[1.0, 1.1, 1.2]], [[1.0, 1.3]], better="lower")
    own = (NARROW, MIDDLE, WIDE)
    # Those that are judged otherwise take no part, wherever they stand.
    informed = moderate([ranked, *own, single])
    assert (informed[0], informed[-1]) == (ranked, single)
    spreads, freedoms = shrink_spreads(
        np.array([one.spread for one in own]), np.array([one.freedom for one in own])
    )
    factors = (2 / 3, 5 / 6, 2 / 3)
    for before, after, spread, freedom, factor in zip(
        own, informed[1:-1], spreads, freedoms, factors, strict=True
    ):
        error = spread * math.sqrt(factor)
        wanted = (*t_interval(before.ratio, error, freedom), spread, freedom)
        found = (after.ratio_low, after.ratio_high, after.p_value, after.spread, after.freedom)
        assert found == pytest.approx(wanted)
        assert after.ratio == before.ratio
    assert NARROW.spread < informed[1].spread
    assert informed[3].spread < WIDE.spread


def test_two_launches_and_one_are_evidence_of_launches() -> None:
    one = compare(launches(0, 1), launches(5), better="lower")
    assert (one.basis, one.freedom) == ("launches", 1)


def test_the_side_that_varies_more_sets_the_noise_floor() -> None:
    quiet, loud = (0.0, 0.1, 0.2), (0.0, 5.0, 10.0)
    floor = mean_difference([value / 100 for value in loud])
    for sides in ((quiet, loud), (loud, quiet)):
        one = compare(*(launches(*side) for side in sides), better="higher")
        assert one.noise_floor == pytest.approx(floor)
        assert compare_group([one]).noise_floor == pytest.approx(floor)


@pytest.mark.parametrize(
    ("better", "ratio", "low", "high", "p_value", "verdict"),
    [
        ("higher", 1.10, 1.05, 1.15, 0.05, "better"),
        ("higher", 1.10, 1.05, 1.15, 0.051, "indistinguishable"),
        ("higher", 1.10, 1.00, 1.15, 0.01, "indistinguishable"),
        ("higher", 0.90, 0.85, 1.00, 0.01, "indistinguishable"),
        ("higher", 0.90, 0.85, 0.95, 0.01, "worse"),
        ("higher", 1.10, 0.95, 1.25, 0.01, "indistinguishable"),
        ("higher", 1.60, 1.10, 2.40, 0.01, "better"),
        ("higher", 1.019, 1.01, 1.03, 0.01, "indistinguishable"),
        ("higher", 0.985, 0.98, 0.99, 0.01, "indistinguishable"),
        ("lower", 0.90, 0.85, 0.95, 0.01, "better"),
        ("lower", 0.95, 0.90, 1.05, 0.01, "indistinguishable"),
        ("lower", 1.10, 1.05, 1.15, 0.01, "worse"),
    ],
)
def test_a_verdict_needs_significance_an_interval_and_a_size(
    better: Direction, ratio: float, low: float, high: float, p_value: float, verdict: Verdict
) -> None:
    one = replace(NARROW, better=better, noise_floor=0.02, p_value=p_value)
    one = replace(one, ratio=ratio, ratio_low=low, ratio_high=high)
    assert judge([one]) == [verdict]


def test_a_program_is_judged_by_the_means_of_its_launches() -> None:
    other = compare(launches(0, 3, 1), launches(8, 6, 7), better="lower")
    group = compare_group([NARROW, other])
    a, b = (0.0, 2.0, 1.5), (6.5, 6.0, 7.0)  # hundredths, means of the two metrics
    spread = math.sqrt((np.var(a) + np.var(b)) * 3 / 4) / 100
    ratio = math.exp(-(np.mean(b) - np.mean(a)) / 100)  # lower is better
    low, high, p_value = t_interval(ratio, spread * math.sqrt(2 / 3), 4)
    found = (group.geometric_mean_ratio, group.low, group.high, group.p_value, group.spread)
    assert found == pytest.approx((ratio, low, high, p_value, spread))
    assert (group.verdict, group.freedom) == ("worse", 4)
    assert compare_group([NARROW, other], significance=0.5 * p_value).verdict == "indistinguishable"


@pytest.mark.parametrize(("spread", "left_out"), [(0.09, ()), (0.11, (3,))])
def test_three_times_the_median_spread_is_too_much(
    spread: float, left_out: tuple[int, ...]
) -> None:
    usual = replace(NARROW, spread=0.03)
    group = compare_group([usual, usual, usual, replace(NARROW, spread=spread)])
    assert tuple(group.left_out) == left_out


def test_with_missing_launches_the_median_noise_floor_counts() -> None:
    metrics = [replace(one, noise_floor=f) for one, f in ((NARROW, 0.03), (MIDDLE, 0.05))]
    assert compare_group(metrics).noise_floor == pytest.approx(0.04)


PROGRAMS = {"a": [NARROW], "b": [MIDDLE], "c": [WIDE, WIDE]}


def test_programs_lend_each_other_their_spread() -> None:
    groups = compare_groups(PROGRAMS)
    alone = [compare_group(metrics) for metrics in PROGRAMS.values()]
    spreads, freedoms = shrink_spreads(
        np.array([one.spread for one in alone]), np.array([one.freedom for one in alone])
    )
    for group, one, spread, freedom in zip(groups.values(), alone, spreads, freedoms, strict=True):
        error = spread * math.sqrt(one.launch_factor)
        wanted = (*t_interval(one.geometric_mean_ratio, error, freedom), spread, freedom)
        found = (group.low, group.high, group.p_value, group.spread, group.freedom)
        assert found == pytest.approx(wanted)
        assert group.n_metrics == one.n_metrics
    assert list(groups) == ["a", "b", "c"]


def test_programs_are_named_below_the_rate_asked_for() -> None:
    def verdict_at(**options: float) -> Verdict:
        return compare_groups(PROGRAMS, **options)["a"].verdict

    p_values = [group.p_value for group in compare_groups(PROGRAMS).values()]
    adjusted = float(adjust_p_values(p_values)[0])
    assert verdict_at(false_discovery_rate=1.01 * adjusted) == "worse"
    assert verdict_at(false_discovery_rate=0.99 * adjusted) == "indistinguishable"
    assert verdict_at(false_discovery_rate=1.01 * adjusted, noise_floor=0.06) != "worse"


def one_of(p_value: float) -> dict[str, list[Comparison]]:
    """One program of one metric whose change of 5 % has about this p-value."""
    error = 0.05 / float(stats.t.isf(p_value / 2, 4))
    step = 100 * error * math.sqrt(3 / 2)
    return {
        "a": [compare(launches(0, step, -step), launches(5, 5 + step, 5 - step), better="higher")]
    }


@pytest.mark.parametrize(("p_value", "verdict"), [(0.01, "better"), (0.03, "indistinguishable")])
def test_a_program_is_named_more_rarely_than_a_metric(p_value: float, verdict: Verdict) -> None:
    (group,) = compare_groups(one_of(p_value)).values()
    assert group.p_value == pytest.approx(p_value)
    assert group.verdict == verdict
    assert judge(one_of(p_value)["a"]) == ["better"]


@pytest.mark.parametrize(("p_value", "verdict"), [(0.04, "better"), (0.06, "indistinguishable")])
def test_a_program_alone_is_named_up_to_five_per_cent(p_value: float, verdict: Verdict) -> None:
    assert compare_group(one_of(p_value)["a"]).verdict == verdict


def test_a_verdict_that_its_interval_does_not_explain_says_what_it_lacks() -> None:
    wide = compare(launches(0, 50), launches(-120, -60), better="higher")
    far = replace(wide, ratio=0.370, ratio_low=0.239, ratio_high=0.574)
    (judged,) = classify([replace(far, p_value=0.2, noise_floor=0.02)])
    assert judged == ("indistinguishable", "p = 0.2 after adjustment, 0.05 would be needed")
    (judged,) = classify([replace(far, p_value=0.001, noise_floor=4.0)])
    assert judged == ("indistinguishable", "launches of one run differ by 4e+02 %")
    (judged,) = classify([replace(far, p_value=0.001, noise_floor=0.02)])
    assert judged == ("worse", "")
    (judged,) = classify([replace(far, ratio_high=1.1)])
    assert judged == ("indistinguishable", "")
