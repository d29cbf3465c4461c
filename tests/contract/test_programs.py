"""What the catalogue says and what the programs do agree, and every verification can fail."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from heorot import process
from heorot.build.programs import build, build_directory, cache_directory
from heorot.build.sources import native_directory, source_digest
from heorot.build.toolchains import choose, find_toolchains
from heorot.catalogue import BENCHMARKS, npb
from heorot.machine.describe import describe
from heorot.model.catalogue.benchmark import PROFILES, Benchmark
from heorot.model.machine.machine import Machine
from heorot.model.machine.toolchain import Toolchain
from heorot.model.run.records import CheckLine, EndLine, Line, RegionLine

_LINE: TypeAdapter[Line] = TypeAdapter(Line)
# The smallest honest run of each program, and the ranks it needs.
_TINY: dict[str, tuple[list[str], int]] = {
    "compute/peak": ([], 1),
    "compute/vector_kernels": (["--max-bytes", "65536", "--points-per-octave", "0.5"], 1),
    "memory/stream": (["--n", "10007"], 1),
    "messages/pingpong": (["--max-bytes", "4096"], 2),
    **{benchmark.name: (["--class", "S"], 2) for benchmark in npb.BENCHMARKS},
}
_QUICK = ["--budget", "0.02", "--samples-min", "2"]
_NAMES = [benchmark.name for benchmark in BENCHMARKS]
_NPB = [benchmark.name for benchmark in npb.BENCHMARKS]
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


@dataclass(frozen=True)
class Programs:
    """The programs built with the default toolchain."""

    machine: Machine
    toolchain: Toolchain
    paths: dict[str, Path]

    def run(self, name: str, *arguments: str) -> tuple[int, list[Line]]:
        """Run a program at its smallest; its exit code and its record."""
        options, ranks = _TINY[name]
        done = self.launch(self.paths[name], ranks, *options, *_QUICK, *arguments)
        lines = [_LINE.validate_json(line) for line in done.out.splitlines() if line[:1] == "{"]
        return done.code, lines

    def launch(self, program: Path, ranks: int, *arguments: str) -> process.Finished:
        """Run a program on so many ranks of two threads."""
        assert self.toolchain.mpi is not None
        launcher = [str(self.toolchain.mpi.mpiexec), "-n", str(ranks)]
        environment = dict(
            os.environ,
            OMPI_ALLOW_RUN_AS_ROOT="1",
            OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
            PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe",
            OMP_NUM_THREADS="2",
            OMP_WAIT_POLICY="passive",
        )
        return process.run(
            [*launcher, program, *arguments], timeout_seconds=120, environment=environment
        )

    def describe(self, name: str) -> set[str]:
        """The options a program knows."""
        done = process.run([self.paths[name], "--describe"])
        assert done.ok, done.err
        told = json.loads(done.out)
        groups = [value for value in told.values() if isinstance(value, list)]
        return {option["name"] for group in groups for option in group}


@pytest.fixture(scope="module")
def programs() -> Programs:
    machine = describe(Path(sys.prefix))
    toolchain = choose(find_toolchains(machine, None), ())[0]
    native = native_directory()
    where = build_directory(cache_directory(), toolchain, source_digest(native), "contract")
    built = build(native, toolchain, BENCHMARKS, where)
    assert not built.failures
    return Programs(machine, toolchain, built.programs)


def _benchmark(name: str) -> Benchmark:
    return next(benchmark for benchmark in BENCHMARKS if benchmark.name == name)


@pytest.mark.parametrize("name", _NAMES)
def test_every_option_that_a_case_sets_is_known(programs: Programs, name: str) -> None:
    known = programs.describe(name)
    for profile in PROFILES:
        cases = _benchmark(name).cases(programs.machine, profile)
        assert cases
        for case in cases:
            assert set(case.options) <= known, (profile, case.name)


@pytest.mark.mpi
@pytest.mark.parametrize("name", _NAMES)
def test_a_small_run_is_verified_and_yields_what_the_metrics_count(
    programs: Programs, name: str
) -> None:
    code, lines = programs.run(name)
    assert code == 0
    regions = [line for line in lines if isinstance(line, RegionLine)]
    checks = [line for line in lines if isinstance(line, CheckLine)]
    assert isinstance(lines[-1], EndLine)
    assert lines[-1].passed
    assert all(check.passed for check in checks)
    checked = {check.region for check in checks}
    assert None in checked or {region.name for region in regions} <= checked
    for metric in _benchmark(name).metrics:
        having = {region.name for region in regions if region.counts.get(metric.count, 0.0) > 0.0}
        assert having, metric.name
        assert set(metric.regions) <= having
    for headline in _benchmark(name).headlines:
        assert headline.region in {region.name for region in regions}
    for ceiling in _benchmark(name).ceilings:
        assert set(ceiling.regions) <= {region.name for region in regions}


@pytest.mark.mpi
@pytest.mark.parametrize("name", _NAMES)
def test_corruption_is_caught(programs: Programs, name: str) -> None:
    code, lines = programs.run(name, "--corrupt")
    assert code == 1
    failed = [line for line in lines if isinstance(line, CheckLine) and not line.passed]
    assert failed
    assert isinstance(lines[-1], EndLine)
    assert not lines[-1].passed


@pytest.mark.parametrize("name", _NAMES)
def test_a_mistake_is_one_line_and_a_hint(programs: Programs, name: str) -> None:
    done = process.run([programs.paths[name], "--budgett", "1"])
    assert done.code == 2
    first, second = done.err.strip().splitlines()
    assert first.startswith("heorot: ")
    assert second.startswith("hint: ")


@pytest.mark.mpi
@pytest.mark.parametrize("name", _NPB)
def test_the_work_of_all_copies_counts(programs: Programs, name: str) -> None:
    counts = []
    for arguments in ((), ("--star", "true")):
        code, lines = programs.run(name, *arguments)
        assert code == 0
        (region,) = [line for line in lines if isinstance(line, RegionLine)]
        counts.append(region.counts)
    together, copies = counts
    assert copies == {count: 2.0 * amount for count, amount in together.items()}


@pytest.fixture(scope="module")
def empty_bytes(programs: Programs, tmp_path_factory: pytest.TempPathFactory) -> int:
    """What a rank takes that only starts MPI [B]."""
    directory = tmp_path_factory.mktemp("empty")
    source, program = directory / "empty.cpp", directory / "empty"
    source.write_text(_EMPTY_PROGRAM)
    assert programs.toolchain.mpi is not None
    built = process.run([programs.toolchain.mpi.cxx, source, "-o", program], timeout_seconds=120)
    assert built.ok, built.err
    done = programs.launch(program, 2)
    return 1024 * min(int(line) for line in done.out.split())


@pytest.mark.mpi
@pytest.mark.parametrize("name", _NPB)
def test_a_case_takes_no_more_memory_than_the_plan_believes(
    programs: Programs, empty_bytes: int, name: str
) -> None:
    # Two ranks of the class that the profile quick runs, as on two cores.
    cases = _benchmark(name).cases(_two_cores(programs.machine), "quick")
    case = next(case for case in cases if case.ranks == 2)
    size = str(case.options["class"])
    done = programs.launch(programs.paths[name], 2, "--class", size, *_QUICK)
    end = _LINE.validate_json(done.out.splitlines()[-1])
    assert isinstance(end, EndLine), done.err
    taken = sum(peak - empty_bytes for peak in end.peak_memory_bytes)
    assert taken <= case.memory_bytes


def _two_cores(machine: Machine) -> Machine:
    limits = machine.node.limits.model_copy(update={"n_usable_cores": 2})
    node = machine.node.model_copy(update={"limits": limits})
    return machine.model_copy(update={"nodes": (node,)})
