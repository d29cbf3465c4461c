// What a ranking finds out, and the ranking of keys that all lie on one rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "benchmarks/npb/is/counters.hpp"
#include "harness/array.hpp"
#include "harness/measure/phases.hpp"

namespace heorot::is {

/// How many keys there are on all ranks together, and that each is below n_values.
struct KeySpace {
    std::int64_t n_keys;
    std::int64_t n_values;  ///< a power of two
};

/// What this rank knows after a ranking: for each key value v in [first, end), how many keys of
/// all ranks are smaller than v, which is the rank of v.
struct RankTable {
    bool owns(Key v) const { return std::cmp_less_equal(first, v) && std::cmp_less(v, end); }
    std::int64_t rank_of(Key v) const {
        return n_smaller + within[static_cast<std::size_t>(v - first)];
    }

    std::int64_t first = 0;
    std::int64_t end = 0;
    std::int64_t n_smaller = 0;   ///< keys smaller than `first`
    std::int64_t n_keys = 0;      ///< keys in [first, end)
    Array<std::uint32_t> within;  ///< rank of first + i among these
};

/// One rank has all keys, and one counter of a byte for each value fits its cache: no key moves.
/// Checked against a sorted list of all keys in tests/npb/test_is.cpp: check_direct.
class DirectRanking {
  public:
    /// The keys are shared by `n_parts` threads, each with counters of its own.
    DirectRanking(const KeySpace& space, int n_parts, Phases& phases);
    /// Determines `table()` from `keys`.
    void rank(std::span<const Key> keys);
    RankTable& table() { return table_; }

  private:
    Phases& phases_;
    Phase counting_;
    RankTable table_;
    Counters counters_;
};

}  // namespace heorot::is
