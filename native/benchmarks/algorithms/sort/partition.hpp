// Partition of codes about a pivot, a vector register at a time.
//
// Lanes below the pivot move to the front of one register, the others to that of another, by an
// index of lanes for each mask of the comparison. Both are stored whole: what does not belong to a
// side is overwritten by the next store there.
// Source: B. Bramas, A novel hybrid quicksort algorithm vectorized using AVX-512, IJACSA 8 (2017);
// M. Blacher et al., Vectorized and performance-portable quicksort, SPE 52 (2022).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__AVX2__) && !defined(HEOROT_LANES)
#include <immintrin.h>
#endif

#include "benchmarks/algorithms/sort/network.hpp"

namespace heorot::sort {

namespace internal {

/// Of every mask the lanes that are set, then the others; a lane is `n_words` words.
template <class Word, int n_words>
constexpr auto chosen_lanes() {
    std::array<std::array<Word, std::size_t{n_lanes} * n_words>, std::size_t{1} << n_lanes>
        chosen{};
    for (unsigned mask = 0; mask < chosen.size(); ++mask) {
        std::size_t at = 0;
        for (const unsigned is_chosen : {1U, 0U}) {
            for (int word = 0; word < n_lanes * n_words; ++word) {
                if ((mask >> (word / n_words) & 1U) != is_chosen) continue;
                chosen[mask][at++] = static_cast<Word>(word);
            }
        }
    }
    return chosen;
}

/// Moves the lanes that are less than the pivot's to the front, the others behind them; returns the
/// number of the lesser.
[[gnu::always_inline]] inline std::size_t separate(CodeLanes& codes, const CodeLanes& pivot) {
#if defined(__AVX512F__) && !defined(HEOROT_LANES)
    alignas(64) static constexpr auto chosen = chosen_lanes<std::uint8_t, 1>();
    const auto v = reinterpret_cast<__m512i>(codes);
    const unsigned mask = _mm512_cmplt_epi64_mask(v, reinterpret_cast<__m512i>(pivot));
    const auto* const index = reinterpret_cast<const __m128i*>(chosen[mask].data());
    // With masks: gcc 12 warns of what the forms without leave undefined.
    codes = reinterpret_cast<CodeLanes>(_mm512_maskz_permutexvar_epi64(
        0xff, _mm512_maskz_cvtepu8_epi64(0xff, _mm_loadl_epi64(index)), v));
    return static_cast<std::size_t>(std::popcount(mask));
#elif defined(__AVX2__) && !defined(HEOROT_LANES)
    alignas(32) static constexpr auto chosen = chosen_lanes<std::int32_t, 2>();
    const auto is_less = reinterpret_cast<__m256d>(codes < pivot);
    const auto mask = static_cast<unsigned>(_mm256_movemask_pd(is_less));
    const auto* const index = reinterpret_cast<const __m256i*>(chosen[mask].data());
    codes = reinterpret_cast<CodeLanes>(
        _mm256_permutevar8x32_epi32(reinterpret_cast<__m256i>(codes), _mm256_load_si256(index)));
    return static_cast<std::size_t>(std::popcount(mask));
#else
    const CodeLanes all = codes;
    int n_lesser = 0, n_others = 0;
    for (int lane = 0; lane < n_lanes; ++lane) {
        const bool is_less = all[lane] < pivot[lane];
        codes[is_less ? n_lesser++ : n_lanes - ++n_others] = all[lane];
    }
    return static_cast<std::size_t>(n_lesser);
#endif
}

/// What is not written yet of a partition: codes[0 ... n-1].
struct Gap {
    Code* codes;
    std::size_t n;
    CodeLanes pivot;

    /// Writes lanes to the ends where they belong: n is a multiple of their number, or there are
    /// twice as many codes left.
    [[gnu::always_inline]] void put(CodeLanes lanes) {
        const std::size_t n_lesser = separate(lanes, pivot);
        store_codes(codes, lanes);
        store_codes(codes + n - n_lanes, lanes);
        codes += n_lesser;
        n -= n_lanes;
    }
    void put(Code code) {
        std::memcpy(codes, &code, sizeof code);
        std::memcpy(codes + n - 1, &code, sizeof code);
        codes += code < pivot[0] ? 1 : 0;
        --n;
    }
    /// Writes codes that are where they may be overwritten, at most `most`. Those that fill no
    /// register are the first: of the last register both stores have to be at the same place.
    template <class Coding, std::size_t most>
    void put_copies(const Code* from, std::size_t n_from) {
        std::array<Code, most> copies;
        std::memcpy(copies.data(), from, n_from * sizeof(Code));
        const std::size_t n_single = n_from % n_lanes;
        for (std::size_t i = 0; i < n_single; ++i) {
            put(Coding::coded(copies[i] - CodeLanes{})[0]);
        }
        for (std::size_t i = n_single; i < n_from; i += n_lanes) {
            put(Coding::coded(load_codes(copies.data() + i)));
        }
    }
};

}  // namespace internal

/// Registers that are read together, from the left or the right: a branch that is hard to predict.
constexpr int n_together = 8;

/// Has those of n codes in front that are less than the pivot; returns their number. Coding: how
/// what is there becomes codes.
template <class Coding>
std::size_t partition(Code* all, std::size_t n, Code pivot) {
    constexpr std::size_t width = n_lanes, block = n_together * width;
    using Block = std::array<CodeLanes, n_together>;
    const auto read = [](const Code* from) __attribute__((always_inline)) {
        Block lanes;
        internal::unroll<n_together>([&](auto i) __attribute__((always_inline)) {
            lanes[i] = Coding::coded(load_codes(from + i * n_lanes));
        });
        return lanes;
    };
    internal::Gap gap{all, n, pivot - CodeLanes{}};
    const auto write = [&](const Block& lanes) __attribute__((always_inline)) {
        internal::unroll<n_together>([&](auto i)
                                         __attribute__((always_inline)) { gap.put(lanes[i]); });
    };
    if (n < 2 * block) {
        gap.put_copies<Coding, 2 * block>(all, n);
        return static_cast<std::size_t>(gap.codes - all);
    }
    // The first and the last block wait: so room for two more is free, on one side or the other.
    const Block first = read(all), last = read(all + n - block);
    Code* left = all + block;
    Code* right = all + n - block;
    while (right - left >= std::ptrdiff_t{block}) {
        if (left - gap.codes <= std::ptrdiff_t{block}) {
            write(read(left));
            left += block;
        } else {
            right -= block;
            write(read(right));
        }
    }
    gap.put_copies<Coding, block>(left, static_cast<std::size_t>(right - left));
    write(first);
    write(last);
    return static_cast<std::size_t>(gap.codes - all);
}

}  // namespace heorot::sort
