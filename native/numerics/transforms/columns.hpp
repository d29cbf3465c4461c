// Transforms along other dimensions of a grid than that of its contiguous lines.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>

#include "harness/world/threads.hpp"
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
    /// As many columns at a time as there are lanes, then fewer.
    template <int lanes, Direction direction>
    void in_lanes(double* matrix, Index n_columns, Index first, Index last, double* scratch) const;
    /// One column, the other lanes zero.
    template <Direction direction>
    void transform_last(double* at, Index stride, double* scratch) const;
    void transform_one(double* at, Index n_columns, Direction direction, double* scratch) const;

    Index n_;
    std::unique_ptr<const Passes> passes_;
    std::unique_ptr<const Method> line_;  // if there are no passes
};

/// Loops over a grid with one to three extents: its lines, those of the last extent; the columns of
/// every plane; and the columns perpendicular to planes. Threads share lines and columns, or
/// planes.
class Sweeps {
  public:
    /// Complex lines have `n` numbers; the transform of one needs a scratch of `scratch_of_line`
    /// doubles.
    Sweeps(std::span<const int> extents, Index n, std::size_t scratch_of_line, int n_threads);

    Index n_lines() const { return n_planes_ * n_rows_; }
    /// lines(first, last, scratch) for all lines, some at a time, then the other dimensions of the
    /// complex `grid`, plane by plane. `scratch` has room for scratch_length() doubles.
    template <class Lines>
    void lines_first(double* grid, Direction direction, double* scratch, Lines lines) const {
        over_planes([&](Index plane, Index first, Index last) {
            lines(first, last, own(scratch));
            if (across_) transform_plane(grid, plane, direction, own(scratch));
        });
        transform_rest(grid, direction, scratch);
    }
    /// The same in the reverse order.
    template <class Lines>
    void lines_last(double* grid, Direction direction, double* scratch, Lines lines) const {
        transform_rest(grid, direction, scratch);
        over_planes([&](Index plane, Index first, Index last) {
            if (across_) transform_plane(grid, plane, direction, own(scratch));
            lines(first, last, own(scratch));
        });
    }
    std::size_t scratch_length() const {
        return scratch_of_thread_ * static_cast<std::size_t>(n_threads_);
    }
    /// Of all columns, and of all that is perpendicular to planes.
    double flops() const;

  private:
    /// action(plane, first, last) for the lines first ... last - 1: those of a plane in three
    /// dimensions, else as many as lie in the lanes.
    template <class Action>
    void over_planes(Action action) const {
        const Index n_lines_each = across_ ? n_rows_ : n_lanes;
        const Index n_parts = (n_lines() + n_lines_each - 1) / n_lines_each;
        const auto part = [&](Index i) {
            action(i, i * n_lines_each, std::min(n_lines(), (i + 1) * n_lines_each));
        };
        // A team of one thread would take longer to begin than a short line.
        if (n_threads_ == 1 || n_parts == 1) {
            for (Index i = 0; i < n_parts; ++i) part(i);
            return;
        }
#pragma omp parallel for schedule(static) num_threads(n_threads_)
        for (Index i = 0; i < n_parts; ++i) part(i);
    }
    /// The calling thread's scratch.
    double* own(double* scratch) const {
        if (n_threads_ == 1) return scratch;
        return scratch + scratch_of_thread_ * static_cast<std::size_t>(thread_number());
    }
    void transform_plane(double* grid, Index plane, Direction direction, double* scratch) const;
    /// Transforms along the directions outside planes, or in two dimensions the columns.
    void transform_rest(double* grid, Direction direction, double* scratch) const;
    void transform_columns(const Columns& columns, double* matrix, Index n_columns,
                           Direction direction, double* scratch) const;

    int n_threads_;
    Index n_planes_ = 1;
    Index n_rows_ = 1;
    Index n_;
    std::unique_ptr<const Columns> columns_;
    std::unique_ptr<const Columns> across_;
    std::size_t scratch_of_thread_;
};

}  // namespace heorot::transforms
