// Eigenvalues of a symmetric tridiagonal matrix, without vectors, by multisection.
//
// Every interval with several eigenvalues is cut at as many points, until each has one, which is
// then found by inverse quadratic interpolation safeguarded by bisection. All points of a round are
// independent, so that their Sturm sequences fill the lanes of vectors; QL's rotations, each of
// which waits for the one before, leave nearly all of them idle.
//
// Source: S. S. Lo, B. Philippe, A. Sameh, A multiprocessor algorithm for the symmetric tridiagonal
// eigenvalue problem, SIAM J. Sci. Stat. Comput. 8 (1987); T. R. Chandrupatla, A new hybrid
// quadratic/bisection algorithm for finding the zero of a nonlinear function without using
// derivatives, Adv. Eng. Software 28 (1997).
#pragma once

#include "numerics/eigen/matrix.hpp"

namespace heorot::eigen {

/// The outcome of a search.
struct Sectioned {
    bool converged = true;
    double n_evaluations = 0.0;  ///< of Sturm sequences of all rows
};

/// Eigenvalues, ascending, in place of the diagonal d (n); e (n - 1) is the subdiagonal. Their
/// errors are a few roundings of the norm.
Sectioned tridiagonal_values(Index n, double* d, const double* e);

}  // namespace heorot::eigen
