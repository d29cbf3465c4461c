"""Sentences about algorithms: dense and sparse matrices, transforms, stencils, sorts."""

from __future__ import annotations

from heorot.analyse.templates.template import SentenceTemplate, Template

_TOGETHER = "[. On {every.cores} cores: {every}]"
STENCIL = SentenceTemplate(
    "algorithms/stencil",
    "{points}-point stencil on one core ({size:binary}): {rates:;}.",
    weight=0.4,
)
RANDOM = SentenceTemplate(
    "algorithms/random",
    "Random numbers of {bits} bits on one core: {rates:;}[. Normal deviates: {normal}].",
    weight=0.3,
)
SORT = SentenceTemplate(
    "algorithms/sort",
    "Sorting {rate.point[n]} random integers: {rates:;}.",
    weight=0.4,
)
MATRIX_VECTOR = SentenceTemplate(
    "algorithms/matrix vector",
    "DGEMV on one core: {near} with {near.point[n]} rows. With {far.point[n]} rows: {rates:;}.",
    weight=0.4,
)
EIGEN = SentenceTemplate(
    "algorithms/dense eigen",
    "Dense symmetric eigenproblem, {time.point[n]} rows, one core: {time}[, {share} of peak][. "
    "{name}: {library}][. Eigenvalues alone: {values}][. Implicit QL with plane rotations, "
    "{rotated.point[n]} rows: {rotated}].",
    weight=0.5,
    brief="Dense symmetric eigenproblem, {time.point[n]} rows, one core: {time}.",
)
MULTIPLY = SentenceTemplate(
    "algorithms/multiply",
    "DGEMM with {rate.point[n]} rows reaches {rate} on one core[, {share} of peak][. {name}: "
    "{library}]" + _TOGETHER + ".",
    weight=0.5,
    brief="DGEMM reaches {rate} on one core[, {share} of peak].",
)
LOOP_ORDERS = SentenceTemplate(
    "algorithms/loop orders",
    "DGEMM loop orders, {rate.point[n]} rows, one core: {rates:;}.",
    weight=0.35,
)
SOLVE = SentenceTemplate(
    "algorithms/dense solve",
    "Dense LU (HPL-like) with {rate.point[n]} rows reaches {rate} on one core[, {share} of peak][. "
    "DGEMM of that size: {product}][. {name}: {library}]"
    + _TOGETHER
    + "[. The best size, {fastest.point[n]} rows, is {of_axpy:times as fast as the best DAXPY}].",
    weight=0.5,
    brief="Dense LU (HPL-like) reaches {rate} on one core[, {share} of peak].",
)
SPARSE_PRODUCT = SentenceTemplate(
    "algorithms/sparse product",
    "SpMV (CSR, {points}-point Laplacian, {size:binary}) reaches {rate} on one core[. It moves "
    "{moved}][, {share} of the read bandwidth][. SELL-C-sigma: {lanes}][. Power-law matrix: "
    "{irregular}].",
    weight=0.55,
    brief="SpMV (CSR) reaches {rate} on one core[, {share} of the read bandwidth].",
)
SPARSE_SOLVE = SentenceTemplate(
    "algorithms/sparse solve",
    "Sparse CG, {time.point[unknowns]} unknowns, one core: {times:;}[. BiCGSTAB with convection: "
    "{mixed} with ILU][, {plain} with Jacobi].",
    weight=0.5,
)
SPARSE_EIGEN = SentenceTemplate(
    "algorithms/sparse eigen",
    "Lanczos, {time.point[wanted]} smallest eigenvalues, one core: {time} for a Laplacian of a box "
    "with {time.point[unknowns]} rows[; {plane} for one of a rectangle with "
    "{plane.point[unknowns]}].",
    weight=0.35,
)
ITERATION = SentenceTemplate(
    "algorithms/iteration",
    "Dense CG with {time.point[unknowns]} unknowns takes {time} on one core[, {spread} with ranks "
    "on {where}].",
    weight=0.4,
)
CORES = Template("algorithms/cores", "{row.cores} cores{row.nodes:=| of {row.nodes} nodes}")
FFT = SentenceTemplate(
    "algorithms/fft",
    "Complex FFT of length {near_n} on one core, nominal: {near_rates:;}[. Length {far.point[n]} "
    "({size:binary}): {far_rates:;}].",
    weight=0.5,
    brief="Complex FFT on one core, nominal: {near_rates:; 1}.",
)
WAVELET = SentenceTemplate(
    "algorithms/wavelet",
    "Haar wavelet transform of {rate.point[m]} x {rate.point[n]} fields on one core: {rate}[ "
    "{over}][; one resident field: {alone}].",
    weight=0.3,
)
