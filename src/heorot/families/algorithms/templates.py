"""What is said of algorithms: dense and sparse matrices, transforms, stencils, sorts."""

from __future__ import annotations

from heorot.analyse.templates.template import SentenceTemplate, Template

_TOGETHER = "[; {every.cores} cores together are {together:times as fast}]"
STENCIL = SentenceTemplate(
    "algorithms/stencil",
    "One core updates {plain} by a {points}-point stencil on two grids of {size:binary} in all[, "
    "{gains:and}].",
    weight=0.4,
)
RANDOM = SentenceTemplate(
    "algorithms/random",
    "{generator} in vectors yields {rate} of {bits} random bits on one core[, {gain:times as many "
    "as the library's Mersenne Twister does}][, and {normal} that are normally distributed].",
    weight=0.3,
)
SORT = SentenceTemplate(
    "algorithms/sort",
    "One core sorts {rate.point[n]} random integers at {rate} by their digits[, {gains:and}].",
    weight=0.4,
)
MATRIX_VECTOR = SentenceTemplate(
    "algorithms/matrix vector",
    "A matrix of {near.point[n]} rows is multiplied with a vector at {near} on one core, eight "
    "columns at a time, one of {far.point[n]} rows at {far}[, the latter {gains:and}].",
    weight=0.4,
)
EIGEN = SentenceTemplate(
    "algorithms/dense eigen",
    "All eigenvalues and eigenvectors of a full symmetric matrix of {time.point[n]} rows take one "
    "core {time}[, at {share} of its peak][; the eigenvalues alone take {values:times as long}][; "
    "LAPACK takes {library:times as long}][; Jacobi rotations, the classical way, take "
    "{rotations:times as long with {rotated.point[n]} rows}].",
    weight=0.5,
)
MULTIPLY = SentenceTemplate(
    "algorithms/multiply",
    "Two matrices of {rate.point[n]} rows are multiplied at {rate} on one core[, {share} of its "
    "peak][; the BLAS is {library:times as fast}]" + _TOGETHER + ".",
    weight=0.5,
)
LOOP_ORDERS = SentenceTemplate(
    "algorithms/loop orders",
    "The three loops of a product of matrices of {rate.point[n]} rows run at {rate} {order}, "
    "{gains:and}.",
    weight=0.35,
)
SOLVE = SentenceTemplate(
    "algorithms/dense solve",
    "A full system of {rate.point[n]} equations is solved at {rate} on one core[, {share} of its "
    "peak][ and {product:times as fast as a product of such matrices}][; LAPACK is {library:times "
    "as fast}]"
    + _TOGETHER
    + "[. At its fastest, with {fastest.point[n]} rows, one core solves {of_axpy:times as fast as "
    "it computes axpy at its fastest}].",
    weight=0.5,
)
SPARSE_PRODUCT = SentenceTemplate(
    "algorithms/sparse product",
    "One core multiplies a sparse matrix of {points} points per row, {size:binary} with its "
    "vectors, at {rate}[, which moves {moved}][, {share} of what reading such an array does][; in "
    "SELL-C-sigma instead of CSR it runs {lanes:times as fast}][; with rows of very different "
    "lengths and columns anywhere, {irregular:times as fast}].",
    weight=0.55,
)
SPARSE_SOLVE = SentenceTemplate(
    "algorithms/sparse solve",
    "A diffusion problem with {time.point[unknowns]} unknowns is solved on one core in {time} by "
    "conjugate gradients with incomplete Cholesky factors[; it takes {others:and}][. With "
    "convection, stabilised biconjugate gradients take {mixed}][, without incomplete factors "
    "{plain:times as long}].",
    weight=0.5,
)
SPARSE_EIGEN = SentenceTemplate(
    "algorithms/sparse eigen",
    "The {time.point[wanted]} smallest eigenvalues of a sparse matrix with {time.point[unknowns]} "
    "rows, a box, take one core {time}[; of a rectangle with {plane.point[unknowns]}, where they "
    "lie closer together, {longer:times as long}].",
    weight=0.35,
)
ITERATION = SentenceTemplate(
    "algorithms/iteration",
    "A dense system of {time.point[unknowns]} equations is solved by iteration in {time} on one "
    "core[, {gain:times as fast by ranks on {where}}].",
    weight=0.4,
)
CORES = Template("algorithms/cores", "{row.cores} cores{row.nodes:=| of {row.nodes} nodes}")
FFT = SentenceTemplate(
    "algorithms/fft",
    "One core transforms lines of {near_n} complex numbers at {near} nominal[, {near_gain:times "
    "as fast as FFTW by estimate}][, and of {far.point[n]}, which take {size:binary} with their "
    "transform, at {far}][, {far_gain:times as fast as FFTW by estimate}].",
    weight=0.5,
)
WAVELET = SentenceTemplate(
    "algorithms/wavelet",
    "One core transforms fields of {rate.point[m]} x {rate.point[n]} by Haar's wavelets at "
    "{rate}[ {over}][, and one field again and again {gain:times as fast}].",
    weight=0.3,
)
