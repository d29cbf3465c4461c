// Sturm sequences of a symmetric tridiagonal matrix, at many points side by side in lanes.
//
// Source: W. Barth, R. S. Martin, J. H. Wilkinson, Calculation of the eigenvalues of a symmetric
// tridiagonal matrix by the method of bisection, Numer. Math. 9 (1967); J. H. Wilkinson, The
// Algebraic Eigenvalue Problem (1965), chapter 5, for the error of the recurrence.
#pragma once

#include <cstdint>
#include <vector>

#include "numerics/eigen/matrix.hpp"

namespace heorot::eigen {

/// The characteristic polynomial of T at a point: p(x) = mantissa 2^exponent, mantissa >= 0, and
/// the number of eigenvalues below x, whose parity is the sign of p.
struct Evaluation {
    double x;
    double mantissa = 0.0;
    std::int64_t exponent = 0;
    Index n_below = 0;
};

/// Operations of an evaluation for every row.
constexpr double flops_per_row = 4.0;

/// T of n rows, scaled so that its norm is 1, with no element of the subdiagonal below the rounding
/// of the norm: then no two neighbours in a sequence are both zero.
class Sturm {
  public:
    /// Of the diagonal d (n) and the subdiagonal e (n - 1); n >= 1.
    Sturm(Index n, const double* d, const double* e);

    Index n() const { return static_cast<Index>(d_.size()); }
    /// The norm by which T is divided: the largest sum of absolute values in a row.
    double norm() const { return norm_; }
    /// Fills in p(x) and the number of eigenvalues below x for all points.
    void evaluate(std::vector<Evaluation>& points) const;

  private:
    double norm_;
    std::vector<double> d_;
    std::vector<double> e2_;  // squares of the subdiagonal, from row 0, whose is 0
};

}  // namespace heorot::eigen
