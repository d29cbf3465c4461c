// Eigenvalues and eigenvectors of small dense symmetric matrices, by Jacobi's rotations.
#pragma once

#include <span>

#include "numerics/sparse/csr.hpp"

namespace heorot::sparse {

/// T = Y diag(values) Y^T, values ascending, for a symmetric m x m matrix t, which is overwritten:
/// column k of Y is y[k * m] ... y[k * m + m - 1]. Returns the flops that it took. Source: G. H.
/// Golub, C. F. Van Loan, Matrix Computations, 4th ed. (2013), section 8.5. Checked against T in
/// tests/numerics/test_sparse_eigen.cpp: rotations_diagonalise.
double diagonalise(std::span<double> t, Index m, std::span<double> values, std::span<double> y);

}  // namespace heorot::sparse
