// Products by blocks: tiles of C in registers, blocks of A packed in the order in which they are
// read.
#include "numerics/dense/multiply.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/dense/tile.hpp"

namespace heorot::dense {

namespace {

// With fewer columns elements of A are not used often enough for packing to pay. Nor does it pay
// for less of A than that, which caches near the core hold as it lies.
constexpr Index fewest_columns_to_pack_for = 4 * tile_columns;
constexpr Index most_bytes_unpacked = 96 << 10;
constexpr Index element_bytes = sizeof(double);
// Least work of a thread: less is done faster than a thread wakes up.
constexpr double fewest_flops = 1e6;

/// How long parts of n are that are as equal as multiples of `granule` can be, `most` at most.
Index equal_parts(Index n, Index most, Index granule) {
    if (n <= most) return n;
    const Index parts = ceil_div(n, most);
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

/// n cut into as few parts as possible of at most `most` each, equal to within one: longer ones
/// last.
struct Cut {
    Cut(Index n, Index most) : shorter(n) {
        if (n <= most) return;
        n_parts = ceil_div(n, most);
        shorter = n / n_parts;
        n_shorter = n_parts - n % n_parts;
    }
    Index begin(Index part) const { return part * shorter + std::max<Index>(0, part - n_shorter); }

    Index n_parts = 1;
    Index shorter;
    Index n_shorter = 1;
};

/// The rows of a block in strips of whole vectors; the last vector overlaps the one above it.
struct Strips {
    explicit Strips(Index rows) : m(rows), vectors(ceil_div(rows, n_lanes), most_vectors) {}
    Index top(Index strip) const { return vectors.begin(strip) * n_lanes; }
    Index rows(Index strip) const { return std::min(m, top(strip + 1)) - top(strip); }

    Index m;
    Cut vectors;
};

/// Rows of A in strips, which stand one behind the other, each column by column. Rows that a
/// vector lacks are zero.
void pack_rows(const Strips& strips, Index depth, ConstMatrix a, double* to) {
    if (strips.m < n_lanes) {
        for (Index p = 0; p < depth; ++p, to += n_lanes) {
            std::copy_n(a.column(p), strips.m, to);
            std::fill(to + strips.m, to + n_lanes, 0.0);
        }
        return;
    }
    for (Index s = 0; s < strips.vectors.n_parts; ++s) {
        const Index rows = strips.rows(s);
        const Index others = ceil_div(rows, n_lanes) - 1;
        const double* from = a.elements + strips.top(s);
        for (Index p = 0; p < depth; ++p, from += a.stride) {
            for (Index v = 0; v < others; ++v, to += n_lanes) store(to, load(from + v * n_lanes));
            store(to, load(from + rows - n_lanes));
            to += n_lanes;
        }
    }
}

}  // namespace

Multiplier::Multiplier(int n_threads, const Blocking& blocking)
    : blocking_{.rows = ceil_div(blocking.rows, tile_rows) * tile_rows,
                .depth = blocking.depth,
                .columns = ceil_div(blocking.columns, tile_columns) * tile_columns} {
    for (int thread = 0; thread < n_threads; ++thread) {
        rooms_.emplace_back(static_cast<std::size_t>(blocking_.rows * blocking_.depth));
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
            run_panel(panel, room);
        }
    }
}

/// The product of as many columns of A as a block has, and a block of B, which stays where it is: a
/// tile reads its columns one element after the other, as streams.
void Multiplier::run_panel(const Product& u, Room& room) const {
    const Cut columns(u.n, tile_columns);
    const Index height = equal_parts(u.m, blocking_.rows, tile_rows);
    for (Index i = 0; i < u.m; i += height) {
        const Strips strips(std::min(height, u.m - i));
        const ConstMatrix a = u.a.part(i, 0);
        const bool packs =
            strips.m < n_lanes || (u.n >= fewest_columns_to_pack_for &&
                                   strips.m * u.k * element_bytes > most_bytes_unpacked);
        if (packs) pack_rows(strips, u.k, a, room.data());
        for (Index q = 0; q < columns.n_parts; ++q) {
            const Index j = columns.begin(q);
            for (Index s = 0; s < strips.vectors.n_parts; ++s) {
                const Index top = strips.top(s);
                const Index rows = strips.rows(s);
                const Index packed_rows = ceil_div(rows, n_lanes) * n_lanes;
                run_tile({.m = rows,
                          .n = columns.begin(q + 1) - j,
                          .depth = u.k,
                          .a = packs ? room.data() + top * u.k : a.elements + top,
                          .a_step = packs ? packed_rows : a.stride,
                          .a_last = (packs ? packed_rows : rows) - n_lanes,
                          .b = u.b.part(0, j),
                          .alpha = u.alpha,
                          .overwrites = u.overwrites,
                          .c = u.c.part(i + top, j)});
            }
        }
    }
}

}  // namespace heorot::dense
