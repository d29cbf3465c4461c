// Ranks of integer keys that lie scattered over all ranks of the machine: each key goes to the rank
// that owns its range of values, and is counted there.
//
// Checked against a sorted list of all keys in tests/npb/test_is.cpp: check_buckets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "benchmarks/npb/is/counters.hpp"
#include "benchmarks/npb/is/direct.hpp"
#include "harness/array.hpp"
#include "harness/measure/phases.hpp"
#include "harness/world/communicator.hpp"

namespace heorot::is {

/// A histogram of neighbouring values, the buckets, decides which range of values each rank owns.
/// Each rank sorts its keys by bucket and sends them to the owners; its own stay in place. The
/// owner counts bucket by bucket, in L1d or L2.
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
        for (std::size_t i = 0; i < n_owned(); ++i) {
            const auto base = static_cast<Key>((first_owned() + i) << shift_);
            if (n_ranks_ == 1) {
                for (const Offset offset : stretch(alone_, 0, i)) visit(base + (offset & mask()));
            } else {
                for (std::size_t s = 0; s < n_ranks_; ++s) {
                    for (const Key key : stretch(s == me_ ? outgoing_ : incoming_, s, i))
                        visit(key);
                }
            }
        }
    }

  private:
    using Offset = std::uint16_t;  // the last bits of a key, among them all that its bucket leaves

    std::size_t first_owned() const { return owner_starts_[me_]; }
    std::size_t n_owned() const { return owner_starts_[me_ + 1] - owner_starts_[me_]; }
    Key mask() const { return (Key{1} << shift_) - 1; }
    /// The keys of owned bucket `owned` from rank `source`.
    template <class Kept>
    std::span<const Kept> stretch(const Array<Kept>& kept, std::size_t source,
                                  std::size_t owned) const {
        const std::size_t at = source * n_owned() + owned;
        return kept.span().subspan(stretch_starts_[at],
                                   static_cast<std::size_t>(stretch_sizes_[at]));
    }
    void allocate(std::span<const Key> keys, std::int64_t n_changing);
    void count_buckets(std::span<const Key> keys);
    void assign_owners();
    void exchange_sizes();
    void start_receiving();
    template <class Kept>
    void sort_by_bucket(std::span<const Key> keys, Kept* sorted);
    void start_sending();
    void describe_table();
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
    // part, the counters of a histogram, and where a key goes next.
    std::vector<std::int64_t> sizes_;
    std::vector<std::int64_t> total_sizes_;
    std::vector<std::int64_t> total_starts_;
    std::vector<std::vector<std::uint32_t>> histograms_;
    std::vector<std::vector<std::size_t>> nexts_;
    // By rank: its first bucket, where the keys for it begin in outgoing_, and those that it sent
    // in incoming_.
    std::vector<std::size_t> owner_starts_;
    std::vector<std::size_t> outgoing_starts_;
    std::vector<std::size_t> incoming_starts_;
    // By source and owned bucket: how many keys, and where they begin in outgoing_ if they are this
    // rank's own, else in incoming_.
    std::vector<std::int64_t> stretch_sizes_;
    std::vector<std::size_t> stretch_starts_;
    std::vector<std::int64_t> out_lengths_;  // by rank
    std::vector<std::int64_t> in_lengths_;
    std::vector<Request> requests_;
    Array<Offset> alone_;  // all keys by bucket, where there is one rank only; else the others
    Array<Key> outgoing_;
    Array<Key> incoming_;
    RankTable table_;
};

}  // namespace heorot::is
