// The problem with known eigenvalues: plain loops, independent of the verified code.
#include "benchmarks/algorithms/dense_eigen/problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace heorot::dense_eigen {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double norm = 4.0;  // no eigenvalue is larger
constexpr int n_reflections = 3;
constexpr Index width = 4;  // vectors that are verified at once

double dot(Index n, const double* x, const double* y) {
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (Index i = 0; i < n; ++i) sum += x[i] * y[i];
    return sum;
}

/// y += c x
void axpy(Index n, double c, const double* x, double* y) {
#pragma omp simd
    for (Index i = 0; i < n; ++i) y[i] += c * x[i];
}

/// Eigenvalue k = 1 ... n, ascending: 2 - 2 cos(k pi / (n + 1)).
double eigenvalue(Index k, Index n) {
    const double angle = static_cast<double>(k) * std::numbers::pi / static_cast<double>(n + 1);
    const double sine = std::sin(0.5 * angle);
    return 4.0 * sine * sine;
}

}  // namespace

Problem::Problem(Index n) : n_(n), a_(static_cast<std::size_t>(n * n)) {
    std::fill(a_.begin(), a_.end(), 0.0);
    for (Index j = 0; j < n; ++j) {
        a_.data()[j + j * n] = 2.0;
        if (j + 1 < n) a_.data()[j + 1 + j * n] = a_.data()[j + (j + 1) * n] = -1.0;
    }
    std::mt19937_64 random(19711105);  // NOLINT(bugprone-random-generator-seed): repeatable
    std::vector<double> u(static_cast<std::size_t>(n));
    for (int reflection = 0; reflection < n_reflections; ++reflection) {
        for (double& each : u) each = std::ldexp(static_cast<double>(random() >> 11U), -53) - 0.5;
        const double length = std::sqrt(dot(n, u.data(), u.data()));
        for (double& each : u) each /= length;
        reflect(u);
    }
}

/// A := (I - 2 u u^T) A (I - 2 u u^T) = A - u w^T - w u^T, where w = 2 (p - (u^T p) u), p = A u.
void Problem::reflect(std::span<const double> u) {
    std::vector<double> w(u.size(), 0.0);
    for (Index j = 0; j < n_; ++j) {
        axpy(n_, 2.0 * u[static_cast<std::size_t>(j)], a_.data() + j * n_, w.data());
    }
    axpy(n_, -dot(n_, u.data(), w.data()), u.data(), w.data());
    for (Index j = 0; j < n_; ++j) {
        for (Index i = 0; i <= j; ++i) {
            const auto row = static_cast<std::size_t>(i);
            const auto column = static_cast<std::size_t>(j);
            a_.data()[i + j * n_] -= u[row] * w[column] + w[row] * u[column];
            a_.data()[j + i * n_] = a_.data()[i + j * n_];
        }
    }
}

void Problem::copy_to(const Matrix& a) const {
    for (Index j = 0; j < n_; ++j) std::copy_n(a_.data() + j * n_, n_, a.column(j));
}

ValueErrors Problem::errors(std::span<const double> values) const {
    const auto n = static_cast<double>(n_);
    if (std::any_of(values.begin(), values.end(), [](double value) { return is_nan(value); })) {
        return {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    }
    std::vector<double> ascending(values.begin(), values.end());
    std::sort(ascending.begin(), ascending.end());
    double largest = 0.0;
    double sum = 0.0;
    double squares = 0.0;
    for (Index k = 0; k < n_; ++k) {
        const double value = ascending[static_cast<std::size_t>(k)];
        largest = larger(largest, std::abs(value - eigenvalue(k + 1, n_)));
        sum += value;
        squares += value * value;
    }
    const double unit = n * eps * norm;
    return {largest / unit, std::abs(sum - 2.0 * n) / unit,
            std::abs(std::sqrt(squares) - std::sqrt(6.0 * n - 2.0)) / unit};
}

/// Of at most `width` pairs, from the first one on.
double Problem::residual(Index first, std::span<const double> values, const Matrix& vectors) const {
    const Index n_pairs = std::min(width, n_ - first);
    std::vector<double> products(static_cast<std::size_t>(width * n_), 0.0);
    for (Index j = 0; j < n_; ++j) {
        for (Index k = 0; k < n_pairs; ++k) {
            axpy(n_, vectors(j, first + k), a_.data() + j * n_, products.data() + k * n_);
        }
    }
    double largest = 0.0;
    for (Index k = 0; k < n_pairs; ++k) {
        double* const product = products.data() + k * n_;
        axpy(n_, -values[static_cast<std::size_t>(first + k)], vectors.column(first + k), product);
        largest = larger(largest, std::sqrt(dot(n_, product, product)));
    }
    return largest;
}

VectorErrors Problem::errors(std::span<const double> values, const Matrix& vectors) const {
    double largest_residual = 0.0;
    for (Index k = 0; k < n_; k += width) {
        largest_residual = larger(largest_residual, residual(k, values, vectors));
    }
    double largest_product = 0.0;
    for (Index k = 0; k < n_; ++k) {
        for (Index l = 0; l <= k; ++l) {
            const double product = dot(n_, vectors.column(k), vectors.column(l));
            largest_product = larger(largest_product, std::abs(product - (k == l ? 1.0 : 0.0)));
        }
    }
    const double unit = static_cast<double>(n_) * eps;
    return {largest_residual / (unit * norm), largest_product / unit};
}

}  // namespace heorot::dense_eigen
