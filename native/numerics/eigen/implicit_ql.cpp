// Implicit QL with Wilkinson's shift.
#include "numerics/eigen/implicit_ql.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heorot::eigen {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr Index most_sweeps_each = 40;

/// The largest sum of absolute values in a row.
double norm(Index n, const double* d, const double* e) {
    double largest = 0.0;
    for (Index i = 0; i < n; ++i) {
        const double above = i > 0 ? std::abs(e[i - 1]) : 0.0;
        const double below = i + 1 < n ? std::abs(e[i]) : 0.0;
        largest = std::max(largest, above + std::abs(d[i]) + below);
    }
    return largest;
}

/// The end of the part, from `first` on, that no negligible element of the subdiagonal divides.
Index end_of_part(Index n, Index first, const double* e, double negligible) {
    Index last = first;
    while (last + 1 < n && !(std::abs(e[last]) <= negligible)) ++last;
    return last;
}

/// The eigenvalue nearer to a of [a b; b c].
double wilkinson_shift(double a, double b, double c) {
    const double half = (c - a) / (2.0 * b);
    return a - b / (half + std::copysign(std::hypot(half, 1.0), half));
}

/// x(i) := c x(i) - s y(i), y(i) := s x(i) + c y(i)
void rotate(Index n, double c, double s, double* x, double* y) {
#pragma omp simd
    for (Index i = 0; i < n; ++i) {
        const double old = x[i];
        x[i] = c * old - s * y[i];
        y[i] = s * old + c * y[i];
    }
}

/// One sweep from row `last` up to `first`: a bulge, which the first rotation makes, is chased
/// upwards; turn(i, c, s) is to rotate vectors i and i + 1.
template <class Turn>
void sweep(Index first, Index last, double shift, double* d, double* e, Turn turn) {
    double g = d[last] - shift;
    double c = 1.0;
    double s = 1.0;
    double p = 0.0;
    for (Index i = last - 1; i >= first; --i) {
        const double f = s * e[i];
        const double b = c * e[i];
        const double r = std::hypot(f, g);
        if (i + 1 < last) e[i + 1] = r;
        if (r == 0.0) {  // the part falls apart below row i
            d[i + 1] -= p;
            return;
        }
        s = f / r;
        c = g / r;
        const double lower = d[i + 1] - p;
        const double t = (d[i] - lower) * s + 2.0 * c * b;
        p = s * t;
        d[i + 1] = lower + p;
        g = c * t - b;
        turn(i, c, s);
    }
    d[first] -= p;
    e[first] = g;
}

}  // namespace

Iterated tridiagonal_vectors(Index n, double* d, double* e, double* z, Index stride) {
    Iterated result;
    const double negligible = 0.5 * eps * norm(n, d, e);
    Index n_sweeps = 0;
    for (Index first = 0; first < n; ++first) {
        for (;;) {
            const Index last = end_of_part(n, first, e, negligible);
            if (last == first) break;
            if (++n_sweeps > most_sweeps_each * n) return {false, result.n_rotations};
            sweep(first, last, wilkinson_shift(d[first], e[first], d[first + 1]), d, e,
                  [=](Index i, double c, double s) {
                      rotate(n, c, s, z + i * stride, z + (i + 1) * stride);
                  });
            result.n_rotations += static_cast<double>(last - first);
        }
    }
    return result;
}

}  // namespace heorot::eigen
