// Ranks of scattered keys equal those of a sorted list; with any number of ranks and threads.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "benchmarks/npb/is/classes.hpp"
#include "benchmarks/npb/is/direct.hpp"
#include "benchmarks/npb/is/ranking.hpp"
#include "benchmarks/npb/published.hpp"
#include "harness/world/world.hpp"
#include "numerics/random.hpp"
#include "tests/testing.hpp"

using namespace heorot;
using namespace heorot::is;

namespace {

constexpr std::int64_t n_values = 1 << 11;
constexpr std::int64_t many_values = std::int64_t{1} << 23;

std::vector<Key> bell_shaped(std::size_t n) {
    Random random(314159265);
    std::vector<Key> keys(n);
    for (Key& key : keys) {
        const double sum = random.next() + random.next() + random.next() + random.next();
        key = static_cast<Key>(static_cast<double>(n_values) / 4.0 * sum);
    }
    return keys;
}

/// Keys below many_values, in the same order.
std::vector<Key> spread(const std::vector<Key>& keys) {
    constexpr auto factor = static_cast<Key>(many_values / n_values);
    std::vector<Key> result = keys;
    for (Key& key : result) key = key * factor + key % 5;
    return result;
}

/// Whether the table agrees with the sorted list of the keys of all ranks.
bool agrees(const RankTable& table, std::vector<Key> all) {
    std::sort(all.begin(), all.end());
    bool same = true;
    // All values if they are few; of many, those of the keys and their neighbours.
    std::vector<Key> looked_up = all;
    for (const Key key : all) looked_up.push_back(key > 0 ? key - 1 : 0);
    for (Key key = 0; key < n_values; ++key) looked_up.push_back(key);
    for (const Key key : looked_up) {
        if (!table.owns(key)) continue;
        const auto n_smaller = std::lower_bound(all.begin(), all.end(), key) - all.begin();
        same = same && table.rank_of(key) == n_smaller;
    }
    return same;
}

std::vector<Key> share_of(const World& world, const std::vector<Key>& all) {
    const Part mine = part_of(all.size(), static_cast<std::size_t>(world.rank()),
                              static_cast<std::size_t>(world.size()));
    return {all.begin() + static_cast<std::ptrdiff_t>(mine.first),
            all.begin() + static_cast<std::ptrdiff_t>(mine.last)};
}

/// Whether every value and every key has one owner, to whom the keys came whole.
void check_shares(const World& world, const std::vector<Key>& all, const RankTable& table,
                  std::int64_t below, std::vector<Key> arrived) {
    CHECK(world.sum(table.end - table.first) == below && "every value has one owner");
    CHECK(world.sum(table.n_keys) == static_cast<std::int64_t>(all.size()) &&
          "every key has one owner");
    std::vector<Key> wanted;
    std::copy_if(all.begin(), all.end(), std::back_inserter(wanted),
                 [&](Key key) { return table.owns(key); });
    std::sort(wanted.begin(), wanted.end());
    std::sort(arrived.begin(), arrived.end());
    CHECK(arrived == wanted && "the owned keys arrive whole");
}

/// Every rank knows `all` keys and ranks those of its share, twice.
void check_buckets(const World& world, const std::vector<Key>& all, std::int64_t below,
                   int n_parts) {
    Phases phases = Phases(Clock(Clock::Kind::monotonic));
    const std::vector<Key> keys = share_of(world, all);
    const KeySpace space = {static_cast<std::int64_t>(all.size()), below};
    BucketRanking ranking(world, space, n_parts, keys, 0, phases);
    for (int turn = 0; turn < 2; ++turn) {
        ranking.rank(keys);
        CHECK(agrees(ranking.table(), all) && "ranks by buckets are those of a sorted list");
    }
    std::vector<Key> arrived;
    ranking.for_each_owned([&](Key key) { arrived.push_back(key); });
    check_shares(world, all, ranking.table(), below, arrived);
}

void check_direct(const World& world, const std::vector<Key>& all, int n_parts) {
    Phases phases = Phases(Clock(Clock::Kind::monotonic));
    const std::vector<Key> keys = share_of(world, all);
    const KeySpace space = {static_cast<std::int64_t>(all.size()), n_values};
    DirectRanking ranking(world, space, n_parts, phases);
    for (int turn = 0; turn < 2; ++turn) {
        ranking.rank(keys);
        CHECK(agrees(ranking.table(), all) && "ranks by counts are those of a sorted list");
    }
    const Array<Key> owned = ranking.owned(keys);
    check_shares(world, all, ranking.table(), n_values, {owned.begin(), owned.end()});
}

void counts_move_where_they_are_fewer_than_keys() {
    CHECK(DirectRanking::pays({1 << 20, 1 << 16}, 15));
    CHECK(!DirectRanking::pays({1 << 20, 1 << 16}, 16));
    CHECK(DirectRanking::pays({100, 1 << 21}, 1) && "a rank alone exchanges nothing");
    CHECK(!DirectRanking::pays({std::int64_t{1} << 31, 1 << 22}, 1) && "too many for a cache");
}

void buckets_are_shared_evenly(const World& world) {
    Phases phases = Phases(Clock(Clock::Kind::monotonic));
    const std::vector<Key> all = bell_shaped(60000);
    const Part mine = part_of(all.size(), static_cast<std::size_t>(world.rank()),
                              static_cast<std::size_t>(world.size()));
    const std::span<const Key> keys = std::span(all).subspan(mine.first, mine.last - mine.first);
    BucketRanking ranking(world, {60000, n_values}, 1, keys, 0, phases);
    ranking.rank(keys);
    const double even_share = 60000.0 / world.size();
    CHECK(static_cast<double>(ranking.table().n_keys) <= even_share + 0.02 * 60000.0);
}

void published_ranks_shift() {
    const ProblemClass& s = find_class(classes, "S");
    CHECK(published_rank(s, 2, 7) == 346 + 7 && published_rank(s, 3, 7) == 64917 - 7);
    const ProblemClass& w = find_class(classes, "W");
    CHECK(published_rank(w, 0, 1) == 1249 - 1 && published_rank(w, 4, 1) == 1048018 - 1);
    const ProblemClass& e = find_class(classes, "E");
    CHECK(published_rank(e, 2, 2) == 3248475153 && published_rank(e, 2, 3) == 3248475153);
    CHECK(published_rank(e, 2, 5) == 3248475153 + 1);
    CHECK(published_rank(e, 3, 5) == 30048754302 - 3);
}

void keys_are_ranked(const World& world) {
    const std::vector<std::vector<Key>> sequences = {
        bell_shaped(5003),
        std::vector<Key>(5003, 777),  // more equal keys than a byte counts
        std::vector<Key>(1, n_values - 1),
        {0, n_values - 1, 0, n_values - 1, 0},
    };
    for (const auto& keys : sequences) {
        for (int n_parts = 1; n_parts <= 4; ++n_parts) {
            check_direct(world, keys, n_parts);
            check_buckets(world, keys, n_values, n_parts);
        }
        check_buckets(world, spread(keys), many_values, 3);
    }
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): a class that is missing ends the test
int main() {
    World world;
    world.start();
    keys_are_ranked(world);
    buckets_are_shared_evenly(world);
    counts_move_where_they_are_fewer_than_keys();
    published_ranks_shift();
    world.barrier();
    world.finish();
    World::leave();
    return tests::result();
}
