// Cyclic Jacobi rotations.
#include "numerics/sparse/rotations.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace heorot::sparse {

namespace {

/// A rotation in a plane.
struct Rotation {
    double c;
    double s;
};

/// The rotation that makes t(p, q) zero.
Rotation rotation_of(double pp, double qq, double pq) {
    const double tau = (qq - pp) / (2.0 * pq);
    const double tangent = std::copysign(1.0, tau) / (std::abs(tau) + std::hypot(1.0, tau));
    const double c = 1.0 / std::hypot(1.0, tangent);
    return {c, c * tangent};
}

void rotate(double& a, double& b, const Rotation& r) {
    const double before = a;
    a = r.c * before - r.s * b;
    b = r.s * before + r.c * b;
}

/// A matrix of m columns.
struct Square {
    double* first;
    std::size_t m;
    double& at(std::size_t i, std::size_t k) const { return first[k * m + i]; }
};

// T = J^T T J, Y = Y J
void eliminate(const Square& t, const Square& y, std::size_t p, std::size_t q) {
    const Rotation r = rotation_of(t.at(p, p), t.at(q, q), t.at(p, q));
    for (std::size_t i = 0; i < t.m; ++i) rotate(t.at(i, p), t.at(i, q), r);
    for (std::size_t k = 0; k < t.m; ++k) rotate(t.at(p, k), t.at(q, k), r);
    for (std::size_t i = 0; i < t.m; ++i) rotate(y.at(i, p), y.at(i, q), r);
    t.at(p, q) = 0.0;
    t.at(q, p) = 0.0;
}

/// Eliminates every element above the diagonal that is not negligible; returns how many.
std::size_t sweep(const Square& t, const Square& y, double negligible) {
    std::size_t n_rotations = 0;
    for (std::size_t p = 0; p + 1 < t.m; ++p) {
        for (std::size_t q = p + 1; q < t.m; ++q) {
            if (std::abs(t.at(p, q)) <= negligible) continue;
            eliminate(t, y, p, q);
            ++n_rotations;
        }
    }
    return n_rotations;
}

void sort(std::span<double> values, const Square& y) {
    for (std::size_t k = 0; k < y.m; ++k) {
        const auto least = static_cast<std::size_t>(
            std::min_element(values.begin() + static_cast<std::ptrdiff_t>(k), values.end()) -
            values.begin());
        std::swap(values[k], values[least]);
        if (least != k) std::swap_ranges(&y.at(0, k), &y.at(0, k) + y.m, &y.at(0, least));
    }
}

}  // namespace

double diagonalise(std::span<double> t, Index m, std::span<double> values, std::span<double> y) {
    const Square matrix{t.data(), static_cast<std::size_t>(m)};
    const Square vectors{y.data(), matrix.m};
    double norm = 0.0;
    for (const double element : t) norm = std::max(norm, std::abs(element));
    std::fill(y.begin(), y.end(), 0.0);
    for (std::size_t k = 0; k < matrix.m; ++k) vectors.at(k, k) = 1.0;
    // They converge quadratically: some ten sweeps do.
    constexpr int most_sweeps = 60;
    const double negligible = 0.25 * std::numeric_limits<double>::epsilon() * norm;
    double n_rotations = 0.0;
    for (int i = 0; i < most_sweeps; ++i) {
        const std::size_t n = sweep(matrix, vectors, negligible);
        if (n == 0) break;
        n_rotations += static_cast<double>(n);
    }
    for (std::size_t k = 0; k < matrix.m; ++k) values[k] = matrix.at(k, k);
    sort(values, vectors);
    constexpr double flops_of_pair = 6.0;
    return n_rotations * 3.0 * static_cast<double>(m) * flops_of_pair;
}

}  // namespace heorot::sparse
