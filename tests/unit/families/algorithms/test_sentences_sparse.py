"""Sentences on SpMV, sparse solvers and eigenvalues, and the dense iterative solver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from heorot.families.algorithms.sparse.sentences_sparse import sentences
from tests.unit.analyse.builders import a_context, a_result

if TYPE_CHECKING:
    from heorot.model.analysis.result import Result


def product(region: str, matrix: str, median: float, **changes: Any) -> Result:
    fields = {
        "benchmark": "algorithms/sparse_matrix_vector",
        "region": region,
        "metric": "flop_rate",
        "unit": "flop/s",
        "point": {"matrix": matrix, "working_set_bytes": changes.pop("size", 1 << 27)},
    }
    return a_result(median=median, **(fields | changes))


def time(program: str, region: str, median: float, **changes: Any) -> Result:
    fields = {
        "benchmark": f"algorithms/{program}",
        "region": region,
        "metric": "time",
        "unit": "s",
        "better": "lower",
        "point": {"unknowns": 64000, "wanted": 4},
    }
    return a_result(median=median, **(fields | changes))


def test_products_are_reported_by_the_largest_regular_matrix() -> None:
    rows = [
        product("csr", "laplace3d", 9e9, size=1 << 20),
        product("csr", "laplace3d", 3e9),
        product(
            "csr",
            "laplace3d",
            19e9,
            metric="bandwidth",
            unit="B/s",
            share_of_ceiling=0.95,
        ),
        product("sell", "laplace3d", 3e9),
        product("csr", "powerlaw", 1e9),
        product("csr", "laplace3d", 5e9, threads=2),
    ]
    (said,) = sentences(a_context(rows))
    assert said.text == (
        "SpMV (CSR, 27-point Laplacian, 128 MiB) reaches 3.00 Gflop/s [2.97…3.03 in 3 launches] "
        "on one core. It moves 19.0 GB/s [18.8…19.2 in 3 launches], 95.0 % [94.0…96.0 in 3 "
        "launches] of the read bandwidth. SELL-C-sigma: 3.00 Gflop/s [2.97…3.03 in 3 launches]. "
        "Power-law matrix: 1.00 Gflop/s [0.99…1.01 in 3 launches]."
    )
    assert said.evidence == (rows[1].id, rows[2].id, rows[3].id, rows[4].id)


def test_a_product_of_one_format_is_reported_alone() -> None:
    (said,) = sentences(a_context([product("csr", "laplace3d", 3e9)]))
    assert said.text == (
        "SpMV (CSR, 27-point Laplacian, 128 MiB) reaches 3.00 Gflop/s [2.97…3.03 in 3 launches] "
        "on one core."
    )


def test_solvers_are_reported_by_what_preconditioners_are_worth() -> None:
    rows = [
        time("sparse_solve", "cg_ic0", 0.1),
        time("sparse_solve", "cg_sgs", 0.11),
        time("sparse_solve", "cg_jacobi", 0.15),
        time("sparse_solve", "bicgstab_ilu0", 0.2),
        time("sparse_solve", "bicgstab_jacobi", 0.4),
        time("sparse_solve", "cg_ic0", 0.001, point={"unknowns": 1000}),
    ]
    (said,) = sentences(a_context(rows))
    assert said.text == (
        "Sparse CG, 64000 unknowns, one core: incomplete Cholesky 100 ms [99…101 in 3 launches]; "
        "Gauss-Seidel 110 ms [109…111 in 3 launches]; Jacobi 150 ms [148…152 in 3 launches]. "
        "BiCGSTAB with convection: 200 ms [198…202 in 3 launches] with ILU, 400 ms [396…404 in 3 "
        "launches] with Jacobi."
    )
    assert said.evidence == tuple(row.id for row in rows[:5])
    rows[1] = time("sparse_solve", "cg_sgs", 0.101)
    (said,) = sentences(a_context(rows))
    assert "; Gauss-Seidel 101 ms [100…102 in 3 launches]; Jacobi 150 ms" in said.text


def test_a_solver_is_not_compared_with_another_problem() -> None:
    rows = [
        time("sparse_solve", "cg_ic0", 0.1),
        time("sparse_solve", "cg_jacobi", 0.2, point={"unknowns": 1000}),
    ]
    (said,) = sentences(a_context(rows))
    assert said.evidence == (rows[0].id,)


def test_eigenvalues_are_told_of_the_box() -> None:
    rows = [
        time("sparse_eigen", "laplace3d", 0.05),
        time("sparse_eigen", "laplace2d", 0.15),
    ]
    (said,) = sentences(a_context(rows))
    assert said.text == (
        "Lanczos, 4 smallest eigenvalues, one core: 50.0 ms [49.5…50.5 in 3 launches] for a "
        "Laplacian of a box with 64000 rows; 150 ms [148…152 in 3 launches] for one of a "
        "rectangle with 64000."
    )
    assert said.evidence == (rows[0].id, rows[1].id)
    (said,) = sentences(a_context(rows[:1]))
    assert said.text.endswith("for a Laplacian of a box with 64000 rows.")


def test_ranks_of_the_dense_solver_are_held_against_one_core() -> None:
    point = {"unknowns": 1500}
    rows = [
        time("linear_solver", "cg", 0.1, point=point),
        time("linear_solver", "cg", 0.06, point=point, ranks=2),
        time("linear_solver", "cg", 0.01, point=point, threads=2),
        time("linear_solver", "cg", 0.9, point={"unknowns": 4000}),
    ]
    (said,) = sentences(a_context(rows))
    assert said.text == (
        "Dense CG with 1500 unknowns takes 100 ms [99…101 in 3 launches] on one core, 60.0 ms "
        "[59.4…60.6 in 3 launches] with ranks on 2 cores."
    )
    assert said.evidence == (rows[0].id, rows[1].id)


@pytest.mark.parametrize("flaw", [{"verified": "failed"}, {"plausible": False}])
def test_refused_numbers_are_not_quoted(flaw: dict[str, Any]) -> None:
    rows = [
        product("csr", "laplace3d", 3e9, **flaw),
        time("sparse_solve", "cg_ic0", 0.1, **flaw),
        time("sparse_eigen", "laplace3d", 0.1, **flaw),
        time("linear_solver", "cg", 0.1, **flaw),
    ]
    assert sentences(a_context(rows)) == []
