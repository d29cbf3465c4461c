"""Patterns: their selection, and the error for one without a match."""

from __future__ import annotations

import pytest

from heorot.errors import UsageError
from heorot.plan.candidate import select
from tests.unit.analyse.builders import a_benchmark

CATALOGUE = tuple(
    a_benchmark(name) for name in ("fruit/apple", "fruit/pear", "stone/flint", "water/spring")
)


def test_all_are_selected_without_patterns() -> None:
    assert select(CATALOGUE, (), "quick") == CATALOGUE


def test_a_profile_leaves_out_what_is_not_asked_for_by_name() -> None:
    rare = a_benchmark("stone/opal", profiles=("full",))
    assert rare not in select((*CATALOGUE, rare), (), "quick")
    assert rare in select((*CATALOGUE, rare), (), "full")
    assert select((*CATALOGUE, rare), ("stone/opal",), "quick") == (rare,)


@pytest.mark.parametrize(
    ("patterns", "names"),
    [
        (["fruit/*"], ["fruit/apple", "fruit/pear"]),
        (["water/spring", "stone/*"], ["stone/flint", "water/spring"]),
        (["*p*", "*/pear"], ["fruit/apple", "fruit/pear", "water/spring"]),
    ],
)
def test_patterns_select_in_the_order_of_the_catalogue(
    patterns: list[str], names: list[str]
) -> None:
    assert [benchmark.name for benchmark in select(CATALOGUE, patterns, "quick")] == names


@pytest.mark.parametrize(
    ("pattern", "hint"),
    [
        ("stone/flnt", "did you mean stone/flint?"),
        ("spring", "did you mean water/spring?"),
        ("sprang", "did you mean water/spring?"),
        ("stone", "did you mean 'stone/*'?"),
        ("fruit/", "did you mean 'fruit/*'?"),
        ("qqqqqq", "heorot list shows all benchmarks"),
    ],
)
def test_a_pattern_that_matches_nothing_is_a_mistake(pattern: str, hint: str) -> None:
    with pytest.raises(UsageError, match="no benchmark matches") as caught:
        select(CATALOGUE, ["water/*", pattern], "quick")
    assert caught.value.hint == hint
    assert "\n" not in str(caught.value)
