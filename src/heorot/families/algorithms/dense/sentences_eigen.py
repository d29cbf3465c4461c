"""Sentences on DGEMV and dense eigenproblems."""

from __future__ import annotations

from heorot.analyse.rows import best, largest
from heorot.analyse.templates.quantities import keys, share_of
from heorot.analyse.templates.template import amounts
from heorot.analyse.toolchains.libraries import name_library
from heorot.families.algorithms import templates
from heorot.families.algorithms.dense.dense_eigen import DENSE_EIGEN
from heorot.families.algorithms.dense.matrix_vector import MATRIX_VECTOR
from heorot.families.algorithms.dense.wording import beside
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result, Sentence


def sentences(context: Context) -> list[Sentence]:
    """The sentences on both programs."""
    found = (_matrix_vector(context), _eigen(context))
    return [sentence for sentence in found if sentence is not None]


def _matrix_vector(context: Context) -> Sentence | None:
    """The best form in L1d and in memory, and the others on the largest matrix."""
    blocked = context.rows.find(MATRIX_VECTOR.name, "blocked", "flop_rate", cores=1)
    near, far = best(blocked), largest(blocked, "n")
    if near is None or far is None or near == far:
        return None
    words = {"axpy": "by columns (DAXPY)", "dot_strided": "by rows (strided DDOT)", "blas": ""}
    others = {form: beside(context, far, MATRIX_VECTOR.name, form, "flop_rate") for form in words}
    words["blas"] = name_library(context, MATRIX_VECTOR, others["blas"])
    return templates.MATRIX_VECTOR(
        evidence=keys(near, far, *others.values()),
        near=near,
        far=far,
        rates=amounts([("blocked", far), *((words[form], row) for form, row in others.items())]),
    )


def _eigen(context: Context) -> Sentence | None:
    """The largest matrix on one core, compared with the other methods."""
    rows = context.rows.find(DENSE_EIGEN.name, "vectors", "time", cores=1)
    taken = best([row for row in rows if row.point["n"] == _most(rows)])
    if taken is None:
        return None
    rate = beside(context, taken, DENSE_EIGEN.name, "vectors", "flop_rate")
    share = share_of(rate)
    values = beside(context, taken, DENSE_EIGEN.name, "values", "time")
    library = beside(context, taken, DENSE_EIGEN.name, "lapack_vectors", "time")
    rotations = largest(
        context.rows.find(DENSE_EIGEN.name, "rotations", "time", cores=1, stack=taken.stack),
        "n",
    )
    return templates.EIGEN(
        evidence=keys(
            taken,
            rate if share else None,
            values,
            library,
            rotations,
        ),
        time=taken,
        share=share,
        values=values,
        name=name_library(context, DENSE_EIGEN, library),
        library=library,
        rotated=rotations,
    )


def _most(rows: list[Result]) -> float:
    return max((float(row.point["n"]) for row in rows), default=0.0)
