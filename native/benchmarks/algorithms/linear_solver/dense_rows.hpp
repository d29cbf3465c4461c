// The rows of a dense matrix that a rank has, and their products with vectors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "harness/array.hpp"
#include "numerics/lanes.hpp"

namespace heorot::linear_solver {

using Index = std::int64_t;

/// By how much the diagonal exceeds the sum of the off-diagonal elements.
constexpr double dominance = 0.01;

inline std::size_t to_size(Index n) {
    return static_cast<std::size_t>(n);
}

inline Index rounded_up(Index n, Index unit) {
    return (n + unit - 1) / unit * unit;
}

/// The off-diagonal element a(i,j).
inline double beside(Index i, Index j) {
    const auto distance = static_cast<double>(i - j);
    return -1.0 / (distance * distance);
}

/// Which rows a rank has: `n_piece` from `first` on, of which those from n on are padding.
struct Piece {
    Index n;
    Index n_piece;
    Index first;
    Index n_owned;

    static Piece of(Index n, int n_ranks, int rank) {
        const Index each = (n + n_ranks - 1) / n_ranks;
        const Index first = each * rank;
        return {n, each, first, std::max(Index{0}, std::min(each, n - first))};
    }
};

/// The rows of a rank, filled up with zeros to whole groups and whole vector registers; n_columns
/// is a multiple of n_lanes.
class DenseRows {
  public:
    DenseRows(const Piece& piece, Index n_columns)
        : piece_(piece),
          n_rows_(rounded_up(piece.n_piece, group)),
          stride_(n_columns),
          values_(to_size(n_rows_ * stride_)) {
#pragma omp parallel for schedule(static)
        for (Index first = 0; first < n_rows_; first += group) {
            for (Index row = first; row < first + group; ++row) fill(row);
        }
    }

    Index n_rows() const { return n_rows_; }

    /// y = A x. Checked in every run by the known solution.
    void multiply(const double* x, double* y) const {
        const double* const a = values_.data();
#pragma omp parallel for schedule(static)
        for (Index first = 0; first < n_rows_; first += group) {
            Lanes sums[group] = {};  // NOLINT: registers
            for (Index j = 0; j < stride_; j += n_lanes) {
                const Lanes x_j = load(x + j);
#pragma GCC unroll 8
                for (Index row = 0; row < group; ++row) {
                    sums[row] += load(a + (first + row) * stride_ + j) * x_j;
                }
            }
            for (Index row = 0; row < group; ++row) {
                double sum = 0.0;
                for (int lane = 0; lane < n_lanes; ++lane) sum += sums[row][lane];
                y[first + row] = sum;
            }
        }
    }

  private:
    void fill(Index row) {
        double* const a = values_.data() + row * stride_;
        const Index i = piece_.first + row;
        double sum = 0.0;
        for (Index j = 0; j < stride_; ++j) {
            const bool is_beside = row < piece_.n_owned && j < piece_.n && j != i;
            a[j] = is_beside ? beside(i, j) : 0.0;
            sum -= a[j];
        }
        if (row < piece_.n_owned) a[i] = sum + dominance;
    }

    // Reading at several places at once reaches a higher memory bandwidth.
    static constexpr Index group = 8;

    Piece piece_;
    Index n_rows_;
    Index stride_;
    Array<double> values_;
};

}  // namespace heorot::linear_solver
