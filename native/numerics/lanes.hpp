// Eight lines of a grid computed side by side: a vector of eight doubles and how it meets memory.
//
// Checked against one element after the other in tests/numerics/test_blocks.cpp: lanes_meet_memory,
// transpose_swaps_rows_and_lanes.
#pragma once

#include <cstddef>
#include <cstring>

#if defined(__GNUC__)
// Everything here is inlined, so that it does not matter how vectors would be passed in calls.
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace heorot {

/// Eight doubles with the arithmetic of one, lane by lane: +, -, *, / with other lanes or with a
/// double; lanes[i] is one of them. A compiler splits them up where registers are narrower.
using Lanes = double __attribute__((vector_size(64)));
constexpr int n_lanes = 8;

/// All lanes equal `value`.
[[gnu::always_inline]] inline Lanes lanes_of(double value) {
    return Lanes{value, value, value, value, value, value, value, value};
}
/// Eight consecutive doubles; any alignment.
[[gnu::always_inline]] inline Lanes load(const double* from) {
    Lanes lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
}
[[gnu::always_inline]] inline void store(double* to, const Lanes& lanes) {
    std::memcpy(to, &lanes, sizeof lanes);
}
/// Stores the first n lanes only, 0 <= n <= 8.
[[gnu::always_inline]] inline void store_first(double* to, const Lanes& lanes, int n) {
    std::memcpy(to, &lanes, static_cast<std::size_t>(n) * sizeof(double));
}
/// Transposes an 8 x 8 matrix in place: lane c of rows[r] and lane r of rows[c] change places.
[[gnu::always_inline]] inline void transpose(Lanes (&rows)[n_lanes]) {  // NOLINT: vectors
    Lanes pairs[n_lanes];                                               // NOLINT
    for (int r = 0; r < n_lanes; r += 2) {
        pairs[r] = __builtin_shufflevector(rows[r], rows[r + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        pairs[r + 1] = __builtin_shufflevector(rows[r], rows[r + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    Lanes fours[n_lanes];  // NOLINT
    for (int r = 0; r < n_lanes; r += 4) {
        for (int s = 0; s < 2; ++s) {
            fours[r + s] = __builtin_shufflevector(pairs[r + s], pairs[r + s + 2],  //
                                                   0, 1, 8, 9, 4, 5, 12, 13);
            fours[r + s + 2] = __builtin_shufflevector(pairs[r + s], pairs[r + s + 2],  //
                                                       2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (int r = 0; r < 4; ++r) {
        rows[r] = __builtin_shufflevector(fours[r], fours[r + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        rows[r + 4] = __builtin_shufflevector(fours[r], fours[r + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

}  // namespace heorot
