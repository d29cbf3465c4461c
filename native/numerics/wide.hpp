// Several doubles side by side, in as many vectors as the widest registers need.
//
// gcc keeps a vector that is wider than any register in memory, from one operation to the next, and
// takes what it shuffles or chooses apart lane by lane. These never are wider. Where long sums need
// more registers than there are, the vectors of lanes.hpp, in memory, do better.
//
// Checked against one lane after the other in tests/numerics/test_wide.cpp.
#pragma once

#include <cstdint>
#include <utility>

#if defined(__GNUC__)
// Everything here is inlined, so that it does not matter how vectors would be passed in calls.
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace heorot {

#if defined(__AVX512F__)
constexpr int n_of_register = 8;
#elif defined(__AVX__)
constexpr int n_of_register = 4;
#else
constexpr int n_of_register = 2;
#endif

/// n doubles with the arithmetic of one, lane by lane: +, -, *, / with others or with a double;
/// [i] is one of them. A new one has any values.
template <int n>
struct Wide {
    Wide<n / 2> low, high;

    Wide() = default;
    [[gnu::always_inline]] Wide(double value) : low(value), high(value) {}  // NOLINT(*-explicit-*)
    [[gnu::always_inline]] Wide(const Wide<n / 2>& first, const Wide<n / 2>& second)
        : low(first), high(second) {}

    [[gnu::always_inline]] double operator[](int i) const {
        return i < n / 2 ? low[i] : high[i - n / 2];
    }
    [[gnu::always_inline]] void set(int i, double value) {
        i < n / 2 ? low.set(i, value) : high.set(i - n / 2, value);
    }

    [[gnu::always_inline]] friend Wide operator+(const Wide& a, const Wide& b) {
        return {a.low + b.low, a.high + b.high};
    }
    [[gnu::always_inline]] friend Wide operator-(const Wide& a, const Wide& b) {
        return {a.low - b.low, a.high - b.high};
    }
    [[gnu::always_inline]] friend Wide operator*(const Wide& a, const Wide& b) {
        return {a.low * b.low, a.high * b.high};
    }
    [[gnu::always_inline]] friend Wide operator/(const Wide& a, const Wide& b) {
        return {a.low / b.low, a.high / b.high};
    }
    [[gnu::always_inline]] friend Wide operator-(const Wide& a) { return {-a.low, -a.high}; }
    [[gnu::always_inline]] Wide& operator+=(const Wide& b) { return *this = *this + b; }
    [[gnu::always_inline]] Wide& operator-=(const Wide& b) { return *this = *this - b; }
    [[gnu::always_inline]] Wide& operator*=(const Wide& b) { return *this = *this * b; }
};

/// What one register holds.
template <>
struct Wide<n_of_register> {
    using Vector = double __attribute__((vector_size(n_of_register * sizeof(double))));
    Vector vector;

    Wide() = default;
    [[gnu::always_inline]] Wide(double value) : vector(value - Vector{}) {}  // NOLINT(*-explicit-*)
    [[gnu::always_inline]] Wide(const Vector& all) : vector(all) {}          // NOLINT(*-explicit-*)

    [[gnu::always_inline]] double operator[](int i) const { return vector[i]; }
    [[gnu::always_inline]] void set(int i, double value) { vector[i] = value; }

    [[gnu::always_inline]] friend Wide operator+(const Wide& a, const Wide& b) {
        return a.vector + b.vector;
    }
    [[gnu::always_inline]] friend Wide operator-(const Wide& a, const Wide& b) {
        return a.vector - b.vector;
    }
    [[gnu::always_inline]] friend Wide operator*(const Wide& a, const Wide& b) {
        return a.vector * b.vector;
    }
    [[gnu::always_inline]] friend Wide operator/(const Wide& a, const Wide& b) {
        return a.vector / b.vector;
    }
    [[gnu::always_inline]] friend Wide operator-(const Wide& a) { return -a.vector; }
    [[gnu::always_inline]] Wide& operator+=(const Wide& b) { return *this = *this + b; }
    [[gnu::always_inline]] Wide& operator-=(const Wide& b) { return *this = *this - b; }
    [[gnu::always_inline]] Wide& operator*=(const Wide& b) { return *this = *this * b; }
};

/// Of every lane, whether it is chosen. A new one has any.
template <int n>
struct WideMask {
    WideMask<n / 2> low, high;

    [[gnu::always_inline]] void set(int i, bool chosen) {
        i < n / 2 ? low.set(i, chosen) : high.set(i - n / 2, chosen);
    }
    [[gnu::always_inline]] friend WideMask operator&(const WideMask& a, const WideMask& b) {
        return {a.low & b.low, a.high & b.high};
    }
};

template <>
struct WideMask<n_of_register> {
    using Bits = std::int64_t __attribute__((vector_size(n_of_register * sizeof(std::int64_t))));
    Bits bits;  // all of a lane's, or none

    [[gnu::always_inline]] void set(int i, bool chosen) { bits[i] = chosen ? -1 : 0; }
    [[gnu::always_inline]] friend WideMask operator&(const WideMask& a, const WideMask& b) {
        return {a.bits & b.bits};
    }
};

/// a in the lanes that are chosen, b in the others.
template <int n>
[[gnu::always_inline]] inline Wide<n> select(const WideMask<n>& mask, const Wide<n>& a,
                                             const Wide<n>& b) {
    if constexpr (n == n_of_register) {
        return mask.bits ? a.vector : b.vector;
    } else {
        return {select(mask.low, a.low, b.low), select(mask.high, a.high, b.high)};
    }
}

namespace internal {

using Vector = Wide<n_of_register>::Vector;

/// The register that holds lanes first, first + 1, ...
template <int first, int n>
[[gnu::always_inline]] inline auto& part(Wide<n>& wide) {
    if constexpr (n == n_of_register) {
        return wide.vector;
    } else if constexpr (first < n / 2) {
        return part<first>(wide.low);
    } else {
        return part<first - n / 2>(wide.high);
    }
}
template <int first, int n>
[[gnu::always_inline]] inline const auto& part(const Wide<n>& wide) {
    return part<first>(const_cast<Wide<n>&>(wide));  // NOLINT: as it came
}

/// Lanes first, first + 1, ... of a and behind it b, as many as a register holds.
template <int first, int width>
[[gnu::always_inline]] inline Vector behind(const Wide<width>& a, const Wide<width>& b) {
    constexpr int n = n_of_register;
    constexpr int one = first / n * n;
    constexpr int other = one + n;
    const auto of_both = [&]<int from>() -> const Vector& {
        if constexpr (from < width) {
            return part<from>(a);
        } else {
            return part<from - width>(b);
        }
    };
    if constexpr (first == one) {
        return of_both.template operator()<one>();
    } else {
        return [&]<int... i>(std::integer_sequence<int, i...>) {
            return __builtin_shufflevector(of_both.template operator()<one>(),
                                           of_both.template operator()<other>(),
                                           (first - one + i)...);
        }(std::make_integer_sequence<int, n>());
    }
}

}  // namespace internal

/// What is d lanes further on, if b comes behind a; 0 <= d <= n.
template <int d, int n>
[[gnu::always_inline]] inline Wide<n> shift(const Wide<n>& a, const Wide<n>& b) {
    Wide<n> shifted;
    [&]<int... k>(std::integer_sequence<int, k...>) {
        ((internal::part<k * n_of_register>(shifted) =
              internal::behind<d + k * n_of_register>(a, b)),
         ...);
    }(std::make_integer_sequence<int, n / n_of_register>());
    return shifted;
}

}  // namespace heorot
