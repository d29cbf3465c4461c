"""How sentences word rows."""

from __future__ import annotations

import pytest

from heorot.analyse.wording import (
    all_times,
    cores,
    differ,
    efficiency,
    interval,
    is_difference,
    keys,
    listed,
    ratio,
    share,
    times,
)
from heorot.model.analysis.result import Mode
from tests.unit.analyse.builders import a_result


def test_a_value_has_its_interval_and_its_doubt() -> None:
    five = a_result(median=15e9, n_launches=5)
    assert interval(five) == "15.0 GB/s [14.8, 15.2; 5 launches]"
    assert interval(a_result(median=15e9)) == "15.0 GB/s [14.8…15.2 in 3 launches]"
    assert interval(a_result(median=15e9, n_launches=1)) == "15.0 GB/s [1 launch]"
    assert interval(a_result(disturbed=True)).endswith("15.2 in 3 launches] (disturbed)")
    wide = a_result(median=75.7e9, ci_low=28.9e9, ci_high=77.3e9, n_launches=5)
    assert interval(wide) == "75.7 GB/s [28.9, 77.3; 5 launches] (wide interval)"
    assert interval(wide.model_copy(update={"n_launches": 3})).endswith("] (wide range)")


def test_two_values_are_told_instead_of_one() -> None:
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
    assert share(row) == "25.0 % [24.8…25.2 in 3 launches]"
    assert share(other) == ""
    many = other.model_copy(update={"n_launches": 7})
    assert ratio(row, many) == "3.00 [2.94…3.06 in 3 launches]"
    five = row.model_copy(update={"n_launches": 5})
    assert ratio(five, many, divisor=4.0, unit="%") == "75.0 % [73.5, 76.5; 5 launches]"


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


def test_no_ratio_is_told_where_it_may_be_one() -> None:
    row, twice = a_result(median=10e9), a_result(median=20e9, n_launches=5)
    alike = a_result(median=10.1e9, n_launches=5)
    assert differ(row, twice)
    assert not differ(row, alike)
    assert times(twice, row, "as fast as it") == (
        "2.00 [1.96…2.04 in 3 launches] times as fast as it"
    )
    assert times(row, alike, "as fast as it") == (
        "as fast as it (no difference that 3 launches can show)"
    )
    single = alike.model_copy(update={"n_launches": 1})
    assert times(row, single, "as fast") == "as fast (no difference that 1 launch can show)"


def test_the_largest_difference_comes_first() -> None:
    row = a_result(median=10e9)
    others = {"a": 10.1e9, "b": 20e9, "c": 3e9}
    found = all_times([(a_result(median=rate), row, f"as {name}") for name, rate in others.items()])
    assert [words.rpartition(" as ")[2][0] for words in found] == ["c", "b", "a"]
    assert listed(found[:1]) == found[0]
    assert listed(["a", "b", "c"]) == "a, b and c"


def test_more_than_all_cores_bring_is_a_factor() -> None:
    one = a_result(median=10e9)
    words = [efficiency(a_result(median=rate), one, 2.0) for rate in (16e9, 24e9)]
    assert words == [
        "an efficiency of 80.0 % [78.4…81.6 in 3 launches]",
        "1.20 [1.18…1.22 in 3 launches] times a linear speedup",
    ]
    wide = a_result(median=24e9, ci_low=15e9, ci_high=30e9)
    assert efficiency(wide, one, 2.0) == (
        "a linear speedup (no difference that 3 launches can show)"
    )


def test_evidence_is_what_there_is() -> None:
    row = a_result()
    assert keys(None, row, None) == (row.id,)


def test_cores_are_counted() -> None:
    assert cores(a_result()) == "one core"
    assert cores(a_result(ranks=2, threads=3)) == "6 cores"
