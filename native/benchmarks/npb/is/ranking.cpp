// Ranking keys of all ranks: see ranking.hpp.
#include "benchmarks/npb/is/ranking.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

namespace heorot::is {

namespace {

// Enough buckets to share them evenly among the ranks, few enough to write into all of them at
// once; and a key without the number of its bucket has at most 16 bits.
std::size_t choose_n_buckets(const KeySpace& space, std::size_t n_ranks) {
    const std::size_t wanted =
        std::clamp(std::bit_ceil(64 * n_ranks), std::size_t{256}, std::size_t{4096});
    const auto n_values = static_cast<std::size_t>(space.n_values);
    return std::min(std::max(wanted, n_values >> 16U), n_values);
}

constexpr std::size_t n_lanes = 4;  // histograms side by side: equal keys in a row do not wait
constexpr int tag = 1;

}  // namespace

BucketRanking::BucketRanking(const Communicator& group, const KeySpace& space, int n_parts,
                             std::span<const Key> keys, std::int64_t n_changing, Phases& phases)
    : group_(group),
      phases_(phases),
      histogram_(phases.add("histogram")),
      redistribution_(phases.add("redistribution")),
      counting_(phases.add("counting")),
      me_(static_cast<std::size_t>(group.rank())),
      n_ranks_(static_cast<std::size_t>(group.size())),
      space_(space),
      n_parts_(static_cast<std::size_t>(n_parts)),
      n_buckets_(choose_n_buckets(space, n_ranks_)),
      shift_(static_cast<unsigned>(
          std::countr_zero(static_cast<std::size_t>(space.n_values) / n_buckets_))),
      sizes_(n_buckets_),
      total_sizes_(n_buckets_),
      total_starts_(n_buckets_ + 1),
      histograms_(n_parts_, std::vector<std::uint32_t>(n_lanes * n_buckets_)),
      nexts_(n_parts_, std::vector<std::size_t>(n_buckets_)),
      owner_starts_(n_ranks_ + 1),
      outgoing_starts_(n_ranks_ + 1),
      incoming_starts_(n_ranks_ + 1),
      out_lengths_(n_ranks_),
      in_lengths_(n_ranks_),
      requests_(2 * n_ranks_) {
    allocate(keys, n_changing);
}

// A bucket goes to the rank in whose share its middle lies, so a rank owns at most its even share
// and one bucket more. `n_changing` keys shift the borders by as many buckets at most.
void BucketRanking::allocate(std::span<const Key> keys, std::int64_t n_changing) {
    count_buckets(keys);
    assign_owners();
    const std::int64_t most_owned = space_.n_keys / group_.size() + 1 + n_changing +
                                    *std::max_element(total_sizes_.begin(), total_sizes_.end());
    expects(most_owned <= std::int64_t{std::numeric_limits<std::uint32_t>::max()},
            "the ranks of the keys that one rank owns have 32 bits");
    const std::size_t most_buckets =
        std::min(n_buckets_, n_owned() + 2 * static_cast<std::size_t>(n_changing));
    if (n_ranks_ == 1) {
        alone_ = Array<Offset>(keys.size());
    } else {
        outgoing_ = Array<Key>(keys.size());
        incoming_ = Array<Key>(static_cast<std::size_t>(most_owned));
    }
    stretch_sizes_.resize(n_ranks_ * most_buckets);
    stretch_starts_.resize(n_ranks_ * most_buckets);
    table_.within = Array<std::uint32_t>(most_buckets << shift_);
}

void BucketRanking::rank(std::span<const Key> keys) {
    {
        const auto timed = phases_.enter(histogram_);
        count_buckets(keys);
        assign_owners();
        exchange_sizes();
        describe_table();
    }
    {
        const auto timed = phases_.enter(redistribution_);
        start_receiving();
        if (n_ranks_ == 1) {
            sort_by_bucket(keys, alone_.data());
        } else {
            sort_by_bucket(keys, outgoing_.data());
        }
        start_sending();
        group_.wait(requests_);
    }
    const auto timed = phases_.enter(counting_);
#pragma omp parallel for schedule(dynamic)
    for (std::size_t i = 0; i < n_owned(); ++i) count_bucket(i);
}

void BucketRanking::count_buckets(std::span<const Key> keys) {
#pragma omp parallel for schedule(static)
    for (std::size_t p = 0; p < n_parts_; ++p) {
        std::uint32_t* const counts = histograms_[p].data();
        std::fill_n(counts, n_lanes * n_buckets_, 0U);
        const Part mine = part_of(keys.size(), p, n_parts_);
        std::size_t i = mine.first;
        for (; i + n_lanes <= mine.last; i += n_lanes) {
            for (std::size_t lane = 0; lane < n_lanes; ++lane) {
                ++counts[lane * n_buckets_ + (keys[i + lane] >> shift_)];
            }
        }
        for (; i < mine.last; ++i) ++counts[keys[i] >> shift_];
        for (std::size_t lane = 1; lane < n_lanes; ++lane) {
            for (std::size_t b = 0; b < n_buckets_; ++b) counts[b] += counts[lane * n_buckets_ + b];
        }
    }
    std::fill(sizes_.begin(), sizes_.end(), 0);
    for (const auto& counts : histograms_) {
        for (std::size_t b = 0; b < n_buckets_; ++b) sizes_[b] += counts[b];
    }
}

void BucketRanking::assign_owners() {
    total_sizes_ = sizes_;
    group_.sum(std::span(total_sizes_));
    std::size_t owner = 0;
    for (std::size_t b = 0; b < n_buckets_; ++b) {
        total_starts_[b + 1] = total_starts_[b] + total_sizes_[b];
        const std::int64_t twice_middle = total_starts_[b] + total_starts_[b + 1];
        const auto wanted =
            static_cast<std::size_t>(twice_middle * group_.size() / (2 * space_.n_keys));
        for (; owner < std::min(wanted, n_ranks_ - 1); ++owner) owner_starts_[owner + 1] = b;
    }
    for (; owner < n_ranks_; ++owner) owner_starts_[owner + 1] = n_buckets_;
}

// Every rank learns how many keys of each of its buckets come from each rank.
void BucketRanking::exchange_sizes() {
    outgoing_starts_[0] = 0;
    for (std::size_t r = 0; r < n_ranks_; ++r) {
        out_lengths_[r] = static_cast<std::int64_t>(owner_starts_[r + 1] - owner_starts_[r]);
        in_lengths_[r] = static_cast<std::int64_t>(n_owned());
        outgoing_starts_[r + 1] = outgoing_starts_[r];
        for (std::size_t b = owner_starts_[r]; b < owner_starts_[r + 1]; ++b) {
            outgoing_starts_[r + 1] += static_cast<std::size_t>(sizes_[b]);
        }
    }
    group_.all_to_all(std::span<const std::int64_t>(sizes_), out_lengths_,
                      std::span(stretch_sizes_).first(n_ranks_ * n_owned()), in_lengths_);
    std::size_t next_own = outgoing_starts_[me_];
    incoming_starts_[0] = 0;
    for (std::size_t s = 0; s < n_ranks_; ++s) {
        incoming_starts_[s + 1] = incoming_starts_[s];
        std::size_t& next = s == me_ ? next_own : incoming_starts_[s + 1];
        for (std::size_t at = s * n_owned(); at < (s + 1) * n_owned(); ++at) {
            stretch_starts_[at] = next;
            next += static_cast<std::size_t>(stretch_sizes_[at]);
        }
    }
}

void BucketRanking::start_receiving() {
    for (std::size_t r = 0; r < n_ranks_; ++r) {
        const std::size_t length = incoming_starts_[r + 1] - incoming_starts_[r];
        if (length == 0) continue;
        requests_[r] = group_.start_receive(incoming_.span().subspan(incoming_starts_[r], length),
                                            static_cast<int>(r), tag);
    }
}

void BucketRanking::start_sending() {
    // Everyone begins with the next rank, so that not all send to the same one at first.
    for (std::size_t step = 1; step < n_ranks_; ++step) {
        const std::size_t r = (me_ + step) % n_ranks_;
        const std::size_t length = outgoing_starts_[r + 1] - outgoing_starts_[r];
        if (length == 0) continue;
        requests_[n_ranks_ + r] =
            group_.start_send(std::as_const(outgoing_).span().subspan(outgoing_starts_[r], length),
                              static_cast<int>(r), tag);
    }
}

// Key by key to the end of its bucket: two stores, but in an order that counts fast.
template <class Kept>
void BucketRanking::sort_by_bucket(std::span<const Key> keys, Kept* sorted) {
    std::size_t next = 0;
    for (std::size_t b = 0; b < n_buckets_; ++b) {
        for (std::size_t p = 0; p < n_parts_; ++p) {
            nexts_[p][b] = next;
            next += histograms_[p][b];
        }
    }
#pragma omp parallel for schedule(static)
    for (std::size_t p = 0; p < n_parts_; ++p) {
        std::size_t* const nexts = nexts_[p].data();
        const unsigned shift = shift_;
        const Part mine = part_of(keys.size(), p, n_parts_);
        for (const Key key : keys.subspan(mine.first, mine.last - mine.first)) {
            sorted[nexts[key >> shift]++] = static_cast<Kept>(key);
        }
    }
}

void BucketRanking::describe_table() {
    const std::size_t first = first_owned();
    const std::size_t end = owner_starts_[me_ + 1];
    table_.first = static_cast<std::int64_t>(first << shift_);
    table_.end = static_cast<std::int64_t>(end << shift_);
    table_.n_smaller = total_starts_[first];
    table_.n_keys = total_starts_[end] - total_starts_[first];
}

// The population of each value of a bucket, then their sums: rank(v) = keys in lower buckets + sum
// of the populations of all values of this bucket below v.
void BucketRanking::count_bucket(std::size_t owned) {
    const std::size_t n_values = std::size_t{1} << shift_;
    std::uint32_t* const within = table_.within.data() + owned * n_values;
    std::fill_n(within, n_values, 0U);
    const auto count = [within, mask = mask()](auto kept) {
        for (const auto key : kept) ++within[key & mask];
    };
    for (std::size_t s = 0; s < n_ranks_; ++s) {
        if (n_ranks_ == 1) {
            count(stretch(alone_, s, owned));
        } else {
            count(stretch(s == me_ ? outgoing_ : incoming_, s, owned));
        }
    }
    auto n_smaller = static_cast<std::uint32_t>(total_starts_[first_owned() + owned] -
                                                total_starts_[first_owned()]);
    for (std::size_t v = 0; v < n_values; ++v) {
        const std::uint32_t population = within[v];
        within[v] = n_smaller;
        n_smaller += population;
    }
}

}  // namespace heorot::is
