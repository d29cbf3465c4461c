"""Changes of the parts of a body's time, on seconds chosen by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heorot.analyse.explain.spread.divisions import Change, Divisions
from heorot.model.analysis.breakdown import Breakdown, Middle
from tests.unit.analyse.builders import a_breakdown, exactly
from tests.unit.analyse.explain.spread.placing import divided, placed
from tests.unit.analyse.templates.claims import words
from tests.unit.model.keys import but

Seconds = tuple[float, float, float]


def changed(before: Seconds, after: Seconds) -> Change:
    """A change whose shares are known exactly."""

    def body(parts: Seconds) -> Breakdown:
        shares = [exactly(each / sum(parts)) for each in parts]
        names = ("computation", "imbalance", "communication")
        return a_breakdown(**dict(zip(names, shares, strict=True)), n_launches=9)

    return Change(_exact(before), _exact(after), (body(before), body(after)))


def _exact(parts: Seconds) -> tuple[Middle, Middle, Middle]:
    computing, waiting, sending = map(exactly, parts)
    return computing, waiting, sending


def test_the_part_that_grew_most_is_the_reason() -> None:
    assert words(changed((9.0, 0.0, 1.0), (9.0, 1.0, 30.0)).grown()) == (
        "communication takes 75 % [75, 75; 9 launches] of the time, against 10 % [10, 10; 9 "
        "launches]"
    )
    assert words(changed((9.0, 0.0, 1.0), (9.0, 10.0, 1.0)).grown()) == (
        "waiting for the slowest rank takes 50 % [50, 50; 9 launches] of the time, against 0 "
        "% [0, 0; 9 launches]"
    )
    assert words(changed((8.0, 1.0, 1.0), (10.0, 1.0, 1.0)).grown()) == (
        "computing itself takes 1.25 [1.25, 1.25; 9 launches] times as long"
    )
    assert words(changed((9.0, 0.0, 1.0), (9.0, 0.0, 1.1)).grown()) == ""


def test_on_more_nodes_every_part_should_take_less() -> None:
    kept = changed((9.0, 0.0, 1.0), (4.5, 0.0, 1.0))
    assert words(kept.grown()) == ""
    assert words(kept.grown(2)) == (
        "communication takes 18 % [18, 18; 9 launches] of the time, against 10 % [10, 10; 9 "
        "launches]"
    )
    assert words(changed((9.0, 0.0, 1.0), (6.3, 0.0, 0.5)).grown(2)) == (
        "computing itself takes 1.40 [1.40, 1.40; 9 launches] times as long as its share"
    )
    assert words(changed((9.0, 0.0, 1.0), (4.5, 0.0, 0.5)).grown(2)) == ""


def test_the_part_that_shrank_most_is_reported() -> None:
    assert words(changed((10.0, 0.0, 1.0), (6.0, 0.0, 2.0)).shrunk()) == (
        "computing takes 0.600 [0.600, 0.600; 9 launches] times as long"
    )
    assert words(changed((4.0, 0.0, 4.0), (4.0, 0.0, 2.0)).shrunk()) == (
        "communication takes 0.500 [0.500, 0.500; 9 launches] times as long"
    )
    assert words(changed((4.0, 0.0, 1.0), (3.95, 0.0, 1.0)).shrunk()) == ""


def test_a_share_that_grew_within_its_interval_is_no_reason() -> None:
    change = changed((9.0, 0.0, 1.0), (9.0, 1.0, 30.0))
    one, two = change.bodies
    share = two.communication.model_copy(update={"low": 0.05})
    unsure = two.model_copy(update={"communication": share})
    assert words(replace(change, bodies=(one, unsure)).grown()) == ""


@pytest.mark.parametrize(("before", "after"), [(8.0, 10.0), (10.0, 8.0)])
def test_what_may_be_no_change_of_computing_is_no_reason(before: float, after: float) -> None:
    change = changed((before, 1.0, 1.0), (after, 1.0, 1.0))
    unsure = Middle(median=after, low=7.0, high=11.0)
    change = replace(change, after=(unsure, *change.after[1:]))
    assert change.times(0) == pytest.approx((after / before, 7.0 / before, 11.0 / before))
    assert [change.longer(0), change.grown(), change.shrunk()] == [None] * 3


def test_a_change_needs_both_sides_and_none_of_copies_or_wrong_results() -> None:
    one, two = placed(1e9, 1, 2), placed(1e9, 2, 2)
    few, many = divided(one, 2.0, 0.25, 0.25), divided(two, 4.0, 0.5)
    change = Divisions([few, many]).between(one, two)
    assert change is not None
    assert [part.median for part in change.before] == pytest.approx([1.0, 0.5, 0.5])
    assert [part.median for part in change.after] == pytest.approx([2.0, 0.0, 2.0])
    assert change.times(0) == pytest.approx((2.0, 2.0, 2.0))
    assert change.rows == (*few.rows, *many.rows)
    assert changed((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)).longer(0) is None
    failed = many.model_copy(update={"verified": "failed"})
    assert Divisions([few, failed]).between(one, two) is None
    copies = but(two, options={"star": True})
    assert Divisions([few, divided(copies, 4.0, 0.5)]).between(one, copies) is None
