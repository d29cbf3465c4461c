"""Algorithms: dense and sparse matrices, transforms, grids and lists on one node."""

from __future__ import annotations

from heorot.families.algorithms.dense.dense_eigen import DENSE_EIGEN
from heorot.families.algorithms.dense.dense_solve import DENSE_SOLVE
from heorot.families.algorithms.dense.matrix_multiply import MATRIX_MULTIPLY
from heorot.families.algorithms.dense.matrix_vector import MATRIX_VECTOR
from heorot.families.algorithms.generators import RANDOM
from heorot.families.algorithms.sort import SORT
from heorot.families.algorithms.sparse.linear_solver import LINEAR_SOLVER
from heorot.families.algorithms.sparse.sparse_eigen import SPARSE_EIGEN
from heorot.families.algorithms.sparse.sparse_matrix_vector import SPARSE_MATRIX_VECTOR
from heorot.families.algorithms.sparse.sparse_solve import SPARSE_SOLVE
from heorot.families.algorithms.stencil import STENCIL
from heorot.families.algorithms.transforms.fft import FFT
from heorot.families.algorithms.transforms.wavelet import WAVELET
from heorot.model.catalogue.family import Family, FamilyAnalysis


def _analysis() -> FamilyAnalysis:
    from heorot.families.algorithms import reading, sentences
    from heorot.families.algorithms.dense import sentences_eigen, sentences_products
    from heorot.families.algorithms.sparse import sentences_sparse
    from heorot.families.algorithms.transforms import sentences_transforms

    return FamilyAnalysis(
        judge=(reading.judge,),
        sentences=(
            sentences_products.sentences,
            sentences_eigen.sentences,
            sentences_sparse.sentences,
            sentences_transforms.sentences,
            sentences.sentences,
        ),
    )


FAMILY = Family(
    name="algorithms",
    title="Algorithms",
    about="dense and sparse linear algebra, FFT, stencils, sorting",
    tiles=(
        (MATRIX_MULTIPLY.name, "flop_rate", "blocked"),
        (SPARSE_MATRIX_VECTOR.name, "flop_rate", "csr"),
        (FFT.name, "nominal_flop_rate", "complex_1d"),
    ),
    analysis=_analysis,
    benchmarks=(
        MATRIX_VECTOR,
        MATRIX_MULTIPLY,
        DENSE_SOLVE,
        DENSE_EIGEN,
        SPARSE_MATRIX_VECTOR,
        SPARSE_SOLVE,
        SPARSE_EIGEN,
        LINEAR_SOLVER,
        FFT,
        WAVELET,
        STENCIL,
        RANDOM,
        SORT,
    ),
)
