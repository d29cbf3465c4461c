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
