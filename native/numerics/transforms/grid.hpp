// Transforms of grids of complex numbers in one, two or three dimensions.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "numerics/transforms/method.hpp"
#include "numerics/transforms/passes.hpp"

namespace heorot::transforms {

/// Transforms of adjacent lines, whose numbers lie apart, in place: as many at a time as a vector
/// has lanes.
class Columns {
  public:
    /// Of n numbers each.
    explicit Columns(Index n);

    /// Of a matrix of n rows, `n_columns` complex numbers apart, the columns first ... last - 1.
    void transform(double* matrix, Index n_columns, Index first, Index last, Direction direction,
                   double* scratch) const;
    std::size_t scratch_length() const;
    /// Of one column.
    double flops() const { return passes_ ? passes_->flops() : line_->flops(); }

  private:
    template <Direction direction>
    void transform_lanes(double* at, Index n_columns, Index count, double* scratch) const;
    void transform_one(double* at, Index n_columns, Direction direction, double* scratch) const;

    Index n_;
    std::unique_ptr<const Passes> passes_;
    std::unique_ptr<const Method> line_;  // if there are no passes
};

/// Of a grid with one to three extents, the last one that of contiguous lines. Lines first, then
/// columns, in three dimensions plane by plane, and last what is perpendicular to the planes.
/// Threads share lines and columns, or planes.
class GridTransform {
  public:
    /// For teams of `n_threads`.
    GridTransform(std::span<const int> extents, int n_threads);

    Index size() const { return n_planes_ * n_rows_ * n_; }
    /// Unscaled, from `from` to `to`, which may be the same. `scratch` has room for
    /// scratch_length() doubles.
    void transform(const double* from, double* to, Direction direction, double* scratch) const;
    std::size_t scratch_length() const;
    double flops() const;

  private:
    void transform_plane(const double* from, double* to, Direction direction,
                         double* scratch) const;
    void transform_columns(const Columns& columns, double* matrix, Index n_columns,
                           Direction direction, double* scratch) const;
    std::size_t scratch_of_thread() const;

    int n_threads_;
    Index n_planes_ = 1;
    Index n_rows_ = 1;
    Index n_ = 1;
    std::unique_ptr<const Method> line_;
    std::unique_ptr<const Columns> columns_;
    std::unique_ptr<const Columns> across_;
};

}  // namespace heorot::transforms
