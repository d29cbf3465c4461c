"""The flops that solvers and eigensolvers count are those that they execute.

Each counts its flops by polynomials, or as it goes; here the instructions of its binary are
counted. Sums in lanes need some additions more, which tests state.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builds import N_LANES, counted_programs
from tests.contract.binaries.executed import COUNTED_HERE, Run, run_one_body

pytestmark = COUNTED_HERE


@pytest.fixture(scope="module")
def programs() -> Path:
    return counted_programs("algorithms")


def _run(programs: Path, tmp_path: Path, name: str, *options: str) -> Run:
    return run_one_body(programs / name, *options, record=tmp_path / "callgrind.out")


def test_dense_iteration(programs: Path, tmp_path: Path) -> None:
    n = 400
    run = _run(programs, tmp_path, "linear_solver", "--n", str(n))
    steps = run.counts["steps"]
    assert run.counts["flops"] == steps * (2 * n * n + 10 * n) + 2 * n
    # The lanes of the sum of every row; divisions, roots and sums of sums, below 2 n in all.
    beside = run.executed - run.counts["flops"] - steps * N_LANES * n
    assert 0 <= beside < 8 * steps < 2 * n


# The four parts of the sum of a row take three additions, in every product.
@pytest.mark.parametrize(
    ("method", "products"),
    [
        ("cg_jacobi", 1),
        ("cg_sgs", 1),
        ("cg_ic0", 1),
        ("bicgstab_jacobi", 2),
        ("bicgstab_ilu0", 2),
    ],
)
def test_sparse_systems(programs: Path, tmp_path: Path, method: str, products: int) -> None:
    side = 16
    run = _run(programs, tmp_path, "sparse_solve", "--n", str(side), "--methods", method)
    sums = 3 * side**3 * products * run.counts["steps"]
    assert run.executed == pytest.approx(run.counts["flops"] + sums, rel=1e-3)


# Besides sums of rows, sums of blocks of vectors count.
@pytest.mark.parametrize("matrix", ["laplace2d", "laplace3d"])
def test_sparse_eigenvalues(programs: Path, tmp_path: Path, matrix: str) -> None:
    run = _run(programs, tmp_path, "sparse_eigen", "--unknowns", "400", "--matrices", matrix)
    assert run.executed == pytest.approx(1.011 * run.counts["flops"], rel=0.005)


# Columns of a triangle are multiplied in whole lanes, also those that the diagonal cuts. Sturm
# sequences fill vectors of points, and are scaled.
@pytest.mark.parametrize(
    ("region", "surplus"), [("values", 1.079), ("vectors", 1.02), ("rotations", 1.007)]
)
def test_dense_eigenvalues(programs: Path, tmp_path: Path, region: str, surplus: float) -> None:
    run = _run(programs, tmp_path, "dense_eigen", "--n", "192", "--regions", region)
    assert run.executed == pytest.approx(surplus * run.counts["flops"], rel=0.005)
