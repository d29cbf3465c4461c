"""Costs by the programs' formulas, which plans use, equal the counts of their records."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from heorot.catalogue.asked import Asked
from heorot.catalogue.programs import described
from heorot.families import BENCHMARKS
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.run.records import RegionLine
from tests import builds
from tests.contract.launches import launch, read_runs, words_of

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(900)]  # may have to build all programs

_IN_ALL = {"memory_bytes", "working_set_bytes", "file_bytes", "written_bytes"}
# As much of what a plan counts may be missing: what not every processor has, two threads that share
# a CPU, elements at the edges of small grids; libraries, and what needs a compiler.
_MISSING = {
    "compute/peak": 0.6,
    "compute/intrinsics": 0.4,
    "memory/atomics": 0.2,
    "algorithms/sparse_matrix_vector": 0.2,
}
_MISSING_WITH_OTHERS = 0.6
_CLOSE = 0.03
_COUNTING = [one for one in BENCHMARKS if described(one.name).costs.keys() - _IN_ALL]


@pytest.mark.parametrize("benchmark", _COUNTING, ids=lambda one: one.name)
def test_a_small_run_does_what_the_plan_counts(benchmark: Benchmark) -> None:
    built = builds.release([benchmark.name])
    case = benchmark.tiny.model_copy(update={"threads": 2})  # as launches of the contract have
    words = [*words_of(case), "--budget", "0.01", "--samples-min", "2"]
    path = built.paths[benchmark.name]
    (ended,) = read_runs(launch(built.toolchain, path, case.ranks, *words), 1)
    assert ended.code == 0, ended.err
    others = bool(benchmark.blas_regions or benchmark.fortran_regions)
    missing = _MISSING.get(benchmark.name, _MISSING_WITH_OTHERS if others else _CLOSE)
    for cost in described(benchmark.name).costs.keys() - _IN_ALL:
        foreseen = Asked(benchmark.name, case).amount(cost)
        done = _all_of(ended.regions, cost, case.ranks)
        assert 1.0 - missing < done / foreseen < 1.0 + _CLOSE, cost


def _all_of(measured: Iterable[RegionLine], cost: str, ranks: int) -> float:
    """The counts of a body of each region, by the records."""
    if cost == "points":
        return float(sum(1 for _ in measured))
    if cost == "swept_bytes":
        points = [line.point for line in measured]
        sizes = (each.get("working_set_bytes", each.get("bytes", 0)) for each in points)
        return ranks * sum(map(float, sizes))
    return sum(line.counts.get(cost, 0.0) for line in measured)
