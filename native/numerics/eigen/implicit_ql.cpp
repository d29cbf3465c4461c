// Implicit QL with Wilkinson's shift, with vectors and without.
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

/// One sweep from row `last` up to `first`, for squares of e: Pal, Walker and Kahan's form.
void sweep_of_squares(Index first, Index last, double shift, double* d, double* e2) {
    double c = 1.0;
    double s = 0.0;
    double gamma = d[last] - shift;
    double p = gamma * gamma;
    for (Index i = last - 1; i >= first; --i) {
        const double b = e2[i];
        const double r = p + b;
        if (i + 1 < last) e2[i + 1] = s * r;
        const double old_c = c;
        c = p / r;
        s = b / r;
        const double old_gamma = gamma;
        gamma = c * (d[i] - shift) - s * old_gamma;
        d[i + 1] = old_gamma + (d[i] - gamma);
        p = c != 0.0 ? gamma * gamma / c : old_c * b;
    }
    e2[first] = s * p;
    d[first] = shift + gamma;
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

Iterated tridiagonal_values(Index n, double* d, double* e) {
    Iterated result;
    const double negligible = 0.5 * eps * norm(n, d, e);
    for (Index i = 0; i + 1 < n; ++i) e[i] = e[i] * e[i];
    Index n_sweeps = 0;
    for (Index first = 0; first < n; ++first) {
        for (;;) {
            const Index last = end_of_part(n, first, e, negligible * negligible);
            if (last == first) break;
            if (++n_sweeps > most_sweeps_each * n) return {false, result.n_rotations};
            sweep_of_squares(first, last,
                             wilkinson_shift(d[first], std::sqrt(e[first]), d[first + 1]), d, e);
            result.n_rotations += static_cast<double>(last - first);
        }
    }
    std::sort(d, d + n);
    return result;
}

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
