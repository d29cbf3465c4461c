// Columns of grids in vectors, and how threads share them.
#include "numerics/transforms/columns.hpp"

#include <algorithm>

namespace heorot::transforms {

namespace {

constexpr int w = n_lanes;

}  // namespace

Columns::Columns(Index n) : n_(n) {
    if (n > 1 && has_passes(n)) {
        passes_ = std::make_unique<const Passes>(n);
    } else {
        line_ = method_for(n);
    }
}

std::size_t Columns::scratch_length() const {
    // Two buffers, and a column that does not fill the lanes; or one line.
    if (passes_) return static_cast<std::size_t>(3 * n_ * block_of<w>);
    return line_->scratch_length() + 2 * static_cast<std::size_t>(n_);
}

void Columns::transform(double* matrix, Index n_columns, Index first, Index last,
                        Direction direction, double* scratch) const {
    if (passes_ && direction == Direction::forward) {
        in_lanes<w, Direction::forward>(matrix, n_columns, first, last, scratch);
    } else if (passes_) {
        in_lanes<w, Direction::inverse>(matrix, n_columns, first, last, scratch);
    } else {
        for (Index column = first; column < last; ++column) {
            transform_one(matrix + 2 * column, n_columns, direction, scratch);
        }
    }
}

template <int lanes, Direction direction>
void Columns::in_lanes(double* matrix, Index n_columns, Index first, Index last,
                       double* scratch) const {
    const Index stride = 2 * n_columns;
    for (; first + lanes <= last; first += lanes) {
        double* const at = matrix + 2 * first;
        const FromLines<lanes, direction> from = {at, stride};
        transform_lines<lanes>(*passes_, from, ToLines<lanes, direction>{at, stride}, scratch);
    }
    if constexpr (lanes > 2) {
        in_lanes<lanes / 2, direction>(matrix, n_columns, first, last, scratch);
    } else if (first < last) {
        transform_last<direction>(matrix + 2 * first, stride, scratch);
    }
}

template <Direction direction>
void Columns::transform_last(double* at, Index stride, double* scratch) const {
    double* const column = scratch + 2 * n_ * block_of<2>;
    for (Index j = 0; j < n_; ++j) {
        double* const row = std::copy(at + j * stride, at + j * stride + 2, column + 4 * j);
        std::fill(row, row + 2, 0.0);
    }
    const FromLines<2, direction> from = {column, block_of<2>};
    transform_lines<2>(*passes_, from, ToLines<2, direction>{column, block_of<2>}, scratch);
    for (Index k = 0; k < n_; ++k) std::copy(column + 4 * k, column + 4 * k + 2, at + k * stride);
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

Sweeps::Sweeps(std::span<const int> extents, Index n, std::size_t scratch_of_line, int n_threads)
    : n_threads_(n_threads), n_(n) {
    if (extents.size() > 1) {
        n_rows_ = extents[extents.size() - 2];
        columns_ = std::make_unique<const Columns>(n_rows_);
    }
    if (extents.size() > 2) {
        n_planes_ = extents[0];
        across_ = std::make_unique<const Columns>(n_planes_);
    }
    // Threads do not meet in a line of a cache.
    constexpr std::size_t granule = 16;
    const std::size_t most = std::max({scratch_of_line, columns_ ? columns_->scratch_length() : 0,
                                       across_ ? across_->scratch_length() : 0});
    scratch_of_thread_ = (most + granule - 1) / granule * granule;
}

double Sweeps::flops() const {
    double flops = 0.0;
    if (columns_) flops += static_cast<double>(n_planes_ * n_) * columns_->flops();
    if (across_) flops += static_cast<double>(n_rows_ * n_) * across_->flops();
    return flops;
}

void Sweeps::transform_plane(double* grid, Index plane, Direction direction,
                             double* scratch) const {
    columns_->transform(grid + 2 * plane * n_rows_ * n_, n_, 0, n_, direction, scratch);
}

void Sweeps::transform_rest(double* grid, Direction direction, double* scratch) const {
    if (across_) return transform_columns(*across_, grid, n_rows_ * n_, direction, scratch);
    if (columns_) transform_columns(*columns_, grid, n_, direction, scratch);
}

void Sweeps::transform_columns(const Columns& columns, double* matrix, Index n_columns,
                               Direction direction, double* scratch) const {
    const Index n_groups = (n_columns + w - 1) / w;
    const auto n_parts = static_cast<Index>(n_threads_);
#pragma omp parallel for schedule(static) num_threads(n_threads_) if (n_threads_ > 1)
    for (Index part = 0; part < n_parts; ++part) {
        const Index first = n_groups * part / n_parts * w;
        const Index last = std::min(n_columns, n_groups * (part + 1) / n_parts * w);
        if (first < last) {
            columns.transform(matrix, n_columns, first, last, direction, own(scratch));
        }
    }
}

}  // namespace heorot::transforms
