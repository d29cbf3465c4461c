"""Copies on a described machine of eight cores: each count has the baseline of its losses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heorot.families.algorithms.dense.matrix_multiply import MATRIX_MULTIPLY
from heorot.families.compute.peak import PEAK
from heorot.families.memory.gups import GUPS
from heorot.families.memory.hierarchy import HIERARCHY
from heorot.families.memory.stream import STREAM
from tests.unit.analyse.builders import a_machine

if TYPE_CHECKING:
    from heorot.model.catalogue.benchmark import Benchmark, Case, Profile


def copies_of(benchmark: Benchmark, profile: Profile) -> list[Case]:
    return [case for case in benchmark.cases(a_machine(8), profile) if case.options.get("star")]


@pytest.mark.parametrize(
    "benchmark", [STREAM, PEAK, HIERARCHY, MATRIX_MULTIPLY, GUPS], ids=lambda one: one.name
)
@pytest.mark.parametrize("profile", ["standard", "full"])
def test_longer_profiles_run_copies_on_every_power_of_two(
    benchmark: Benchmark, profile: Profile
) -> None:
    copies = copies_of(benchmark, profile)
    assert sorted(case.ranks for case in copies) == [2, 4, 8]
    assert all(case.needs_cores == case.ranks for case in copies)


@pytest.mark.parametrize("benchmark", [STREAM, PEAK, HIERARCHY, GUPS], ids=lambda one: one.name)
def test_shorter_ones_have_a_copy_on_every_core(benchmark: Benchmark) -> None:
    assert [case.ranks for case in copies_of(benchmark, "quick")] == [8]


@pytest.mark.parametrize("n_cores", [2, 6, 8, 64])
def test_every_copy_updates_a_table_that_one_core_alone_has(n_cores: int) -> None:
    alone, *others = GUPS.cases(a_machine(n_cores), "standard")
    largest = int(alone.options["max-bytes"])
    tables = {largest >> (2 * k) for k in range(16)}
    copies = [case for case in others if case.options.get("star")]
    assert copies
    assert {int(case.options["max-bytes"]) for case in copies} <= tables
    assert all(case.options["min-bytes"] == case.options["max-bytes"] for case in copies)
