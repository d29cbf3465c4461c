// Which part of a matrix and of its vectors each rank of a process grid has.
#pragma once

#include <cstdint>

namespace heorot::cg {

using Index = std::int64_t;

/// An n x n matrix on a grid of ranks, n_grid_rows x n_grid_columns, rank = row n_grid_columns +
/// column. Vectors are cut into equal pieces, piece = rank, and padded beyond n in the last ones.
/// A grid row has the rows of its pieces; a grid column likewise has the columns of its pieces. So
/// a product reads the pieces of p of the own grid column and yields parts of q for the own grid
/// row, and no vector is transposed.
struct Partition {
    Index n;
    Index n_piece;
    int n_grid_rows;
    int n_grid_columns;
    int row;
    int column;

    /// The grid of `n_ranks` ranks that communicates least, which is the one closest to a square,
    /// seen by `rank`; a prime number makes a single row of ranks.
    static constexpr Partition of(Index n, int n_ranks, int rank) {
        int n_grid_rows = 1;
        for (int divisor = 1; divisor * divisor <= n_ranks; ++divisor) {
            if (n_ranks % divisor == 0) n_grid_rows = divisor;
        }
        const int n_grid_columns = n_ranks / n_grid_rows;
        return {.n = n,
                .n_piece = (n + n_ranks - 1) / n_ranks,
                .n_grid_rows = n_grid_rows,
                .n_grid_columns = n_grid_columns,
                .row = rank / n_grid_columns,
                .column = rank % n_grid_columns};
    }

    /// Of the local matrix, padding included.
    constexpr Index n_rows() const { return n_piece * n_grid_columns; }
    constexpr Index n_columns() const { return n_piece * n_grid_rows; }

    /// Where row or column i of the whole matrix is in the local one; negative if not at all.
    constexpr Index local_row(Index i) const {
        return i / n_rows() == row ? i % n_rows() : Index{-1};
    }
    constexpr Index local_column(Index i) const {
        const Index piece = i / n_piece;
        return piece % n_grid_columns == column ? piece / n_grid_columns * n_piece + i % n_piece
                                                : Index{-1};
    }
    /// The row of the whole matrix; n or more in padding.
    constexpr Index whole_row(Index local) const { return row * n_rows() + local; }
    /// How much of the own piece is not padding.
    constexpr Index n_owned() const {
        const Index first = (Index{row} * n_grid_columns + column) * n_piece;
        return first >= n ? 0 : (first + n_piece <= n ? n_piece : n - first);
    }
};

}  // namespace heorot::cg
