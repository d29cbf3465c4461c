"""What sparse products, solvers and eigenvalues, and the dense iterative solver, say."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.analyse.rows import best, largest
from heorot.analyse.wording import all_times, cores, interval, keys, listed, share, times
from heorot.families.algorithms.sparse.linear_solver import LINEAR_SOLVER
from heorot.families.algorithms.sparse.sparse_eigen import SPARSE_EIGEN
from heorot.families.algorithms.sparse.sparse_matrix_vector import SPARSE_MATRIX_VECTOR
from heorot.families.algorithms.sparse.sparse_solve import SPARSE_SOLVE
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result, Sentence
from heorot.units import format_binary

_SIZE = "working_set_bytes"


def sentences(context: Context) -> list[Sentence]:
    """What the numbers of the four programs mean.

    Args:
        context: the run.
    """
    found = (_products(context), _solvers(context), _eigenvalues(context), _dense(context))
    return [sentence for sentence in found if sentence is not None]


def _products(context: Context) -> Sentence | None:
    """The largest regular matrix on one core, the other format, and the irregular one."""
    regular = _largest_product(context, "csr", "laplace3d", "flop_rate")
    if regular is None:
        return None
    size = format_binary(float(regular.point[_SIZE]))
    text = (
        f"One core multiplies a sparse matrix of 27 points per row, {size} with its vectors, at "
        f"{interval(regular)}"
    )
    moved = _largest_product(context, "csr", "laplace3d", "bandwidth", regular)
    if moved is not None:
        text += f", which moves {interval(moved)}"
        text += f", {share(moved)} of what reading such an array does" if share(moved) else ""
    lanes = _largest_product(context, "sell", "laplace3d", "flop_rate", regular)
    if lanes is not None:
        text += f"; in SELL-C-sigma instead of CSR it runs {times(lanes, regular, 'as fast')}"
    irregular = _largest_product(context, "csr", "powerlaw", "flop_rate", regular)
    if irregular is not None:
        text += (
            "; with rows of very different lengths and columns anywhere, "
            f"{times(irregular, regular, 'as fast')}"
        )
    return Sentence(text=text + ".", evidence=keys(regular, moved, lanes, irregular), weight=0.55)


def _largest_product(
    context: Context, region: str, matrix: str, metric: str, beside: Result | None = None
) -> Result | None:
    """The product of the largest matrix of a kind on one core, as another row was measured."""
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
    """The best method on one core for the largest grid, and what preconditioning is worth."""
    found = {
        region: _largest_alone(context, SPARSE_SOLVE.name, region)
        for region in ("cg_ic0", "cg_sgs", "cg_jacobi", "bicgstab_ilu0", "bicgstab_jacobi")
    }
    factored = found["cg_ic0"]
    if factored is None:
        return None
    text = (
        f"A diffusion problem with {factored.point['unknowns']} unknowns is solved on one core in "
        f"{interval(factored)} by conjugate gradients with incomplete Cholesky factors"
    )
    words = (
        ("cg_sgs", "as long with Gauss-Seidel sweeps"),
        ("cg_jacobi", "as long with the diagonal alone"),
    )
    others = [(_of_same_problem(found[region], factored), told) for region, told in words]
    compared = [(row, factored, told) for row, told in others if row is not None]
    if compared:
        text += f"; it takes {listed(all_times(compared))}"
    beside = [row for row, _, _ in compared]
    mixed = _of_same_problem(found["bicgstab_ilu0"], factored)
    plain = _of_same_problem(found["bicgstab_jacobi"], factored)
    if mixed is not None:
        beside.append(mixed)
        text += f". With convection, stabilised biconjugate gradients take {interval(mixed)}"
        if plain is not None:
            beside.append(plain)
            text += f", without incomplete factors {times(plain, mixed, 'as long')}"
    return Sentence(text=text + ".", evidence=keys(factored, *beside), weight=0.5)


def _eigenvalues(context: Context) -> Sentence | None:
    """How long the largest eigenproblem took."""
    box = _largest_alone(context, SPARSE_EIGEN.name, "laplace3d")
    if box is None:
        return None
    text = (
        f"The {box.point['wanted']} smallest eigenvalues of a sparse matrix with "
        f"{box.point['unknowns']} rows, a box, take one core {interval(box)}"
    )
    plane = _largest_alone(context, SPARSE_EIGEN.name, "laplace2d")
    if plane is not None and plane.stack == box.stack:
        text += (
            f"; of a rectangle with {plane.point['unknowns']}, where they lie closer together, "
            f"{times(plane, box, 'as long')}"
        )
    else:
        plane = None
    return Sentence(text=text + ".", evidence=keys(box, plane), weight=0.35)


def _dense(context: Context) -> Sentence | None:
    """What more cores are worth to a program that hardly communicates."""
    rows = context.rows.find(LINEAR_SOLVER.name, "cg", "time")
    alone = _smallest([row for row in rows if row.cores == 1])
    if alone is None:
        return None
    n = alone.point["unknowns"]
    text = (
        f"A dense system of {n} equations is solved by iteration in {interval(alone)} on one core"
    )
    same = [row for row in rows if row.point["unknowns"] == n and not row.is_star]
    spread = best([row for row in same if row.cores > 1 and row.ranks == row.cores])
    if spread is not None:
        text += f", {times(alone, spread, f'as fast by ranks on {cores(spread)}')}"
    return Sentence(text=text + ".", evidence=keys(alone, spread), weight=0.4)


def _smallest(rows: Sequence[Result]) -> Result | None:
    return min(rows, key=lambda row: float(row.point["unknowns"]), default=None)


def _largest_alone(context: Context, benchmark: str, region: str) -> Result | None:
    """The time of the largest problem on one core."""
    rows = context.rows.find(benchmark, region, "time", cores=1)
    most = max((float(row.point["unknowns"]) for row in rows), default=0.0)
    return best([row for row in rows if float(row.point["unknowns"]) == most])


def _of_same_problem(row: Result | None, other: Result) -> Result | None:
    """A row that is of the same size and toolchain as another; else None."""
    if row is None or row.stack != other.stack:
        return None
    return row if row.point["unknowns"] == other.point["unknowns"] else None
