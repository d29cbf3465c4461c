// Ranking keys where they are: see direct.hpp.
#include "benchmarks/npb/is/direct.hpp"

#include <algorithm>
#include <numeric>

namespace heorot::is {

namespace {

// The largest number of values whose counters of a byte fit a core's share of the caches.
constexpr std::int64_t most_values = std::int64_t{1} << 21;

std::size_t as_size(std::int64_t n) {
    return static_cast<std::size_t>(n);
}

}  // namespace

bool DirectRanking::pays(const KeySpace& space, int n_ranks) {
    if (space.n_values > most_values) return false;
    return n_ranks == 1 || space.n_values < space.n_keys / n_ranks;
}

DirectRanking::DirectRanking(const Communicator& group, const KeySpace& space, int n_parts,
                             Phases& phases)
    : group_(group),
      phases_(phases),
      counting_(phases.add("counting")),
      counters_(as_size(space.n_values), n_parts) {
    const auto n_ranks = as_size(group.size());
    for (std::size_t r = 0; r <= n_ranks; ++r) {
        const Part all = {0, as_size(space.n_values)};
        owner_starts_.push_back(static_cast<Key>(all.last * r / n_ranks));
    }
    for (std::size_t r = 0; r < n_ranks; ++r) {
        shares_.push_back(owner_starts_[r + 1] - owner_starts_[r]);
    }
    const auto me = as_size(group.rank());
    own_share_.assign(n_ranks, shares_[me]);
    table_.first = owner_starts_[me];
    table_.end = owner_starts_[me + 1];
    table_.n_keys = space.n_keys;
    table_.within = Array<std::uint32_t>(as_size(shares_[me]));
    if (n_ranks == 1) return;
    exchange_ = phases.add("exchange");
    counted_ = Array<std::uint32_t>(as_size(space.n_values));
    arrived_ = Array<std::uint32_t>(n_ranks * as_size(shares_[me]));
}

void DirectRanking::rank(std::span<const Key> keys) {
    const bool is_alone = group_.size() == 1;
    {
        const auto timed = phases_.enter(counting_);
        counters_.clear(is_alone ? table_.within.span() : counted_.span());
        counters_.count(keys);
        counters_.add_up();
    }
    if (!is_alone) exchange();
    const auto timed = phases_.enter(counting_);
    counters_.rank(table_.within.span());
}

// The population of each own value; and how many keys there are, here and on lower ranks.
void DirectRanking::exchange() {
    const auto timed = phases_.enter(exchange_);
    group_.all_to_all(std::span<const std::uint32_t>(counted_.span()), shares_, arrived_.span(),
                      own_share_);
    const auto n = static_cast<std::int64_t>(table_.within.size());
    const std::uint32_t* const arrived = arrived_.data();
    std::uint32_t* const within = table_.within.data();
    std::int64_t n_keys = 0;
#pragma omp parallel for schedule(static) reduction(+ : n_keys)
    for (std::int64_t v = 0; v < n; ++v) {
        std::uint32_t population = 0;
        for (int r = 0; r < group_.size(); ++r) population += arrived[r * n + v];
        within[v] = population;
        n_keys += population;
    }
    std::vector<std::int64_t> all(as_size(group_.size()));
    group_.all_gather(std::span<const std::int64_t>(&n_keys, 1), std::span(all));
    table_.n_keys = n_keys;
    table_.n_smaller = std::accumulate(all.begin(), all.begin() + group_.rank(), std::int64_t{0});
}

std::size_t DirectRanking::owner_of(Key key) const {
    const auto next = std::upper_bound(owner_starts_.begin(), owner_starts_.end(), key);
    return static_cast<std::size_t>(next - owner_starts_.begin()) - 1;
}

/// How many of the keys each rank owns.
std::vector<std::int64_t> DirectRanking::lengths(std::span<const Key> keys) const {
    std::vector<std::int64_t> lengths(shares_.size());
    for (const Key key : keys) ++lengths[owner_of(key)];
    return lengths;
}

Array<Key> DirectRanking::owned(std::span<const Key> keys) const {
    const std::vector<std::int64_t> out_lengths = lengths(keys);
    std::vector<std::int64_t> in_lengths(out_lengths.size());
    group_.all_to_all(std::span<const std::int64_t>(out_lengths), std::span(in_lengths));
    std::vector<std::int64_t> next(out_lengths.size());
    std::exclusive_scan(out_lengths.begin(), out_lengths.end(), next.begin(), std::int64_t{0});
    Array<Key> by_owner(keys.size());
    for (const Key key : keys) by_owner[as_size(next[owner_of(key)]++)] = key;
    Array<Key> owned(as_size(std::reduce(in_lengths.begin(), in_lengths.end())));
    group_.all_to_all(std::span<const Key>(by_owner.span()), out_lengths, owned.span(), in_lengths);
    return owned;
}

}  // namespace heorot::is
