// Common parts of generators of random words of 64 bits: they make them in batches.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "numerics/lanes.hpp"

namespace heorot::generators {

using Word = std::uint64_t;
/// As many words as a vector register has lanes.
using Words = Word __attribute__((vector_size(n_lanes * sizeof(Word))));

/// The word with its bits mixed: of different words different ones. Source: G. L. Steele, D. Lea,
/// C. H. Flood, Fast splittable pseudorandom number generators, OOPSLA (2014), the last step of
/// SplitMix64.
constexpr Word mixed(Word word) {
    Word z = (word ^ (word >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}
/// How far apart the words are that SplitMix64 mixes.
constexpr Word golden_step = 0x9e3779b97f4a7c15U;

/// Words that a generator makes at once, on any processor, from state to state.
constexpr std::size_t words_per_batch = 64;
using Batch = std::array<Word, words_per_batch>;

/// How many batches it takes to fill n words.
constexpr std::uint64_t n_batches_for(std::size_t n) {
    return (n + words_per_batch - 1) / words_per_batch;
}

/// Fills `words` from new batches and drops the rest of the last one. make(to, n) writes n batches.
template <class Make>
void fill_by_batches(std::span<Word> words, Make&& make) {
    const std::size_t n_whole = words.size() / words_per_batch;
    if (n_whole > 0) make(words.data(), n_whole);
    const auto rest = words.subspan(n_whole * words_per_batch);
    if (rest.empty()) return;
    Batch last;
    make(last.data(), std::size_t{1});
    std::copy_n(last.begin(), rest.size(), rest.begin());
}

/// The leading 52 bits as a fraction, exact, in [0, 1).
constexpr double uniform(Word word) {
    constexpr Word exponent_of_one = 0x3ff0000000000000U;
    return std::bit_cast<double>((word >> 12U) | exponent_of_one) - 1.0;
}

}  // namespace heorot::generators
