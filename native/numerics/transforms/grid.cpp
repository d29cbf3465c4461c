// Transforms of grids, dimension by dimension.
#include "numerics/transforms/grid.hpp"

#include <algorithm>

#include "harness/record/check.hpp"
#include "harness/world/threads.hpp"

namespace heorot::transforms {

namespace {

constexpr int w = n_lanes;

/// What the calling thread works in.
double* own(double* scratch, std::size_t of_thread) {
    return scratch + of_thread * static_cast<std::size_t>(thread_number());
}

}  // namespace

Columns::Columns(Index n) : n_(n) {
    if (n > 1 && has_passes(n)) {
        passes_ = std::make_unique<const Passes>(n);
    } else {
        line_ = method_for(n);
    }
}

std::size_t Columns::scratch_length() const {
    // Two buffers; columns that do not fill the lanes, or one line.
    if (passes_) return static_cast<std::size_t>(3 * n_ * block_of<w>);
    return line_->scratch_length() + 2 * static_cast<std::size_t>(n_);
}

void Columns::transform(double* matrix, Index n_columns, Index first, Index last,
                        Direction direction, double* scratch) const {
    for (Index column = first; column < last; column += w) {
        double* const at = matrix + 2 * column;
        const Index count = std::min<Index>(w, last - column);
        if (!passes_) {
            for (Index i = 0; i < count; ++i) {
                transform_one(at + 2 * i, n_columns, direction, scratch);
            }
        } else if (direction == Direction::forward) {
            transform_lanes<Direction::forward>(at, n_columns, count, scratch);
        } else {
            transform_lanes<Direction::inverse>(at, n_columns, count, scratch);
        }
    }
}

template <Direction direction>
void Columns::transform_lanes(double* at, Index n_columns, Index count, double* scratch) const {
    const Index stride = 2 * n_columns;
    if (count == w) {
        const FromLines<w, direction> from = {at, stride};
        transform_lines<w>(*passes_, from, ToLines<w, direction>{at, stride}, scratch);
        return;
    }
    double* const lanes = scratch + 2 * n_ * block_of<w>;
    std::fill(lanes, lanes + n_ * block_of<w>, 0.0);
    for (Index j = 0; j < n_; ++j) {
        std::copy(at + j * stride, at + j * stride + 2 * count, lanes + j * block_of<w>);
    }
    const FromLines<w, direction> from = {lanes, block_of<w>};
    transform_lines<w>(*passes_, from, ToLines<w, direction>{lanes, block_of<w>}, scratch);
    for (Index k = 0; k < n_; ++k) {
        const double* const row = lanes + k * block_of<w>;
        std::copy(row, row + 2 * count, at + k * stride);
    }
}

void Columns::transform_one(double* at, Index n_columns, Direction direction,
                            double* scratch) const {
    double* const line = scratch + line_->scratch_length();
    for (Index j = 0; j < n_; ++j) {
        std::copy(at + 2 * j * n_columns, at + 2 * j * n_columns + 2, line + 2 * j);
    }
    line_->transform(line, line, direction, scratch);
    for (Index k = 0; k < n_; ++k) {
        std::copy(line + 2 * k, line + 2 * k + 2, at + 2 * k * n_columns);
    }
}

GridTransform::GridTransform(std::span<const int> extents, int n_threads) : n_threads_(n_threads) {
    expects(!extents.empty() && extents.size() <= 3, "a grid has one to three dimensions");
    expects(*std::min_element(extents.begin(), extents.end()) > 0, "a grid has points");
    n_ = extents.back();
    line_ = method_for(n_);
    if (extents.size() > 1) {
        n_rows_ = extents[extents.size() - 2];
        columns_ = std::make_unique<const Columns>(n_rows_);
    }
    if (extents.size() > 2) {
        n_planes_ = extents[0];
        across_ = std::make_unique<const Columns>(n_planes_);
    }
}

std::size_t GridTransform::scratch_of_thread() const {
    // Threads do not meet in a line of a cache.
    constexpr std::size_t granule = 16;
    const std::size_t most =
        std::max({line_->scratch_length(), columns_ ? columns_->scratch_length() : 0,
                  across_ ? across_->scratch_length() : 0});
    return (most + granule - 1) / granule * granule;
}

std::size_t GridTransform::scratch_length() const {
    return scratch_of_thread() * static_cast<std::size_t>(n_threads_);
}

double GridTransform::flops() const {
    const auto n_points = static_cast<double>(size());
    double flops = n_points / static_cast<double>(n_) * line_->flops();
    if (columns_) flops += n_points / static_cast<double>(n_rows_) * columns_->flops();
    if (across_) flops += n_points / static_cast<double>(n_planes_) * across_->flops();
    return flops;
}

void GridTransform::transform(const double* from, double* to, Direction direction,
                              double* scratch) const {
    const std::size_t of_thread = scratch_of_thread();
    const Index plane = 2 * n_rows_ * n_;
    if (across_) {
#pragma omp parallel for schedule(static) num_threads(n_threads_) if (n_threads_ > 1)
        for (Index i = 0; i < n_planes_; ++i) {
            transform_plane(from + i * plane, to + i * plane, direction, own(scratch, of_thread));
        }
        transform_columns(*across_, to, n_rows_ * n_, direction, scratch);
        return;
    }
    if (!columns_) return line_->transform(from, to, direction, scratch);
#pragma omp parallel for schedule(static) num_threads(n_threads_) if (n_threads_ > 1)
    for (Index row = 0; row < n_rows_; ++row) {
        line_->transform(from + 2 * row * n_, to + 2 * row * n_, direction,
                         own(scratch, of_thread));
    }
    transform_columns(*columns_, to, n_, direction, scratch);
}

void GridTransform::transform_plane(const double* from, double* to, Direction direction,
                                    double* scratch) const {
    for (Index row = 0; row < n_rows_; ++row) {
        line_->transform(from + 2 * row * n_, to + 2 * row * n_, direction, scratch);
    }
    columns_->transform(to, n_, 0, n_, direction, scratch);
}

void GridTransform::transform_columns(const Columns& columns, double* matrix, Index n_columns,
                                      Direction direction, double* scratch) const {
    const std::size_t of_thread = scratch_of_thread();
    const Index n_groups = (n_columns + w - 1) / w;
    const auto n_parts = static_cast<Index>(n_threads_);
#pragma omp parallel for schedule(static) num_threads(n_threads_) if (n_threads_ > 1)
    for (Index part = 0; part < n_parts; ++part) {
        const Index first = n_groups * part / n_parts * w;
        const Index last = std::min(n_columns, n_groups * (part + 1) / n_parts * w);
        if (first < last) {
            columns.transform(matrix, n_columns, first, last, direction, own(scratch, of_thread));
        }
    }
}

}  // namespace heorot::transforms
