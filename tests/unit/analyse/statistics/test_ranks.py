"""Ranks of the interval of a median, of many samples."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from scipy.special import bdtr

from heorot.analyse.statistics.ranks import rank_of_median


@given(st.integers(990, 2_000_000))
def test_the_rank_is_the_largest_that_covers_by_the_incomplete_beta_function(n: int) -> None:
    rank = rank_of_median(n, 0.95)
    assert 1.0 - 2.0 * float(bdtr(rank - 1, n, 0.5)) >= 0.95 - 1e-9
    assert 1.0 - 2.0 * float(bdtr(rank, n, 0.5)) < 0.95
