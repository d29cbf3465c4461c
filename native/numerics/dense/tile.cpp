// Tiles of every shape, in vector registers.
#include "numerics/dense/tile.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace heorot::dense {

namespace {

template <Index vectors, Index columns>
void run_shape(const Tile& tile) {
    Lanes sums[columns][vectors] = {};
    const double* bs[columns];
#pragma GCC unroll 8
    for (Index j = 0; j < columns; ++j) bs[j] = tile.b.column(j);
    const double* a = tile.a;
    const Index a_step = tile.a_step;
    const Index a_last = tile.a_last;
    const Index depth = tile.depth;
    for (Index p = 0; p < depth; ++p, a += a_step) {
        Lanes as[vectors];
#pragma GCC unroll 3
        for (Index v = 0; v < vectors - 1; ++v) as[v] = load(a + v * n_lanes);
        as[vectors - 1] = load(a + a_last);
#pragma GCC unroll 8
        for (Index j = 0; j < columns; ++j) {
            const Lanes each = lanes_of(bs[j][p]);
#pragma GCC unroll 3
            for (Index v = 0; v < vectors; ++v) sums[j][v] += as[v] * each;
        }
    }
    const Index c_last = tile.m - n_lanes;
    if (!tile.overwrites) {
        const double alpha = tile.alpha;
#pragma GCC unroll 8
        for (Index j = 0; j < columns; ++j) {
            const double* const from = tile.c.column(j);
#pragma GCC unroll 3
            for (Index v = 0; v < vectors - 1; ++v) {
                sums[j][v] = load(from + v * n_lanes) + alpha * sums[j][v];
            }
            sums[j][vectors - 1] = load(from + c_last) + alpha * sums[j][vectors - 1];
        }
    }
#pragma GCC unroll 8
    for (Index j = 0; j < columns; ++j) {
        double* const to = tile.c.column(j);
#pragma GCC unroll 3
        for (Index v = 0; v < vectors - 1; ++v) store(to + v * n_lanes, sums[j][v]);
        store(to + c_last, sums[j][vectors - 1]);
    }
}

using Run = void (*)(const Tile&);

/// By vectors, and by columns.
constexpr auto shapes = []<Index... v>(std::integer_sequence<Index, v...>) {
    constexpr auto of_columns = []<Index w, Index... c>(std::integer_sequence<Index, w>,
                                                        std::integer_sequence<Index, c...>) {
        return std::array<Run, tile_columns>{run_shape<w + 1, c + 1>...};
    };
    return std::array{of_columns(std::integer_sequence<Index, v>(),
                                 std::make_integer_sequence<Index, tile_columns>())...};
}(std::make_integer_sequence<Index, most_vectors>());

/// Fewer rows than a vector has.
void run_few_rows(const Tile& tile) {
    double sums[tile_columns * n_lanes];
    Tile whole = tile;
    whole.m = n_lanes;
    whole.overwrites = true;
    whole.c = {sums, n_lanes};
    run_tile(whole);
    for (Index j = 0; j < tile.n; ++j) {
        double* const to = tile.c.column(j);
        for (Index i = 0; i < tile.m; ++i) {
            const double sum = sums[i + j * n_lanes];
            to[i] = tile.overwrites ? sum : to[i] + tile.alpha * sum;
        }
    }
}

}  // namespace

void run_tile(const Tile& tile) {
    if (tile.m < n_lanes) return run_few_rows(tile);
    const auto vectors = static_cast<std::size_t>(ceil_div(tile.m, n_lanes));
    shapes[vectors - 1][static_cast<std::size_t>(tile.n - 1)](tile);
}

}  // namespace heorot::dense
