// Sums over a few columns at once, in vector registers.
#include "numerics/eigen/columns.hpp"

#include <algorithm>

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

double sum_of(const Lanes& a) {
    double sum = 0.0;
    for (int lane = 0; lane < n_lanes; ++lane) sum += a[lane];
    return sum;
}

/// What the rows from `first` on, below the diagonal, of `w` columns from `a` on contribute:
/// y(i) += sum of a(i, k) x_of_columns(k), and sums(k) = sum of a(i, k) x(i).
template <Index w>
void below_diagonal(Index first, Index rows, const double* a, Index stride, const double* x,
                    const double* x_of_columns, double* y, double* sums) {
    const Index begin = std::min(rounded_up(first), rows);
    for (Index k = 0; k < w; ++k) {
        double sum = 0.0;
        for (Index i = first; i < begin; ++i) {
            sum += a[i + k * stride] * x[i];
            y[i] += a[i + k * stride] * x_of_columns[k];
        }
        sums[k] = sum;
    }
    Lanes partial[w] = {};
    Lanes factor[w];
    for (Index k = 0; k < w; ++k) factor[k] = lanes_of(x_of_columns[k]);
    for (Index i = begin; i < rows; i += lanes) {
        const Lanes xs = load(x + i);
        Lanes ys = load(y + i);
#pragma GCC unroll 4
        for (Index k = 0; k < w; ++k) {
            const Lanes as = load(a + i + k * stride);
            partial[k] += as * xs;
            ys += as * factor[k];
        }
        store(y + i, ys);
    }
    for (Index k = 0; k < w; ++k) sums[k] += sum_of(partial[k]);
}

/// All that `w` columns from j on contribute to y = A x.
template <Index w>
void add_symmetric(const Matrix& a, Index j, Index rows, const double* x, double* y) {
    double sums[w];
    below_diagonal<w>(j + w, rows, a.column(j), a.stride, x, x + j, y, sums);
    for (Index k = 0; k < w; ++k) {
        y[j + k] += sums[k] + a(j + k, j + k) * x[j + k];
        for (Index l = k + 1; l < w; ++l) {
            y[j + k] += a(j + l, j + k) * x[j + l];
            y[j + l] += a(j + l, j + k) * x[j + k];
        }
    }
}

template <Index w>
void add_some(Index first, Index rows, const double* v, Index stride, const double* c, double* y) {
    const Index begin = std::min(rounded_up(first), rows);
    for (Index i = first; i < begin; ++i) {
        for (Index k = 0; k < w; ++k) y[i] += c[k] * v[i + k * stride];
    }
    Lanes factor[w];
    for (Index k = 0; k < w; ++k) factor[k] = lanes_of(c[k]);
    for (Index i = begin; i < rows; i += lanes) {
        Lanes sum = load(y + i);
#pragma GCC unroll 4
        for (Index k = 0; k < w; ++k) sum += factor[k] * load(v + i + k * stride);
        store(y + i, sum);
    }
}

template <Index w>
void dot_some(Index first, Index rows, const double* v, Index stride, const double* x, double* c) {
    const Index begin = std::min(rounded_up(first), rows);
    for (Index k = 0; k < w; ++k) {
        c[k] = 0.0;
        for (Index i = first; i < begin; ++i) c[k] += v[i + k * stride] * x[i];
    }
    Lanes partial[w] = {};
    for (Index i = begin; i < rows; i += lanes) {
        const Lanes xs = load(x + i);
#pragma GCC unroll 4
        for (Index k = 0; k < w; ++k) partial[k] += load(v + i + k * stride) * xs;
    }
    for (Index k = 0; k < w; ++k) c[k] += sum_of(partial[k]);
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
