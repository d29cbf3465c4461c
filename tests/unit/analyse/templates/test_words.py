"""Wording of values by the specification after the colon of a placeholder."""

from __future__ import annotations

from typing import Any

import pytest

from heorot.analyse.templates.quantities import differ, exactly, is_difference, ratio, share_of
from heorot.analyse.templates.template import Template, amounts
from heorot.analyse.templates.words import fill, split_clauses, word
from heorot.model.analysis.claims import Quantity
from heorot.model.analysis.result import Mode
from tests.unit.analyse.builders import a_result

SIZE = Quantity(median=40960.0, low=32768.0, high=49152.0, unit="B")
NAMES = ["a", "b", "c", "d"]


def words(form: str, value: Any) -> str:
    """One value by one specification."""
    return fill(f"{{x:{form}}}", {"x": value})


@pytest.mark.parametrize(
    ("form", "value", "expected"),
    [
        ("", 3, "3"),
        ("launch", 1, "1 launch"),
        ("launch", 3, "3 launches"),
        (",", 1200, "1,200"),
        (", launch", 1200, "1,200 launches"),
        ("one core|cores", 1, "one core"),
        ("one core|cores", 8, "8 cores"),
        ("one|", 2, "2"),
        ("=is|are", 1, "is"),
        ("=is|are", 2, "are"),
        ("so|not so", True, "so"),
        ("so|", False, ""),
        ("", "as it is", "as it is"),
        ("", NAMES, "a, b, c, d"),
        ("and", NAMES, "a, b, c and d"),
        ("or", NAMES[:2], "a or b"),
        (";", NAMES[:2], "a; b"),
        (", 3", NAMES, "a, b, c and 1 more"),
        ("; 3", NAMES, "a; b; c; and 1 more"),
        (", 3", NAMES[:3], "a, b, c"),
        ("and", NAMES[:1], "a"),
        ("value", exactly(15.3e9, "B/s"), "15.3 GB/s"),
        ("value 2", exactly(0.0198, "%"), "2.0 %"),
        (".0%", exactly(0.25), "25 %"),
        (".2f", exactly(1.0 / 3.0), "0.33"),
        ("+.0f", exactly(5.0), "+5"),
        ("[.2f]", Quantity(median=1.0, low=0.9, high=1.1), "1.00 [0.90, 1.10]"),
        ("[.2f]", exactly(1.0), "1.00"),
        ("binary", exactly(49152, "B"), "48 KiB"),
        ("ends", SIZE, "32 KiB and 48 KiB"),
        ("ends to", SIZE, "32 KiB to 48 KiB"),
        ("duration", exactly(250.0, "s"), "4 min 10 s"),
        ("durations", Quantity(median=42.0, low=40.0, high=65.0), "42 s [40 s to 1 min 5 s]"),
        ("percent", exactly(0.0), "0 %"),
        ("percent", exactly(0.034), "3.4 %"),
        ("percent", exactly(0.5), "50 %"),
        ("change", exactly(0.5), "+50 %"),
        ("change", exactly(-0.01), "−1.0 %"),
        ("change", exactly(1e-4), "0 %"),
    ],
)
def test_values_are_worded_by_their_specification(form: str, value: Any, expected: str) -> None:
    assert words(form, value) == expected


def test_a_form_without_lists_is_refused_for_several_values() -> None:
    with pytest.raises(ValueError, match="is no specification for several values"):
        words("each", NAMES)


def test_a_specification_may_name_other_values() -> None:
    reported = {"yes": True, "n": 3, "noun": "pair"}
    assert fill("{yes:all {n} of them|none}, {n:{noun}}", reported) == "all 3 of them, 3 pairs"


def test_clauses_stand_in_brackets_but_not_within_others() -> None:
    assert split_clauses("{a[x]} is {b:[.2f]}[, {c}][ or {d}].") == (
        "{a[x]} is {b:[.2f]}",
        "[, {c}]",
        "[ or {d}]",
        ".",
    )
    for text in ("{a}[ [{b}]]", "{a}[, {b}", "{a}]"):
        with pytest.raises(ValueError, match="brackets within brackets, or not closed"):
            split_clauses(text)


@pytest.mark.parametrize("missing", [None, "", [], ()])
def test_a_clause_without_what_it_names_is_left_out(missing: object) -> None:
    assert fill("[, {n} of {x}]", {"n": 0, "x": missing}) == ""
    assert fill("[, {n} of it]", {"n": 0, "x": missing}) == ", 0 of it"
    assert fill("{n} of {x:value}", {"n": 0, "x": missing}) == "0 of unknown"


def test_a_name_that_nobody_gave_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        fill("{n} of {x}", {"n": 1})


def test_a_value_has_its_interval_and_its_caution() -> None:
    five = a_result(median=15e9, n_launches=5)
    assert word(five) == "15.0 GB/s [14.8, 15.2; 5 launches]"
    assert word(a_result(median=15e9)) == "15.0 GB/s [14.8…15.2 in 3 launches]"
    assert word(a_result(median=15e9, n_launches=1)) == "15.0 GB/s [1 launch]"
    assert word(a_result(disturbed=True)).endswith("15.2 in 3 launches] (perturbed)")
    wide = a_result(median=75.7e9, ci_low=28.9e9, ci_high=77.3e9, n_launches=5)
    assert word(wide) == "75.7 GB/s [28.9, 77.3; 5 launches] (imprecise)"
    assert word(wide.model_copy(update={"n_launches": 3})).endswith("] (wide range)")


def test_two_values_are_reported_instead_of_one() -> None:
    halves = (
        Mode(median=4e-6, share=0.4, launches=(1, 2)),
        Mode(median=9e-6, share=0.6, launches=(1, 2)),
    )
    row = a_result(median=9e-6, unit="s", modes=halves)
    assert (
        row.caution == "two modes: 4.00 µs in 40 % of the samples; 9.00 µs in 60 % of the samples"
    )


def test_shares_and_ratios_have_intervals() -> None:
    row, other = a_result(median=30e9, share_of_ceiling=0.25), a_result(median=10e9)
    assert words("", share_of(row)) == "25.0 % [24.8…25.2 in 3 launches]"
    assert share_of(other) is share_of(None) is ratio(row, None) is ratio(None, row) is None
    many = other.model_copy(update={"n_launches": 7})
    assert words("", ratio(row, many)) == "3.00 [2.94…3.06 in 3 launches]"
    assert words("2", ratio(row, many)) == "3.0 [2.9…3.1 in 3 launches]"
    five = row.model_copy(update={"n_launches": 5})
    share = ratio(five, many, divisor=4.0, unit="%")
    assert words("", share) == "75.0 % [73.5, 76.5; 5 launches]"


@pytest.mark.parametrize(
    ("low", "high", "known"),
    [
        (0.86, 1.15, False),
        (1.0, 1.2, False),
        (0.8, 1.0, False),
        (1.01, 1.1, True),
        (0.5, 0.9, True),
    ],
)
def test_a_difference_is_known_where_the_interval_leaves_out_one(
    low: float, high: float, known: bool
) -> None:
    assert is_difference(low, high) is known


def test_no_ratio_is_reported_where_it_may_be_one() -> None:
    row, twice = a_result(median=10e9), a_result(median=20e9, n_launches=5)
    alike = a_result(median=10.1e9, n_launches=5)
    assert differ(row, twice)
    assert not differ(row, alike)
    form = "times as fast as it"
    assert words(form, ratio(twice, row)) == "2.00 [1.96…2.04 in 3 launches] times as fast as it"
    assert words("times2 as it", ratio(twice, row)) == "2.0 [2.0…2.0 in 3 launches] times as it"
    assert words(form, ratio(row, alike)) == (
        "as fast as it (no difference that 3 launches can show)"
    )
    single = alike.model_copy(update={"n_launches": 1})
    assert words("times as fast", ratio(row, single)) == (
        "as fast (no difference that 1 launch can show)"
    )


def test_more_than_all_cores_bring_is_a_factor() -> None:
    one = a_result(median=10e9)

    def efficiency(**changes: Any) -> str:
        return words("efficiency", ratio(a_result(**changes), one, divisor=2.0, unit="%"))

    assert efficiency(median=16e9) == "an efficiency of 80.0 % [78.4…81.6 in 3 launches]"
    assert efficiency(median=24e9) == "1.20 [1.18…1.22 in 3 launches] times a linear speedup"
    assert efficiency(median=24e9, ci_low=15e9, ci_high=30e9) == (
        "a linear speedup (no difference that 3 launches can show)"
    )


def test_amounts_are_listed_the_best_first() -> None:
    rates = {"a": 10e9, "b": 20e9, "c": 3e9}
    found = amounts([*((name, a_result(median=rate)) for name, rate in rates.items()), ("d", None)])
    assert [one.subject["what"] for one in found] == ["b", "a", "c"]
    assert found[2].text == "c 3.00 GB/s [2.97…3.03 in 3 launches]"
    times = [(name, a_result(median=rate, better="lower")) for name, rate in rates.items()]
    assert [one.subject["what"] for one in amounts(times)] == ["c", "a", "b"]
    assert amounts([("d", None)]) == []


def test_claims_are_listed_by_their_texts() -> None:
    one, two = (Template("any/n", "{n:node}").claim(n=n) for n in (1, 2))
    assert words("and", [one, two]) == "1 node and 2 nodes"
    assert words("", two) == "2 nodes"
