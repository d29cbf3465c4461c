"""Patterns of users: matched by line, refused if they match everything, never slow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heorot.pattern import Match, compile_pattern, find_all, group_names
from tests.yardstick import processor_time

TEXT = "size 8 time 1.5\n\nsize 16 time 2.5\nThe end"


def test_matches_know_their_line_text_and_groups() -> None:
    found = list(find_all(r"size (?P<size>\d+) time (?P<value>\S+)", TEXT, 10))
    assert found == [
        Match(1, "size 8 time 1.5", {"size": "8", "value": "1.5"}),
        Match(3, "size 16 time 2.5", {"size": "16", "value": "2.5"}),
    ]


def test_the_line_is_that_of_the_beginning() -> None:
    assert [match.line for match in find_all(r"1\.5\s+size|end", TEXT, 10)] == [1, 4]


def test_no_more_matches_than_wanted() -> None:
    assert [match.text for match in find_all(r"\d", TEXT, 2)] == ["8", "1"]
    assert list(find_all(r"\d", TEXT, 0)) == []


def test_circumflex_and_dollar_are_the_ends_of_lines() -> None:
    assert [match.text for match in find_all(r"^s\w+|\w+$", TEXT, 9)] == [
        "size",
        "5",
        "size",
        "5",
        "end",
    ]


def test_a_point_is_no_line_feed() -> None:
    assert [match.text for match in find_all("time.*", TEXT, 9)] == ["time 1.5", "time 2.5"]


def test_groups_that_took_no_part_are_left_out() -> None:
    (match,) = find_all("(?P<a>zzz)|(?P<b>The)", TEXT, 9)
    assert match.groups == {"b": "The"}


def test_letters_beyond_ascii_keep_their_places() -> None:
    (match,) = find_all("(?P<value>5) µs", "äöü\n5 µs – ok\n", 9)
    assert match == Match(2, "5 µs", {"value": "5"})


def test_names_of_groups() -> None:
    assert group_names("(?P<value>x)(?P<bytes>y)(z)") == {"value", "bytes"}
    assert group_names("x") == frozenset()


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(", "not a pattern: missing )"),
        ("(?=ahead)", "not a pattern: invalid perl operator"),
        (r"(a)\1", "not a pattern: invalid escape sequence"),
        ("a{2000}", "not a pattern: invalid repetition size"),
        ("*", "not a pattern: "),
        ("(?P<a>x)(?P<a>y)", "not a pattern: two groups have the same name"),
        ("(?P<a>x)|(?<a>y)", "not a pattern: two groups have the same name"),
        ("x" * 1001, "more than 1000 characters"),
        ("(?:" * 300 + "x" + "){900}" * 300, "more than 1000 characters"),
        ("((a{100}){100}){100}", "not a pattern: "),
    ],
)
def test_what_is_no_pattern(pattern: str, why: str) -> None:
    with pytest.raises(ValueError, match="pattern") as caught:
        compile_pattern(pattern)
    assert why in str(caught.value)


@pytest.mark.parametrize(
    "pattern", ["", ".*", ".", r"\S+", r"(?P<value>\S+)", "^", "$", "x*", r"(?P<value>\S*)$", "a|"]
)
def test_a_pattern_that_matches_any_text_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="matches any text"):
        compile_pattern(pattern)


@pytest.mark.parametrize(
    "pattern", [r"\d+", r"(?P<value>\d+)", "x+", "^$", "(?i)PASSED", r"\S+ s", r"\(?P<a>(?P<a>x)"]
)
def test_a_pattern_that_asks_for_something_is_taken(pattern: str) -> None:
    compile_pattern(pattern)


@pytest.mark.timed
@pytest.mark.parametrize("pattern", ["(?P<value>(a+)+b)", "(a|aa)+$b", "(a*)*c", "(.*a){20}z"])
def test_no_pattern_backtracks(pattern: str) -> None:
    with processor_time(2.0):
        assert list(find_all(pattern, "a" * 100_000, 2000)) == []


@given(st.text(max_size=30), st.text(max_size=100))
def test_any_text_is_a_pattern_or_refused(pattern: str, within: str) -> None:
    try:
        names = group_names(pattern)
    except ValueError:
        return
    for match in find_all(pattern, within, 5):
        assert match.text in within
        assert names >= match.groups.keys()
        assert 1 <= match.line <= within.count("\n") + 1
