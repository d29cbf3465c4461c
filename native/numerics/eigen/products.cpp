// Products of blocks: tiles of C in registers, A and B packed in the order in which they are read.
//
// Source: K. Goto, R. A. van de Geijn, Anatomy of high-performance matrix multiplication, ACM TOMS
// 34 (2008).
#include "numerics/eigen/products.hpp"

#include <algorithm>

#include "numerics/lanes.hpp"

namespace heorot::eigen {

namespace {

constexpr Index vectors = 2;  // of a column of a tile
constexpr Index tile_rows = vectors * n_lanes;
constexpr Index tile_columns = n_lanes == 8 ? 12 : 6;  // 24 or 12 sums: what registers hold
constexpr Index most_rows = 128 / tile_rows * tile_rows;
constexpr Index most_columns = 600 / tile_columns * tile_columns;
constexpr Index most_depth = 192;

/// Puts `n` lines of `depth` elements side by side, `width` at a time; lines that lack are zero.
/// Element p of line l is from[l across + p along].
void pack(Index n, Index depth, Index width, const double* from, Index across, Index along,
          double* to) {
    for (Index first = 0; first < n; first += width) {
        const Index present = std::min(width, n - first);
        const double* const lines = from + first * across;
        for (Index p = 0; p < depth; ++p, to += width) {
            for (Index l = 0; l < present; ++l) to[l] = lines[l * across + p * along];
            for (Index l = present; l < width; ++l) to[l] = 0.0;
        }
    }
}

/// c += alpha times the product of two packed strips of `depth`; of it m rows and n columns count.
void multiply_tile(Index depth, double alpha, const double* a, const double* b, Index m, Index n,
                   double* c, Index stride) {
    Lanes sums[tile_columns][vectors] = {};
    for (Index p = 0; p < depth; ++p, a += tile_rows, b += tile_columns) {
        Lanes as[vectors];
#pragma GCC unroll 2
        for (Index v = 0; v < vectors; ++v) as[v] = load(a + v * n_lanes);
#pragma GCC unroll 12
        for (Index j = 0; j < tile_columns; ++j) {
#pragma GCC unroll 2
            for (Index v = 0; v < vectors; ++v) sums[j][v] += as[v] * b[j];
        }
    }
    if (m == tile_rows && n == tile_columns) {
#pragma GCC unroll 12
        for (Index j = 0; j < tile_columns; ++j) {
#pragma GCC unroll 2
            for (Index v = 0; v < vectors; ++v) {
                double* const to = c + j * stride + v * n_lanes;
                store(to, load(to) + alpha * sums[j][v]);
            }
        }
        return;
    }
    double tile[tile_rows * tile_columns];
#pragma GCC unroll 12
    for (Index j = 0; j < tile_columns; ++j) {
#pragma GCC unroll 2
        for (Index v = 0; v < vectors; ++v) store(tile + j * tile_rows + v * n_lanes, sums[j][v]);
    }
    for (Index j = 0; j < n; ++j) {
        for (Index i = 0; i < m; ++i) c[i + j * stride] += alpha * tile[i + j * tile_rows];
    }
}

}  // namespace

Products::Products() : packed_a_(most_rows * most_depth), packed_b_(most_columns * most_depth) {}

void Products::add(Index m, Index n, Index k, double alpha, Block a, Block b, double* c,
                   Index stride) {
    for (Index j = 0; j < n; j += most_columns) {
        const Index columns = std::min(most_columns, n - j);
        for (Index p = 0; p < k; p += most_depth) {
            const Index depth = std::min(most_depth, k - p);
            pack(columns, depth, tile_columns, b.elements + p + j * b.stride, b.stride, 1,
                 packed_b_.data());
            add_panel(m, columns, depth, alpha, {a.elements + p * a.stride, a.stride},
                      c + j * stride, stride);
        }
    }
}

void Products::add_panel(Index m, Index n, Index k, double alpha, Block a, double* c,
                         Index stride) {
    for (Index i = 0; i < m; i += most_rows) {
        const Index rows = std::min(most_rows, m - i);
        pack(rows, k, tile_rows, a.elements + i, 1, a.stride, packed_a_.data());
        for (Index jj = 0; jj < n; jj += tile_columns) {
            for (Index ii = 0; ii < rows; ii += tile_rows) {
                multiply_tile(k, alpha, packed_a_.data() + ii * k, packed_b_.data() + jj * k,
                              std::min(tile_rows, rows - ii), std::min(tile_columns, n - jj),
                              c + i + ii + jj * stride, stride);
            }
        }
    }
}

}  // namespace heorot::eigen
