"""The advantage of a system over the cores: by hand, and only where intervals allow it."""

from __future__ import annotations

from typing import Any

import pytest

from heorot.model.analysis.studies.systems import Advantage
from tests.unit.analyse.compare.contenders import (
    contender,
    ep_over_cores,
    side_by_side,
    slower,
)

TIMES = {1: 8.0, 2: 4.0, 4: 2.0, 8: 1.0}


def advantage(factors: tuple[float, ...], n_launches: int = 5, **second: object) -> Advantage:
    """The advantage over a system slower by these factors on 1, 2, 4 and 8 cores."""
    first = contender("a", ep_over_cores(TIMES, n_launches))
    times = slower(TIMES, factors)
    other = contender("b", ep_over_cores(times, n_launches), **second)  # type: ignore[arg-type]
    (one,) = side_by_side(first, other).advantages
    return one


def test_the_advantage_is_that_of_the_times_with_interval_and_launches() -> None:
    one = advantage((1.0, 0.8, 0.625, 0.5))
    assert [each.cores for each in one.counts] == [1, 2, 4, 8]
    assert [each.ratio for each in one.counts] == pytest.approx([1.0, 1.25, 1.6, 2.0], rel=1e-3)
    assert {each.launches for each in one.counts} == {(5, 5)}
    for each in one.counts:
        assert each.low is not None
        assert each.high is not None
        assert each.low < each.ratio < each.high
    assert (one.trend, one.since, one.way) == ("grows", 2, "ranks")


@pytest.mark.parametrize(
    ("factors", "trend", "since"),
    [
        ((0.5, 0.5, 0.8, 0.9), "shrinks", 4),
        ((1.25, 1.0, 1.0, 0.8), "turns", 2),
        # Behind on one core, and further behind on eight.
        ((1.25, 1.25, 1.5, 2.0), "grows", 4),
        ((1.1, 1.1, 1.1, 1.1), "unclear", None),
    ],
)
def test_the_gap_is_named_from_the_fewest_cores_to_the_most(
    factors: tuple[float, ...], trend: str, since: int | None
) -> None:
    one = advantage(factors)
    assert (one.trend, one.since) == (trend, since)


def test_a_single_launch_concludes_nothing() -> None:
    one = advantage((1.0, 0.8, 0.625, 0.5), n_launches=1)
    assert one.trend == "unclear"
    assert one.counts[0].marks == ("1 launch of A", "1 launch of B")


def test_shared_cores_conclude_nothing_and_are_marked() -> None:
    crowded = frozenset(f"npb/ep-8-{launch}" for launch in range(1, 6))
    one = advantage((1.0, 0.8, 0.625, 0.5), crowded=crowded)
    assert one.trend == "unclear"
    assert one.counts[-1].marks == ("B oversubscribed",)
    # On four cores nothing speaks against it.
    assert one.since == 2


def test_a_sweep_over_sizes_is_no_advantage_over_cores() -> None:
    sweep: dict[str, Any] = {
        "benchmark": "messages/pingpong",
        "point": {"bytes": 8},
        "counts": {"messages": 2.0, "bytes": 16.0},
    }
    first = contender("a", ep_over_cores(TIMES, **sweep))
    second = contender("b", ep_over_cores(slower(TIMES, (2.0,) * 4), **sweep))
    side = side_by_side(first, second)
    assert len(side.rows) == len(TIMES)
    assert side.advantages == ()


def test_layouts_that_differ_are_both_named() -> None:
    four = {4: 2.0}
    box = contender("box", ep_over_cores({1: 8.0} | four))
    boxes = contender(
        "boxes", [*ep_over_cores({1: 8.0}), *ep_over_cores(four, nodes=4, per_node=1)]
    )
    (one,) = side_by_side(box, boxes).advantages
    assert [each.layouts for each in one.counts] == ["1x1x1", "1x4x1 / 4x4x1"]
