// Sums over a few columns at once, in vector registers.
#include "numerics/eigen/columns.hpp"

#include <algorithm>
#include <utility>

#include "numerics/lanes.hpp"

namespace heorot::eigen {

namespace {

constexpr Index lanes = n_lanes;
static_assert(granule % lanes == 0);

/// Columns at once: their sums, factors and elements fit into 16 registers.
constexpr Index width = 4;

constexpr Index rounded_up(Index i) {
    return (i + lanes - 1) / lanes * lanes;
}

/// 0, 1, 2, ...
constexpr Lanes numbers = []<int... i>(std::integer_sequence<int, i...>) {
    return Lanes{static_cast<double>(i)...};
}(std::make_integer_sequence<int, n_lanes>());

/// The sum of all lanes.
template <int half = n_lanes / 2>
[[gnu::always_inline]] inline double sum_of(const Lanes& a) {
    const Lanes sum = a + shift<half>(a, a);
    if constexpr (half == 1)
        return sum[0];
    else
        return sum_of<half / 2>(sum);
}

/// The vector at p + i, zero in the rows before `first`.
[[gnu::always_inline]] inline Lanes load_from(Index first, const double* p, Index i) {
    return select(numbers >= static_cast<double>(first - i), load(p + i), Lanes{});
}

/// What `w` columns from j on contribute to y = A x, by rows that are vectors but for the first.
template <Index w>
void add_symmetric(const Matrix& a, Index j, Index rows, const double* x, double* y) {
    const double* const of = a.column(j);
    const Index stride = a.stride;
    Lanes partial[w] = {};
    Lanes factor[w];
    for (Index k = 0; k < w; ++k) factor[k] = lanes_of(x[j + k]);
    Index i = j / lanes * lanes;
    for (; i < j + w; i += lanes) {  // below the diagonal only
        const Lanes xs = load_from(j, x, i);
        Lanes ys = load(y + i);
#pragma GCC unroll 4
        for (Index k = 0; k < w; ++k) {
            const Lanes as = load_from(j + k + 1, of + k * stride, i);
            partial[k] += as * xs;
            ys += as * factor[k];
        }
        store(y + i, ys);
    }
    for (; i < rows; i += lanes) {
        const Lanes xs = load(x + i);
        Lanes ys = load(y + i);
#pragma GCC unroll 4
        for (Index k = 0; k < w; ++k) {
            const Lanes as = load(of + i + k * stride);
            partial[k] += as * xs;
            ys += as * factor[k];
        }
        store(y + i, ys);
    }
    for (Index k = 0; k < w; ++k) y[j + k] += sum_of(partial[k]) + a(j + k, j + k) * x[j + k];
}

template <Index w>
void add_some(Index first, Index rows, const double* v, Index stride, const double* c, double* y) {
    Lanes factor[w];
    for (Index k = 0; k < w; ++k) factor[k] = lanes_of(c[k]);
    Index i = first / lanes * lanes;
    if (i < first && i < rows) {
        Lanes sum = load(y + i);
#pragma GCC unroll 4
        for (Index k = 0; k < w; ++k) sum += factor[k] * load_from(first, v + k * stride, i);
        store(y + i, sum);
        i += lanes;
    }
    for (; i < rows; i += lanes) {
        Lanes sum = load(y + i);
#pragma GCC unroll 4
        for (Index k = 0; k < w; ++k) sum += factor[k] * load(v + i + k * stride);
        store(y + i, sum);
    }
}

template <Index w>
void dot_some(Index first, Index rows, const double* v, Index stride, const double* x, double* c) {
    Lanes partial[w] = {};
    Index i = first / lanes * lanes;
    if (i < first && i < rows) {
        const Lanes xs = load_from(first, x, i);
#pragma GCC unroll 4
        for (Index k = 0; k < w; ++k) partial[k] += load_from(first, v + k * stride, i) * xs;
        i += lanes;
    }
    for (; i < rows; i += lanes) {
        const Lanes xs = load(x + i);
#pragma GCC unroll 4
        for (Index k = 0; k < w; ++k) partial[k] += load(v + i + k * stride) * xs;
    }
    for (Index k = 0; k < w; ++k) c[k] = sum_of(partial[k]);
}

}  // namespace

void symmetric_times(const Matrix& a, Index first, const double* x, double* y) {
    const Index rows = rounded_up(a.n);
    std::fill(y + first, y + rows, 0.0);
    Index j = first;
    for (; j + width <= a.n; j += width) add_symmetric<width>(a, j, rows, x, y);
    for (; j < a.n; ++j) add_symmetric<1>(a, j, rows, x, y);
}

void add_columns(Index first, Index rows, Index n_columns, const double* v, Index stride,
                 const double* c, double* y) {
    const Index end = rounded_up(rows);
    Index k = 0;
    for (; k + width <= n_columns; k += width) {
        add_some<width>(first, end, v + k * stride, stride, c + k, y);
    }
    for (; k < n_columns; ++k) add_some<1>(first, end, v + k * stride, stride, c + k, y);
}

void dot_columns(Index first, Index rows, Index n_columns, const double* v, Index stride,
                 const double* x, double* c) {
    const Index end = rounded_up(rows);
    Index k = 0;
    for (; k + width <= n_columns; k += width) {
        dot_some<width>(first, end, v + k * stride, stride, x, c + k);
    }
    for (; k < n_columns; ++k) dot_some<1>(first, end, v + k * stride, stride, x, c + k);
}

}  // namespace heorot::eigen
