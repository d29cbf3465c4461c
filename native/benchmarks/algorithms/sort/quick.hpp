// Quicksort in vector registers.
//
// Checked in every run: keys ascend and are those of the input; and against std::sort in
// tests/algorithms/test_sort.cpp: all_sorts_equal_that_of_the_library, doubles_have_a_total_order.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "benchmarks/algorithms/sort/network.hpp"
#include "harness/array.hpp"

namespace heorot::sort {

/// Whole numbers without sign are less where those with the sign bit flipped are, as signed ones.
[[gnu::always_inline]] inline CodeLanes flipped(const CodeLanes& bits, std::uint64_t /*key*/) {
    return bits ^ std::numeric_limits<Code>::min();
}
/// Negative doubles have all bits but the sign flipped. Then they ascend as whole numbers do, and
/// so do those without an order of their own: -0 before +0, what is no number at the ends.
[[gnu::always_inline]] inline CodeLanes flipped(const CodeLanes& bits, double /*key*/) {
    return bits ^ ((bits >> 63) & largest_code);
}

/// Sorts keys in place: more than fit into registers are parted about a pivot, until they are few.
/// The pivot is a median of medians; below n_medians levels it is the middle of the least and the
/// largest key, so that 64 more levels end it.
template <class Key>
void quick_sort(std::span<Key> keys, int n_medians);
/// With two levels of medians for each doubling of the number of keys.
template <class Key>
void quick_sort(std::span<Key> keys);

/// Quicksort by all threads: each of them parts a share of the keys about the same pivots, into
/// buckets; these are gathered in scratch, sorted one by one, and copied back. The pivots are those
/// of a sorted sample.
/// Source: W. D. Frazer and A. C. McKellar, Samplesort: a sampling approach to minimal storage tree
/// sorting, J. ACM 17 (1970).
template <class Key>
class ParallelSort {
  public:
    /// For at most `most_keys` keys.
    ParallelSort(std::size_t most_keys, std::size_t n_threads);

    void sort(std::span<Key> keys);

  private:
    static constexpr std::size_t n_sampled = 64;           ///< for each bucket
    static constexpr std::size_t fewest_of_thread = 2048;  ///< fewer keys are left to one thread

    std::span<Key> part_of(std::span<Key> keys, std::size_t thread) const;
    std::vector<Code> find_splitters(std::span<const Key> keys) const;

    Array<Key> scratch_;
    std::size_t n_buckets_;
    std::vector<std::vector<std::size_t>> ends_;  ///< of each thread's buckets, after their begin
};

extern template class ParallelSort<std::uint64_t>;
extern template class ParallelSort<double>;

}  // namespace heorot::sort
