"""What became of the parts of a body's time, on seconds chosen by hand."""

from __future__ import annotations

import pytest

from heorot.analyse.explain.spread.divisions import Change, Divisions
from tests.unit.analyse.explain.spread.placing import divided, placed


def test_the_part_that_grew_most_is_the_reason() -> None:
    assert Change((9.0, 0.0, 1.0), (9.0, 1.0, 30.0)).grown() == (
        "communication takes 75 % of the time, against 10 %"
    )
    assert Change((9.0, 0.0, 1.0), (9.0, 10.0, 1.0)).grown() == (
        "waiting for the slowest rank takes 50 % of the time, against 0 %"
    )
    assert Change((8.0, 1.0, 1.0), (10.0, 1.0, 1.0)).grown() == (
        "computing itself takes 1.25 times as long"
    )
    assert Change((9.0, 0.0, 1.0), (9.0, 0.0, 1.1)).grown() == ""


def test_on_more_nodes_every_part_should_take_less() -> None:
    kept = Change((9.0, 0.0, 1.0), (4.5, 0.0, 1.0))
    assert kept.grown() == ""
    assert kept.grown(2) == "communication takes 18 % of the time, against 10 %"
    assert Change((9.0, 0.0, 1.0), (6.3, 0.0, 0.5)).grown(2) == (
        "computing itself takes 1.40 times as long as its share"
    )
    assert Change((9.0, 0.0, 1.0), (4.5, 0.0, 0.5)).grown(2) == ""


def test_the_part_that_shrank_most_is_the_reason() -> None:
    assert Change((10.0, 0.0, 1.0), (6.0, 0.0, 2.0)).shrunk(from_one_node=True) == (
        "computing takes 0.60 of the time that it took, as each rank has more of the caches and "
        "memory bandwidth of its node"
    )
    less = Change((4.0, 0.0, 4.0), (4.0, 0.0, 2.0))
    assert less.shrunk(from_one_node=True) == (
        "communication takes 0.50 of the time that it took, as messages do not pass through the "
        "memory of one node"
    )
    assert less.shrunk(from_one_node=False).endswith("as fewer ranks share each network adapter")
    assert Change((4.0, 4.0, 1.0), (4.0, 1.0, 1.0)).shrunk(from_one_node=True) == (
        "waiting for the slowest rank takes 0.25 of the time that it took"
    )
    assert Change((4.0, 0.0, 1.0), (3.95, 0.0, 1.0)).shrunk(from_one_node=True) == ""


def test_a_change_needs_both_sides_and_none_of_copies_or_wrong_results() -> None:
    one, two = placed(1e9, 1, 2), placed(1e9, 2, 2)
    few, many = divided(one, 2.0, 0.25, 0.25), divided(two, 4.0, 0.5)
    change = Divisions([few, many]).between(one, two)
    assert change is not None
    assert change.before == pytest.approx((1.0, 0.5, 0.5))
    assert change.after == pytest.approx((2.0, 0.0, 2.0))
    assert change.computing == pytest.approx(2.0)
    assert Change((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)).computing == 1.0
    for flaw in ({"copies": 2}, {"verified": "failed"}):
        without = Divisions([few, many.model_copy(update=flaw)])
        assert without.between(one, two) is None
