// Functions with transforms in closed form, and the deviations of computed transforms from these.
#include "benchmarks/algorithms/fft/known.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

namespace heorot::fft {

namespace {

/// exp(2 pi i part / whole), from an angle of at most half a turn.
Number turn(std::int64_t part, std::int64_t whole) {
    std::int64_t reduced = part % whole;
    if (2 * reduced > whole) reduced -= whole;
    if (2 * reduced < -whole) reduced += whole;
    return std::polar(
        1.0, 2.0 * std::numbers::pi * static_cast<double>(reduced) / static_cast<double>(whole));
}

/// 1 - exp(a + 2 pi i part / whole) without cancellation, a real.
Number one_minus_exp(double a, std::int64_t part, std::int64_t whole) {
    // exp(a) cos b - 1 = (exp(a) - 1) cos b - 2 sin^2 (b / 2)
    const double half_sine = turn(part, 2 * whole).imag();
    const Number whole_turn = turn(part, whole);
    return {2.0 * half_sine * half_sine - std::expm1(a) * whole_turn.real(),
            -std::exp(a) * whole_turn.imag()};
}

/// n - i, and 0 for 0.
std::size_t mirrored(std::size_t i, std::size_t n) {
    return (n - i) % n;
}

/// The product of what all tables but the last one have for a line of the grid; with `mirror` for
/// the line whose indices are mirrored.
Number of_line(const std::vector<Array<Number>>& tables, std::size_t line, bool mirror) {
    Number product = 1.0;
    for (std::size_t d = tables.size() - 1; d-- > 0; line /= tables[d].size()) {
        const std::size_t n = tables[d].size();
        product *= tables[d][mirror ? mirrored(line % n, n) : line % n];
    }
    return product;
}

/// action(i, value) for all points of a grid; the value is the product of those of the tables.
template <class Action>
void for_all(const std::vector<Array<Number>>& tables, std::size_t n_points, Action action) {
    const Array<Number>& last = tables.back();
    for (std::size_t first = 0; first < n_points; first += last.size()) {
        const Number factor = of_line(tables, first / last.size(), false);
        for (std::size_t j = 0; j < last.size(); ++j) action(first + j, factor * last[j]);
    }
}

/// The root of what was left out of what there should be, by the sums of squares of both.
double relative(double off, double all) {
    return std::sqrt(off / all);
}

template <class Value>
double energy_by_halves(std::span<const Value> z) {
    constexpr std::size_t few = 64;
    if (z.size() > few) {
        const std::size_t half = z.size() / 2;
        return energy_by_halves(z.first(half)) + energy_by_halves(z.subspan(half));
    }
    return std::transform_reduce(z.begin(), z.end(), 0.0, std::plus<>(),
                                 [](const Value& value) { return std::norm(value); });
}

template <class Value>
double deviation_of(std::span<const Value> a, double factor, std::span<const Value> b) {
    double off = 0.0;
    double all = 0.0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        off += std::norm(a[i] / factor - b[i]);
        all += std::norm(b[i]);
    }
    return relative(off, all);
}

}  // namespace

KnownLine::KnownLine(std::int64_t n, int which)
    : n_(n),
      waves_{{n / 2, {0.75, -0.5 - 0.125 * which}},
             {(n / 3 + 1 + which) % n, {-0.5, 0.375}},
             {(n - 1 - which % n) % n, {0.25, 0.625}}},
      eighths_(8 * (n / 5 + which) + 3) {}

Number KnownLine::value(std::int64_t j) const {
    const double decay = std::exp(-static_cast<double>(j) / static_cast<double>(n_));
    Number sum = decay * turn(eighths_ % (8 * n_) * j, 8 * n_);
    for (const Wave& wave : waves_) sum += wave.amplitude * turn(wave.frequency * j, n_);
    return sum;
}

Number KnownLine::transform(std::int64_t k) const {
    Number sum = one_minus_exp(-1.0, 3, 8) /
                 one_minus_exp(-1.0 / static_cast<double>(n_), eighths_ - 8 * k, 8 * n_);
    for (const Wave& wave : waves_) {
        if (wave.frequency == k) sum += static_cast<double>(n_) * wave.amplitude;
    }
    return sum;
}

KnownGrid::KnownGrid(std::span<const int> extents) {
    for (const int extent : extents) {
        const KnownLine line(extent, static_cast<int>(values_.size()));
        values_.emplace_back(static_cast<std::size_t>(extent));
        transforms_.emplace_back(static_cast<std::size_t>(extent));
        for (std::size_t i = 0; i < values_.back().size(); ++i) {
            values_.back()[i] = line.value(static_cast<std::int64_t>(i));
            transforms_.back()[i] = line.transform(static_cast<std::int64_t>(i));
        }
    }
}

void KnownGrid::fill(std::span<Number> x) const {
    for_all(values_, x.size(), [&](std::size_t i, const Number& value) { x[i] = value; });
}

void KnownGrid::fill_real(std::span<double> x) const {
    for_all(values_, x.size(), [&](std::size_t i, const Number& value) { x[i] = value.real(); });
}

double KnownGrid::deviation(std::span<const Number> X) const {
    double off = 0.0;
    double all = 0.0;
    for_all(transforms_, X.size(), [&](std::size_t i, const Number& expected) {
        off += std::norm(X[i] - expected);
        all += std::norm(expected);
    });
    return relative(off, all);
}

double KnownGrid::deviation_of_real(std::span<const Number> X) const {
    const Array<Number>& last = transforms_.back();
    const std::size_t length = last.size() / 2 + 1;
    double off = 0.0;
    double all = 0.0;
    for (std::size_t first = 0; first < X.size(); first += length) {
        // Of a real part, (f + conj f) / 2, the transform is (F_k + conj F_{-k}) / 2.
        const Number here = of_line(transforms_, first / length, false);
        const Number there = of_line(transforms_, first / length, true);
        for (std::size_t k = 0; k < length; ++k) {
            const Number mirror = there * last[mirrored(k, last.size())];
            const Number expected = 0.5 * (here * last[k] + std::conj(mirror));
            off += std::norm(X[first + k] - expected);
            all += std::norm(expected);
        }
    }
    return relative(off, all);
}

double energy(std::span<const Number> z) {
    return energy_by_halves(z);
}
double energy(std::span<const double> x) {
    return energy_by_halves(x);
}
double energy_of_real(std::span<const Number> X, std::size_t n) {
    const std::size_t length = n / 2 + 1;
    // All but X_0, and X_{n/2} of even n, stand for two.
    double once = 0.0;
    for (std::size_t first = 0; first < X.size(); first += length) {
        once += std::norm(X[first]) + (n % 2 == 0 ? std::norm(X[first + n / 2]) : 0.0);
    }
    return 2.0 * energy(X) - once;
}
double deviation(std::span<const Number> a, double factor, std::span<const Number> b) {
    return deviation_of(a, factor, b);
}
double deviation(std::span<const double> a, double factor, std::span<const double> b) {
    return deviation_of(a, factor, b);
}

}  // namespace heorot::fft
