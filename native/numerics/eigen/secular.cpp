// Roots of the secular equation by rational interpolation within brackets.
#include "numerics/eigen/secular.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heorot::eigen {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double tolerance = 16.0 * eps;
constexpr Index most_evaluations = 100;

/// Some terms of f at a place, and of its derivative.
struct Terms {
    double value = 0.0;
    double slope = 0.0;
};

/// Terms begin ... end - 1 at `origin` + x.
Terms sum_terms(const Secular& f, Index begin, Index end, double origin, double x) {
    double value = 0.0;
    double slope = 0.0;
#pragma omp simd reduction(+ : value, slope)
    for (Index j = begin; j < end; ++j) {
        const double inverse = 1.0 / ((f.d[j] - origin) - x);
        const double term = f.w[j] * inverse;
        value += term;
        slope += term * inverse;
    }
    return {value, slope};
}

/// f at a place, apart by the side of it on which the poles are.
struct Parts {
    Terms below;
    Terms above;

    double value() const { return 1.0 + below.value + above.value; }
    double slope() const { return below.slope + above.slope; }
    double magnitude() const { return 1.0 + std::abs(below.value) + std::abs(above.value); }
};

/// The step to the root of c + s / (a - x) + t / (b - x), which has, each part by itself, value
/// and slope of f at x = 0, where poles a < b lie.
double interpolated_step(const Parts& f, double a, double b) {
    const double value = f.value();
    const double c = value - a * f.below.slope - b * f.above.slope;
    const double linear = (a + b) * value - a * b * f.slope();
    const double constant = a * b * value;
    const double root = std::sqrt(std::max(linear * linear - 4.0 * constant * c, 0.0));
    // Between the poles, or behind both: the root of the quadratic by the signs of a and b.
    if ((b > 0.0) == (linear <= 0.0)) {
        return (b > 0.0 ? linear - root : linear + root) / (2.0 * c);
    }
    return 2.0 * constant / (b > 0.0 ? linear + root : linear - root);
}

}  // namespace

Root find_root(const Secular& f, Index i, double* differences) {
    const bool is_last = i + 1 == f.n;
    const Index split = is_last ? i : i + 1;  // poles from there on are `above`
    const double width = is_last ? f.sum_of_weights : f.d[i + 1] - f.d[i];
    const auto evaluate = [&](double origin, double x) {
        return Parts{sum_terms(f, 0, split, origin, x), sum_terms(f, split, f.n, origin, x)};
    };
    // x is counted from the pole nearer to the root.
    double x = 0.5 * width;
    Parts parts = evaluate(f.d[i], x);
    const bool is_nearer_to_next = !is_last && parts.value() < 0.0;
    const double origin = f.d[is_nearer_to_next ? i + 1 : i];
    if (is_nearer_to_next) x = -x;
    double low = is_nearer_to_next ? x : 0.0;
    double high = is_nearer_to_next ? 0.0 : width;
    Index n_evaluations = 1;
    for (; n_evaluations < most_evaluations; ++n_evaluations) {
        const double value = parts.value();
        if (std::abs(value) <= tolerance * parts.magnitude()) break;
        (value < 0.0 ? low : high) = x;
        const double before = f.n == 1 ? -x : (f.d[split - 1] - origin) - x;
        const double behind = f.n == 1 ? -x : (f.d[split] - origin) - x;
        double next = x + interpolated_step(parts, before, behind);
        const bool is_inside = next > low && next < high;  // and no NaN
        if (!is_inside) next = 0.5 * (low + high);
        const bool is_close = std::abs(next - x) <= eps * std::abs(x);
        x = next;
        if (is_close) break;
        parts = evaluate(origin, x);
    }
    for (Index j = 0; j < f.n; ++j) differences[j] = (f.d[j] - origin) - x;
    return {origin + x, n_evaluations};
}

}  // namespace heorot::eigen
