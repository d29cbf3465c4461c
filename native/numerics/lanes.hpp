// As many lines of a grid side by side as a vector register has lanes.
//
// Not more: gcc keeps a vector that is wider than any register in memory, from one operation to the
// next, and shuffles or selects it lane by lane. With registers of four lanes, the solvers in npb/
// took two to three times as long with vectors of eight.
//
// Checked against one element after the other in tests/numerics/test_blocks.cpp: lanes_meet_memory,
// transpose_swaps_rows_and_lanes, lanes_are_shifted_and_chosen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#if defined(__GNUC__)
// Everything here is inlined, so that it does not matter how vectors would be passed in calls.
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace heorot {

#if defined(HEOROT_LANES)  // a power of two, to try what other processors have
constexpr int n_lanes = HEOROT_LANES;
#elif defined(__AVX512F__)
constexpr int n_lanes = 8;
#elif defined(__AVX__)
constexpr int n_lanes = 4;
#else
constexpr int n_lanes = 2;
#endif

/// Doubles with the arithmetic of one, lane by lane: +, -, *, / with other lanes or with a double;
/// lanes[i] is one of them.
using Lanes = double __attribute__((vector_size(n_lanes * sizeof(double))));
/// For each lane all bits if it is chosen, else none. & and | of masks are masks.
using LaneMask = std::int64_t __attribute__((vector_size(n_lanes * sizeof(std::int64_t))));

/// All lanes equal `value`.
[[gnu::always_inline]] inline Lanes lanes_of(double value) {
    return value - Lanes{};
}
/// Consecutive doubles; any alignment.
[[gnu::always_inline]] inline Lanes load(const double* from) {
    Lanes lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
}
[[gnu::always_inline]] inline void store(double* to, const Lanes& lanes) {
    std::memcpy(to, &lanes, sizeof lanes);
}
/// Stores the first n lanes only, 0 <= n <= n_lanes.
[[gnu::always_inline]] inline void store_first(double* to, const Lanes& lanes, int n) {
    std::memcpy(to, &lanes, static_cast<std::size_t>(n) * sizeof(double));
}

/// a in the lanes that are chosen, b in the others.
[[gnu::always_inline]] inline Lanes select(const LaneMask& mask, const Lanes& a, const Lanes& b) {
    return mask ? a : b;
}

/// The lanes from d on of a followed by b; 0 <= d <= n_lanes.
template <int d>
[[gnu::always_inline]] inline Lanes shift(const Lanes& a, const Lanes& b) {
    return [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
        return __builtin_shufflevector(a, b, (d + i)...);
    }(std::make_integer_sequence<int, n_lanes>());
}

/// Transposes a square matrix in place: lane c of rows[r] and lane r of rows[c] change places.
/// Here they do in blocks of 2 s x 2 s: the upper right quarter and the lower left one, by pairs.
template <int s = 1, class V, int n>
[[gnu::always_inline]] inline void transpose(V (&rows)[n]) {  // NOLINT: vectors
    for (int r = 0; r < n; ++r) {
        if ((r & s) != 0) continue;
        const V a = rows[r];
        const V b = rows[r + s];
        [&]<int... l>(std::integer_sequence<int, l...>) __attribute__((always_inline)) {
            rows[r] = __builtin_shufflevector(a, b, ((l & s) != 0 ? n + l - s : l)...);
            rows[r + s] = __builtin_shufflevector(a, b, ((l & s) != 0 ? n + l : l + s)...);
        }(std::make_integer_sequence<int, n>());
    }
    if constexpr (2 * s < n) transpose<2 * s>(rows);
}

}  // namespace heorot
