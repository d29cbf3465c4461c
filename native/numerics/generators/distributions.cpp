// Tails of distributions: see distributions.hpp.
#include "numerics/generators/distributions.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

namespace heorot::generators {

namespace {

constexpr double precise = 1e-16;
constexpr int most_terms = 100000;

/// ln Gamma(a) without the library's global sign. Source: Abramowitz, Stegun, 6.1.40 (Stirling's
/// series), and 6.1.15 to reach an argument that is large enough.
double log_gamma(double a) {
    double product = 1.0;
    while (a < 16.0) product *= a++;
    const double z = 1.0 / (a * a);
    const double series =
        (1.0 / 12.0 -
         z * (1.0 / 360.0 - z * (1.0 / 1260.0 - z * (1.0 / 1680.0 - z * (1.0 / 1188.0))))) /
        a;
    return (a - 0.5) * std::log(a) - a + 0.5 * std::log(2.0 * std::numbers::pi) + series -
           std::log(product);
}

/// P(a, x) = x^a e^-x / Gamma(a + 1) (1 + x / (a + 1) + x^2 / ((a + 1) (a + 2)) + ...)
double by_series(double a, double x, double factor) {
    double term = 1.0 / a;
    double sum = term;
    for (int n = 1; n < most_terms && term > precise * sum; ++n) {
        term *= x / (a + n);
        sum += term;
    }
    return factor * sum;
}

/// Q(a, x) = x^a e^-x / Gamma(a) 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / ...))
double by_fraction(double a, double x, double factor) {
    constexpr double tiny = std::numeric_limits<double>::min() * 1e10;
    double b = x + 1.0 - a;
    double c = 1.0 / tiny;
    double d = 1.0 / (b == 0.0 ? tiny : b);
    double fraction = d;
    for (int n = 1; n < most_terms; ++n) {
        const double numerator = -n * (n - a);
        b += 2.0;
        d = numerator * d + b;
        d = 1.0 / (d == 0.0 ? tiny : d);
        c = b + numerator / c;
        if (c == 0.0) c = tiny;
        fraction *= c * d;
        if (std::abs(c * d - 1.0) < precise) break;
    }
    return factor * fraction;
}

}  // namespace

Tails incomplete_gamma(double a, double x) {
    if (x <= 0.0) return {0.0, 1.0};
    const double factor = std::exp(a * std::log(x) - x - log_gamma(a));
    if (x < a + 1.0) {
        const double lower = by_series(a, x, factor);
        return {lower, 1.0 - lower};
    }
    const double upper = by_fraction(a, x, factor);
    return {1.0 - upper, upper};
}

Tails chi_square(double sum, double n_degrees) {
    return incomplete_gamma(n_degrees / 2.0, sum / 2.0);
}

Tails chi_square(std::span<const double> counts, std::span<const double> expected) {
    double sum = 0.0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double beyond = counts[i] - expected[i];
        sum += beyond * beyond / expected[i];
    }
    return chi_square(sum, static_cast<double>(counts.size()) - 1.0);
}

Tails poisson(double count, double mean) {
    return {incomplete_gamma(count + 1.0, mean).upper,
            count > 0.0 ? incomplete_gamma(count, mean).lower : 1.0};
}

Tails standard_normal(double deviate) {
    return {0.5 * std::erfc(-deviate / std::numbers::sqrt2),
            0.5 * std::erfc(deviate / std::numbers::sqrt2)};
}

Tails collisions(int count, int n_balls, double n_urns) {
    // The distribution of the number of collisions after every ball, without probabilities below
    // `negligible` at either end.
    constexpr double negligible = 1e-30;
    std::vector<double> of(static_cast<std::size_t>(n_balls) + 1);
    of[0] = 1.0;
    std::size_t first = 0;
    std::size_t last = 0;
    for (int ball = 1; ball < n_balls; ++ball) {
        ++last;
        for (std::size_t i = last; i > first; --i) {
            const double full = (ball - static_cast<double>(i)) / n_urns;
            of[i] = of[i] * (1.0 - full) + of[i - 1] * (full + 1.0 / n_urns);
        }
        of[first] *= 1.0 - (ball - static_cast<double>(first)) / n_urns;
        while (first < last && of[first] < negligible) of[first++] = 0.0;
        while (last > first && of[last] < negligible) of[last--] = 0.0;
    }
    Tails tails{0.0, 0.0};
    for (std::size_t i = first; i <= last; ++i) {
        if (std::cmp_less_equal(i, count)) tails.lower += of[i];
        if (std::cmp_greater_equal(i, count)) tails.upper += of[i];
    }
    return tails;
}

double two_sided(const Tails& tails) {
    return std::min(1.0, 2.0 * std::min(tails.lower, tails.upper));
}

}  // namespace heorot::generators
