// The memory of the vectors: their places, what is in them at first, and whether they are right at
// last.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "benchmarks/compute/vector_kernels/kernels.hpp"
#include "harness/program.hpp"

namespace heorot::vector_kernels {

// ---- Inputs: element i >= -1 of each vector, known without looking at it ----

/// 256 times element i of vector k (0 to 4: x, y, z, v, w), 256 to 506. Quadratic in i, so that
/// neither neighbours nor vectors have a constant distance.
template <int k>
constexpr std::int64_t scaled_input(Index i) {
    constexpr std::array<Index, 5> primes = {251, 241, 239, 233, 229};
    return 256 + ((i + 1) * (i + 1) + Index{17} * k) % primes[k];
}

/// Element i of vector k, a multiple of 1/256 in [1, 2); of x: before the first repetition.
template <int k>
constexpr double input(Index i) {
    return static_cast<double>(scaled_input<k>(i)) / 256.0;
}

inline constexpr double a = 2.5;
inline constexpr double untouched = -1.0;  // what lies between and behind the elements
inline constexpr double boundary = 1.0;    // x(-1) and x(-2)
inline constexpr Index margin = 8;  // doubles before and behind a vector: 2 elements of stride 4

/// 0 if equal, infinite for NaN, else relative to `expected`.
inline double deviation(double actual, double expected) {
    if (is_nan(actual)) return HUGE_VAL;
    return actual == expected ? 0.0 : std::abs(actual - expected) / std::abs(expected);
}

/// Room for the vectors of one point after another.
class Workspace {
  public:
    /// For vectors that together extend over at most `max_bytes`.
    explicit Workspace(std::size_t max_bytes)
        : pool_(max_bytes / sizeof(double) + n_places * static_cast<std::size_t>(2 * page)) {}

    /// Lays out the first `n_inputs` input vectors and x, with n elements each, and fills them.
    template <class At>
    Vectors lay_out(int n_inputs, At at, Index n);

    /// Like lay_out, but x is one number.
    template <class At>
    Vectors lay_out_sum(int n_inputs, At at, Index n);

    /// Largest deviation of x(i) from expected(i), which is asked for i = 0 ... n-1 in this order,
    /// and of what lies between and behind the elements from what was there.
    template <class At, class Expected>
    static double largest_deviation(const double* x, At at, Index n, Expected expected);

  private:
    static constexpr std::size_t n_places = 5;
    static constexpr Index page = 512;  // doubles

    /// Place for vector k of `length` doubles behind those placed before: at a different line of a
    /// memory page for each k, so that no load aliases with a store of another vector modulo 4 KiB.
    double* place(int k, Index length) {
        const Index start = (end_ + 2 * margin + page - 1) / page * page + margin + Index{80} * k;
        end_ = start + length;
        return pool_.data() + start;
    }

    /// Fills elements first ... last-1 of vector k, and all around them with `untouched`.
    template <int k, class At>
    double* filled(At at, Index n, Index first, Index last) {
        double* const vector = place(k, n * At::stride);
        std::fill(vector - margin, vector + n * At::stride + margin, untouched);
        for (Index i = first; i < last; ++i) vector[at(i)] = input<k>(i);
        return vector;
    }

    template <class At>
    Vectors lay_out_inputs(int n_inputs, At at, Index n);

    Array<double> pool_;
    Index end_ = 0;
};

template <class At>
Vectors Workspace::lay_out_inputs(int n_inputs, At at, Index n) {
    const Index first = At::has_neighbours ? -1 : 0;
    const Index last = At::has_neighbours ? n + 1 : n;
    Vectors u{};
    u.a = a;
    if (n_inputs > 0) u.y = filled<1>(at, n, first, last);
    if (n_inputs > 1) u.z = filled<2>(at, n, first, last);
    if (n_inputs > 2) u.v = filled<3>(at, n, first, last);
    if (n_inputs > 3) u.w = filled<4>(at, n, first, last);
    return u;
}

template <class At>
Vectors Workspace::lay_out(int n_inputs, At at, Index n) {
    end_ = 0;
    Vectors u = lay_out_inputs(n_inputs, at, n);
    u.x = filled<0>(at, n, 0, n);
    if constexpr (At::has_neighbours) u.x[at(-1)] = u.x[at(-2)] = boundary;
    return u;
}

template <class At>
Vectors Workspace::lay_out_sum(int n_inputs, At at, Index n) {
    end_ = 0;
    Vectors u = lay_out_inputs(n_inputs, at, n);
    u.x = filled<0>(Strided<1>{}, 1, 0, 1);
    return u;
}

template <class At, class Expected>
double Workspace::largest_deviation(const double* x, At at, Index n, Expected expected) {
    double largest = 0.0;
    for (Index i = 0; i < n; ++i) {
        const double* const element = x + at(i);
        largest = std::max(largest, deviation(*element, expected(i)));
        for (Index gap = 1; gap < At::stride; ++gap) {
            largest = std::max(largest, deviation(element[gap], untouched));
        }
    }
    for (const double behind : std::span(x + n * At::stride, margin)) {
        largest = std::max(largest, deviation(behind, untouched));
    }
    return largest;
}

}  // namespace heorot::vector_kernels
