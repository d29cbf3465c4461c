// What arrays hold so that every result of a memory kernel is known to the last bit.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "harness/record/check.hpp"

namespace heorot::values {

// Signed, as loop counters of OpenMP are best.
using Index = std::int64_t;

constexpr Index period = 8191;  // a prime: an element in the wrong place shows
constexpr double unit = 1.0 / 8192.0;

/// x(i), a multiple of 1/8192 in [1, 2): small multiples of it are free of rounding.
inline double x(Index i) {
    return 1.0 + unit * static_cast<double>(i % period);
}

/// x(0) + ... + x(n-1). Like every partial sum it is exact while n < 2^39.
inline double sum_of_x(Index n) {
    const auto sum_below = [](Index m) { return m * (m - 1) / 2; };
    const Index remainders = n / period * sum_below(period) + sum_below(n % period);
    return static_cast<double>(n) + unit * static_cast<double>(remainders);
}

/// 0 if the two are equal to the last bit, infinite for NaN, else the relative deviation.
inline double deviation(double actual, double expected) {
    if (std::bit_cast<std::uint64_t>(actual) == std::bit_cast<std::uint64_t>(expected)) return 0.0;
    return is_nan(actual) ? HUGE_VAL : std::abs(actual / expected - 1.0);
}

}  // namespace heorot::values
