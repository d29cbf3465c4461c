"""The catalogue against itself and against the sources of its programs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from heorot.build.sources import native_directory
from heorot.catalogue import BENCHMARKS
from heorot.catalogue.header import source_of
from heorot.model.catalogue.benchmark import PROFILES, Benchmark, Case, Profile
from heorot.model.machine.machine import Cache, Limits, Machine, Memory, Node, Processor

CATALOGUE = {benchmark.name: benchmark for benchmark in BENCHMARKS}
# What the analysis adds to the metrics of a program.
DERIVED = {
    "r_max_l1",
    "r_max_memory",
    "latency",
    "n_half",
    "r_inf",
    "fitted_latency",
    "star_degradation",
}
# Options that every program has from the harness.
HARNESS_OPTIONS = {"budget", "star"}

every_benchmark = pytest.mark.parametrize("benchmark", BENCHMARKS, ids=lambda b: b.name)


def machine(n_cores: int = 2, gibibytes: int = 16) -> Machine:
    node = Node(
        names=("here",),
        processor=Processor(isa="x86_64"),
        caches=(
            Cache(level=1, kind="data", size_bytes=48 << 10),
            Cache(level=3, kind="unified", size_bytes=32 << 20),
        ),
        memory=Memory(total_bytes=gibibytes << 30, available_bytes=gibibytes << 30),
        limits=Limits(n_usable_cores=n_cores),
    )
    return Machine(hostname="here", nodes=(node,))


def source(benchmark: Benchmark) -> str:
    """The files of a program, and what they include of its family and of the numerics."""
    native = native_directory()
    path = source_of(native, benchmark.name)
    unread = sorted(path.parent.glob("*.?pp")) if path.parent.name == path.stem else [path]
    texts: dict[Path, str] = {}
    while unread:
        file = unread.pop()
        if file not in texts:
            texts[file] = file.read_text()
            included = re.findall(r'#include "((?:benchmarks|numerics)/[^"]+)"', texts[file])
            unread += [native / name for name in included]
    return "\n".join(texts.values())


def strings(benchmark: Benchmark) -> set[str]:
    """All words inside the string literals of a program."""
    literals = re.findall(r'"((?:[^"\\]|\\.)*)"', source(benchmark))
    return {word for text in literals for word in [text, *text.split(",")]}


def test_names_are_paths_and_unique() -> None:
    assert len(CATALOGUE) == len(BENCHMARKS)
    assert all(re.fullmatch(r"[a-z]+/[a-z0-9_]+", name) for name in CATALOGUE)
    assert CATALOGUE["memory/stream"].target == "memory_stream"
    assert CATALOGUE["memory/stream"].family == "memory"


def test_every_program_is_in_the_catalogue_and_the_build() -> None:
    benchmarks = native_directory() / "benchmarks"
    targets = {
        name
        for lists in benchmarks.glob("*/CMakeLists.txt")
        for name in re.findall(r"^add_benchmark\((\S+)", lists.read_text(), re.MULTILINE)
    }
    assert targets == set(CATALOGUE)


@every_benchmark
def test_the_program_knows_every_region_and_count(benchmark: Benchmark) -> None:
    words = strings(benchmark)
    counts = {metric.count for metric in benchmark.metrics if metric.count}
    regions = {region for metric in benchmark.metrics for region in metric.regions}
    regions |= {headline.region for headline in benchmark.headlines}
    regions |= {region for ceiling in benchmark.ceilings for region in ceiling.regions}
    points = {name for headline in benchmark.headlines for name in headline.point}
    points |= {figure.x for figure in benchmark.figures if figure.x not in {"", "cores"}}
    assert counts <= words
    assert regions <= words
    assert points <= words


@every_benchmark
def test_ceilings_are_measured_by_programs_of_the_catalogue(benchmark: Benchmark) -> None:
    for ceiling in benchmark.ceilings:
        other = CATALOGUE[ceiling.by_benchmark]
        assert other.metric(ceiling.by_metric)
        assert set(ceiling.by_regions) <= strings(other)
        assert benchmark.metric(ceiling.metric)
        assert ceiling.slack >= 1.0
        assert ceiling.factor > 0.0
        assert ceiling.reason


@every_benchmark
def test_headlines_and_figures_show_metrics(benchmark: Benchmark) -> None:
    known = {metric.name for metric in benchmark.metrics} | DERIVED
    assert benchmark.headlines
    assert benchmark.figures
    assert {headline.metric for headline in benchmark.headlines} <= known
    drawn = {figure.metric for figure in benchmark.figures if figure.metric}
    assert drawn <= known


@every_benchmark
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("n_cores", [1, 2, 48])
def test_cases_are_sound(benchmark: Benchmark, profile: Profile, n_cores: int) -> None:
    cases = benchmark.cases(machine(n_cores), profile)
    assert cases
    assert len({case.name for case in cases}) == len(cases)
    for case in cases:
        assert 0.0 < case.seconds < 4 * 3600.0
        # The classes of the NPB are what they are: the plan skips those that do not fit.
        assert case.memory_bytes > 0
        assert case.memory_bytes < 16 << 30 or benchmark.family == "npb"
        assert case.needs_cores >= case.ranks * case.threads
        assert case.ranks * case.threads <= max(2, n_cores)


@every_benchmark
def test_the_program_knows_every_option(benchmark: Benchmark) -> None:
    options = {
        name
        for profile in PROFILES
        for case in benchmark.cases(machine(), profile)
        for name in case.options
    }
    # The end of the caches is found by the program, below what it may use.
    late = {"max-bytes"} if benchmark.name == "memory/stream" else set()
    assert options - HARNESS_OPTIONS - late <= strings(benchmark)


def cases_of(name: str, profile: Profile, n_cores: int = 2) -> dict[str, Case]:
    return {case.name: case for case in CATALOGUE[name].cases(machine(n_cores), profile)}


def test_one_core_has_no_layouts_of_several() -> None:
    for name in ("compute/peak", "memory/stream"):
        assert list(cases_of(name, "full", 1)) == ["one_core"]
    assert list(cases_of("npb/ep", "smoke", 1)) == ["S_one_core"]


def test_layouts_of_several_cores() -> None:
    assert list(cases_of("memory/stream", "standard")) == [
        "one_core",
        "all_cores",
        "all_cores_ranks",
    ]
    ranks = cases_of("npb/ep", "quick", 8)["W_all_cores_ranks"]
    threads = cases_of("npb/ep", "quick", 8)["W_all_cores_threads"]
    assert (ranks.ranks, ranks.threads, threads.ranks, threads.threads) == (8, 1, 1, 8)
    assert (cases_of("messages/pingpong", "smoke")["two_ranks"].ranks) == 2


def test_profiles_grow() -> None:
    for benchmark in BENCHMARKS:
        totals = [sum(c.seconds for c in benchmark.cases(machine(), p)) for p in PROFILES]
        assert totals == sorted(totals)
        assert totals[0] < totals[-1]


def test_a_small_memory_makes_small_cases() -> None:
    for benchmark in BENCHMARKS:
        if benchmark.family == "npb":
            continue  # its classes have their sizes
        for case in benchmark.cases(machine(gibibytes=1), "full"):
            assert case.memory_bytes <= 0.85 * (1 << 30)


def test_the_bytes_of_a_cycle_cover_the_widest_core_known() -> None:
    (rule,) = [c for c in CATALOGUE["compute/vector_kernels"].ceilings if c.metric == "bandwidth"]
    assert rule.factor == 3 * 64  # two loads and a store of 512 bits


def test_operations_are_those_of_the_program() -> None:
    (rule,) = [c for c in CATALOGUE["compute/vector_kernels"].ceilings if c.metric == "flop_rate"]
    text = Path(source_of(native_directory(), "compute/vector_kernels")).read_text()
    measured = set(re.findall(r'run\(\{"(\w+)"', text))
    assert len(measured) == 14
    assert set(rule.regions) == measured - {"broadcast", "copy"}
