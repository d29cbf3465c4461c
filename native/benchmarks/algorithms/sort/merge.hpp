// Sorting by comparisons: merging halves from both ends, without unpredictable branches.
//
// Checked in every run: keys ascend and are those of the input; and against std::sort in
// tests/algorithms/test_sort.cpp: all_sorts_equal_that_of_the_library.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

#include "harness/keep.hpp"
#include "numerics/lanes.hpp"

namespace heorot::sort {

/// As many keys as a vector register has lanes.
template <class Key>
using KeyLanes = std::conditional_t<std::is_same_v<Key, double>, Lanes,
                                    std::uint64_t __attribute__((vector_size(sizeof(Lanes))))>;

constexpr std::size_t shortest_run = 16;

/// Puts at most shortest_run keys into their order: the rank of a key is the
/// number of keys before it. Source: D. E. Knuth, The Art of Computer Programming 3, 2nd ed.
/// (1998), section 5.2, algorithm C (comparison counting).
template <class Key>
void sort_by_counting(const Key* from, Key* to, std::size_t n) {
    constexpr std::size_t n_vectors = shortest_run / n_lanes;
    alignas(64) std::array<Key, shortest_run> keys;
    alignas(64) std::array<std::int64_t, shortest_run> places;
    // Behind all others, and behind keys that are as large.
    keys.fill(std::numeric_limits<Key>::has_infinity ? std::numeric_limits<Key>::infinity()
                                                     : std::numeric_limits<Key>::max());
    std::copy_n(from, n, keys.begin());
    std::array<KeyLanes<Key>, n_vectors> vectors;
    std::array<LaneMask, n_vectors> numbers;
    std::array<LaneMask, n_vectors> before = {};
    std::memcpy(vectors.data(), keys.data(), sizeof keys);
    for (std::size_t i = 0; i < shortest_run; ++i) places[i] = static_cast<std::int64_t>(i);
    std::memcpy(numbers.data(), places.data(), sizeof places);
    for (std::size_t j = 0; j < n; ++j) {
        const KeyLanes<Key> key = keys[j] - KeyLanes<Key>{};
        for (std::size_t v = 0; v < n_vectors; ++v) {
            const LaneMask is_before = key < vectors[v];
            const LaneMask is_same = key == vectors[v];
            before[v] -= is_before | (is_same & (numbers[v] > static_cast<std::int64_t>(j)));
        }
    }
    std::memcpy(places.data(), before.data(), sizeof places);
    for (std::size_t i = 0; i < n; ++i) to[places[i]] = keys[i];
}

/// 1 if a key is less than another, else 0: opaque to compilers, which would branch on it.
template <class Key>
[[gnu::always_inline]] inline std::ptrdiff_t is_less(const Key& key, const Key& other) {
    std::ptrdiff_t result = key < other ? 1 : 0;
    keep(result);
    return result;
}

/// Merges two runs that ascend, of which the second begins where the first ends and is as long or
/// longer by one: the smaller keys from the front and, in the same turn, the larger ones from the
/// back. As many turns as the first run has keys end neither of them.
template <class Key>
void merge(const Key* a, std::size_t n_a, std::size_t n_b, Key* to) {
    const Key* b = a + n_a;
    const Key* a_last = b - 1;
    const Key* b_last = b + n_b - 1;
    Key* last = to + n_a + n_b - 1;
    for (std::size_t turn = n_a; turn > 0; --turn) {
        const std::ptrdiff_t is_b = is_less(*b, *a);
        *to++ = a[(b - a) * is_b];
        a += 1 - is_b;
        b += is_b;
        const std::ptrdiff_t is_a = is_less(*b_last, *a_last);
        *last-- = b_last[(a_last - b_last) * is_a];
        a_last -= is_a;
        b_last -= 1 - is_a;
    }
    if (to <= last) *to = a <= a_last ? *a : *b;
}

/// Sorts keys[0 ... n-1] into `other` or where they are; both arrays are overwritten.
template <class Key>
void merge_halves(Key* keys, Key* other, std::size_t n, bool is_into_other) {
    if (n <= shortest_run) return sort_by_counting(keys, is_into_other ? other : keys, n);
    const std::size_t half = n / 2;
    merge_halves(keys, other, half, !is_into_other);
    merge_halves(keys + half, other + half, n - half, !is_into_other);
    const Key* const from = is_into_other ? keys : other;
    merge(from, half, n - half, is_into_other ? other : keys);
}

/// Sorts keys with as much scratch.
template <class Key>
void merge_sort(std::span<Key> keys, std::span<Key> scratch) {
    merge_halves(keys.data(), scratch.data(), keys.size(), false);
}

}  // namespace heorot::sort
