// Counters of a byte for every key value, so that many of them fit a cache, and their sums.
//
// Checked against a sorted list of all keys in tests/npb/test_is.cpp: check_direct.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/array.hpp"

namespace heorot::is {

using Key = std::uint32_t;

/// Part p of n elements dealt out evenly: [first, last).
struct Part {
    std::size_t first, last;
};
constexpr Part part_of(std::size_t n, std::size_t p, std::size_t n_parts) {
    return {n * p / n_parts, n * (p + 1) / n_parts};
}

/// The population of each key value, and the number of smaller keys. Each of `n_parts` threads
/// has counters of its own; where one overflows, which is rare, 256 are carried over to a table.
class Counters {
  public:
    /// For values below `n_values`.
    Counters(std::size_t n_values, int n_parts);
    /// Starts without keys. `table`, of n_values elements, must stay valid until add_up().
    void clear(std::span<std::uint32_t> table);
    void count(std::span<const Key> keys);
    /// table[v]: how many of the keys counted since clear() are v.
    void add_up();
    /// populations[i], of some neighbouring values: how many of their keys are of lower ones.
    void rank(std::span<std::uint32_t> populations);

  private:
    std::span<std::uint32_t> table_;
    int n_parts_;
    // counts_[part][v] + the multiples of 256 that went to table_[v]
    std::vector<Array<std::uint8_t>> counts_;
    std::vector<std::uint32_t> chunk_starts_;
};

}  // namespace heorot::is
