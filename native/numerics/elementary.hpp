// Logarithm and inverse square root without branches, tables or calls, of a double or of one in
// every lane: loops over them vectorise.
//
// Checked against std::log and std::sqrt of a longer type in tests/numerics/test_random.cpp:
// elementary_functions_are_accurate.
#pragma once

#include <bit>
#include <cstdint>

#include "numerics/lanes.hpp"

namespace heorot {

/// The bits of lanes, or whole numbers modulo 2^64.
using LaneBits = std::uint64_t __attribute__((vector_size(n_lanes * sizeof(std::uint64_t))));

namespace internal {

// What holds the bits of a double, or of one in every lane.
inline std::uint64_t bits_of(double);
inline LaneBits bits_of(Lanes);
template <class Real>
using Bits = decltype(bits_of(Real()));

}  // namespace internal

/// ln t for positive, normal, finite t; error <= 1 unit in the last place.
///
/// t = 2^k m with m in [sqrt(1/2), sqrt(2)); with f = m - 1, s = f / (2 + f) and z = s^2,
/// ln m = 2 artanh s = 2 s + s R(z) = f - s (f - R(z)), where f is exact. R(z) = z P(z) with the
/// P of degree 6 that minimises the largest error of R for z <= (3 - 2 sqrt(2))^2, which is
/// 2.5e-18 (Remez' exchange algorithm; the first coefficients are nearly 2/3, 2/5, 2/7).
/// Source: P. T. P. Tang, Table-driven implementation of the logarithm function in IEEE
/// floating-point arithmetic, ACM TOMS 16 (1990); J.-M. Muller, Elementary Functions, 3rd ed.
/// (2016).
template <class Real>
[[gnu::always_inline]] inline Real logarithm(const Real& t) {
    using Bits = internal::Bits<Real>;
    constexpr std::uint64_t bits_of_sqrt_half = 0x3fe6a09e667f3bcdU;
    constexpr std::uint64_t exponent_mask = 0xfff0000000000000U;
    constexpr std::uint64_t bits_of_2_to_52 = 0x4330000000000000U;
    constexpr double ln2_head = 0x1.62e42feep-1;  // NOLINT: few bits, so that k ln2_head is exact
    constexpr double ln2_tail = 0x1.a39ef35793c76p-33;

    // The exponent of t / sqrt(1/2), rounded down, is k; an unsigned number becomes a double by
    // being put under the exponent of 2^52.
    const auto bits = std::bit_cast<Bits>(t);
    const Bits above = bits - bits_of_sqrt_half;
    const auto m = std::bit_cast<Real>(bits - (above & exponent_mask));
    const Real k =
        std::bit_cast<Real>(((above >> 52U) ^ 0x800U) | bits_of_2_to_52) - (0x1p52 + 0x1p11);

    const Real f = m - 1.0;
    const Real s = f / (2.0 + f);
    const Real z = s * s;
    Real p = 0.14795949966290498917 * z + 0.15314050527318006797;
    p = p * z + 0.18183564326996341657;
    p = p * z + 0.22222198573170248749;
    p = p * z + 0.28571428742387721299;
    p = p * z + 0.39999999999414678242;
    p = p * z + 0.66666666666667344121;
    return k * ln2_head + (f - (s * (f - p * z) - k * ln2_tail));
}

/// 1 / sqrt(a) for positive, normal, finite a; error <= 2 units in the last place. Some finite
/// number for a = 0.
///
/// A first estimate to 4 % from halving the exponent, then two steps of Householder's iteration
/// of fourth order: r = 1 - a y^2, y := y (1 - r)^(-1/2) with the series taken up to r^3.
/// Source: C. Lomont, Fast inverse square root, Purdue University (2003); M. Robertson, A brief
/// history of InvSqrt, University of New Brunswick (2012); A. S. Householder, The Numerical
/// Treatment of a Single Nonlinear Equation (1970).
template <class Real>
[[gnu::always_inline]] inline Real inverse_square_root(const Real& a) {
    using Bits = internal::Bits<Real>;
    constexpr std::uint64_t half_of_three_exponents = 0x5fe6eb50c7b537a9U;
    auto y = std::bit_cast<Real>(half_of_three_exponents - (std::bit_cast<Bits>(a) >> 1U));
    for (int step = 0; step < 2; ++step) {
        const Real r = 1.0 - a * y * y;
        y += y * r * (0.5 + r * (0.375 + r * 0.3125));
    }
    return y;
}

}  // namespace heorot
