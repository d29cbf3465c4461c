// A full symmetric matrix whose eigenvalues are known, and how far from the truth results are.
#pragma once

#include <span>
#include <vector>

#include "harness/program.hpp"
#include "numerics/eigen/matrix.hpp"

namespace heorot::dense_eigen {

using eigen::Index;
using eigen::Matrix;

/// Deviations in units of n eps ||A||, or of n eps where nothing has the size of A.
struct ValueErrors {
    double largest;    ///< of an eigenvalue
    double trace;      ///< of their sum
    double frobenius;  ///< of the root of the sum of their squares
};
struct VectorErrors {
    double residual;       ///< largest length of A v - lambda v
    double orthogonality;  ///< largest element of V^T V - I
};

/// The matrix of n rows with 2 on its diagonal and -1 next to it, reflected three times at random
/// planes.
class Problem {
  public:
    explicit Problem(Index n);

    Index n() const { return n_; }
    /// Makes `a` equal to the matrix.
    void copy_to(const Matrix& a) const;

    /// Of eigenvalues in any order.
    ValueErrors errors(std::span<const double> values) const;
    /// Of the pairs of a value and the column of `vectors` in its place.
    VectorErrors errors(std::span<const double> values, const Matrix& vectors) const;

  private:
    void reflect(std::span<const double> u);
    double residual(Index first, std::span<const double> values, const Matrix& vectors) const;

    Index n_;
    Array<double> a_;
};

}  // namespace heorot::dense_eigen
