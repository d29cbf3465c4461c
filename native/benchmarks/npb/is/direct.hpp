// The result of a ranking, and the ranking that moves no key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "benchmarks/npb/is/counters.hpp"
#include "harness/array.hpp"
#include "harness/measure/phases.hpp"
#include "harness/world/communicator.hpp"

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

/// Every rank counts its keys by value, in counters of a byte that fit its cache. Several ranks
/// then exchange counts: each owns an equal number of values and adds up their counts. No key
/// moves. Checked against a sorted list of all keys in tests/npb/test_is.cpp: check_direct.
class DirectRanking {
  public:
    /// Whether the counters fit, and counts are fewer than the keys that would move otherwise.
    static bool pays(const KeySpace& space, int n_ranks);

    /// The keys are shared by `n_parts` threads, each with counters of its own.
    DirectRanking(const Communicator& group, const KeySpace& space, int n_parts, Phases& phases);
    /// Determines `table()` from the `keys` of this rank. **Collective.**
    void rank(std::span<const Key> keys);
    RankTable& table() { return table_; }
    /// The keys that this rank owns, of all ranks' `keys`. **Collective.**
    Array<Key> owned(std::span<const Key> keys) const;

  private:
    void exchange();
    std::vector<std::int64_t> lengths(std::span<const Key> keys) const;
    std::size_t owner_of(Key key) const;

    const Communicator& group_;
    Phases& phases_;
    Phase counting_, exchange_;
    std::vector<std::int64_t> shares_;     // by rank: how many values it owns
    std::vector<std::int64_t> own_share_;  // by rank: how many counts come from there
    std::vector<Key> owner_starts_;        // by rank: the first value it owns; the end of all
    Array<std::uint32_t> counted_;         // of all values, where there are several ranks
    Array<std::uint32_t> arrived_;         // of the own values, rank behind rank
    RankTable table_;
    Counters counters_;
};

}  // namespace heorot::is
