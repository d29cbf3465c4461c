"""Comparisons of whole runs: unchanged ones are indistinguishable, a slow program is named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from heorot.analyse.analysis import analyse
from heorot.analyse.compare.runs import compare_runs
from heorot.analyse.compare.side import Side
from heorot.model.analysis.comparison import Comparison
from heorot.model.run.series import Series
from tests.unit.analyse.builders import a_machine
from tests.unit.analyse.evaluations import a_collection
from tests.unit.analyse.synthesis import SOME_BENCHMARKS, SOME_FAMILIES, Synthesis

SLOW = "memory/stream"


def side(name: str, run: Synthesis, series: Sequence[Series] | None = None) -> Side:
    series = run.series if series is None else series
    analysis = analyse(
        a_collection(series, run.outcomes), run.steps, SOME_FAMILIES, a_machine(), run=name, seed=1
    )
    return Side(name=name, system=f"system of {name}", series=series, results=analysis.results)


def unjudged(name: str, run: Synthesis) -> Side:
    """A run without an analysis: none of its values is refused."""
    return Side(name=name, system=f"system of {name}", series=run.series, results=())


def compared(seed: int, slow: dict[str, float] | None = None, octave: float = 1.0) -> Comparison:
    """Two runs of three launches that differ by 1 % each, as a quiet machine's do."""
    runs = [
        Synthesis(seed=seed, slow=slow, n_samples=20, launch_noise=0.01, octave=octave)
        for seed, slow in ((2 * seed, None), (2 * seed + 1, slow))
    ]
    return compare_runs(unjudged("a", runs[0]), unjudged("b", runs[1]), SOME_BENCHMARKS)


@pytest.fixture(scope="module")
def equals() -> Comparison:
    """Two runs of one machine."""
    return compared(8)


@pytest.fixture(scope="module")
def run() -> Synthesis:
    """A short run."""
    return Synthesis(n_samples=8)


@pytest.fixture(scope="module")
def judged(run: Synthesis) -> Side:
    """The same with the results of its analysis."""
    return side("b", run)


@pytest.mark.simulation
@pytest.mark.slow
def test_runs_of_the_same_machine_are_indistinguishable() -> None:
    verdicts = Counter(metric.verdict for seed in range(5) for metric in compared(seed).metrics)
    assert verdicts["indistinguishable"] >= 0.95 * verdicts.total()
    assert verdicts.total() > 1000


@pytest.mark.simulation
@pytest.mark.slow
def test_only_the_slow_program_is_named() -> None:
    programs = {benchmark.name for benchmark in SOME_BENCHMARKS}
    right = 0
    for seed in range(20):
        # With few lengths of vectors, which are most of the comparison.
        groups = compared(100 + seed, {SLOW: 1.05}, octave=0.4).groups
        named = {g.name for g in groups if g.verdict != "indistinguishable"} & programs
        right += named == {SLOW}
    assert right >= 18


def test_ratios_are_oriented_and_medians_are_not() -> None:
    comparison = compared(7, {"messages/pingpong": 2.0, SLOW: 2.0})
    by_program = {
        metric.metric: metric
        for metric in comparison.metrics
        if metric.benchmark in {"messages/pingpong", SLOW}
    }
    latency, bandwidth = by_program["latency"], by_program["bandwidth"]
    assert (latency.better, bandwidth.better) == ("lower", "higher")
    for metric in (latency, bandwidth):
        assert metric.ratio == pytest.approx(0.5, rel=0.05)
        assert metric.ends is not None
        low, high = metric.ends
        assert low < metric.ratio < high
        # Symmetric as a factor; and every sample of b is worse than any of a.
        assert low * high == pytest.approx(metric.ratio**2)
        assert metric.effect_size == -1.0
        assert metric.verdict == "worse"
    assert latency.b_median == pytest.approx(2.0 * latency.a_median, rel=0.05)
    assert bandwidth.b_median == pytest.approx(0.5 * bandwidth.a_median, rel=0.05)
    groups = {group.name: group for group in comparison.groups}
    assert groups[SLOW].geometric_mean_ratio == pytest.approx(0.5, rel=0.05)
    assert groups[SLOW].verdict == "worse"


def test_groups_are_programs_and_families_of_several(equals: Comparison) -> None:
    names = [group.name for group in equals.groups]
    assert names == [*(benchmark.name for benchmark in SOME_BENCHMARKS), "compute"]


def test_metrics_stand_in_the_order_of_the_catalogue(run: Synthesis) -> None:
    backwards = SOME_BENCHMARKS[::-1]
    comparison = compare_runs(unjudged("a", run), unjudged("b", run), backwards)
    programs = list(dict.fromkeys(metric.benchmark for metric in comparison.metrics))
    assert programs == [benchmark.name for benchmark in backwards]


def test_names_and_layouts(equals: Comparison) -> None:
    assert (equals.a_name, equals.b_name) == ("a", "b")
    assert equals.systems == ("system of a", "system of b")
    layouts = {metric.setup.layout for metric in equals.metrics if metric.benchmark == "npb/ep"}
    assert layouts == {"1x1x1", "1x1x2", "1x2x1"}
    assert equals.uncompared == ()


def test_each_region_is_compared_once_by_its_primary_metric(equals: Comparison) -> None:
    places = Counter(
        (metric.benchmark, metric.region, *metric.point.items(), metric.setup.layout)
        for metric in equals.metrics
    )
    assert set(places.values()) == {1}


def test_what_only_one_run_has_is_reported(run: Synthesis) -> None:
    fewer = [one for one in run.series if one.benchmark != SLOW]
    less = replace(unjudged("b", run), series=fewer)
    comparison = compare_runs(unjudged("a", run), less, SOME_BENCHMARKS)
    assert {(row.why, row.benchmark) for row in comparison.uncompared} == {("only in A", SLOW)}
    assert not any(metric.benchmark == SLOW for metric in comparison.metrics)


def test_refused_numbers_are_not_compared(run: Synthesis, judged: Side) -> None:
    failed = [
        replace(one, verified="failed") if one.benchmark == SLOW else one for one in run.series
    ]
    hoisted = [
        replace(one, seconds=one.seconds / 10.0) if one.region == "broadcast" else one
        for one in failed
    ]
    a = side("a", run, hoisted)
    impossible = {(r.region, *r.point.values()) for r in a.results if r.plausible is False}
    compared_places = {
        (metric.region, *metric.point.values())
        for metric in compare_runs(a, judged, SOME_BENCHMARKS).metrics
    }
    assert impossible
    assert not impossible & compared_places
    assert {place[0] for place in compared_places}.isdisjoint({"scale", "memcpy", "read"})
    assert ("ep", "A") in compared_places


def test_one_toolchain_each_is_compared_whatever_its_name() -> None:
    runs = [Synthesis(n_samples=8, toolchains=(name,)) for name in ("gnu-12+x-1", "clang-16+y-2")]
    sides = [unjudged(name, run) for name, run in zip("ab", runs, strict=True)]
    assert compare_runs(sides[0], sides[1], SOME_BENCHMARKS).uncompared == ()


def test_of_several_toolchains_those_of_one_name_are_compared() -> None:
    one = Synthesis(n_samples=8, toolchains=("x",))
    two = Synthesis(n_samples=8, toolchains=("x", "y"))
    comparison = compare_runs(unjudged("a", one), unjudged("b", two), SOME_BENCHMARKS)
    assert {(row.why, row.toolchain) for row in comparison.uncompared} == {("only in B", "y")}


def test_nothing_in_common_is_no_crash(judged: Side) -> None:
    empty = Side(name="b", system="s", series=(), results=())
    comparison = compare_runs(judged, empty, SOME_BENCHMARKS)
    assert comparison.metrics == ()
    assert comparison.groups == ()
    assert {row.why for row in comparison.uncompared} == {"only in A"}
