// Codes of few values: they are counted, and written one after the other.
//
// Source: D. E. Knuth, The Art of Computer Programming 3, 2nd ed. (1998), section 5.2, algorithm D
// (distribution counting).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "benchmarks/algorithms/sort/coding.hpp"

namespace heorot::sort {

/// As many as can be compared with each code in the time of a few partitions: their registers,
/// and those of the numbers found, are no more than a processor has.
constexpr std::size_t most_values = 12;

/// Values of codes, ascending, and how many codes have each.
struct Values {
    std::size_t n = 0;
    std::array<Code, most_values> value;
    std::array<std::size_t, most_values> n_found;
};

namespace internal {

/// Counts n codes by their values; false as soon as a code has another one.
template <class Coding, int most>
bool count(const Code* codes, std::size_t n, Values& values) {
    constexpr std::size_t width = n_lanes, stretch = 32 * width;
    std::array<CodeLanes, most> value, found{};
    for (std::size_t v = 0; v < value.size(); ++v) {
        value[v] = values.value[std::min(v, values.n - 1)] - CodeLanes{};
    }
    const std::size_t n_whole = n / width * width;
    for (std::size_t begin = 0; begin < n_whole; begin += stretch) {
        const std::size_t end = std::min(n_whole, begin + stretch);
        for (std::size_t i = begin; i < end; i += width) {
            const CodeLanes some = Coding::coded(load_codes(codes + i));
            unroll<most>([&](auto v)
                             __attribute__((always_inline)) { found[v] -= some == value[v]; });
        }
        CodeLanes all{};
        for (std::size_t v = 0; v < values.n; ++v) all += found[v];
        if (std::cmp_not_equal(total(all), end)) return false;
    }
    for (std::size_t v = 0; v < values.n; ++v) {
        values.n_found[v] = static_cast<std::size_t>(total(found[v]));
    }
    for (std::size_t i = n_whole; i < n; ++i) {
        const Code code = Coding::coded(codes[i] - CodeLanes{})[0];
        const auto first = values.value.begin();
        const auto at = std::find(first, first + static_cast<std::ptrdiff_t>(values.n), code);
        const auto v = static_cast<std::size_t>(at - first);
        if (v == values.n) return false;
        ++values.n_found[v];
    }
    return true;
}

}  // namespace internal

/// Sorts n codes that have these values only; else leaves them and returns false.
template <class Before, class After>
bool sort_by_counting_values(Code* codes, std::size_t n, Values& values) {
    const bool are_all = values.n <= 2   ? internal::count<Before, 2>(codes, n, values)
                         : values.n <= 4 ? internal::count<Before, 4>(codes, n, values)
                         : values.n <= 8 ? internal::count<Before, 8>(codes, n, values)
                                         : internal::count<Before, 12>(codes, n, values);
    if (!are_all) return false;
    for (std::size_t v = 0; v < values.n; ++v) {
        codes =
            std::fill_n(codes, values.n_found[v], After::coded(values.value[v] - CodeLanes{})[0]);
    }
    return true;
}

}  // namespace heorot::sort
