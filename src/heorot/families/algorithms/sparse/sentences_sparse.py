"""Sentences on SpMV, sparse solvers and eigenvalues, and the dense iterative solver."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.analyse.rows import best, largest
from heorot.analyse.templates.quantities import exactly, keys, share_of
from heorot.analyse.templates.template import amounts
from heorot.families.algorithms import templates
from heorot.families.algorithms.sparse.linear_solver import LINEAR_SOLVER
from heorot.families.algorithms.sparse.sparse_eigen import SPARSE_EIGEN
from heorot.families.algorithms.sparse.sparse_matrix_vector import SPARSE_MATRIX_VECTOR
from heorot.families.algorithms.sparse.sparse_solve import SPARSE_SOLVE
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result, Sentence

_POINTS = 27
_SIZE = "working_set_bytes"


def sentences(context: Context) -> list[Sentence]:
    """The sentences on the four programs."""
    found = (_products(context), _solvers(context), _eigenvalues(context), _dense(context))
    return [sentence for sentence in found if sentence is not None]


def _products(context: Context) -> Sentence | None:
    """The largest regular matrix on one core, the other format, and the irregular one."""
    regular = _largest_product(context, "csr", "laplace3d", "flop_rate")
    if regular is None:
        return None
    moved = _largest_product(context, "csr", "laplace3d", "bandwidth", regular)
    lanes = _largest_product(context, "sell", "laplace3d", "flop_rate", regular)
    irregular = _largest_product(context, "csr", "powerlaw", "flop_rate", regular)
    return templates.SPARSE_PRODUCT(
        evidence=keys(regular, moved, lanes, irregular),
        points=_POINTS,
        size=exactly(float(regular.point[_SIZE]), "B"),
        rate=regular,
        moved=moved,
        share=share_of(moved),
        lanes=lanes,
        irregular=irregular,
    )


def _largest_product(
    context: Context, region: str, matrix: str, metric: str, beside: Result | None = None
) -> Result | None:
    """The product of the largest matrix of a kind on one core, measured like another row."""
    rows = context.rows.find(
        SPARSE_MATRIX_VECTOR.name,
        region,
        metric,
        point={"matrix": matrix},
        cores=1,
        stack=beside.stack if beside else None,
    )
    return largest([row for row in rows if beside is None or row.case == beside.case], _SIZE)


def _solvers(context: Context) -> Sentence | None:
    """The best method on one core for the largest grid, and the gain by preconditioning."""
    found = {
        region: _largest_alone(context, SPARSE_SOLVE.name, region)
        for region in ("cg_ic0", "cg_sgs", "cg_jacobi", "bicgstab_ilu0", "bicgstab_jacobi")
    }
    factored = found["cg_ic0"]
    if factored is None:
        return None
    words = {"cg_ic0": "incomplete Cholesky", "cg_sgs": "Gauss-Seidel", "cg_jacobi": "Jacobi"}
    same = {region: _of_same_problem(row, factored) for region, row in found.items()}
    mixed = same["bicgstab_ilu0"]
    plain = same["bicgstab_jacobi"] if mixed is not None else None
    return templates.SPARSE_SOLVE(
        evidence=keys(factored, same["cg_sgs"], same["cg_jacobi"], mixed, plain),
        time=factored,
        times=amounts((name, same[region]) for region, name in words.items()),
        mixed=mixed,
        plain=plain,
    )


def _eigenvalues(context: Context) -> Sentence | None:
    """The time of the largest eigenproblem."""
    box = _largest_alone(context, SPARSE_EIGEN.name, "laplace3d")
    if box is None:
        return None
    plane = _largest_alone(context, SPARSE_EIGEN.name, "laplace2d")
    if plane is not None and plane.stack != box.stack:
        plane = None
    return templates.SPARSE_EIGEN(
        evidence=keys(box, plane),
        time=box,
        plane=plane,
    )


def _dense(context: Context) -> Sentence | None:
    """The speedup of a program with little communication."""
    rows = context.rows.find(LINEAR_SOLVER.name, "cg", "time")
    alone = _smallest([row for row in rows if row.cores == 1])
    if alone is None:
        return None
    n = alone.point["unknowns"]
    same = [row for row in rows if row.point["unknowns"] == n and not row.is_star]
    spread = best([row for row in same if row.cores > 1 and row.ranks == row.cores])
    return templates.ITERATION(
        evidence=keys(alone, spread),
        time=alone,
        where=spread and templates.CORES.claim(row=spread),
        spread=spread,
    )


def _smallest(rows: Sequence[Result]) -> Result | None:
    return min(rows, key=lambda row: float(row.point["unknowns"]), default=None)


def _largest_alone(context: Context, benchmark: str, region: str) -> Result | None:
    """The time of the largest problem on one core."""
    rows = context.rows.find(benchmark, region, "time", cores=1)
    most = max((float(row.point["unknowns"]) for row in rows), default=0.0)
    return best([row for row in rows if float(row.point["unknowns"]) == most])


def _of_same_problem(row: Result | None, other: Result) -> Result | None:
    """A row with the size and toolchain of another; else None."""
    if row is None or row.stack != other.stack:
        return None
    return row if row.point["unknowns"] == other.point["unknowns"] else None
