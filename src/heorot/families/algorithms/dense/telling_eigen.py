"""What products of a matrix and a vector, and dense eigenproblems, say in sentences."""

from __future__ import annotations

from heorot.analyse.rows import best, largest
from heorot.analyse.wording import all_times, interval, keys, listed, share, times
from heorot.families.algorithms.dense.dense_eigen import DENSE_EIGEN
from heorot.families.algorithms.dense.matrix_vector import MATRIX_VECTOR
from heorot.families.algorithms.dense.telling import beside
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result, Sentence


def sentences(context: Context) -> list[Sentence]:
    """What the numbers of the two programs mean.

    Args:
        context: the run.
    """
    found = (_matrix_vector(context), _eigen(context))
    return [sentence for sentence in found if sentence is not None]


def _matrix_vector(context: Context) -> Sentence | None:
    """The best form at both ends of the memory, and the others on the largest matrix."""
    blocked = context.rows.find(MATRIX_VECTOR.name, "blocked", "flop_rate", cores=1)
    near, far = best(blocked), largest(blocked, "n")
    if near is None or far is None or near == far:
        return None
    text = (
        f"A matrix of {near.point['n']} rows is multiplied with a vector at {interval(near)} on "
        f"one core, eight columns at a time, one of {far.point['n']} rows at {interval(far)}"
    )
    others = {
        form: beside(context, far, MATRIX_VECTOR.name, form, "flop_rate")
        for form in ("axpy", "dot_strided", "blas")
    }
    words = {
        "axpy": "as fast column by column (axpy)",
        "dot_strided": "as fast row by row across the columns",
        "blas": "as fast by the BLAS",
    }
    told = all_times([(row, far, words[form]) for form, row in others.items() if row is not None])
    if told:
        text += f", the latter {listed(told)}"
    return Sentence(text=text + ".", evidence=keys(near, far, *others.values()), weight=0.4)


def _eigen(context: Context) -> Sentence | None:
    """The largest matrix on one core, and how other ways compare."""
    rows = context.rows.find(DENSE_EIGEN.name, "vectors", "time", cores=1)
    taken = best([row for row in rows if row.point["n"] == _most(rows)])
    if taken is None:
        return None
    n = taken.point["n"]
    text = f"All eigenvalues and eigenvectors of a full symmetric matrix of {n} rows take one core "
    text += interval(taken)
    rate = beside(context, taken, DENSE_EIGEN.name, "vectors", "flop_rate")
    if rate is not None and share(rate):
        text += f", at {share(rate)} of its peak"
    values = beside(context, taken, DENSE_EIGEN.name, "values", "time")
    if values is not None:
        text += f"; the eigenvalues alone take {times(values, taken, 'as long')}"
    library = beside(context, taken, DENSE_EIGEN.name, "lapack_vectors", "time")
    if library is not None:
        text += f"; LAPACK takes {times(library, taken, 'as long')}"
    rotations = largest(
        context.rows.find(DENSE_EIGEN.name, "rotations", "time", cores=1, stack=taken.stack),
        "n",
    )
    same = None
    if rotations is not None:
        same = beside(context, rotations, DENSE_EIGEN.name, "vectors", "time")
        if same is not None:
            n_rotated = rotations.point["n"]
            text += (
                "; Jacobi rotations, the classical way, take "
                f"{times(rotations, same, f'as long with {n_rotated} rows')}"
            )
    evidence = keys(
        taken,
        rate if rate is not None and share(rate) else None,
        values,
        library,
        rotations if same is not None else None,
        same if same != taken else None,
    )
    return Sentence(text=text + ".", evidence=evidence, weight=0.5)


def _most(rows: list[Result]) -> float:
    return max((float(row.point["n"]) for row in rows), default=0.0)
