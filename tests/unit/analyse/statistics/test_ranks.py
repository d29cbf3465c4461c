"""Ranks of the interval of a median, of many samples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import bdtr

from heorot.analyse.statistics.ranks import coverage, median_rank


@given(st.integers(1, 2_000_000))
def test_the_rank_is_the_largest_that_covers_by_the_incomplete_beta_function(n: int) -> None:
    rank, covered = median_rank(n)
    assert covered == pytest.approx(1.0 - 2.0 * float(bdtr(rank - 1, n, 0.5)), abs=1e-9)
    assert rank == 1 or covered >= 0.95 - 1e-9
    assert 2 * (rank + 1) > n or coverage(n, rank + 1) < 0.95
