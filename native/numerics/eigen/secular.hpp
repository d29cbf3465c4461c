// The secular equation: eigenvalues of a diagonal matrix to which a product of a vector with itself
// is added.
//
// Source: R.-C. Li, Solving secular equations stably and efficiently, LAPACK Working Note 89
// (1993); J. R. Bunch, C. P. Nielsen, D. C. Sorensen, Rank-one modification of the symmetric
// eigenproblem, Numer. Math. 31 (1978).
#pragma once

#include "numerics/eigen/matrix.hpp"

namespace heorot::eigen {

/// f(x) = 1 + sum of w(j) / (d(j) - x): its poles, which ascend, and their positive weights.
struct Secular {
    Index n;
    const double* d;
    const double* w;
    double sum_of_weights;
};

/// A root of f, and the number of evaluations.
struct Root {
    double value;
    Index n_evaluations;
};

/// Operations of one evaluation for every pole.
constexpr double flops_per_pole = 7.0;

/// Root i, which lies between poles i and i + 1, or behind the last one. differences(j), n of them,
/// becomes d(j) minus the root, with small relative error however close to the pole that is.
Root find_root(const Secular& f, Index i, double* differences);

}  // namespace heorot::eigen
