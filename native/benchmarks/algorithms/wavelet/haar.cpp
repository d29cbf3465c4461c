// The Haar wavelet transform: one level in vectors, and all levels.
#include "benchmarks/algorithms/wavelet/haar.hpp"

#include <cmath>
#include <utility>

#include "numerics/lanes.hpp"
#include "numerics/transforms/vectors.hpp"

namespace heorot::wavelet {

namespace {

using transforms::load;
using transforms::store;
using transforms::Vector;

// Fewer points are no work for several threads.
constexpr Index worth_threads = 1 << 14;

/// Two by two points or coefficients: one of every kind, or as many as a vector has lanes.
template <class V>
struct Square {
    V a, b, c, d;
};

/// Sum and differences along a row, along a column and along both, halved; its own inverse.
template <class V>
[[gnu::always_inline]] inline Square<V> mixed(const Square<V>& z) {
    const V upper = z.a + z.b;
    const V upper_difference = z.a - z.b;
    const V lower = z.c + z.d;
    const V lower_difference = z.c - z.d;
    return {(upper + lower) * 0.5, (upper_difference + lower_difference) * 0.5,
            (upper - lower) * 0.5, (upper_difference - lower_difference) * 0.5};
}

/// Points of a row: of every two, the first and the second.
struct Pairs {
    Vector<n_lanes> first, second;
};
[[gnu::always_inline]] inline Pairs load_pairs(const double* from) {
    const auto a = load<n_lanes>(from);
    const auto b = load<n_lanes>(from + n_lanes);
    return [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
        return Pairs{__builtin_shufflevector(a, b, (2 * i)...),
                     __builtin_shufflevector(a, b, (2 * i + 1)...)};
    }(std::make_integer_sequence<int, n_lanes>());
}
[[gnu::always_inline]] inline void store_pairs(double* to, const Pairs& z) {
    [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
        store<n_lanes>(to,
                       __builtin_shufflevector(z.first, z.second, (i % 2 * n_lanes + i / 2)...));
        store<n_lanes>(
            to + n_lanes,
            __builtin_shufflevector(z.first, z.second, (i % 2 * n_lanes + (n_lanes + i) / 2)...));
    }(std::make_integer_sequence<int, n_lanes>());
}

/// The coefficients of two rows of points. Checked in every run: Known.
void forward_row(const Level& level, Index i) {
    const Index half = level.n / 2;
    const double* const upper = level.fine.row(2 * i);
    const double* const lower = level.fine.row(2 * i + 1);
    double* const sum = level.coarse.row(i);
    double* const right = level.all.row(i) + half;
    double* const below = level.all.row(i + level.m / 2);
    Index j = 0;
    for (; j + n_lanes <= half; j += n_lanes) {
        const Pairs p = load_pairs(upper + 2 * j);
        const Pairs q = load_pairs(lower + 2 * j);
        const auto z = mixed<Vector<n_lanes>>({p.first, p.second, q.first, q.second});
        store<n_lanes>(sum + j, z.a);
        store<n_lanes>(right + j, z.b);
        store<n_lanes>(below + j, z.c);
        store<n_lanes>(below + half + j, z.d);
    }
    for (; j < half; ++j) {
        const auto z =
            mixed<double>({upper[2 * j], upper[2 * j + 1], lower[2 * j], lower[2 * j + 1]});
        sum[j] = z.a;
        right[j] = z.b;
        below[j] = z.c;
        below[half + j] = z.d;
    }
}

/// Two rows of points from their coefficients.
void inverse_row(const Level& level, Index i) {
    const Index half = level.n / 2;
    double* const upper = level.fine.row(2 * i);
    double* const lower = level.fine.row(2 * i + 1);
    const double* const sum = level.coarse.row(i);
    const double* const right = level.all.row(i) + half;
    const double* const below = level.all.row(i + level.m / 2);
    Index j = 0;
    for (; j + n_lanes <= half; j += n_lanes) {
        const auto z =
            mixed<Vector<n_lanes>>({load<n_lanes>(sum + j), load<n_lanes>(right + j),
                                    load<n_lanes>(below + j), load<n_lanes>(below + half + j)});
        store_pairs(upper + 2 * j, {z.a, z.b});
        store_pairs(lower + 2 * j, {z.c, z.d});
    }
    for (; j < half; ++j) {
        const auto z = mixed<double>({sum[j], right[j], below[j], below[half + j]});
        upper[2 * j] = z.a;
        upper[2 * j + 1] = z.b;
        lower[2 * j] = z.c;
        lower[2 * j + 1] = z.d;
    }
}

template <class Action>
void over_rows(const Level& level, int n_threads, Action action) {
    const bool shared = n_threads > 1 && level.m * level.n >= worth_threads;
#pragma omp parallel for schedule(static) if (shared)
    for (Index i = 0; i < level.m / 2; ++i) action(level, i);
}

}  // namespace

Haar::Haar(Index m, Index n, int n_threads)
    : m_(m),
      n_(n),
      n_threads_(n_threads),
      odd_(static_cast<std::size_t>(m * n / 4)),
      even_(static_cast<std::size_t>(m * n / 16)) {
    for (; m % 2 == 0 && n % 2 == 0; m /= 2, n /= 2) ++n_levels_;
}

void Haar::forward(double* x, double* y) {
    for (int l = 1; l <= n_levels_; ++l) over_rows(level(l, x, y), n_threads_, forward_row);
}

void Haar::inverse(double* y, double* x) {
    for (int l = n_levels_; l > 0; --l) over_rows(level(l, x, y), n_threads_, inverse_row);
}

double Haar::n_points() const {
    const auto all = static_cast<double>(m_ * n_);
    return all * (1.0 - std::pow(0.25, n_levels_)) / 0.75;
}

Level Haar::level(int l, double* x, double* y) {
    const Index m = m_ >> (l - 1);
    const Index n = n_ >> (l - 1);
    const Rows fine = l == 1 ? Rows{x, n_} : Rows{l % 2 == 0 ? odd_.data() : even_.data(), n};
    const Rows between = {l % 2 == 1 ? odd_.data() : even_.data(), n / 2};
    const Rows all = {y, n_};
    return {fine, l == n_levels_ ? all : between, all, m, n};
}

}  // namespace heorot::wavelet
