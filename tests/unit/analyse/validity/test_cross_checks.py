"""Quantities measured in two ways: agreement, and the checks of every run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from heorot.analyse.validity.cross_checks import cross_check, pair, per_stack
from heorot.model.catalogue.family import FamilyAnalysis
from heorot.model.run.identity import Stack
from heorot.model.run.records import SecondClock
from tests.unit.analyse.builders import a_context, a_result, a_series
from tests.unit.analyse.synthesis import SOME_FAMILIES

if TYPE_CHECKING:
    from heorot.model.analysis.result import CrossCheck

NAMES = ("one way", "the other")


def test_a_pair_is_the_ratio_of_the_second_to_the_first() -> None:
    (check,) = pair("rate", (a_result(median=2e9), a_result(median=3e9)), NAMES, 1.1)
    assert (check.quantity, check.first_name, check.second_name) == ("rate", *NAMES)
    assert (check.first, check.second, check.unit) == (2e9, 3e9, "B/s")
    assert (check.ratio, check.allowed) == (1.5, 1.1)


@pytest.mark.parametrize(
    ("second", "agrees"), [(2.19, True), (2.21, False), (1.82, True), (1.81, False)]
)
def test_too_little_is_as_wrong_as_too_much(second: float, agrees: bool) -> None:
    (check,) = pair("rate", (a_result(median=2.0), a_result(median=second)), NAMES, 1.1)
    assert check.agrees is agrees


def test_both_ways_must_have_been_measured() -> None:
    row = a_result()
    assert pair("rate", (row, None), NAMES, 1.1) == []
    assert pair("rate", (None, row), NAMES, 1.1) == []
    assert pair("rate", (a_result(median=0.0), row), NAMES, 1.1) == []


def test_toolchains_are_named_if_there_are_several() -> None:
    one, two = a_result(toolchain="a"), a_result(toolchain="b")
    assert list(per_stack(a_context([one, one]))) == [(Stack("a"), "")]
    assert list(per_stack(a_context([one, two]))) == [(Stack("a"), ", a"), (Stack("b"), ", b")]


@pytest.mark.parametrize(("drift", "agrees"), [(1e-6, True), (0.01, False)])
def test_two_clocks_tell_the_same_time(drift: float, agrees: bool) -> None:
    other = SecondClock(name="tsc", elapsed_seconds=0.05 * (1 + drift))
    (check,) = cross_check(a_context(), [a_series(second_clock=other)] * 3, ())
    assert check.first == pytest.approx(0.15)
    assert check.agrees is agrees
    assert check.second_name == "tsc clock"


def test_without_a_second_clock_there_is_nothing_to_compare() -> None:
    assert cross_check(a_context(), [a_series(second_clock=None)], ()) == []


def test_clocks_come_first_and_families_in_their_order() -> None:
    def says(quantity: str) -> list[CrossCheck]:
        return pair(quantity, (a_result(), a_result()), NAMES, 1.1)

    first, second, *_ = SOME_FAMILIES
    one = FamilyAnalysis(cross_check=(lambda _: says("a"), lambda _: says("b")))
    other = FamilyAnalysis(cross_check=(lambda _: says("c"),))
    families = (
        replace(first, analysis=lambda: one),
        replace(second, analysis=lambda: other),
    )
    checks = cross_check(a_context(), [a_series()], families)
    assert [check.quantity for check in checks] == ["time spent sampling", "a", "b", "c"]
