"""Catalogue and programs agree, and every verification can fail."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest

from heorot import process
from heorot.build.sources import native_directory
from heorot.catalogue.header import read_header
from heorot.families.compute.vectors.vector_kernels import VECTOR_KERNELS
from heorot.families.npb.zones import ZONED, balance_on
from heorot.model.catalogue.benchmark import PROFILES, Benchmark, Case
from heorot.model.machine.machine import Machine
from heorot.model.machine.toolchain import Toolchain
from heorot.model.point import Scalar
from heorot.model.run.records import NoteLine, RegionLine
from tests import builds
from tests.builds import TRIED
from tests.contract.launches import LINE, Ended, join_runs, launch, read_runs, stage, words_of

pytestmark = pytest.mark.timeout(900)  # the first may have to build all programs

_QUICK = ["--budget", "0.02", "--samples-min", "2"]
# Starts MPI, ends it, and prints the memory [kB] that this took.
_EMPTY_PROGRAM = """
#include <mpi.h>
#include <sys/resource.h>
#include <cstdio>
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    std::printf("%ld\\n", used.ru_maxrss);
    MPI_Finalize();
}
"""


every_program = pytest.mark.parametrize("benchmark", TRIED, ids=lambda one: one.name)
every_sized_program = pytest.mark.parametrize(
    "benchmark", [one for one in TRIED if one.size is not None], ids=lambda one: one.name
)


@dataclass(frozen=True)
class Programs:
    """The programs built with the default toolchain."""

    machine: Machine
    toolchain: Toolchain
    paths: dict[str, Path]
    folder: Path
    records: dict[str, dict[str, Ended]] = field(default_factory=dict)

    def run(self, benchmark: Benchmark, way: str) -> Ended:
        """A run of a program, in one of the ways that all programs have to run in.

        One launch has all of them, as most of their time goes into joining the ranks.
        """
        ways = self.records.setdefault(benchmark.name, {})
        if way not in ways:
            cases = self._cases(benchmark)
            ranks, _ = cases[way]
            chosen = {name: (*words, *_QUICK) for name, (n, words) in cases.items() if n == ranks}
            inputs = (benchmark.tiny, memory_case(self.machine, benchmark))
            here = stage(inputs, self.folder / benchmark.name)
            words = join_runs(chosen.values())
            done = self.launch(self.paths[benchmark.name], ranks, *words, cwd=here)
            ways |= zip(chosen, read_runs(done, len(chosen)), strict=True)
        return ways[way]

    def _cases(self, benchmark: Benchmark) -> dict[str, tuple[int, list[str]]]:
        """Ranks and options by way. Memory is looked at first: no later run takes less of it."""
        tiny = benchmark.tiny
        small = words_of(tiny)
        ways = {
            "small": (tiny.ranks, small),
            "corrupt": (tiny.ranks, [*small, "--corrupt"]),
        }
        if benchmark.size is None:
            return ways
        case = memory_case(self.machine, benchmark)
        ways["star"] = (tiny.ranks, [*small, "--star", "true"])
        return {"quick": (case.ranks, words_of(case)), **ways}

    def measured(self, benchmark: Benchmark) -> list[RegionLine]:
        """The regions of a run at its smallest."""
        return self.run(benchmark, "small").regions

    def launch(
        self, program: Path, ranks: int, *arguments: str, cwd: Path | None = None
    ) -> process.Finished:
        """Run a program on `ranks` ranks of two threads."""
        return launch(self.toolchain, program, ranks, *arguments, cwd=cwd)

    def describe(self, benchmark: Benchmark) -> set[str]:
        """The options a program knows."""
        done = process.run([self.paths[benchmark.name], "--describe"])
        assert done.ok, done.err
        described = json.loads(done.out)
        groups = [value for value in described.values() if isinstance(value, list)]
        return {option["name"] for group in groups for option in group}


@pytest.fixture(scope="module")
def programs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Programs:
    built = builds.release(_asked_for(request.session.items))
    folder = tmp_path_factory.mktemp("programs")
    return Programs(built.machine, built.toolchain, built.paths, folder)


def _asked_for(items: Iterable[pytest.Item]) -> list[str]:
    """The programs that the chosen tests are about: all, unless some are left out."""
    here = [item for item in items if item.path == Path(__file__)]
    asked = [getattr(item, "callspec", None) for item in here]
    names = {each.params["benchmark"].name for each in asked if each}
    # A test about one program names it itself.
    names |= {VECTOR_KERNELS.name} if None in asked else set()
    return sorted(names)


@every_program
def test_every_option_that_a_case_sets_is_known(programs: Programs, benchmark: Benchmark) -> None:
    known = programs.describe(benchmark)
    cases = [benchmark.cases(programs.machine, profile) for profile in PROFILES]
    assert all(cases)
    for case in (benchmark.tiny, *(case for each in cases for case in each)):
        assert set(case.options) <= known, case.name
    assert benchmark.uses_blas == ("blas" in known)


@every_program
def test_every_option_of_its_example_is_known(programs: Programs, benchmark: Benchmark) -> None:
    example = read_header(native_directory(), benchmark.name).sections["Example"]
    words = shlex.split(example)
    settings = [word for before, word in pairwise(words) if before == "--set"]
    assert {setting.partition("=")[0] for setting in settings} <= programs.describe(benchmark)


@pytest.mark.slow
@pytest.mark.mpi
@pytest.mark.parametrize(
    "benchmark", [one for one in TRIED if one.name in ZONED], ids=lambda one: one.name
)
@pytest.mark.parametrize(("size", "ranks"), [("S", 2), ("S", 3), ("W", 7)])
def test_zones_are_balanced_as_a_plan_foresees(
    programs: Programs, benchmark: Benchmark, size: str, ranks: int
) -> None:
    words = ("--class", size, "--samples-min", "1", "--budget", "0.01")
    done = programs.launch(programs.paths[benchmark.name], ranks, *words)
    assert done.code == 0, done.err
    lines = [LINE.validate_json(line) for line in done.out.splitlines()]
    notes = {line.name: line.value for line in lines if isinstance(line, NoteLine)}
    foreseen = balance_on(benchmark.name, size, ranks)
    assert notes["zones"] == ZONED[benchmark.name].count(size)
    assert notes["predicted_rank_balance"] == pytest.approx(foreseen, rel=0.005)


@pytest.mark.mpi
@every_program
def test_a_small_run_is_verified(programs: Programs, benchmark: Benchmark) -> None:
    ended = programs.run(benchmark, "small")
    assert ended.code == 0
    assert ended.end.passed
    assert all(check.passed for check in ended.checks)
    regions = {line.name for line in ended.regions}
    checked = {check.region for check in ended.checks}
    assert regions
    assert None in checked or regions <= checked


@pytest.mark.mpi
@every_program
def test_a_small_run_yields_what_is_counted_and_shown(
    programs: Programs, benchmark: Benchmark
) -> None:
    measured = programs.measured(benchmark)
    regions = {line.name for line in measured}
    for metric in benchmark.metrics:
        having = {line.name for line in measured if metric.amount(line.counts) > 0.0}
        assert having, metric.name
        assert set(metric.regions) <= having
    named = {headline.region for headline in benchmark.headlines}
    named |= {region for ceiling in benchmark.ceilings for region in ceiling.regions}
    named |= {region for figure in benchmark.figures for region in figure.regions}
    for reference in benchmark.publishes:
        # Where the first that was measured counts, not every machine can measure all.
        assert regions & set(reference.regions), reference.name
        named |= set() if reference.first else set(reference.regions)
    # Only a build with a Fortran compiler has these.
    assert named - set(benchmark.fortran_regions) <= regions


@pytest.mark.mpi
@every_program
def test_a_small_run_has_the_coordinates_that_are_asked_for(
    programs: Programs, benchmark: Benchmark
) -> None:
    coordinates = {line.name: set(line.point) for line in programs.measured(benchmark)}
    for headline in benchmark.headlines:
        assert headline.point.keys() <= coordinates[headline.region]
    for reference in benchmark.publishes:
        for region in coordinates.keys() & set(reference.regions):
            assert reference.point.keys() <= coordinates[region]
    for figure in benchmark.figures:
        for region in coordinates.keys() & set(figure.regions or coordinates):
            assert {figure.x} - {"", "cores"} <= coordinates[region]
    if benchmark.size is not None:
        assert all(benchmark.size.coordinate in each for each in coordinates.values())


@pytest.mark.mpi
def test_every_operation_that_computes_has_a_rate_of_flops(programs: Programs) -> None:
    operations = {line.name for line in programs.measured(VECTOR_KERNELS)}
    regions = {metric.name: set(metric.regions) for metric in VECTOR_KERNELS.metrics}
    assert len(operations) == 14
    assert operations - regions["flop_rate"] == regions["element_rate"] == {"broadcast", "copy"}


@pytest.mark.mpi
@every_program
def test_corruption_is_caught(programs: Programs, benchmark: Benchmark) -> None:
    ended = programs.run(benchmark, "corrupt")
    assert ended.code == 1
    assert [check for check in ended.checks if not check.passed]
    assert not ended.end.passed


@every_program
def test_a_mistake_is_one_line_and_a_hint(programs: Programs, benchmark: Benchmark) -> None:
    done = process.run([programs.paths[benchmark.name], "--budgett", "1"])
    assert done.code == 2
    first, second = done.err.strip().splitlines()
    assert first.startswith("heorot: ")
    assert second.startswith("hint: ")


@pytest.mark.mpi
@every_sized_program
def test_the_work_of_all_copies_counts(programs: Programs, benchmark: Benchmark) -> None:
    counts: list[dict[tuple[Scalar, ...], dict[str, float]]] = []
    for way in ("small", "star"):
        ended = programs.run(benchmark, way)
        assert ended.code == 0
        counts.append({(line.name, *line.point.values()): line.counts for line in ended.regions})
    together, copies = counts
    assert copies == {
        place: {count: benchmark.tiny.ranks * amount for count, amount in amounts.items()}
        for place, amounts in together.items()
    }


@pytest.fixture(scope="module")
def empty_bytes(programs: Programs, tmp_path_factory: pytest.TempPathFactory) -> int:
    """The memory of a rank that only starts MPI [B]."""
    directory = tmp_path_factory.mktemp("empty")
    source, program = directory / "empty.cpp", directory / "empty"
    source.write_text(_EMPTY_PROGRAM)
    assert programs.toolchain.mpi is not None
    built = process.run([programs.toolchain.mpi.cxx, source, "-o", program], timeout_seconds=120)
    assert built.ok, built.err
    done = programs.launch(program, 2)
    return 1024 * min(int(line) for line in done.out.split())


@pytest.mark.slow
@pytest.mark.mpi
@every_sized_program
def test_a_case_takes_no_more_memory_than_the_plan_believes(
    programs: Programs, empty_bytes: int, benchmark: Benchmark
) -> None:
    ended = programs.run(benchmark, "quick")
    taken = sum(peak - empty_bytes for peak in ended.end.peak_memory_bytes)
    assert taken <= memory_case(programs.machine, benchmark).needs.memory_bytes


def memory_case(machine: Machine, benchmark: Benchmark) -> Case:
    """The first case of the profile quick on two cores that has the most ranks."""
    return max(benchmark.cases(_two_cores(machine), "quick"), key=lambda case: case.ranks)


def _two_cores(machine: Machine) -> Machine:
    limits = machine.node.limits.model_copy(update={"n_usable_cores": 2})
    node = machine.node.model_copy(update={"limits": limits})
    return machine.model_copy(update={"nodes": (node,)})
