// Tests of the symmetric eigenproblem: its parts against plain loops, itself against closed forms.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "numerics/eigen/columns.hpp"
#include "numerics/eigen/divide.hpp"
#include "numerics/eigen/multisection.hpp"
#include "numerics/eigen/secular.hpp"
#include "numerics/eigen/sturm.hpp"
#include "numerics/eigen/tridiagonal.hpp"
#include "tests/testing.hpp"

using namespace heorot::eigen;

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr Index sizes[] = {1, 2, 3, 4, 7, 8, 9, 31, 32, 33, 34, 35, 65, 66, 67, 100, 131};

/// A matrix with room of its own.
struct Square {
    explicit Square(Index n)
        : elements(static_cast<std::size_t>(n * stride_of(n))),
          view{elements.data(), n, stride_of(n)} {}
    std::vector<double> elements;
    Matrix view;
};

double any(std::mt19937_64& random) {
    return std::ldexp(static_cast<double>(random() >> 11U), -52) - 1.0;
}

Square symmetric(Index n) {
    std::mt19937_64 random(static_cast<unsigned>(n));
    Square a(n);
    for (Index j = 0; j < n; ++j) {
        for (Index i = j; i < n; ++i) a.view(i, j) = a.view(j, i) = any(random);
    }
    return a;
}

/// A vector as long as a column, zero beyond the matrix.
std::vector<double> column(Index n, unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<double> x(static_cast<std::size_t>(stride_of(n)));
    for (Index i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = any(random);
    return x;
}

void a_symmetric_matrix_times_a_vector(Index n, Index first) {
    Square a = symmetric(n);
    const std::vector<double> x = column(n, 1);
    std::vector<double> y(x.size(), 7.0);
    std::vector<double> expected(x.size(), 7.0);
    for (Index i = first; i < n; ++i) {
        double sum = 0.0;
        for (Index j = first; j < n; ++j) sum += a.view(i, j) * x[static_cast<std::size_t>(j)];
        expected[static_cast<std::size_t>(i)] = sum;
    }
    // Of the upper triangle nothing is read.
    for (Index j = 0; j < n; ++j) std::fill_n(a.view.column(j), j, HUGE_VAL);
    symmetric_times(a.view, first, x.data(), y.data());
    double largest = 0.0;
    for (Index i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        largest = std::max(largest, std::abs(y[at] - expected[at]));
    }
    CHECK(largest <= 10.0 * static_cast<double>(n) * eps);
}

void columns_are_added_and_multiplied(Index n, Index first, Index n_columns) {
    const Index stride = stride_of(n);
    std::vector<double> v;
    for (Index k = 0; k < n_columns; ++k) {
        const auto next = column(n, 10 + static_cast<unsigned>(k));
        v.insert(v.end(), next.begin(), next.end());
    }
    const std::vector<double> x = column(n, 2);
    std::vector<double> y = column(n, 3);
    std::vector<double> c(static_cast<std::size_t>(n_columns) + 1, 5.0);
    std::vector<double> sums(y);
    dot_columns(first, n, n_columns, v.data(), stride, x.data(), c.data());
    add_columns(first, n, n_columns, v.data(), stride, c.data(), y.data());
    CHECK(c.back() == 5.0);
    double largest = 0.0;
    for (Index k = 0; k < n_columns; ++k) {
        double dot = 0.0;
        for (Index i = first; i < n; ++i) {
            const double each = v[static_cast<std::size_t>(i + k * stride)];
            dot += each * x[static_cast<std::size_t>(i)];
            sums[static_cast<std::size_t>(i)] += c[static_cast<std::size_t>(k)] * each;
        }
        largest = std::max(largest, std::abs(dot - c[static_cast<std::size_t>(k)]));
    }
    for (std::size_t i = 0; i < y.size(); ++i)
        largest = std::max(largest, std::abs(y[i] - sums[i]));
    CHECK(largest <= 100.0 * static_cast<double>(n) * eps);
}

/// d(i) + 1 is a pole of weight w(i); roots interlace with the poles and are zeros of f.
void roots_of_a_secular_equation_are_where_f_vanishes() {
    // Poles close together and far apart, weights large and small.
    const std::vector<double> d = {-3.0, -1.0, -1.0 + 1e-9, 0.0, 1e-14, 0.5, 2.0, 2.5};
    const std::vector<double> w = {0.1, 1e-20, 1.0, 1e-12, 0.3, 1e-30, 0.7, 0.2};
    double total = 0.0;
    for (const double each : w) total += each;
    const auto n = static_cast<Index>(d.size());
    std::vector<double> differences(d.size());
    for (Index i = 0; i < n; ++i) {
        const Root root = find_root({n, d.data(), w.data(), total}, i, differences.data());
        long double value = 1.0L;
        long double magnitude = 1.0L;
        long double slope = 0.0L;
        for (std::size_t j = 0; j < d.size(); ++j) {
            const long double term = w[j] / static_cast<long double>(differences[j]);
            value += term;
            magnitude += std::abs(term);
            slope += std::abs(term / differences[j]) * std::abs(differences[j]);
        }
        const auto at = static_cast<std::size_t>(i);
        CHECK(std::abs(value) <= 40.0L * eps * (magnitude + slope));
        CHECK(differences[at] < 0.0 && (i + 1 == n || differences[at + 1] > 0.0));
        CHECK(root.value >= d[at] && (i + 1 == n || root.value <= d[at + 1]));
        CHECK(root.n_evaluations < 40);
    }
}

/// Largest element of A - Z diag(values) Z^T and of Z^T Z - I, in units of eps n.
struct Errors {
    double decomposition = 0.0;
    double orthogonality = 0.0;
};
Errors errors(const Matrix& a, const std::vector<double>& values, const Matrix& z) {
    Errors found;
    for (Index j = 0; j < a.n; ++j) {
        for (Index i = 0; i <= j; ++i) {
            double sum = 0.0;
            double product = 0.0;
            for (Index k = 0; k < a.n; ++k) {
                sum += z(i, k) * values[static_cast<std::size_t>(k)] * z(j, k);
                product += z(k, i) * z(k, j);
            }
            found.decomposition = std::max(found.decomposition, std::abs(sum - a(i, j)));
            product -= i == j ? 1.0 : 0.0;
            found.orthogonality = std::max(found.orthogonality, std::abs(product));
        }
    }
    const double unit = eps * static_cast<double>(a.n);
    return {found.decomposition / unit, found.orthogonality / unit};
}

void a_matrix_is_what_its_decomposition_says(Index n) {
    const Square original = symmetric(n);
    Square a = symmetric(n);
    Square z(n);
    Tridiagonalisation reduction(n);
    DivideAndConquer division(n);
    std::vector<double> d(static_cast<std::size_t>(n));
    std::vector<double> e(d.size());
    for (Index j = 0; j < n; ++j) std::fill_n(a.view.column(j), j, HUGE_VAL);
    reduction.reduce(a.view, d.data(), e.data());
    auto values = d;
    CHECK(tridiagonal_values(n, values.data(), e.data()).converged);
    CHECK(division.solve(d.data(), e.data(), z.view));
    reduction.transform_back(a.view, z.view);
    const Errors found = errors(original.view, d, z.view);
    const double norm = std::max(std::abs(d.front()), std::abs(d.back()));
    CHECK(found.decomposition <= 20.0 * std::max(norm, 1.0));
    CHECK(found.orthogonality <= 10.0);
    CHECK(std::is_sorted(d.begin(), d.end()));
    for (std::size_t k = 0; k < d.size(); ++k) {
        CHECK(std::abs(values[k] - d[k]) <= 10.0 * static_cast<double>(n) * eps * norm);
    }
}

/// The Toeplitz matrix has halves with the same eigenvalues, and that with a corner cut off parts
/// that are not coupled: columns are deflated in both ways.
void a_tridiagonal_matrix_has_known_values(Index n, bool is_cut) {
    std::vector<double> d(static_cast<std::size_t>(n), 2.0);
    std::vector<double> e(d.size(), -1.0);
    if (is_cut) e[static_cast<std::size_t>(n / 2 - 1)] = 0.0;
    Square z(n);
    DivideAndConquer division(n);
    Square a(n);
    for (Index j = 0; j < n; ++j) {
        a.view(j, j) = 2.0;
        if (j + 1 < n) a.view(j, j + 1) = e[static_cast<std::size_t>(j)];
    }
    CHECK(division.solve(d.data(), e.data(), z.view));
    const Errors found = errors(a.view, d, z.view);
    CHECK(found.decomposition <= 40.0 && found.orthogonality <= 10.0);
    CHECK((n % 2 == 1 && !is_cut) || division.deflated_share() > 0.1);
    if (is_cut) return;
    for (Index k = 0; k < n; ++k) {
        const double half =
            std::numbers::pi * static_cast<double>(k + 1) / static_cast<double>(2 * (n + 1));
        const double expected = 4.0 * std::sin(half) * std::sin(half);
        CHECK(std::abs(d[static_cast<std::size_t>(k)] - expected) <=
              40.0 * static_cast<double>(n) * eps);
    }
}

/// Of a diagonal matrix p(x) is the product of d(i) - x, times the norm 16^n; e of the size of a
/// rounding changes nothing.
void sturm_sequences_are_products_of_factors() {
    const std::vector<double> d = {16.0, -8.0, 4.0, 4.0, 2.0, -1.0, 1.0, 0.5, 0.25, 12.0, 6.0};
    const std::vector<double> e(d.size(), 0.0);
    const Sturm sturm(static_cast<Index>(d.size()), d.data(), e.data());
    CHECK(sturm.norm() == 16.0);
    std::vector<Evaluation> points;
    for (int k = -40; k <= 40; ++k) points.push_back({.x = (k + 0.4) / 40.0});
    sturm.evaluate(points);
    for (const Evaluation& point : points) {
        double product = 1.0;
        Index n_below = 0;
        for (const double each : d) {
            product *= std::abs(each / 16.0 - point.x);
            n_below += each / 16.0 < point.x ? 1 : 0;
        }
        CHECK(point.n_below == n_below);
        const double found = std::ldexp(point.mantissa, static_cast<int>(point.exponent));
        CHECK(std::abs(found - product) <= 100.0 * eps * product);
    }
}

/// Values that coincide, that are zero, and of parts that are not coupled.
void values_that_coincide_are_found() {
    std::vector<double> d = {3.0, 0.0, 3.0, 0.0, 3.0, -1.0, -1.0, 0.0, 5.0};
    const std::vector<double> e = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 12.0};
    const auto n = static_cast<Index>(d.size());
    CHECK(tridiagonal_values(n, d.data(), e.data()).converged);
    const double root = std::sqrt(2.5 * 2.5 + 144.0);
    const double expected[] = {2.5 - root, -1.0, -1.0, 0.0, 0.0, 3.0, 3.0, 3.0, 2.5 + root};
    for (std::size_t k = 0; k < d.size(); ++k) {
        CHECK(std::abs(d[k] - expected[k]) <= 17.0 * 8.0 * eps);
    }
    std::vector<double> zero(20, 0.0);
    CHECK(tridiagonal_values(20, zero.data(), std::vector<double>(19, 0.0).data()).converged);
    for (const double each : zero) CHECK(std::abs(each) <= 8.0 * eps);
}

/// A search costs about ten sequences for a value, and its errors are roundings of the norm.
void values_of_a_toeplitz_matrix_are_found(Index n) {
    std::vector<double> d(static_cast<std::size_t>(n), 2.0);
    const std::vector<double> e(d.size(), -1.0);
    const Sectioned found = tridiagonal_values(n, d.data(), e.data());
    CHECK(found.converged && found.n_evaluations < 14.0 * static_cast<double>(n) + 40.0);
    for (Index k = 0; k < n; ++k) {
        const double half =
            std::numbers::pi * static_cast<double>(k + 1) / static_cast<double>(2 * (n + 1));
        const double expected = 4.0 * std::sin(half) * std::sin(half);
        CHECK(std::abs(d[static_cast<std::size_t>(k)] - expected) <= 40.0 * eps);
    }
}

/// For large n operations approach the leading terms.
void operations_approach_their_polynomials() {
    const double n = 4000.0;
    const double cube = n * n * n;
    CHECK(std::abs(Tridiagonalisation::reduction_flops(4000) / (4.0 / 3.0 * cube) - 1.0) < 0.06);
    CHECK(std::abs(Tridiagonalisation::transformation_flops(4000) / (2.0 * cube) - 1.0) < 0.06);
    CHECK(std::abs(Tridiagonalisation::reduction_bytes(4000) / (17.0 / 12.0 * cube) - 1.0) < 0.01);
    CHECK(std::abs(Tridiagonalisation::transformation_bytes(4000) / (cube / 8.0) - 1.0) < 0.03);
}

}  // namespace

int main() {
    for (const Index n : sizes) {
        for (Index first = 0; first < std::min<Index>(n, 12); ++first) {
            a_symmetric_matrix_times_a_vector(n, first);
            columns_are_added_and_multiplied(n, first, 1 + first % 6);
        }
        a_matrix_is_what_its_decomposition_says(n);
    }
    for (const Index n : {40, 65, 131, 200}) {
        a_tridiagonal_matrix_has_known_values(n, false);
        a_tridiagonal_matrix_has_known_values(n, true);
    }
    sturm_sequences_are_products_of_factors();
    values_that_coincide_are_found();
    for (const Index n : {1, 2, 33, 200, 500}) values_of_a_toeplitz_matrix_are_found(n);
    roots_of_a_secular_equation_are_where_f_vanishes();
    operations_approach_their_polynomials();
    return heorot::tests::result();
}
