// Products by blocks: tiles of C in registers, A and B packed in the order in which they are read.
#include "numerics/dense/multiply.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/lanes.hpp"

namespace heorot::dense {

namespace {

// A tile of C fills most vector registers; the others hold a column of A and an element of B.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr Index most_vectors = 3;
constexpr Index tile_columns = 8;
#else
constexpr Index most_vectors = 2;
constexpr Index tile_columns = 6;
#endif
constexpr Index tile_rows = most_vectors * n_lanes;

// With fewer columns elements of A are not used often enough for packing to pay.
constexpr Index fewest_columns_to_pack_for = 4 * tile_columns;
// Least work of a thread: less is done faster than a thread wakes up.
constexpr double fewest_flops = 1e6;

constexpr Index ceil_div(Index a, Index b) {
    return (a + b - 1) / b;
}

/// How long parts of n are that are as equal as multiples of `granule` can be, `most` at most.
Index equal_parts(Index n, Index most, Index granule) {
    const Index parts = std::max<Index>(1, ceil_div(n, most));
    return std::max(granule, ceil_div(ceil_div(n, parts), granule) * granule);
}

/// The number of columns of a grid of threads over m_tiles x n_tiles tiles for which the largest
/// part of a thread is smallest, and nearest to a square.
Index best_grid(Index n_threads, Index m_tiles, Index n_tiles) {
    Index best = 1;
    double least = HUGE_VAL;
    for (Index across = 1; across <= n_threads; ++across) {
        if (n_threads % across != 0) continue;
        const auto width = static_cast<double>(ceil_div(n_tiles, across) * tile_columns);
        const auto height = static_cast<double>(ceil_div(m_tiles, n_threads / across) * tile_rows);
        // Packing an element costs as much as some operations.
        const double cost = width * height + 16.0 * (width + height);
        if (cost < least) {
            least = cost;
            best = across;
        }
    }
    return best;
}

/// Rows of A in strips of tile_rows, which stand one behind the other, each column by column; rows
/// that lack are zero.
void pack_rows(Index m, Index depth, ConstMatrix a, double* to) {
    for (Index i = 0; i < m; i += tile_rows) {
        const Index present = std::min(tile_rows, m - i);
        const double* from = a.elements + i;
        if (present == tile_rows) {
            for (Index p = 0; p < depth; ++p, from += a.stride, to += tile_rows) {
#pragma GCC unroll 3
                for (Index v = 0; v < most_vectors; ++v) {
                    store(to + v * n_lanes, load(from + v * n_lanes));
                }
            }
            continue;
        }
        for (Index p = 0; p < depth; ++p, from += a.stride, to += tile_rows) {
            std::copy_n(from, present, to);
            std::fill(to + present, to + tile_rows, 0.0);
        }
    }
}

/// Columns of B in strips of tile_columns, each row by row; columns that lack are zero.
void pack_columns(Index n, Index depth, ConstMatrix b, double* to) {
    for (Index j = 0; j < n; j += tile_columns, to += depth * tile_columns) {
        const Index present = std::min(tile_columns, n - j);
        if (present < tile_columns) std::fill_n(to, depth * tile_columns, 0.0);
        for (Index c = 0; c < present; ++c) {
            const double* const from = b.column(j + c);
            for (Index p = 0; p < depth; ++p) to[p * tile_columns + c] = from[p];
        }
    }
}

/// A tile of C and its factors.
struct Tile {
    Index depth;
    const double* a;  ///< a strip of rows
    Index a_step;     ///< from one of its columns to the next
    const double* b;  ///< a packed strip of columns
    double alpha;
    bool overwrites;
    Index m;  ///< rows and columns of it that there are
    Index n;
    Matrix c;
};

/// C = alpha A B or C += alpha A B for a tile whose rows are `vectors` vectors.
template <Index vectors>
void run_tile(const Tile& tile) {
    Lanes sums[tile_columns][vectors] = {};
    const double* a = tile.a;
    const double* b = tile.b;
    const Index a_step = tile.a_step;
    for (Index p = tile.depth; p > 0; --p, a += a_step, b += tile_columns) {
        Lanes as[vectors];
#pragma GCC unroll 3
        for (Index v = 0; v < vectors; ++v) as[v] = load(a + v * n_lanes);
#pragma GCC unroll 8
        for (Index j = 0; j < tile_columns; ++j) {
            const Lanes each = lanes_of(b[j]);
#pragma GCC unroll 3
            for (Index v = 0; v < vectors; ++v) sums[j][v] += as[v] * each;
        }
    }
    const double alpha = tile.alpha;
    if (tile.m == vectors * n_lanes && tile.n == tile_columns) {
#pragma GCC unroll 8
        for (Index j = 0; j < tile_columns; ++j) {
#pragma GCC unroll 3
            for (Index v = 0; v < vectors; ++v) {
                double* const to = tile.c.column(j) + v * n_lanes;
                const Lanes product = alpha * sums[j][v];
                store(to, tile.overwrites ? product : load(to) + product);
            }
        }
        return;
    }
    double all[tile_columns][vectors * n_lanes];
#pragma GCC unroll 8
    for (Index j = 0; j < tile_columns; ++j) {
#pragma GCC unroll 3
        for (Index v = 0; v < vectors; ++v) store(all[j] + v * n_lanes, alpha * sums[j][v]);
    }
    for (Index j = 0; j < tile.n; ++j) {
        double* const to = tile.c.column(j);
        for (Index i = 0; i < tile.m; ++i) {
            to[i] = tile.overwrites ? all[j][i] : to[i] + all[j][i];
        }
    }
}

void run_some_rows(const Tile& tile) {
    switch (ceil_div(tile.m, n_lanes)) {
        case 1:
            run_tile<1>(tile);
            break;
        case 2:
            run_tile<2>(tile);
            break;
        default:
            run_tile<most_vectors>(tile);
    }
}

}  // namespace

Multiplier::Multiplier(int n_threads, const Blocking& blocking)
    : blocking_{.rows = ceil_div(blocking.rows, tile_rows) * tile_rows,
                .depth = blocking.depth,
                .columns = ceil_div(blocking.columns, tile_columns) * tile_columns} {
    for (int thread = 0; thread < n_threads; ++thread) {
        rooms_.push_back(
            {Array<double>(static_cast<std::size_t>(blocking_.rows * blocking_.depth)),
             Array<double>(static_cast<std::size_t>(blocking_.depth * blocking_.columns))});
    }
}

void Multiplier::multiply(Index m, Index n, Index k, ConstMatrix a, ConstMatrix b, Matrix c) {
    // An empty sum: no block of it would be written.
    if (k == 0) {
        for (Index j = 0; j < n; ++j) std::fill_n(c.column(j), m, 0.0);
    }
    run({m, n, k, 1.0, true, a, b, c});
}

void Multiplier::add(Index m, Index n, Index k, double alpha, ConstMatrix a, ConstMatrix b,
                     Matrix c) {
    run({m, n, k, alpha, false, a, b, c});
}

/// A grid of threads over C, as square as their number and the tiles allow.
void Multiplier::run(const Product& product) {
    const double flops = 2.0 * static_cast<double>(product.m) * static_cast<double>(product.n) *
                         static_cast<double>(product.k);
    const auto worth = static_cast<Index>(std::min(flops / fewest_flops, 1e6));
    const Index n_threads = std::clamp<Index>(worth, 1, static_cast<Index>(rooms_.size()));
    if (n_threads == 1) {
        run_part(product, rooms_.front());
        return;
    }
    const Index m_tiles = ceil_div(product.m, tile_rows);
    const Index n_tiles = ceil_div(product.n, tile_columns);
    const Index across = best_grid(n_threads, m_tiles, n_tiles);
    const Index down = n_threads / across;
#pragma omp parallel for schedule(static) num_threads(static_cast<int>(down * across))
    for (Index t = 0; t < down * across; ++t) {
        const Index top = std::min(product.m, t % down * m_tiles / down * tile_rows);
        const Index bottom = std::min(product.m, (t % down + 1) * m_tiles / down * tile_rows);
        const Index left = std::min(product.n, t / down * n_tiles / across * tile_columns);
        const Index right = std::min(product.n, (t / down + 1) * n_tiles / across * tile_columns);
        Product part = product;
        part.m = bottom - top;
        part.n = right - left;
        part.a = product.a.part(top, 0);
        part.b = product.b.part(0, left);
        part.c = product.c.part(top, left);
        run_part(part, rooms_[static_cast<std::size_t>(t)]);
    }
}

void Multiplier::run_part(const Product& product, Room& room) const {
    const Index width = equal_parts(product.n, blocking_.columns, tile_columns);
    const Index depth = equal_parts(product.k, blocking_.depth, 1);
    for (Index j = 0; j < product.n; j += width) {
        for (Index p = 0; p < product.k; p += depth) {
            Product panel = product;
            panel.n = std::min(width, product.n - j);
            panel.k = std::min(depth, product.k - p);
            panel.overwrites = product.overwrites && p == 0;
            panel.a = product.a.part(0, p);
            panel.b = product.b.part(p, j);
            panel.c = product.c.part(0, j);
            pack_columns(panel.n, panel.k, panel.b, room.b.data());
            run_panel(panel, room);
        }
    }
}

/// The product of as many columns of A as a block has, and a packed block of B.
void Multiplier::run_panel(const Product& u, Room& room) const {
    const bool packs = u.n >= fewest_columns_to_pack_for;
    const Index height = equal_parts(u.m, blocking_.rows, tile_rows);
    for (Index i = 0; i < u.m; i += height) {
        const Index rows = std::min(height, u.m - i);
        // The last strip is packed in any case: it may end within a vector.
        const Index direct = packs ? 0 : rows / tile_rows * tile_rows;
        pack_rows(rows - direct, u.k, u.a.part(i + direct, 0), room.a.data());
        for (Index j = 0; j < u.n; j += tile_columns) {
            for (Index r = 0; r < rows; r += tile_rows) {
                const bool is_direct = r < direct;
                run_some_rows(
                    {.depth = u.k,
                     .a = is_direct ? u.a.elements + i + r : room.a.data() + (r - direct) * u.k,
                     .a_step = is_direct ? u.a.stride : tile_rows,
                     .b = room.b.data() + j * u.k,
                     .alpha = u.alpha,
                     .overwrites = u.overwrites,
                     .m = std::min(tile_rows, rows - r),
                     .n = std::min(tile_columns, u.n - j),
                     .c = u.c.part(i + r, j)});
            }
        }
    }
}

}  // namespace heorot::dense
