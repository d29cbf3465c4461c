// Tests of the Haar transform: equality with its definition, and that it preserves norms.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "benchmarks/algorithms/wavelet/haar.hpp"
#include "numerics/random.hpp"
#include "tests/testing.hpp"

namespace {

using heorot::wavelet::Haar;
using heorot::wavelet::Index;

std::size_t at(Index i) {
    return static_cast<std::size_t>(i);
}

std::vector<double> random_field(Index n_points) {
    heorot::Random random(2 * static_cast<std::uint64_t>(n_points) + 1);
    random.skip(1000);
    std::vector<double> x(at(n_points));
    for (double& value : x) value = random.next() - 0.5;
    return x;
}

/// Level by level, from copies of what is left.
std::vector<double> by_definition(std::vector<double> y, Index m, Index n) {
    const Index stride = n;
    for (; m % 2 == 0 && n % 2 == 0; m /= 2, n /= 2) {
        const std::vector<double> x = y;
        for (Index i = 0; i < m / 2; ++i) {
            for (Index j = 0; j < n / 2; ++j) {
                const double a = x[at(2 * i * stride + 2 * j)];
                const double b = x[at(2 * i * stride + 2 * j + 1)];
                const double c = x[at((2 * i + 1) * stride + 2 * j)];
                const double d = x[at((2 * i + 1) * stride + 2 * j + 1)];
                y[at(i * stride + j)] = (a + b + c + d) / 2;
                y[at(i * stride + n / 2 + j)] = (a - b + c - d) / 2;
                y[at((m / 2 + i) * stride + j)] = (a + b - c - d) / 2;
                y[at((m / 2 + i) * stride + n / 2 + j)] = (a - b - c + d) / 2;
            }
        }
    }
    return y;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        // Not a number is a difference.
        const double off = std::abs(a[i] - b[i]);
        if (!(off <= largest)) largest = off;
    }
    return largest;
}

double energy(const std::vector<double>& x) {
    double sum = 0.0;
    for (const double value : x) sum += value * value;
    return sum;
}

void field(Index m, Index n, int n_threads) {
    const std::vector<double> expected = random_field(m * n);
    std::vector<double> x = expected;
    std::vector<double> y(x.size(), NAN);
    Haar haar(m, n, n_threads);
    haar.forward(x.data(), y.data());
    CHECK(largest_difference(y, by_definition(expected, m, n)) <= 1e-13);
    CHECK(std::abs(energy(y) / energy(expected) - 1.0) <= 1e-13);
    std::vector<double> back(x.size(), NAN);
    haar.inverse(y.data(), back.data());
    CHECK(largest_difference(back, expected) <= 1e-14);
}

void flops_by_hand() {
    CHECK(Haar(8, 4, 1).n_points() == 32.0 + 8.0);
    CHECK(Haar(12, 20, 1).n_points() == 240.0 + 60.0);
    CHECK(Haar(12, 20, 1).n_levels() == 2);
}

}  // namespace

int main() {
    for (const int n_threads : {1, 3}) {
        field(2, 2, n_threads);
        field(4, 2, n_threads);
        field(6, 10, n_threads);
        field(24, 36, n_threads);
        field(64, 64, n_threads);
        field(96, 40, n_threads);
        field(512, 256, n_threads);
    }
    flops_by_hand();
    return heorot::tests::result();
}
