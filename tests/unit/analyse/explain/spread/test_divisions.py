"""What became of the parts of a body's time, on seconds chosen by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heorot.analyse.explain.spread.divisions import Change, Divisions
from heorot.model.analysis.breakdown import Breakdown
from tests.unit.analyse.builders import a_breakdown, exactly
from tests.unit.analyse.explain.spread.placing import divided, placed

Seconds = tuple[float, float, float]


def changed(before: Seconds, after: Seconds) -> Change:
    """A change whose shares are known exactly."""

    def body(parts: Seconds) -> Breakdown:
        shares = [exactly(each / sum(parts)) for each in parts]
        names = ("computation", "imbalance", "communication")
        return a_breakdown(**dict(zip(names, shares, strict=True)), n_launches=9)

    return Change(before, after, (body(before), body(after)))


def test_the_part_that_grew_most_is_the_reason() -> None:
    assert changed((9.0, 0.0, 1.0), (9.0, 1.0, 30.0)).grown() == (
        "communication takes 75 % [75, 75; 9 launches] of the time, against 10 % [10, 10; 9 "
        "launches]"
    )
    assert changed((9.0, 0.0, 1.0), (9.0, 10.0, 1.0)).grown() == (
        "waiting for the slowest rank takes 50 % [50, 50; 9 launches] of the time, against 0 "
        "% [0, 0; 9 launches]"
    )
    assert changed((8.0, 1.0, 1.0), (10.0, 1.0, 1.0)).grown() == (
        "computing itself takes 1.25 times as long"
    )
    assert changed((9.0, 0.0, 1.0), (9.0, 0.0, 1.1)).grown() == ""


def test_on_more_nodes_every_part_should_take_less() -> None:
    kept = changed((9.0, 0.0, 1.0), (4.5, 0.0, 1.0))
    assert kept.grown() == ""
    assert kept.grown(2) == (
        "communication takes 18 % [18, 18; 9 launches] of the time, against 10 % [10, 10; 9 "
        "launches]"
    )
    assert changed((9.0, 0.0, 1.0), (6.3, 0.0, 0.5)).grown(2) == (
        "computing itself takes 1.40 times as long as its share"
    )
    assert changed((9.0, 0.0, 1.0), (4.5, 0.0, 0.5)).grown(2) == ""


def test_the_part_that_shrank_most_is_told() -> None:
    assert changed((10.0, 0.0, 1.0), (6.0, 0.0, 2.0)).shrunk() == (
        "computing takes 0.60 of the time that it took"
    )
    assert changed((4.0, 0.0, 4.0), (4.0, 0.0, 2.0)).shrunk() == (
        "communication takes 0.50 of the time that it took"
    )
    assert changed((4.0, 0.0, 1.0), (3.95, 0.0, 1.0)).shrunk() == ""


def test_a_share_that_grew_within_its_interval_is_no_reason() -> None:
    change = changed((9.0, 0.0, 1.0), (9.0, 1.0, 30.0))
    one, two = change.bodies
    share = two.communication.model_copy(update={"low": 0.05})
    unsure = two.model_copy(update={"communication": share})
    assert replace(change, bodies=(one, unsure)).grown() == ""


def test_a_change_needs_both_sides_and_none_of_copies_or_wrong_results() -> None:
    one, two = placed(1e9, 1, 2), placed(1e9, 2, 2)
    few, many = divided(one, 2.0, 0.25, 0.25), divided(two, 4.0, 0.5)
    change = Divisions([few, many]).between(one, two)
    assert change is not None
    assert change.before == pytest.approx((1.0, 0.5, 0.5))
    assert change.after == pytest.approx((2.0, 0.0, 2.0))
    assert change.computing == pytest.approx(2.0)
    assert changed((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)).computing == 1.0
    for flaw in ({"copies": 2}, {"verified": "failed"}):
        without = Divisions([few, many.model_copy(update=flaw)])
        assert without.between(one, two) is None
