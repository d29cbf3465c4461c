// Eigenvalues of a symmetric tridiagonal matrix by implicit QL, one rotation after the other.
//
// Source: J. H. Wilkinson, C. Reinsch, Handbook for Automatic Computation II: Linear Algebra
// (1971), II/4.
#pragma once

#include "numerics/eigen/matrix.hpp"

namespace heorot::eigen {

/// The outcome of an iteration.
struct Iterated {
    bool converged = true;
    double n_rotations = 0.0;
};

/// Floating-point operations of a rotation with vectors of n rows.
constexpr double flops_with_vectors(Index n) {
    return 18.0 + 6.0 * static_cast<double>(n);
}

/// Eigenvalues, in any order, in place of the diagonal d (n), and the columns of z, of n rows at
/// z + j stride, turned by all rotations: eigenvectors, if they were those of the identity.
/// Destroys e.
Iterated tridiagonal_vectors(Index n, double* d, double* e, double* z, Index stride);

}  // namespace heorot::eigen
