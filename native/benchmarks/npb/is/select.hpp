// Picking the keys of a range of values out of a sequence, in order, without a branch per key.
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

/// Writes the keys in [first, end) to `to`, and nothing behind them; returns how many they are.
inline std::size_t copy_between(std::span<const Key> keys, Key first, Key end, Key* to) {
    Key* const start = to;
    std::size_t i = 0;
#if defined(__AVX512F__)
    constexpr std::size_t n_lanes = 16;
    const __m512i lowest = _mm512_set1_epi32(static_cast<int>(first));
    const __m512i n_values = _mm512_set1_epi32(static_cast<int>(end - first));
    for (; i + n_lanes <= keys.size(); i += n_lanes) {
        const __m512i some = _mm512_loadu_si512(keys.data() + i);
        const __mmask16 wanted = _mm512_cmplt_epu32_mask(_mm512_sub_epi32(some, lowest), n_values);
        const int n_wanted = std::popcount(static_cast<unsigned>(wanted));
        // Packing in a register and storing its start is faster than packing into memory.
        _mm512_mask_storeu_epi32(to, static_cast<__mmask16>((1U << n_wanted) - 1),
                                 _mm512_maskz_compress_epi32(wanted, some));
        to += n_wanted;
    }
#endif
    for (; i < keys.size(); ++i) {
        if (keys[i] - first < end - first) *to++ = keys[i];
    }
    return static_cast<std::size_t>(to - start);
}

}  // namespace heorot::is
