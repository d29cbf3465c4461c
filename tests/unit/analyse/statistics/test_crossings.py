"""Two curves: where the better one changes, and from where on both are equal."""

from __future__ import annotations

import pytest

from heorot.analyse.statistics.crossings import alike_from, changes, distance


@pytest.mark.parametrize(
    ("winners", "found"),
    [
        ([], []),
        ([1, 1, 0, 1], []),
        ([-1, 0, 0, 1], [(0, 3)]),
        ([0, -1, 1, 0, -1, 0], [(1, 2), (2, 4)]),
    ],
)
def test_places_without_a_winner_lie_between(
    winners: list[int], found: list[tuple[int, int]]
) -> None:
    assert changes(winners) == found


@pytest.mark.parametrize(
    ("ratios", "place"),
    [([], None), ([1.0, 1.0], 0), ([2.0, 1.05, 0.95], 1), ([1.0, 0.5, 1.0], 2), ([1.0, 0.9], None)],
)
def test_alike_is_to_stay_alike(ratios: list[float], place: int | None) -> None:
    assert alike_from(ratios, 1.1) == place


def test_a_half_is_as_far_off_as_twice() -> None:
    assert distance(0.5) == distance(2.0) == 2.0
