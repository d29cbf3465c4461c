"""Estimators behind the comparison: effective sample size, shrunken spreads, adjusted p-values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heorot.analyse.statistics.significance import (
    adjust_p_values,
    estimate_median_variance,
    shrink_spreads,
)


def test_autocorrelation_reduces_the_effective_size() -> None:
    generator = np.random.default_rng(4)
    fresh = generator.normal(size=2000)
    series = fresh.copy()
    for t in range(1, series.size):
        series[t] = 0.8 * series[t - 1] + 0.6 * fresh[t]
    _, n_fresh = estimate_median_variance(fresh)
    _, n_series = estimate_median_variance(series)
    assert n_fresh > 1600
    assert n_series == pytest.approx(2000 / 9, rel=0.35)


def test_adjusted_p_values() -> None:
    # Worked by hand: p m / rank, then the running minimum from the largest down.
    assert adjust_p_values([0.01, 0.04, 0.03, 0.5]).tolist() == pytest.approx(
        [0.04, 0.16 / 3, 0.16 / 3, 0.5]
    )
    assert adjust_p_values([]).size == 0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50))
def test_adjustment_never_lowers_and_keeps_order(p: list[float]) -> None:
    adjusted = adjust_p_values(p)
    assert np.all(adjusted >= np.array(p) * (1 - 1e-12))
    assert np.all(np.diff(adjusted[np.argsort(p, kind="stable")]) >= 0)


def test_shrinking_pools_equal_spreads_and_leaves_different_ones() -> None:
    generator = np.random.default_rng(8)
    freedom = np.full(400, 4.0)
    equal = np.sqrt(generator.chisquare(4, 400) / 4)
    pooled, total = shrink_spreads(equal, freedom)
    assert total[0] >= 20
    assert np.std(np.log(pooled)) < 0.4 * np.std(np.log(equal))
    assert float(np.exp(np.mean(np.log(pooled)))) == pytest.approx(1.0, abs=0.07)
    different = equal * np.exp(generator.normal(0, 2, 400))
    kept, total = shrink_spreads(different, freedom)
    assert total[0] < 6
    assert np.corrcoef(np.log(kept), np.log(different))[0, 1] > 0.95
    assert shrink_spreads(equal[:2], freedom[:2])[0].tolist() == equal[:2].tolist()
