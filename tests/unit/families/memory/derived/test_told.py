"""Sizes of caches that the system tells, against those that one core finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.families.memory.derived.told import find
from heorot.model.machine.machine import Cache
from tests.unit.analyse.builders import a_context, a_machine, a_result

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


def context(told: int | None) -> Context:
    caches = (
        Cache(level=2, kind="unified", size_bytes=MIB),
        Cache(level=3, kind="unified", size_bytes=told, n_cpus=2),
        Cache(level=3, kind="instruction", size_bytes=7 * MIB),
    )
    rows = [
        end("memory/hierarchy", "read", "l2", MIB, 2 * MIB),
        end("memory/hierarchy", "read", "l3", 30 * MIB, 40 * MIB),
        end("memory/latency", "chase", "l3", 24 * MIB, 32 * MIB),
    ]
    return a_context(rows, machine=a_machine(caches=caches))


@pytest.mark.parametrize("told", [16 * MIB, 32 * MIB, 60 * MIB, None])
def test_sizes_about_as_told_are_no_finding(told: int | None) -> None:
    assert find(context(told)) == []


def test_the_cache_of_a_whole_host_is_found() -> None:
    (finding,) = find(context(480 * MIB))
    assert finding.observation == (
        "The system says that L3 holds 480 MiB; one core finds its end between 24 MiB and 32 MiB."
    )
    assert [row[0] for row in finding.rows] == ["memory/hierarchy", "memory/latency"]
    assert all(len(row) == len(finding.columns) for row in finding.rows)
    assert len(finding.evidence) == 2


def test_a_cache_larger_than_told_is_found_too() -> None:
    (finding,) = find(context(8 * MIB))
    assert len(finding.rows) == 2


@pytest.mark.parametrize("told", [9 * MIB, 480 * MIB])
def test_a_level_that_ends_in_two_places_ends_in_neither(told: int) -> None:
    """Whatever the system says of it."""
    base = context(told)
    rows = [
        end("memory/hierarchy", "read", "l3", 8 * MIB, 11 * MIB),
        end("memory/latency", "chase", "l3", 3 * MIB, 4 * MIB),
    ]
    (finding,) = find(a_context(rows, machine=base.machine))
    assert finding.observation == (
        "One core finds that L3 ends between 8 MiB and 11 MiB by memory/hierarchy, between 3 MiB "
        "and 4 MiB by memory/latency: where it ends is not known."
    )
    assert finding.severity == "warning"
    assert finding.evidence == tuple(row.key for row in rows)
    assert [row[3:] for row in finding.rows] == [("8 MiB", "11 MiB"), ("3 MiB", "4 MiB")]


def test_ends_of_neighbouring_working_sets_agree() -> None:
    rows = [
        end("memory/hierarchy", "read", "l3", 8 * MIB, 11 * MIB),
        end("memory/latency", "chase", "l3", 6 * MIB, 8 * MIB),
    ]
    assert find(a_context(rows, machine=context(9 * MIB).machine)) == []


def test_toolchains_are_not_held_against_each_other() -> None:
    rows = [
        end("memory/hierarchy", "read", "l3", 8 * MIB, 11 * MIB),
        end("memory/latency", "chase", "l3", 3 * MIB, 4 * MIB).model_copy(
            update={"toolchain": "clang"}
        ),
    ]
    assert find(a_context(rows, machine=context(6 * MIB).machine)) == []
