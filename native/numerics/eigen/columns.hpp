// Sums over a few columns at once: the parts of a symmetric eigenproblem that are not DGEMM.
//
// Rows are counted from the start of a column, and columns begin at multiples of vector registers,
// so that `first` may be any row and vectors are still loaded from within single lines. Vectors and
// columns are zero from the end of the matrix on, up to a multiple of `granule`.
// Checked against one element after the other in tests/numerics/test_eigen.cpp.
#pragma once

#include "numerics/eigen/matrix.hpp"

namespace heorot::eigen {

/// y := A x for the rows and columns from `first` on of a symmetric A, of which the lower triangle
/// is read, once. y must not be x; both have as many elements as a column.
void symmetric_times(const Matrix& a, Index first, const double* x, double* y);

/// y(i) += sum over k of c(k) V(i, k) for i >= first, where column k of V begins at v + k stride,
/// has `rows` rows, and y as many.
void add_columns(Index first, Index rows, Index n_columns, const double* v, Index stride,
                 const double* c, double* y);

/// c(k) = sum of V(i, k) x(i) over i >= first.
void dot_columns(Index first, Index rows, Index n_columns, const double* v, Index stride,
                 const double* x, double* c);

}  // namespace heorot::eigen
