"""The envelope of a curve over a size, by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heorot.analyse.statistics.envelope import Envelope

FALLING = ((8.0, 96.0), (16.0, 64.0), (32.0, 32.0), (64.0, 30.0))


def test_measured_sizes_have_what_was_measured() -> None:
    curve = Envelope(FALLING)
    assert [curve.at(size) for size, _ in FALLING] == [96.0, 64.0, 32.0, 30.0]


def test_beyond_the_ends_the_ends_count() -> None:
    assert Envelope(FALLING).at(1.0) == 96.0
    assert Envelope(FALLING).at(1000.0) == 30.0


def test_where_a_level_ends_the_smaller_size_counts() -> None:
    # before 8 nothing is known; behind 32 the curve is level
    assert Envelope(FALLING).at(15.0) == 96.0
    assert Envelope(FALLING).at(31.0) == 64.0


def test_in_the_middle_of_a_fall_the_size_itself_counts() -> None:
    curve = Envelope(((4.0, 97.0), (8.0, 80.0), (16.0, 60.0), (32.0, 40.0), (64.0, 20.0)))
    assert curve.at(16.0 * 2**0.5) == pytest.approx(50.0)
    # the largest sizes of a fall that has not ended, too
    assert curve.at(62.0) == pytest.approx(20.9, abs=0.1)


def test_a_dip_is_no_limit_of_what_larger_sizes_pass() -> None:
    assert Envelope(((8.0, 10.0), (16.0, 60.0), (32.0, 20.0))).at(8.0) == 60.0


def test_of_one_size_the_best_counts() -> None:
    assert Envelope(((8.0, 10.0), (8.0, 12.0))).at(9.0) == 12.0


def test_without_points_there_is_no_rate() -> None:
    assert not Envelope(())
    with pytest.raises(ValueError, match="without points"):
        Envelope(()).at(1.0)


SIZES = st.floats(min_value=1.0, max_value=1e9)


@given(st.lists(st.tuples(SIZES, SIZES), min_size=1, max_size=8), SIZES, SIZES)
def test_larger_sizes_never_have_more(
    points: list[tuple[float, float]], one: float, other: float
) -> None:
    curve, (small, large) = Envelope(points), sorted((one, other))
    assert curve.at(small) >= curve.at(large) * (1.0 - 1e-12)
    assert all(curve.at(size) >= rate for size, rate in points)
