// Normal deviates: see normal.hpp.
#include "numerics/generators/normal.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <numbers>

#include "numerics/elementary.hpp"

namespace heorot::generators {

namespace {

/// sin y for |y| <= pi/4: the Taylor polynomial, whose next term is below half a unit.
[[gnu::always_inline]] inline double sine(double y) {
    const double z = y * y;
    double p = -1.0 / 1307674368000.0;
    p = p * z + 1.0 / 6227020800.0;
    p = p * z - 1.0 / 39916800.0;
    p = p * z + 1.0 / 362880.0;
    p = p * z - 1.0 / 5040.0;
    p = p * z + 1.0 / 120.0;
    p = p * z - 1.0 / 6.0;
    return y + y * z * p;
}

/// cos y for |y| <= pi/4, likewise.
[[gnu::always_inline]] inline double cosine(double y) {
    const double z = y * y;
    double p = 1.0 / 20922789888000.0;
    p = p * z - 1.0 / 87178291200.0;
    p = p * z + 1.0 / 479001600.0;
    p = p * z - 1.0 / 3628800.0;
    p = p * z + 1.0 / 40320.0;
    p = p * z - 1.0 / 720.0;
    p = p * z + 1.0 / 24.0;
    return 1.0 - (0.5 * z - z * z * p);
}

/// `value`, negative if bit 1 of `bits` is set.
[[gnu::always_inline]] inline double signed_by(double value, std::uint64_t bits) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) ^ (bits & 2U) << 62U);
}

}  // namespace

void make_normal(std::span<const Word, 2 * pairs_per_block> words,
                 std::span<double, 2 * pairs_per_block> deviates) {
    constexpr std::size_t n = pairs_per_block;
    // Adding it rounds to a whole number, which then stands in the last bits.
    constexpr double rounder = 0x1.8p52;
    alignas(64) std::array<double, n> radius;
    for (std::size_t j = 0; j < n; ++j) {
        const double square = -2.0 * logarithm(1.0 - uniform(words[j]));
        radius[j] = square * inverse_square_root(square);
    }
    for (std::size_t j = 0; j < n; ++j) {
        // The angle is pi/2 (quarter + rest) with |rest| <= 1/2.
        const double quarters = 4.0 * uniform(words[n + j]);
        const double rounded = quarters + rounder;
        const auto quarter = std::bit_cast<std::uint64_t>(rounded);
        const double y = (quarters - (rounded - rounder)) * (std::numbers::pi / 2.0);
        const double s = sine(y);
        const double c = cosine(y);
        const bool is_odd = (quarter & 1U) != 0;
        deviates[j] = radius[j] * signed_by(is_odd ? s : c, quarter + 1U);
        deviates[n + j] = radius[j] * signed_by(is_odd ? c : s, quarter);
    }
}

}  // namespace heorot::generators
