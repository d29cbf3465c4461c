"""The families against themselves: names, references, metrics, cases, for whatever programs."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import heorot.families
from heorot.analyse.analysis import analyse
from heorot.analyse.explain import copies, scaling
from heorot.families import BENCHMARKS, FAMILIES
from heorot.model.analysis.breakdown import SHARES
from heorot.model.analysis.node_roofline.levels import (
    FLOPS_PER_BYTE,
    SHARE_OF_ROOFLINE,
    TIMES_KERNELS,
)
from heorot.model.analysis.placement import PLACEMENT_METRICS
from heorot.model.catalogue.benchmark import PROFILES, Benchmark, Profile
from heorot.model.catalogue.family import Family
from heorot.report.figures.kinds import KINDS
from tests.unit.analyse.builders import a_machine
from tests.unit.analyse.evaluations import a_collection
from tests.unit.analyse.synthesis import PROGRAMS, Synthesis

if TYPE_CHECKING:
    from heorot.model.analysis.result import Analysis

# Metrics that the analysis adds to any program that ran in a suitable layout.
GENERAL = {
    copies.METRIC,
    scaling.SPEEDUP,
    scaling.EFFICIENCY,
    SHARE_OF_ROOFLINE,
    TIMES_KERNELS,
    FLOPS_PER_BYTE,
    *SHARES,
    *PLACEMENT_METRICS,
}

every_family = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
every_program = pytest.mark.parametrize("benchmark", BENCHMARKS, ids=lambda one: one.name)


def quantities(benchmark: Benchmark) -> set[str]:
    """The metrics of a program's rows, in some run."""
    return {metric.name for metric in benchmark.metrics} | set(benchmark.derived)


def test_every_folder_is_a_family_in_the_list() -> None:
    folders = {path.parent.name for path in Path(heorot.families.__file__).parent.glob("*/*.py")}
    # That family is made from the recipes of a run.
    assert sorted([*(family.name for family in FAMILIES), "others"]) == sorted(folders)


@every_family
def test_the_name_of_a_family_begins_those_of_its_programs(family: Family) -> None:
    assert family.benchmarks
    assert {benchmark.family for benchmark in family.benchmarks} == {family.name}
    assert family.title


def test_names_are_paths_and_unique() -> None:
    assert all(re.fullmatch(r"[a-z]+/[a-z0-9_]+", one.name) for one in BENCHMARKS)
    assert len({one.name for one in BENCHMARKS}) == len(BENCHMARKS)
    assert len({one.display_name for one in BENCHMARKS}) == len(BENCHMARKS)


def test_a_word_means_the_same_in_all_families() -> None:
    meanings: dict[str, set[str]] = {}
    for family in FAMILIES:
        for word, meaning in family.glossary.items():
            meanings.setdefault(word, set()).add(meaning)
    assert {word for word, each in meanings.items() if len(each) > 1} == set()


def test_references_have_names_of_their_own() -> None:
    names = Counter(reference.name for one in BENCHMARKS for reference in one.publishes)
    assert {name for name, times in names.items() if times > 1} == set()


@every_program
def test_what_is_published_is_measured(benchmark: Benchmark) -> None:
    for reference in benchmark.publishes:
        assert reference.metric in quantities(benchmark)
        assert reference.regions
        metric = benchmark.metric(reference.metric)
        if metric is not None and metric.regions:
            assert set(reference.regions) <= set(metric.regions)


@every_program
def test_bounds_are_published_and_have_reasons(benchmark: Benchmark) -> None:
    published = [reference.name for one in BENCHMARKS for reference in one.publishes]
    for ceiling in benchmark.ceilings:
        assert benchmark.metric(ceiling.metric)
        assert published.count(ceiling.by) == (0 if ceiling.most is not None else 1)
        assert ceiling.slack >= 1.0
        assert ceiling.factor > 0.0
        assert ceiling.reason


def test_what_limits_communication_is_published() -> None:
    published = {reference.name for one in BENCHMARKS for reference in one.publishes}
    felt = {one.communicates_by for one in BENCHMARKS} - {""}
    assert len(felt) == 3
    assert felt <= published


def test_publishers_stand_before_those_who_refer_to_them() -> None:
    known = {""}
    for family in FAMILIES:
        known |= {reference.name for one in family.benchmarks for reference in one.publishes}
        assert {ceiling.by for one in family.benchmarks for ceiling in one.ceilings} <= known


@every_program
def test_headlines_and_figures_show_what_there_is(benchmark: Benchmark) -> None:
    # Cases that smoke runs leave out are no headlines, unless declared.
    assert benchmark.headlines or benchmark.profiles != PROFILES
    assert benchmark.figures
    known = quantities(benchmark) | GENERAL
    assert {headline.metric for headline in benchmark.headlines} <= known
    for figure in benchmark.figures:
        assert figure.kind in KINDS
        assert figure.metric in known or not figure.metric
        assert bool(figure.x) == bool(figure.x_label)


@every_family
def test_an_overview_shows_what_all_its_programs_have(family: Family) -> None:
    if family.overview is not None and family.overview.metric:
        for benchmark in family.benchmarks:
            assert family.overview.metric in quantities(benchmark) | GENERAL


@every_program
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("n_cores", [1, 2, 48])
def test_cases_are_sound(benchmark: Benchmark, profile: Profile, n_cores: int) -> None:
    cases = benchmark.cases(a_machine(n_cores), profile)
    assert cases
    assert len({case.name for case in cases}) == len(cases)
    for case in cases:
        assert 0.0 < case.needs.seconds < 4 * 3600.0
        assert case.needs.memory_bytes > case.working_set_bytes >= 0
        # Problems of given sizes are fixed: the plan skips those that do not fit.
        assert case.needs.memory_bytes < 16 << 30 or benchmark.size is not None
        assert case.needs_cores >= case.ranks * case.threads
        assert case.ranks * case.threads <= n_cores or benchmark.needs_mpi


@every_program
def test_profiles_grow(benchmark: Benchmark) -> None:
    totals = [
        sum(case.needs.seconds for case in benchmark.cases(a_machine(), profile))
        for profile in PROFILES
    ]
    assert totals == sorted(totals)
    assert totals[0] < totals[-1]


@pytest.mark.parametrize(
    "benchmark", [one for one in BENCHMARKS if one.size is None], ids=lambda one: one.name
)
def test_a_small_memory_makes_small_cases(benchmark: Benchmark) -> None:
    for case in benchmark.cases(a_machine(gibibytes=1), "full"):
        assert case.needs.memory_bytes <= 0.85 * (1 << 30)


@every_program
def test_the_smallest_run_is_small(benchmark: Benchmark) -> None:
    tiny = benchmark.tiny
    assert tiny.needs.memory_bytes <= 256 << 20
    assert tiny.ranks * tiny.threads <= 4
    assert tiny.ranks > 1 or not benchmark.needs_mpi


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    run = Synthesis(n_samples=5)
    return analyse(
        a_collection(run.series, run.outcomes), run.steps, FAMILIES, a_machine(), run="r", seed=1
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_a_family_derives_is_what_it_says(analysis: Analysis, name: str) -> None:
    (benchmark,) = [one for one in BENCHMARKS if one.name == name]
    rows = [row for row in analysis.results if row.benchmark == name]
    assert rows
    # Of general quantities, a family may derive some itself.
    derived = {row.metric for row in rows if row.derived} - (GENERAL - set(benchmark.derived))
    # A switch of protocols is there only if the times show one, and so is a jump.
    assert (
        set(benchmark.derived) - {"protocol_switch", "time_jump"}
        <= derived
        <= set(benchmark.derived)
    )


def test_a_family_derives_for_its_own_programs_only(analysis: Analysis) -> None:
    known = {one.name: quantities(one) | GENERAL for one in BENCHMARKS}
    strange = {(row.benchmark, row.metric) for row in analysis.results}
    assert {each for each in strange if each[1] not in known[each[0]]} == set()
