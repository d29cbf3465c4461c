// Ranks of integer keys that lie scattered over all ranks of the machine: by counting every key
// value at once, or by buckets that travel to the rank that owns them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "harness/array.hpp"
#include "harness/communicator.hpp"
#include "harness/phases.hpp"

namespace heorot::is {

using Key = std::uint32_t;

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
class DirectRanking {
  public:
    /// The keys are shared by `n_parts` threads, each with counters of its own.
    DirectRanking(const KeySpace& space, int n_parts, Phases& phases);
    /// Determines `table()` from `keys`.
    void rank(std::span<const Key> keys);
    RankTable& table() { return table_; }

  private:
    void count(std::span<const Key> keys);
    void add_up();

    Phases& phases_;
    Phase counting_;
    std::int64_t n_values_;
    int n_parts_;
    RankTable table_;
    // counts_[part][v] + the multiples of 256 that went to table_.within[v]
    std::vector<Array<std::uint8_t>> counts_;
    std::vector<std::int64_t> chunk_starts_;
};

/// Each rank sorts its keys into buckets of neighbouring values, and sends each bucket to the rank
/// that owns it, where the keys of each bucket are counted in the first- or second-level cache.
/// A key travels as its last 16 bits or fewer: the others are those of its bucket.
class BucketRanking {
  public:
    /// `keys` are those of this rank, from which the sizes of all arrays follow: up to
    /// `n_changing` keys of all ranks may have other values later. **Collective.**
    BucketRanking(const Communicator& group, const KeySpace& space, int n_parts,
                  std::span<const Key> keys, std::int64_t n_changing, Phases& phases);
    /// Determines `table()` from `keys`. **Collective.**
    void rank(std::span<const Key> keys);
    RankTable& table() { return table_; }

    /// Calls visit(key) for every key that this rank owns.
    template <class Visit>
    void for_each_owned(Visit&& visit) const {
        const std::span<const Offset> owned = received();
        for (std::size_t s = 0; s < n_ranks_; ++s) {
            for (std::size_t i = 0; i < n_owned(); ++i) {
                const auto base = static_cast<Key>((first_owned() + i) << shift_);
                const auto start = static_cast<std::size_t>(arrived_starts_[s * n_owned() + i]);
                const auto size = static_cast<std::size_t>(arrived_sizes_[s * n_owned() + i]);
                for (const Offset offset : owned.subspan(start, size)) visit(base + offset);
            }
        }
    }

  private:
    using Offset = std::uint16_t;  // a key without the number of its bucket

    std::size_t first_owned() const { return owner_starts_[me_]; }
    std::size_t n_owned() const { return owner_starts_[me_ + 1] - owner_starts_[me_]; }
    std::span<const Offset> received() const {
        return (n_ranks_ == 1 ? outgoing_ : incoming_).span();
    }
    void allocate(std::span<const Key> keys, std::int64_t n_changing);
    void count_buckets(std::span<const Key> keys);
    void assign_owners();
    void fill_buckets(std::span<const Key> keys);
    void exchange_sizes();
    void exchange_keys();
    void count_keys();
    void count_bucket(std::size_t owned);

    const Communicator& group_;
    Phases& phases_;
    Phase histogram_;
    Phase redistribution_;
    Phase counting_;
    std::size_t me_;
    std::size_t n_ranks_;
    KeySpace space_;
    std::size_t n_parts_;
    std::size_t n_buckets_;
    unsigned shift_;  // bucket = key >> shift_

    // By bucket: how many keys this rank has, all ranks have, and all have in lower buckets; by
    // part, the counters of a histogram.
    std::vector<std::int64_t> sizes_;
    std::vector<std::int64_t> total_sizes_;
    std::vector<std::int64_t> total_starts_;
    std::vector<std::vector<std::uint32_t>> histograms_;
    std::vector<std::vector<Offset*>> ends_;    // by part and bucket: where the next key goes
    std::vector<std::size_t> owner_starts_;     // by rank: its first bucket
    std::vector<std::int64_t> arrived_sizes_;   // by source and owned bucket
    std::vector<std::int64_t> arrived_starts_;  // likewise, in incoming_
    std::vector<std::int64_t> out_lengths_;     // by rank
    std::vector<std::int64_t> in_lengths_;
    Array<Offset> outgoing_;
    Array<Offset> incoming_;
    RankTable table_;
};

/// Part p of n elements dealt out evenly: [first, last).
struct Part {
    std::size_t first, last;
};
constexpr Part part_of(std::size_t n, std::size_t p, std::size_t n_parts) {
    return {n * p / n_parts, n * (p + 1) / n_parts};
}

}  // namespace heorot::is
