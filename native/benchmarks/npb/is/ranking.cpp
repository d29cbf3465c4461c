// The two ways to rank keys: see ranking.hpp.
#include "benchmarks/npb/is/ranking.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

namespace heorot::is {

// Counting every value at once --------------------------------------------------------------------

DirectRanking::DirectRanking(const KeySpace& space, int n_parts, Phases& phases)
    : phases_(phases),
      counting_(phases.add("counting")),
      n_values_(space.n_values),
      n_parts_(n_parts) {
    const auto n_values = static_cast<std::size_t>(n_values_);
    table_.end = n_values_;
    table_.n_keys = space.n_keys;
    table_.within = Array<std::uint32_t>(n_values);
    for (int part = 0; part < n_parts; ++part) counts_.emplace_back(n_values);
    chunk_starts_.resize(static_cast<std::size_t>(n_parts));
}

void DirectRanking::rank(std::span<const Key> keys) {
    const auto timed = phases_.enter(counting_);
    std::uint32_t* const within = table_.within.data();
#pragma omp parallel for schedule(static)
    for (std::int64_t v = 0; v < n_values_; ++v) within[v] = 0;
    count(keys);
    add_up();
}

// The population of each key value. A byte per value keeps the counters in the cache; where one
// overflows, which is rare, 256 are carried over to the table.
void DirectRanking::count(std::span<const Key> keys) {
    std::uint32_t* const within = table_.within.data();
#pragma omp parallel for schedule(static)
    for (int p = 0; p < n_parts_; ++p) {
        std::uint8_t* const counts = counts_[static_cast<std::size_t>(p)].data();
        std::fill_n(counts, n_values_, std::uint8_t{0});
        const Part mine = part_of(keys.size(), static_cast<std::size_t>(p), counts_.size());
        for (const Key key : keys.subspan(mine.first, mine.last - mine.first)) {
            if (++counts[key] == 0) [[unlikely]] {
#pragma omp atomic
                within[key] += 256;
            }
        }
    }
}

// rank(v) = sum of the populations of all values below v
void DirectRanking::add_up() {
    std::uint32_t* const within = table_.within.data();
    const auto n_values = static_cast<std::size_t>(n_values_);
#pragma omp parallel for schedule(static)
    for (int p = 0; p < n_parts_; ++p) {
        const Part mine = part_of(n_values, static_cast<std::size_t>(p), counts_.size());
        std::int64_t sum = 0;
        for (const auto& counts : counts_) {
            const std::uint8_t* const count = counts.data();
            for (std::size_t v = mine.first; v < mine.last; ++v) within[v] += count[v];
        }
        for (std::size_t v = mine.first; v < mine.last; ++v) sum += within[v];
        chunk_starts_[static_cast<std::size_t>(p)] = sum;
    }
    std::exclusive_scan(chunk_starts_.begin(), chunk_starts_.end(), chunk_starts_.begin(),
                        std::int64_t{0});
#pragma omp parallel for schedule(static)
    for (int p = 0; p < n_parts_; ++p) {
        const Part mine = part_of(n_values, static_cast<std::size_t>(p), counts_.size());
        auto n_smaller = static_cast<std::uint32_t>(chunk_starts_[static_cast<std::size_t>(p)]);
        for (std::size_t v = mine.first; v < mine.last; ++v) {
            const std::uint32_t population = within[v];
            within[v] = n_smaller;
            n_smaller += population;
        }
    }
}

// Buckets -----------------------------------------------------------------------------------------

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
      ends_(n_parts_, std::vector<Offset*>(n_buckets_)),
      owner_starts_(n_ranks_ + 1),
      out_lengths_(n_ranks_),
      in_lengths_(n_ranks_) {
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
    outgoing_ = Array<Offset>(keys.size());
    if (n_ranks_ > 1) incoming_ = Array<Offset>(static_cast<std::size_t>(most_owned));
    arrived_sizes_.resize(n_ranks_ * most_buckets);
    arrived_starts_.resize(n_ranks_ * most_buckets);
    table_.within = Array<std::uint32_t>(most_buckets << shift_);
}

void BucketRanking::rank(std::span<const Key> keys) {
    {
        const auto timed = phases_.enter(histogram_);
        count_buckets(keys);
        assign_owners();
    }
    {
        const auto timed = phases_.enter(redistribution_);
        fill_buckets(keys);
        exchange_sizes();
        exchange_keys();
    }
    const auto timed = phases_.enter(counting_);
    count_keys();
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

void BucketRanking::fill_buckets(std::span<const Key> keys) {
    Offset* end = outgoing_.data();
    for (std::size_t b = 0; b < n_buckets_; ++b) {
        for (std::size_t p = 0; p < n_parts_; ++p) {
            ends_[p][b] = end;
            end += histograms_[p][b];
        }
    }
    const Key mask = (Key{1} << shift_) - 1;
#pragma omp parallel for schedule(static)
    for (std::size_t p = 0; p < n_parts_; ++p) {
        Offset** const ends = ends_[p].data();
        const Part mine = part_of(keys.size(), p, n_parts_);
        for (const Key key : keys.subspan(mine.first, mine.last - mine.first)) {
            *ends[key >> shift_]++ = static_cast<Offset>(key & mask);
        }
    }
}

// Every rank learns how many keys of each of its buckets come from each rank.
void BucketRanking::exchange_sizes() {
    const auto n_arriving = n_ranks_ * n_owned();
    for (std::size_t r = 0; r < n_ranks_; ++r) {
        out_lengths_[r] = static_cast<std::int64_t>(owner_starts_[r + 1] - owner_starts_[r]);
        in_lengths_[r] = static_cast<std::int64_t>(n_owned());
    }
    group_.all_to_all(std::span<const std::int64_t>(sizes_), out_lengths_,
                      std::span(arrived_sizes_).first(n_arriving), in_lengths_);
    std::exclusive_scan(arrived_sizes_.begin(),
                        arrived_sizes_.begin() + static_cast<std::ptrdiff_t>(n_arriving),
                        arrived_starts_.begin(), std::int64_t{0});
}

void BucketRanking::exchange_keys() {
    if (n_ranks_ == 1) return;
    constexpr std::int64_t offset_bytes = sizeof(Offset);
    std::int64_t n_incoming = 0;
    for (std::size_t r = 0; r < n_ranks_; ++r) {
        out_lengths_[r] = 0;
        for (std::size_t b = owner_starts_[r]; b < owner_starts_[r + 1]; ++b) {
            out_lengths_[r] += offset_bytes * sizes_[b];
        }
        in_lengths_[r] = 0;
        for (std::size_t i = 0; i < n_owned(); ++i) {
            in_lengths_[r] += offset_bytes * arrived_sizes_[r * n_owned() + i];
        }
        n_incoming += in_lengths_[r] / offset_bytes;
    }
    group_.all_to_all(
        std::as_bytes(outgoing_.span()), out_lengths_,
        std::as_writable_bytes(incoming_.span().first(static_cast<std::size_t>(n_incoming))),
        in_lengths_);
}

void BucketRanking::count_keys() {
    const std::size_t first = first_owned();
    const std::size_t end = owner_starts_[me_ + 1];
    table_.first = static_cast<std::int64_t>(first << shift_);
    table_.end = static_cast<std::int64_t>(end << shift_);
    table_.n_smaller = total_starts_[first];
    table_.n_keys = total_starts_[end] - total_starts_[first];
    const std::size_t n_own = n_owned();
#pragma omp parallel for schedule(dynamic)
    for (std::size_t i = 0; i < n_own; ++i) count_bucket(i);
}

// The population of each value of a bucket, then their sums: rank(v) = keys in lower buckets + sum
// of the populations of all values of this bucket below v.
void BucketRanking::count_bucket(std::size_t owned) {
    const std::size_t n_values = std::size_t{1} << shift_;
    std::uint32_t* const within = table_.within.data() + owned * n_values;
    std::fill_n(within, n_values, 0U);
    for (std::size_t s = 0; s < n_ranks_; ++s) {
        const std::size_t at = s * n_owned() + owned;
        for (const Offset offset :
             received().subspan(static_cast<std::size_t>(arrived_starts_[at]),
                                static_cast<std::size_t>(arrived_sizes_[at]))) {
            ++within[offset];
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
