// Sparse matrices row by row: compressed sparse rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "harness/array.hpp"
#include "harness/record/check.hpp"

namespace heorot::sparse {

using Index = std::int64_t;
/// Of a column, or of an element: matrices have fewer than 2^32 of both.
using Place = std::uint32_t;
/// Of fewer elements than this, other threads take longer to begin than one does with them all.
constexpr Index worth_sharing = 8192;
constexpr double most_elements = std::numeric_limits<Place>::max();

/// First rows of `n_parts` parts with about equal numbers of elements, and the end of the last one.
/// `starts` are the first elements of n rows, and the end of the last one.
std::vector<Index> equal_parts(const Place* starts, Index n, int n_parts);

/// Asks for the elements that are needed some time after the next n, which begin here: what the
/// hardware fetches ahead of two streams, and not beyond a page, leaves memory idle.
template <Index n>
[[gnu::always_inline]] inline void prefetch(const double* value, const Place* column) {
    constexpr Index line_bytes = 64;
    constexpr Index ahead_bytes = 2048;  // of values
    constexpr Index value_bytes = n * static_cast<Index>(sizeof(double));
    constexpr Index column_bytes = n * static_cast<Index>(sizeof(Place));
    for (Index at = 0; at < value_bytes; at += line_bytes) {
        __builtin_prefetch(reinterpret_cast<const char*>(value) + ahead_bytes + at);
    }
    for (Index at = 0; at < column_bytes; at += line_bytes) {
        __builtin_prefetch(reinterpret_cast<const char*>(column) + ahead_bytes / 2 + at);
    }
}

/// How rows are multiplied. Which way is fastest depends on their lengths, and on where they lie.
struct RowWay {
    bool in_runs = true;  ///< in vectors, rows of one length together; else element by element
    bool fetches = true;  ///< asks for elements ahead of time, which costs time within a cache
};
constexpr std::array<RowWay, 4> row_ways = {
    {{true, true}, {true, false}, {false, true}, {false, false}}};

/// Elements of row i: columns(k), values(k) for k from starts(i) to starts(i + 1) - 1, in order of
/// their columns. Each thread has the rows of one part, in memory that it touched first.
struct Csr {
    Index n_rows = 0;
    Array<Place> starts;
    Array<Place> columns;
    Array<double> values;
    std::vector<Index> parts;
    RowWay way = {};

    Index n_nonzeros() const { return starts[static_cast<std::size_t>(n_rows)]; }
    /// The least bytes that a product reads and writes, with the vectors once [B].
    double bytes_of_product() const {
        return 12.0 * static_cast<double>(n_nonzeros()) + 20.0 * static_cast<double>(n_rows);
    }

    /// y = A x. Checked against the definitions in tests/numerics/test_sparse.cpp:
    /// products_are_as_defined.
    void multiply(const double* x, double* y) const;
};

/// The matrix of `n_rows` rows whose row i is what rows(i, element) passes to element(column,
/// value), in order of the columns; for `n_threads` threads. Precondition: at most most_elements.
template <class Rows>
Csr make_csr(Index n_rows, const Rows& rows, int n_threads) {
    Csr a;
    a.n_rows = n_rows;
    a.starts = Array<Place>(static_cast<std::size_t>(n_rows) + 1);
    Place* const starts = a.starts.data();
    starts[0] = 0;
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < n_rows; ++i) {
        Place length = 0;
        rows(i, [&](Index, double) { ++length; });
        starts[i + 1] = length;
    }
    for (Index i = 0; i < n_rows; ++i) starts[i + 1] += starts[i];
    const auto n_nonzeros = static_cast<std::size_t>(a.n_nonzeros());
    a.columns = Array<Place>(n_nonzeros);
    a.values = Array<double>(n_nonzeros);
    a.parts = equal_parts(starts, n_rows, n_threads);
#pragma omp parallel for schedule(static)
    for (int part = 0; part < n_threads; ++part) {
        const auto p = static_cast<std::size_t>(part);
        for (Index i = a.parts[p]; i < a.parts[p + 1]; ++i) {
            std::size_t k = starts[i];
            rows(i, [&](Index column, double value) {
                a.columns[k] = static_cast<Place>(column);
                a.values[k++] = value;
            });
        }
    }
    return a;
}

}  // namespace heorot::sparse
