// Transforms of grids of complex or real numbers in one, two or three dimensions, the last one that
// of contiguous lines.
//
// The transform of real numbers has X_{-k} = conj(X_k) for all indices together: it is known from
// the first half of its lines, n/2 + 1 numbers, and only their columns are transformed.
#pragma once

#include <cstddef>
#include <span>

#include "numerics/transforms/columns.hpp"
#include "numerics/transforms/lines.hpp"
#include "numerics/transforms/real.hpp"

namespace heorot::transforms {

/// Of complex numbers.
class GridTransform {
  public:
    /// For teams of `n_threads`.
    GridTransform(std::span<const int> extents, int n_threads);

    Index size() const { return sweeps_.n_lines() * n_; }
    /// Unscaled, from `from` to `to`, which may be the same. `scratch` has room for
    /// scratch_length() doubles.
    void transform(const double* from, double* to, Direction direction, double* scratch) const;
    std::size_t scratch_length() const { return sweeps_.scratch_length(); }
    double flops() const;

  private:
    Index n_;
    Index n_rows_;
    Lines lines_;
    Sweeps sweeps_;
};

/// Of real numbers. Nothing is scaled: the inverse of the forward transform is the input as many
/// times as it has numbers.
class RealGridTransform {
  public:
    /// For teams of `n_threads`.
    RealGridTransform(std::span<const int> extents, int n_threads);

    /// How many real numbers there are, and how many complex ones they become.
    Index size() const { return sweeps_.n_lines() * n_; }
    Index size_of_transform() const { return sweeps_.n_lines() * (n_ / 2 + 1); }
    /// From real numbers to complex ones elsewhere. `scratch` has room for scratch_length()
    /// doubles.
    void forward(const double* from, double* to, double* scratch) const;
    /// The reverse; of more than lines nothing is left of `from`.
    void inverse(double* from, double* to, double* scratch) const;
    std::size_t scratch_length() const { return sweeps_.scratch_length(); }
    /// Of one forward transform.
    double flops() const;

  private:
    Index n_;
    RealTransform line_;
    Sweeps sweeps_;
};

}  // namespace heorot::transforms
