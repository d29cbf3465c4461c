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

/// The population of each key value, then the number of smaller keys. Each of `n_parts` threads
/// has counters of its own; where one overflows, which is rare, 256 are carried over to a table.
class Counters {
  public:
    Counters() = default;
    /// For values below `n_values`; memory of those never given to clear() is never touched.
    Counters(std::size_t n_values, int n_parts);
    /// From now on `table[i]` belongs to the value first + i, of which no key has come yet. The
    /// table must stay until add_up().
    void clear(std::span<std::uint32_t> table, Key first);
    /// Counts keys whose values the table has.
    void count(std::span<const Key> keys);
    /// Table: how many of the keys counted since clear() are smaller than first + i.
    void add_up();

  private:
    std::span<std::uint32_t> table_;
    Key first_ = 0;
    int n_parts_ = 1;
    // counts_[part][v] + the multiples of 256 that went to table_[v - first_]
    std::vector<Array<std::uint8_t>> counts_;
    std::vector<std::uint32_t> chunk_starts_;
};

}  // namespace heorot::is
