"""The key of a measurement: equal in any order of coordinates, ordered, and immutable."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heorot.model.point import Options, Point
from heorot.model.run.identity import Key, Setup, Stack
from tests.unit.analyse.builders import a_result
from tests.unit.model.keys import a_key

_SCALARS = st.one_of(st.integers(), st.floats(allow_nan=False), st.text(max_size=3))
_POINTS = st.dictionaries(st.text(max_size=2), _SCALARS, max_size=4)


@given(_POINTS, st.randoms(use_true_random=False))
def test_a_point_is_the_same_in_any_order(
    values: dict[str, int | float | str], random: object
) -> None:
    items = list(values.items())
    random.shuffle(items)  # type: ignore[attr-defined]
    one, other = Point(values), Point(dict(items))
    assert one == other == values
    assert hash(one) == hash(other)
    assert a_key(point=one).name("rate") == a_key(point=other).name("rate")
    assert not one < other


@given(st.lists(_POINTS, max_size=4))
def test_points_have_an_order(values: list[dict[str, int | float | str]]) -> None:
    points = [Point(each) for each in values]
    ways = [sorted(each) for each in permutations(points)]
    assert all(way == ways[0] for way in ways)


def test_a_point_does_not_change() -> None:
    values: dict[str, int | float | str] = {"n": 1, "access": "contiguous"}
    point = Point(values)
    values["n"] = 2
    assert dict(point) == {"n": 1, "access": "contiguous"}
    assert dict(point | {"n": 3}) == {"n": 3, "access": "contiguous"}
    assert dict(point.without("n", "missing")) == {"access": "contiguous"}
    assert dict(point) == {"n": 1, "access": "contiguous"}
    with pytest.raises(TypeError):
        point["n"] = 4  # type: ignore[index]


def test_toolchain_and_network_are_two_things() -> None:
    one = Setup("a/b", "c", "gnu+ib")
    other = Setup("a/b", "c", "gnu", "ib")
    assert str(one.stack) == str(other.stack) == "gnu+ib"
    assert one != other
    assert one.stack != other.stack
    assert len({one, other}) == 2


def test_copies_are_reported_by_the_flag() -> None:
    star = a_result(ranks=4, options={"star": True})
    assert (star.is_star, star.copies, star.setup.layout) == (True, 4, "1x4x1, 1 on a node copies")
    assert (a_result(ranks=4).copies, Options({"star": "TRUE"}).is_star) == (0, True)


def test_a_part_of_a_key_is_a_key_for_all_that_agree_in_it() -> None:
    one = a_key("triad", {"n": 1}, ranks=2, case="x")
    other = a_key("triad", {"n": 1}, ranks=4, case="y")
    assert one != other
    assert one.only("benchmark", "region", "point") == other.only("benchmark", "region", "point")
    assert one.only("ranks") != other.only("ranks")
    assert one.but(ranks=4, case="y") == other
    assert one.setup.ranks == 2


def test_keys_are_ordered_by_setup_then_region_then_point() -> None:
    def key(case: str, region: str, n: int) -> Key:
        return a_key(region, {"n": n}, case=case)

    ordered = [key("a", "x", 2), key("a", "y", 1), key("a", "y", 10), key("b", "x", 1)]
    assert sorted(ordered[i] for i in (2, 0, 3, 1)) == ordered
    assert min(Stack("b"), Stack("a", "z"), Stack("a")) == Stack("a")
