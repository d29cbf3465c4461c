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
from heorot.catalogue import BENCHMARKS
from heorot.machine.describe import describe
from heorot.model.benchmark import PROFILES, Benchmark
from heorot.model.machine import Machine
from heorot.model.records import CheckLine, EndLine, Line, RegionLine
from heorot.model.toolchain import Toolchain

_LINE: TypeAdapter[Line] = TypeAdapter(Line)
# The smallest honest run of each program, and the ranks it needs.
_TINY: dict[str, tuple[list[str], int]] = {
    "compute/peak": ([], 1),
    "compute/vector_kernels": (["--max-bytes", "65536", "--points-per-octave", "0.5"], 1),
    "memory/stream": (["--n", "10007"], 1),
    "messages/pingpong": (["--max-bytes", "4096"], 2),
    "npb/ep": (["--class", "S"], 2),
}
_QUICK = ["--budget", "0.02", "--samples-min", "2"]
_NAMES = [benchmark.name for benchmark in BENCHMARKS]


@dataclass(frozen=True)
class Programs:
    """The programs built with the default toolchain."""

    machine: Machine
    toolchain: Toolchain
    paths: dict[str, Path]

    def run(self, name: str, *arguments: str) -> tuple[int, list[Line]]:
        """Run a program at its smallest; its exit code and its record."""
        options, ranks = _TINY[name]
        assert self.toolchain.mpi is not None
        launcher = [str(self.toolchain.mpi.mpiexec), "-n", str(ranks)]
        environment = dict(
            os.environ,
            OMPI_ALLOW_RUN_AS_ROOT="1",
            OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
            PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe",
            OMP_NUM_THREADS="2",
        )
        done = process.run(
            [*launcher, self.paths[name], *options, *_QUICK, *arguments],
            timeout_seconds=120,
            environment=environment,
        )
        lines = [_LINE.validate_json(line) for line in done.out.splitlines() if line[:1] == "{"]
        return done.code, lines

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
