"""Sizes of caches as the system reports them, against those measured on one core."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.analyse.validity.cross_checks import find_disagreements
from heorot.families.memory.derived.cache_ends import cross_check, find
from heorot.model.machine.machine import Cache
from heorot.model.run.outcome import Outcome
from heorot.model.run.records import NoteLine
from tests.unit.analyse.builders import a_context, a_machine, a_result, a_step
from tests.unit.analyse.templates.claims import words
from tests.unit.model.keys import but

if TYPE_CHECKING:
    from heorot.model.analysis.context import Context
    from heorot.model.analysis.result import Result

MIB = 1 << 20


def end(program: str, region: str, level: str, low: int, high: int) -> Result:
    return a_result(
        benchmark=program,
        region=region,
        metric=f"end_{level}",
        unit="B",
        median=low,
        ci_low=low,
        ci_high=high,
        derived=True,
    )


def context(reported: int | None) -> Context:
    caches = (
        Cache(level=2, kind="unified", size_bytes=MIB),
        Cache(level=3, kind="unified", size_bytes=reported, n_cpus=2),
        Cache(level=3, kind="instruction", size_bytes=7 * MIB),
    )
    rows = [
        end("memory/hierarchy", "read", "l2", MIB, 2 * MIB),
        end("memory/hierarchy", "read", "l3", 30 * MIB, 40 * MIB),
        end("memory/latency", "chase", "l3", 24 * MIB, 32 * MIB),
    ]
    return a_context(rows, machine=a_machine(caches=caches))


@pytest.mark.parametrize("reported", [16 * MIB, 32 * MIB, 60 * MIB, None])
def test_sizes_about_as_told_are_no_finding(reported: int | None) -> None:
    assert find(context(reported)) == []


def test_the_cache_of_a_whole_host_is_found() -> None:
    (finding,) = find(context(480 * MIB))
    assert finding.text == (
        "The system reports 480 MiB of L3; measured on one core it ends between 24 MiB and 32 MiB."
    )
    assert [row[0] for row in finding.rows] == ["memory/hierarchy", "memory/latency"]
    assert all(len(row) == len(finding.columns) for row in finding.rows)
    assert len(finding.evidence) == 2


def test_a_cache_larger_than_told_is_found_too() -> None:
    (finding,) = find(context(8 * MIB))
    assert len(finding.rows) == 2


APART = (
    end("memory/hierarchy", "read", "l3", 8 * MIB, 11 * MIB),
    end("memory/latency", "chase", "l3", 3 * MIB, 4 * MIB),
)


@pytest.mark.parametrize("reported", [9 * MIB, 480 * MIB])
def test_a_level_that_ends_in_two_places_ends_in_neither(reported: int) -> None:
    """There is one warning, whatever size the system reports."""
    base = context(reported)
    apart = a_context(APART, machine=base.machine)
    assert find(apart) == []
    (check,) = cross_check(apart)
    (finding,) = find_disagreements([check], APART)
    assert finding.text == (
        "two measurements of the end of L3 on one core disagree: 8 MiB to 11 MiB by "
        "memory/hierarchy read, 3 MiB to 4 MiB by memory/latency chase, a factor of 0.375 where "
        "1.667 is allowed; the measurements do not show why"
    )
    assert finding.severity == "warning"
    assert finding.remedy.startswith("take neither for the size of the cache")
    assert finding.evidence == tuple(row.id for row in APART)


@pytest.mark.parametrize(
    ("share", "reach", "is_cause"), [(0.0, MIB, True), (0.9, MIB, False), (0.0, 5 * MIB, False)]
)
def test_page_walks_are_a_cause_where_they_were_seen(
    share: float, reach: int, is_cause: bool
) -> None:
    walks = end("memory/latency", "pages", "l3", reach, 2 * reach).model_copy(
        update={"metric": "translation_reach"}
    )
    step = a_step(benchmark="memory/latency")
    note = NoteLine(type="note", name="share_in_huge_pages", value=share)
    outcome = Outcome(step=step.id, state="completed", notes=(note,))
    rows = [*APART, walks]
    (check,) = cross_check(a_context(rows, steps=[step], outcomes=[outcome]))
    assert ("page walks" in words(check.cause)) is is_cause
    assert (walks.id in check.evidence) is is_cause
    (finding,) = find_disagreements([check], rows)
    assert ("beyond the dTLB reach of 1 MiB" in finding.text) is is_cause


def test_ends_of_neighbouring_working_sets_agree() -> None:
    rows = [APART[0], end("memory/latency", "chase", "l3", 6 * MIB, 8 * MIB)]
    found = a_context(rows, machine=context(9 * MIB).machine)
    assert find(found) == []
    assert [check.agrees for check in cross_check(found)] == [True]


def test_toolchains_are_not_compared_with_each_other() -> None:
    rows = [APART[0], but(APART[1], toolchain="clang")]
    found = a_context(rows, machine=context(6 * MIB).machine)
    assert find(found) == []
    assert cross_check(found) == []
