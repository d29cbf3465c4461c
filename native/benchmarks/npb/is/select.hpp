// Picking the keys of a range of values out of a sequence, in order, without a branch per key.
//
// Checked against a look at each key in tests/npb/test_is.cpp: keys_of_a_range_are_picked_in_order.
#pragma once

#include <bit>
#include <cstddef>
#include <span>

#include "benchmarks/npb/is/counters.hpp"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace heorot::is {

/// Whether the processor packs the wanted elements of a vector side by side. No loop in plain C++
/// becomes that instruction; without it, a key at a time is slower than a scatter into buckets.
#if defined(__AVX512F__)
constexpr bool packs_vectors = true;
#else
constexpr bool packs_vectors = false;
#endif

/// Writes the keys in [first, end) to the start of `room`, which has place for them; returns how
/// many they are. The room behind them has any content afterwards.
inline std::size_t copy_between(std::span<const Key> keys, Key first, Key end,
                                std::span<Key> room) {
    Key* to = room.data();
    std::size_t i = 0;
#if defined(__AVX512F__)
    constexpr std::ptrdiff_t n_lanes = 16;
    const Key* const room_end = to + room.size();
    const __m512i lowest = _mm512_set1_epi32(static_cast<int>(first));
    const __m512i n_values = _mm512_set1_epi32(static_cast<int>(end - first));
    // All of a vector is stored, and the next one over what was not wanted: faster than a store of
    // some elements.
    for (; i + n_lanes <= keys.size() && room_end - to >= n_lanes; i += n_lanes) {
        const __m512i some = _mm512_loadu_si512(keys.data() + i);
        const __mmask16 wanted = _mm512_cmplt_epu32_mask(_mm512_sub_epi32(some, lowest), n_values);
        _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(wanted, some));
        to += std::popcount(static_cast<unsigned>(wanted));
    }
#endif
    for (; i < keys.size(); ++i) {
        if (keys[i] - first < end - first) *to++ = keys[i];
    }
    return static_cast<std::size_t>(to - room.data());
}

}  // namespace heorot::is
