// Tries blocks of a product: which are fastest differs between processors.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "harness/array.hpp"
#include "numerics/dense/multiply.hpp"

namespace heorot::matrix_multiply {

using dense::Blocking;
using dense::Index;

constexpr Index largest_tried = 500;  // rows of products that are tried
constexpr Index fewest_tried = 100;   // products of fewer rows are not cut into blocks
constexpr int n_rounds = 3;
constexpr std::array<std::array<Index, 2>, 4> tried_blocks = {
    {{192, 256}, {96, 256}, {192, 384}, {288, 512}}};  // rows, depth

/// `given` with rows and depth as usual, or as tried, where they are 0.
inline Blocking completed(Blocking given, const std::array<Index, 2>& tried) {
    if (given.rows == 0) given.rows = tried[0];
    if (given.depth == 0) given.depth = tried[1];
    return given;
}

/// The fastest blocks for products of n rows on `n_threads` threads, of those tried, where sizes of
/// `given` are 0. `trial(body)` returns the time of a body [s].
template <class Trial>
Blocking fastest_blocks(Index n, int n_threads, const Blocking& given, Trial trial) {
    const bool is_given = given.rows > 0 && given.depth > 0;
    if (is_given || n < fewest_tried) return completed(given, tried_blocks.front());
    const Index rows = std::min(n, largest_tried);
    const auto size = static_cast<std::size_t>(rows * rows);
    Array<double> a(size);
    Array<double> c(size);
#pragma omp parallel for schedule(static)
    for (Index j = 0; j < rows; ++j) {
        std::fill_n(a.data() + j * rows, rows, 1.0);
        std::fill_n(c.data() + j * rows, rows, 0.0);
    }
    Blocking best;
    double least = HUGE_VAL;
    // Rounds, so that noise meets one try of each, and not all of one.
    for (int round = 0; round < n_rounds; ++round) {
        for (const auto& tried : tried_blocks) {
            const Blocking blocking = completed(given, tried);
            dense::Multiplier multiplier(n_threads, blocking);
            const double seconds = trial([&] {
                multiplier.multiply(rows, rows, rows, {a.data(), rows}, {a.data(), rows},
                                    {c.data(), rows});
            });
            if (seconds < least) {
                least = seconds;
                best = blocking;
            }
        }
    }
    return best;
}

}  // namespace heorot::matrix_multiply
