"""How sentences word rows."""

from __future__ import annotations

from heorot.analyse.wording import cores, interval, keys, ratio, share
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


def test_evidence_is_what_there_is() -> None:
    row = a_result()
    assert keys(None, row, None) == (row.key,)


def test_cores_are_counted() -> None:
    assert cores(a_result()) == "one core"
    assert cores(a_result(ranks=2, threads=3)) == "6 cores"
