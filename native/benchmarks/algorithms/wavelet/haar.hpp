// The Haar wavelet transform of planes, level by level.
#pragma once

#include <cstddef>

#include "harness/array.hpp"

namespace heorot::wavelet {

using Index = std::ptrdiff_t;

/// Part of a field: rows are `stride` doubles apart.
struct Rows {
    double* at;
    Index stride;
    double* row(Index i) const { return at + i * stride; }
};

/// One level: `fine` has m x n points; `coarse` half as many either way; `all` is the transform,
/// where the coefficients of this level lie right of and below m/2 x n/2.
struct Level {
    Rows fine;
    Rows coarse;
    Rows all;
    Index m, n;
};

/// Transforms of fields of m x n points, rows one after the other.
class Haar {
  public:
    Haar(Index m, Index n, int n_threads);

    int n_levels() const { return n_levels_; }
    /// From the field x to its transform y, and back.
    void forward(double* x, double* y);
    void inverse(double* y, double* x);
    /// Of all levels together.
    double n_points() const;

  private:
    /// Level l = 1, ... of the field x and its transform y. Fields between go to and fro.
    Level level(int l, double* x, double* y);

    Index m_;
    Index n_;
    int n_threads_;
    int n_levels_ = 0;
    Array<double> odd_;  // what levels 1, 3, ... leave to the next one
    Array<double> even_;
};

}  // namespace heorot::wavelet
