"""Robust medians and scales of tables against slow ways to the same, and against known noise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from heorot.analyse.nodes import robust

VALUES = st.one_of(st.just(np.nan), st.floats(-10.0, 10.0))
TABLES = st.integers(1, 7).flatmap(lambda n: arrays(np.float64, (n, 3), elements=VALUES))


@given(TABLES)
def test_the_median_leaves_out_what_is_missing(table: np.ndarray) -> None:
    found = robust.median(table, 0)
    for j in range(3):
        known = table[:, j][np.isfinite(table[:, j])]
        expected = np.median(known) if known.size else np.nan
        assert found[j] == pytest.approx(expected, nan_ok=True)


@given(TABLES)
def test_the_median_of_others_leaves_out_the_item_itself(table: np.ndarray) -> None:
    found = robust.median_of_others(table)
    for i in range(table.shape[0]):
        for j in range(3):
            others = np.delete(table[:, j], i)
            others = others[np.isfinite(others)]
            known = np.isfinite(table[i, j]) and others.size
            expected = np.median(others) if known else np.nan
            assert found[i, j] == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("n_items", [3, 4, 9, 40])
def test_the_spread_between_items_is_right_on_average(n_items: int) -> None:
    random = np.random.default_rng(1)
    found = robust.spread_between(random.normal(5.0, 0.3, (n_items, 20_000)))
    assert np.mean(found) == pytest.approx(0.3, rel=0.03)


def test_a_third_of_wrong_items_hardly_moves_the_spread() -> None:
    table = np.random.default_rng(1).normal(0.0, 0.01, (30, 500))
    table[:9] -= 1.0
    assert np.mean(robust.spread_between(table)) < 0.025


def test_the_spread_within_items_does_not_see_their_differences() -> None:
    random = np.random.default_rng(1)
    launches = random.normal(0.0, 0.02, (50, 40, 3)) + random.normal(0.0, 1.0, (50, 1, 1))
    launches[:, :, 2][random.random((50, 40)) < 0.1] = np.nan
    assert np.mean(robust.spread_within(launches)) == pytest.approx(0.02, rel=0.03)


def test_single_launches_tell_no_spread() -> None:
    assert np.isnan(robust.spread_within(np.zeros((4, 2, 1)))).all()
