// Loops along columns, several of them at a time.
#include "numerics/dense/columns.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/lanes.hpp"

namespace heorot::dense {

namespace {

constexpr Index most_columns = 8;  // at a time

/// y(i) -= sum over p < count of a(i, p) x(p)
template <Index count>
void subtract(Index m, ConstMatrix a, const double* x, double* y) {
    const double* const elements = a.elements;
    const Index stride = a.stride;
    double factors[count];
    for (Index p = 0; p < count; ++p) factors[p] = x[p];
#pragma omp simd
    for (Index i = 0; i < m; ++i) {
        double sum = y[i];
#pragma GCC unroll 8
        for (Index p = 0; p < count; ++p) sum -= factors[p] * elements[i + p * stride];
        y[i] = sum;
    }
}

[[gnu::always_inline]] inline Lanes magnitude(const Lanes& x) {
    return select(x < 0.0, -x, x);
}

/// The largest magnitude among x(0) ... x(m - 1), NaN left out.
double largest_magnitude(Index m, const double* x) {
    Lanes tops[4] = {};
    Index i = 0;
    for (; i + Index{4} * n_lanes <= m; i += Index{4} * n_lanes) {
#pragma GCC unroll 4
        for (Index k = 0; k < 4; ++k) {
            const Lanes each = magnitude(load(x + i + k * n_lanes));
            tops[k] = select(each > tops[k], each, tops[k]);
        }
    }
    double top = 0.0;
    for (const Lanes& each : tops) {
        for (int lane = 0; lane < n_lanes; ++lane) top = std::max(top, each[lane]);
    }
    for (; i < m; ++i) top = std::max(top, std::abs(x[i]));
    return top;
}

}  // namespace

void subtract_columns(Index m, Index count, ConstMatrix a, const double* x, double* y) {
    Index p = 0;
    for (; p + most_columns <= count; p += most_columns) {
        subtract<most_columns>(m, a.part(0, p), x + p, y);
    }
    if (count - p >= 4) {
        subtract<4>(m, a.part(0, p), x + p, y);
        p += 4;
    }
    if (count - p >= 2) {
        subtract<2>(m, a.part(0, p), x + p, y);
        p += 2;
    }
    if (count - p == 1) subtract<1>(m, a.part(0, p), x + p, y);
}

Index largest_element(Index m, const double* x) {
    const double top = largest_magnitude(m, x);
    for (Index i = 0; i < m; ++i) {
        if (std::abs(x[i]) == top) return i;
    }
    return 0;  // all are NaN
}

/// Works on n_lanes columns at a time, interleaved in a buffer.
void solve_lower(Index m, Index n, ConstMatrix l, Matrix b) {
    constexpr Index n_at_once = 16;
    if (m > n_at_once) {
        const Index top = m / 2 / n_at_once == 0 ? n_at_once : m / 2 / n_at_once * n_at_once;
        solve_lower(top, n, l, b);
        for (Index j = 0; j < n; ++j) {
            subtract_columns(m - top, top, l.part(top, 0), b.column(j), b.column(j) + top);
        }
        solve_lower(m - top, n, l.part(top, top), b.part(top, 0));
        return;
    }
    for (Index j = 0; j < n; j += n_lanes) {
        const Index present = std::min<Index>(n_lanes, n - j);
        double room[n_at_once * n_lanes] = {};
        for (Index c = 0; c < present; ++c) {
            for (Index i = 0; i < m; ++i) room[i * n_lanes + c] = b(i, j + c);
        }
        for (Index p = 0; p < m; ++p) {
            const Lanes x = load(room + p * n_lanes);
            for (Index i = p + 1; i < m; ++i) {
                double* const to = room + i * n_lanes;
                store(to, load(to) - l(i, p) * x);
            }
        }
        for (Index c = 0; c < present; ++c) {
            for (Index i = 0; i < m; ++i) b(i, j + c) = room[i * n_lanes + c];
        }
    }
}

void solve_upper(Index m, ConstMatrix u, double* x) {
    for (Index j = m - 1; j >= 0; --j) {
        x[j] /= u(j, j);
        subtract_columns(j, 1, u.part(0, j), x + j, x);
    }
}

}  // namespace heorot::dense
