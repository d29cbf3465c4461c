// Sorting by the digits of keys, the last digit first, by all threads.
//
// Checked in every run: keys ascend and are those of the input; and against std::sort in
// tests/algorithms/test_sort.cpp: all_sorts_equal_that_of_the_library.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/array.hpp"

namespace heorot::sort {

using Word = std::uint64_t;

/// A number that is less if the key is.
constexpr Word code(Word key) {
    return key;
}
/// Negative doubles have all bits flipped, others the sign: then they ascend as whole numbers do.
constexpr Word code(double key) {
    const auto bits = std::bit_cast<Word>(key);
    constexpr Word sign = Word{1} << 63U;
    return bits ^ (-(bits >> 63U) | sign);
}

/// LSD radix sort: for each of the eight bytes of a key, the last one first, keys go where counts
/// of the byte say, those of equal bytes in their order; bytes that all keys share are left out.
/// Of more keys than a cache holds, those with the same byte are gathered in a line before they are
/// written. Every thread has a part of the keys and a place of its own for each byte.
/// Source: D. E. Knuth, The Art of Computer Programming 3, 2nd ed. (1998), section 5.2.5; N. Satish
/// et al., Fast sort on CPUs and GPUs, SIGMOD (2010), for the lines and the threads.
template <class Key>
class RadixSort {
  public:
    /// For at most `most_keys` keys, by `n_threads` threads; from `gathered_bytes` of keys on these
    /// are gathered in lines, as where they go is no longer in a cache.
    RadixSort(std::size_t most_keys, std::size_t n_threads, std::size_t gathered_bytes);

    void sort(std::span<Key> keys);
    /// How often the last sort has read and written all keys, beyond reading them to count.
    int n_passes() const { return n_passes_; }

  private:
    static constexpr std::size_t n_digits = 8;
    static constexpr std::size_t n_values = 256;
    using Counts = std::array<std::size_t, n_values>;
    static constexpr std::size_t line = 64 / sizeof(Key);
    /// What a thread needs.
    struct alignas(64) Part {
        std::array<Counts, n_digits> counts;  ///< of every digit, of the keys as they came
        Counts next;                          ///< how many of a digit, then where they go
        std::array<std::array<Key, line>, n_values> lines;
    };

    std::span<Key> part_of(std::span<Key> keys, std::size_t thread) const;
    static void count_all(std::span<const Key> keys, Part& part);
    static void count(std::span<const Key> keys, std::size_t digit, Counts& counts);
    bool is_shared(std::size_t digit, std::size_t n_keys) const;
    void pass(std::span<Key> from, std::span<Key> to, std::size_t digit);
    void place();
    static void scatter(std::span<const Key> from, Key* to, std::size_t digit, Counts& next);
    static void scatter_by_lines(std::span<const Key> from, Key* to, std::size_t digit, Part& part);
    static std::size_t value(Key key, std::size_t digit) {
        return code(key) >> (8U * digit) & (n_values - 1);
    }

    Array<Key> scratch_;
    std::vector<Part> parts_;
    std::size_t gathered_bytes_;
    int n_passes_ = 0;
};

extern template class RadixSort<Word>;
extern template class RadixSort<double>;

}  // namespace heorot::sort
