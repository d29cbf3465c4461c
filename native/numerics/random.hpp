// The random numbers of the NAS Parallel Benchmarks: x_{k+1} = 5^13 x_k mod 2^46, u_k = 2^-46 x_k.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace heorot {

/// A linear congruential sequence that can be entered anywhere. An odd seed gives the full period
/// of a multiplicative generator modulo 2^46, which is 2^44.
/// Source: D. Bailey et al., The NAS Parallel Benchmarks, RNR-94-007 (1994), section 2.3;
/// D. E. Knuth, The Art of Computer Programming 2, 3rd ed. (1998), section 3.2.1.2.
class Random {
  public:
    static constexpr int n_bits = 46;
    static constexpr std::uint64_t modulus = std::uint64_t{1} << n_bits;
    static constexpr std::uint64_t multiplier = 1220703125;  // 5^13

    /// `seed` is x_0: the first number handed out is x_1. Precondition: 0 < seed < 2^46.
    explicit constexpr Random(std::uint64_t seed, std::uint64_t a = multiplier)
        : multiplier_(a), scaled_(seed << n_spare_bits) {}

    /// x_k, the last number handed out.
    constexpr std::uint64_t state() const { return scaled_ >> n_spare_bits; }
    /// Advances to x_{k+1} and returns it.
    constexpr std::uint64_t advance() {
        scaled_ *= multiplier_;
        return state();
    }
    /// Advances to x_{k+1} and returns u_{k+1} = 2^-46 x_{k+1}, exact, in (0, 1).
    constexpr double next() {
        scaled_ *= multiplier_;
        return uniform(scaled_);
    }
    /// Advances by n steps at once: x_{k+n} = a^n x_k.
    constexpr void skip(std::uint64_t n) { scaled_ *= power(multiplier_, n); }
    /// The same numbers as u.size() calls of next(), many at a time.
    void fill(std::span<double> u);

    /// a^n mod 2^46.
    static constexpr std::uint64_t power(std::uint64_t a, std::uint64_t n) {
        std::uint64_t result = 1;
        for (std::uint64_t square = a; n != 0; n >>= 1U, square *= square) {
            if ((n & 1U) != 0) result *= square;
        }
        return result & (modulus - 1);
    }

  private:
    // The state is kept as 2^18 x: arithmetic modulo 2^64, which costs nothing, is then arithmetic
    // modulo 2^46 for x.
    static constexpr int n_spare_bits = 64 - n_bits;

    // The 46 bits become the leading ones of the 52 bits of a fraction, in [1, 2).
    static constexpr double uniform(std::uint64_t scaled) {
        constexpr std::uint64_t exponent_of_one = 0x3ff0000000000000U;
        return std::bit_cast<double>((scaled >> 12U) | exponent_of_one) - 1.0;
    }

    std::uint64_t multiplier_;
    std::uint64_t scaled_;
};

}  // namespace heorot
