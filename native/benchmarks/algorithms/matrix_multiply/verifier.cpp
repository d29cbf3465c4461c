// Products with vectors by plain loops, independent of the verified code.
#include "benchmarks/algorithms/matrix_multiply/verifier.hpp"

#include <cmath>
#include <limits>

#include "harness/record/check.hpp"
#include "numerics/random.hpp"

namespace heorot::matrix_multiply {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr int n_vectors = 4;

constexpr auto same = [](double element) { return element; };
constexpr auto magnitude = [](double element) { return std::abs(element); };

/// A x, with `of` applied to A's elements.
template <class Of>
std::vector<double> product(Index n, ConstMatrix a, const std::vector<double>& x, Of of) {
    std::vector<double> y(x.size(), 0.0);
    double* const sums = y.data();
    for (Index j = 0; j < n; ++j) {
        const double factor = x[static_cast<std::size_t>(j)];
        const double* const column = a.column(j);
#pragma omp simd
        for (Index i = 0; i < n; ++i) sums[i] += factor * of(column[i]);
    }
    return y;
}

}  // namespace

Verifier::Verifier(const Operands& operands)
    : u_(operands), magnitudes_(twice(Vector(length(), 1.0), magnitude)) {
    Random random(1977);
    for (int v = 0; v < n_vectors; ++v) {
        Vector x(length());
        for (double& sign : x) sign = random.next() < 0.5 ? -1.0 : 1.0;
        products_.push_back(twice(x, same));
        signs_.push_back(x);
    }
}

/// A (B x), with `of` applied to the elements of both.
template <class Of>
Verifier::Vector Verifier::twice(const Vector& x, Of of) const {
    return product(u_.n, u_.a, product(u_.n, u_.b, x, of), of);
}

double Verifier::deviation_of_products() const {
    const double unit = 2.0 * static_cast<double>(u_.n) * eps;
    double largest = 0.0;
    for (int v = 0; v < n_vectors; ++v) {
        const auto which = static_cast<std::size_t>(v);
        const Vector found = product(u_.n, u_.c, signs_[which], same);
        for (std::size_t i = 0; i < found.size(); ++i) {
            const double deviation = std::abs(found[i] - products_[which][i]);
            largest = larger(largest, deviation / (unit * magnitudes_[i]));
        }
    }
    return largest;
}

double Verifier::deviation_of_elements() const {
    const double unit = static_cast<double>(u_.n) * eps;
    double largest = 0.0;
    for (Index j = 0; j < u_.n; ++j) {
        for (Index i = 0; i < u_.n; ++i) {
            double sum = 0.0;
            double sum_of_magnitudes = 0.0;
            for (Index k = 0; k < u_.n; ++k) {
                sum += u_.a(i, k) * u_.b(k, j);
                sum_of_magnitudes += std::abs(u_.a(i, k) * u_.b(k, j));
            }
            const double deviation = std::abs(u_.c(i, j) - sum);
            largest = larger(largest, deviation / (unit * sum_of_magnitudes));
        }
    }
    return largest;
}

}  // namespace heorot::matrix_multiply
