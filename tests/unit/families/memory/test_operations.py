"""The operations of stream compared with each other: a finding, and a sentence on Fortran."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.families.memory.operations import base_pages, find, languages
from heorot.model.machine.memory import Memory
from tests.unit.analyse.builders import a_context, a_machine, a_result

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result


def rates(prefix: str = "", **medians: float) -> list[Result]:
    return [a_result(region=prefix + name, median=rate) for name, rate in medians.items()]


@pytest.mark.parametrize("prefix", ["", "fortran_"])
@pytest.mark.parametrize(
    ("add", "triad"),
    [(12e9, 12e9), (10e9, 10e9), (9.9e9, 9.9e9)],  # the intervals are of one percent
)
def test_three_arrays_at_the_rate_of_two_are_as_they_should_be(
    prefix: str, add: float, triad: float
) -> None:
    rows = rates(prefix, copy=10e9, scale=10e9, add=add, triad=triad)
    assert find(a_context(rows)) == []


@pytest.mark.parametrize(("triad", "found"), [(9.81e9, 0), (9.79e9, 1)])
def test_what_is_less_than_two_percent_is_no_finding(triad: float, found: int) -> None:
    """However narrow the intervals are."""
    rows = [
        a_result(region=region, median=rate, ci_low=0.9999 * rate, ci_high=1.0001 * rate)
        for region, rate in (("copy", 10e9), ("triad", triad))
    ]
    assert len(find(a_context(rows))) == found


@pytest.mark.parametrize("prefix", ["", "fortran_"])
def test_three_arrays_below_two_are_found(prefix: str) -> None:
    rows = rates(prefix, copy=10e9, scale=8e9, add=9e9, triad=7e9)
    (finding,) = find(a_context(rows))
    assert finding.severity == "note"
    assert finding.text == (
        f"On one core STREAM {prefix}triad reaches only 7.00 GB/s [6.93…7.07 in 3 launches], "
        f"{prefix}copy 10.0 GB/s [9.9…10.1 in 3 launches]: kernels with three arrays usually match "
        "those with two."
    )
    below = [(row[2].removeprefix(prefix), row[4].removeprefix(prefix)) for row in finding.rows]
    assert below == [("add", "copy"), ("triad", "copy"), ("triad", "scale")]
    assert len(finding.columns) == len(finding.rows[0])
    assert set(finding.evidence) == {row.id for row in rows}
    assert len(set(finding.evidence)) == len(finding.evidence)


def test_other_cases_toolchains_and_languages_are_no_measure() -> None:
    copy = a_result(region="copy", median=10e9)
    triad = {"region": "triad", "median": 5e9}
    for other in (
        a_result(**triad, case="all_cores", threads=2),
        a_result(**triad, toolchain="clang-16"),
        a_result(median=5e9, region="fortran_triad"),
        a_result(**triad, disturbed=True),
        a_result(**triad, verified="failed"),
    ):
        assert find(a_context([copy, other])) == []
    assert len(find(a_context([copy, a_result(**triad)]))) == 1


def test_fortran_is_reported_if_it_differs() -> None:
    own, fortran = a_result(median=10e9), a_result(region="fortran_triad", median=12e9)
    said = languages(a_context([own, fortran]))
    assert said is not None
    assert said.text == (
        "STREAM Triad: 12.0 GB/s [11.9…12.1 in 3 launches] in Fortran, 10.0 GB/s [9.9…10.1 in 3 "
        "launches] in C++. The compilers generate different loops."
    )
    assert said.evidence == (fortran.id, own.id)


def test_fortran_is_not_reported_if_it_is_as_fast_or_absent() -> None:
    own = a_result(median=10e9)
    assert languages(a_context([own])) is None
    assert languages(a_context([a_result(region="fortran_triad", median=12e9)])) is None
    alike = a_result(region="fortran_triad", median=10.1e9)
    assert languages(a_context([own, alike])) is None


@pytest.mark.parametrize(
    ("policy", "in_base_pages", "text"),
    [
        ("madvise", 8e9, "Base pages cost bandwidth"),
        ("always", 10e9, "cost no bandwidth"),
        ("madvise", 12e9, "cost no bandwidth"),
        ("never", 8e9, None),
        (None, 8e9, None),
    ],
)
def test_what_base_pages_cost_is_told_where_there_are_huge_ones(
    policy: str | None, in_base_pages: float, text: str | None
) -> None:
    huge = a_result(median=10e9)
    base = a_result(region="base_pages_triad", median=in_base_pages)
    machine = a_machine(memory=Memory(total_bytes=1 << 34, huge_pages=policy))
    said = base_pages(a_context([huge, base], machine=machine))
    assert (said is None) is (text is None)
    if said is not None:
        assert str(text) in said.text
        assert {base.id, huge.id} <= set(said.evidence)
