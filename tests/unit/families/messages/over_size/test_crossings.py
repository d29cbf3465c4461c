"""Crossovers: the faster curve by size, where it changes, and where curves meet."""

from __future__ import annotations

from heorot.families.messages.over_size.crossings import converges_at, crossovers, differences
from heorot.families.messages.over_size.curves import Curve
from tests.unit.analyse.builders import a_result


def a_curve(*seconds: float, width: float = 0.02) -> Curve:
    rows = [
        a_result(
            metric="latency",
            unit="s",
            better="lower",
            point={"bytes": 8 << (2 * i)},
            median=value,
            ci_low=value * (1 - width),
            ci_high=value * (1 + width),
        )
        for i, value in enumerate(seconds)
    ]
    return Curve(tuple(rows))


def test_a_crossover_lies_between_the_sizes_with_a_winner() -> None:
    eager = a_curve(1.0, 2.0, 4.0, 9.0, 20.0)
    late = a_curve(2.0, 2.5, 4.0, 7.0, 10.0)
    (found,) = crossovers(differences(eager, late))
    # At 128 bytes neither wins.
    assert (found.below.first.point["bytes"], found.above.first.point["bytes"]) == (32, 512)


def test_curves_that_do_not_cross_have_none() -> None:
    fast, slow = a_curve(1.0, 2.0, 4.0), a_curve(1.5, 2.5, 5.0)
    assert crossovers(differences(fast, slow)) == []


def test_within_their_intervals_nobody_wins() -> None:
    one, other = a_curve(1.0, 2.0, width=0.2), a_curve(1.1, 1.8, width=0.2)
    assert [each.winner for each in differences(one, other)] == [0, 0]
    assert crossovers(differences(one, other)) == []


def test_two_crossovers_are_two() -> None:
    one, other = a_curve(1.0, 4.0, 5.0), a_curve(2.0, 2.0, 9.0)
    assert len(crossovers(differences(one, other))) == 2


def test_only_sizes_of_both_are_compared() -> None:
    assert len(differences(a_curve(1.0, 2.0, 3.0), a_curve(1.0))) == 1


def test_two_curves_converge_where_they_stay_alike() -> None:
    inside = a_curve(1.0, 2.0, 4.0, 8.0, 16.0)
    between = a_curve(30.0, 2.1, 8.0, 8.5, 16.1)
    met = converges_at(differences(inside, between), 1.1)
    assert met is not None
    assert met.first.point["bytes"] == 512
    assert converges_at(differences(inside, a_curve(9.0, 9.0, 9.0, 99.0, 99.0)), 1.1) is None
