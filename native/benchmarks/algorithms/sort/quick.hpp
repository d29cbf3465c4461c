// Quicksort in vector registers.
//
// Checked in every run: keys ascend and are those of the input; and against std::sort in
// tests/algorithms/test_sort.cpp: all_sorts_equal_that_of_the_library, doubles_have_a_total_order.
#pragma once

#include <cstddef>
#include <span>

#include "benchmarks/algorithms/sort/coding.hpp"

namespace heorot::sort {

/// Sorts keys in place: those in order are left or reversed; else more than fit into registers are
/// parted about a pivot, until they are few. The pivot is a median of medians; below n_medians
/// levels it is the middle of the least and the largest key, so that 64 more levels end it.
template <class Key>
void quick_sort(std::span<Key> keys, int n_medians);
/// With two levels of medians for each doubling of the number of keys.
template <class Key>
void quick_sort(std::span<Key> keys);

/// Sorts codes, which become what After makes of them: Plain or Flipped<Key>. Within a parallel
/// region, idle threads take part.
template <class After>
void sort_codes(std::span<Code> codes);

/// Whether keys descend nowhere, or do after they are reversed, because they ascended nowhere.
template <class Key>
bool put_in_order(std::span<Key> keys);

}  // namespace heorot::sort
