// Sorting networks in vector registers: up to 32 registers of codes, without a branch.
//
// Every lane is a column. Batcher's odd-even merge sort sorts the columns; bitonic merges join
// columns of neighbouring lanes to runs, by comparing a run with the reverse of the next one.
// Source: K. E. Batcher, Sorting networks and their applications, AFIPS SJCC 32 (1968);
// B. Bramas, A novel hybrid quicksort algorithm vectorized using AVX-512, IJACSA 8 (2017).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "numerics/lanes.hpp"

namespace heorot::sort {

/// A key as a whole number that is less if the key is.
using Code = std::int64_t;
using CodeLanes = LaneMask;
constexpr Code largest_code = std::numeric_limits<Code>::max();

[[gnu::always_inline]] inline CodeLanes load_codes(const Code* from) {
    CodeLanes lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
}
[[gnu::always_inline]] inline void store_codes(Code* to, const CodeLanes& lanes) {
    std::memcpy(to, &lanes, sizeof lanes);
}

namespace internal {

/// Calls f(constant 0) ... f(constant n - 1).
template <int n, class F>
[[gnu::always_inline]] inline void unroll(F f) {
    [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
        (f(std::integral_constant<int, i>()), ...);
    }(std::make_integer_sequence<int, n>());
}

/// Lane l of the result is lane f(l) of a, or lane f(l) - n_lanes of b.
template <class F>
[[gnu::always_inline]] inline CodeLanes permute(const CodeLanes& a, const CodeLanes& b, F f) {
    return [&]<int... l>(std::integer_sequence<int, l...>) __attribute__((always_inline)) {
        return __builtin_shufflevector(a, b, f(l)...);
    }(std::make_integer_sequence<int, n_lanes>());
}

struct Comparator {
    int low, high;
};
template <int n>
struct Network {
    std::array<Comparator, std::size_t{n} * 8> comparators{};
    std::size_t size = 0;
};
/// Odd-even merge sort of n elements: that of the next power of two, without comparators of
/// elements that do not exist, which would be larger than all others.
template <int n>
constexpr Network<n> odd_even_merge_sort() {
    Network<n> network;
    for (int run = 1; run < n; run *= 2) {
        for (int distance = run; distance > 0; distance /= 2) {
            for (int j = distance % run; j + distance < n; j += 2 * distance) {
                for (int low = j; low < j + distance && low + distance < n; ++low) {
                    if (low / (2 * run) == (low + distance) / (2 * run)) {
                        network.comparators[network.size++] = {low, low + distance};
                    }
                }
            }
        }
    }
    return network;
}

[[gnu::always_inline]] inline void exchange(CodeLanes& low, CodeLanes& high) {
    const CodeLanes smaller = low < high ? low : high;
    high = low < high ? high : low;
    low = smaller;
}

template <int n>
using Registers = std::array<CodeLanes, n>;

/// Sorts registers at, at + 1, ... at + n - 1, lane by lane.
template <int n, int at, std::size_t m>
[[gnu::always_inline]] inline void sort_columns(std::array<CodeLanes, m>& v) {
    constexpr auto network = odd_even_merge_sort<n>();
    unroll<static_cast<int>(network.size)>([&](auto i) __attribute__((always_inline)) {
        constexpr Comparator c = network.comparators[i];
        exchange(v[at + c.low], v[at + c.high]);
    });
}

/// Sorts columns of n registers from `at` on that are bitonic.
template <int n, int at, std::size_t m>
[[gnu::always_inline]] inline void sort_bitonic_columns(std::array<CodeLanes, m>& v) {
    if constexpr (n % 2 != 0) {
        sort_columns<n, at>(v);
    } else {
        unroll<n / 2>(
            [&](auto i) __attribute__((always_inline)) { exchange(v[at + i], v[at + n / 2 + i]); });
        sort_bitonic_columns<n / 2, at>(v);
        sort_bitonic_columns<n / 2, at + n / 2>(v);
    }
}

/// Compares lanes that are `distance` apart, the smaller key to the lower lane.
template <int distance>
[[gnu::always_inline]] inline void exchange_lanes(CodeLanes& v) {
    const CodeLanes other = permute(v, v, [](int l) { return l ^ distance; });
    const CodeLanes smaller = v < other ? v : other;
    const CodeLanes larger = v < other ? other : v;
    v = permute(smaller, larger, [](int l) { return (l & distance) != 0 ? n_lanes + l : l; });
}

/// Merges runs of `width` columns with their neighbours; steps within columns are left.
template <int width, int n>
[[gnu::always_inline]] inline void merge_columns(Registers<n>& v) {
    unroll<(n + 1) / 2>([&](auto r) __attribute__((always_inline)) {
        CodeLanes& a = v[r];
        CodeLanes& b = v[n - 1 - r];
        const CodeLanes other = permute(b, b, [](int l) { return l ^ (2 * width - 1); });
        const CodeLanes smaller = a < other ? a : other;
        const CodeLanes larger = a < other ? other : a;
        a = permute(smaller, larger, [](int l) { return (l & width) != 0 ? n_lanes + l : l; });
        if constexpr (r != n - 1 - r) {
            b = permute(smaller, larger, [](int l) {
                return (l & width) != 0 ? n_lanes + (l ^ (2 * width - 1)) : l ^ (2 * width - 1);
            });
        }
    });
    if constexpr (width >= 2) {
        unroll<n>([&](auto r) __attribute__((always_inline)) { exchange_lanes<width / 2>(v[r]); });
    }
    if constexpr (width >= 4) {
        unroll<n>([&](auto r) __attribute__((always_inline)) { exchange_lanes<width / 4>(v[r]); });
    }
    sort_bitonic_columns<n, 0>(v);
    if constexpr (2 * width < n_lanes) merge_columns<2 * width, n>(v);
}

}  // namespace internal

/// Sorts n * n_lanes codes in place; n_lanes more behind them are overwritten.
template <int n>
void sort_registers(Code* codes) {
    internal::Registers<n> v;
    internal::unroll<n>(
        [&](auto r) __attribute__((always_inline)) { v[r] = load_codes(codes + r * n_lanes); });
    internal::sort_columns<n, 0>(v);
    internal::merge_columns<1, n>(v);
    // A column is a run: they are written one after the other.
    constexpr int n_blocks = (n + n_lanes - 1) / n_lanes;
    CodeLanes rows[n_blocks][n_lanes] = {};
    internal::unroll<n>(
        [&](auto r) __attribute__((always_inline)) { rows[r / n_lanes][r % n_lanes] = v[r]; });
    internal::unroll<n_blocks>([&](auto block)
                                   __attribute__((always_inline)) { transpose(rows[block]); });
    internal::unroll<n_lanes * n_blocks>([&](auto i) __attribute__((always_inline)) {
        constexpr int lane = i / n_blocks, block = i % n_blocks, at = lane * n + block * n_lanes;
        store_codes(codes + at, rows[block][lane]);
    });
}

}  // namespace heorot::sort
