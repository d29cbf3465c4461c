// npb/is: how fast are distributed integer keys ranked (NPB IS)?
//
// Method    The Integer Sort benchmark, the reordering step of particle-in-cell codes: keys that
//           are each 1/4 of their bound times the sum of four uniform random numbers, so that their
//           distribution is bell-shaped.
//             class: S, W, A, B, C, D, E
//             keys: 2^16, 2^20, 2^23, 2^25, 2^27, 2^31, 2^35
//             bound: 2^11, 2^16, 2^19, 2^21, 2^23, 2^27, 2^31
//           Timed, as one body, ten times:
//             the sequence is modified in two places
//             rank(i) = number of keys smaller than key(i), for all i
//             five keys are looked up
//           Each rank holds an even share of the sequence. Up to class B, where it holds more keys
//           than there are values (up to 15 ranks), no key moves: each rank counts its keys by
//           value, in one byte each with carries to a table, and owns an even share of the values;
//           ranks send the owners 4 bytes for every value, and these add up. Otherwise, by the
//           histogram of all keys over 256 buckets or more of neighbouring values, each rank owns
//           some buckets, so that all own equally many keys; each rank sorts its keys by bucket,
//           sends keys of other ranks, 4 bytes each, and counts bucket by bucket; a rank alone
//           keeps the 16 bits that a bucket leaves open. Both count in cache; the sums of the
//           counts over the values are the ranks. Threads share keys, then values or buckets. Not
//           timed: making the keys, restoring the modified ones before each body, one ranking to
//           warm up. Any number of ranks that hold 2^31 keys each at most (class E: 16 or more).
// Counts    operations = 10 n for n keys (the benchmark's own definition: keys ranked).
// Comparable  No: the same problems and verification values, so that times to solution are
//           comparable; operations per second do not compare with published Mop/s of NASA's
//           programs, which move every key to its owner, where here, up to class B on few ranks,
//           counts move instead, and counters have a byte and stay in the cache.
// Verified  In each of the ten iterations the ranks of the five test keys equal the published ones,
//           exactly. After the last, every owned key is put at the position of its rank: no two at
//           one position, in ascending order within and across ranks, with the number and the sum
//           of the input keys.
// Source    D. Bailey et al., The NAS Parallel Benchmarks, RNR-94-007 (1994), section 2.2.5;
//           classes W, D, E from the NAS Parallel Benchmarks 3.4.
// Example   heorot run npb/is --set class=A --ranks 2
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "benchmarks/npb/is/classes.hpp"
#include "benchmarks/npb/is/direct.hpp"
#include "benchmarks/npb/is/ranking.hpp"
#include "benchmarks/npb/published.hpp"
#include "harness/program.hpp"
#include "numerics/random.hpp"

namespace {

using namespace heorot::is;

constexpr std::uint64_t seed = 314159265;
constexpr std::int64_t most_keys_per_rank = std::int64_t{1} << 31;
constexpr std::int64_t n_changing = 2 * n_iterations;  // keys that some iteration modifies

/// The sequence of keys, and their ranks.
class IntegerSort {
  public:
    IntegerSort(heorot::Program& program, const ProblemClass& problem)
        : world_(program.world()),
          problem_(problem),
          n_parts_(program.n_threads()),
          first_(problem.n_keys() * world_.rank() / world_.size()),
          keys_(static_cast<std::size_t>(problem.n_keys() * (world_.rank() + 1) / world_.size() -
                                         first_)) {
        generate_keys();
        for (std::int64_t i = 1; i <= n_changing; ++i) {
            if (holds(i)) originals_.push_back(key(i));
        }
        for (std::size_t i = 0; i < n_tests; ++i) {
            if (holds(problem.tests[i].index)) test_keys_[i] = key(problem.tests[i].index);
        }
        world_.sum(std::span<std::int64_t>(test_keys_));
        const KeySpace space = {problem.n_keys(), problem.n_values()};
        if (DirectRanking::pays(space, world_.size())) {
            direct_ = std::make_unique<DirectRanking>(world_, space, n_parts_, program.phases());
        } else {
            buckets_ = std::make_unique<BucketRanking>(world_, space, n_parts_, keys_.span(),
                                                       n_changing, program.phases());
        }
    }

    /// The modified keys become the original ones again.
    void restore_keys() {
        std::size_t next = 0;
        for (std::int64_t i = 1; i <= n_changing; ++i) {
            if (holds(i)) key(i) = originals_[next++];
        }
    }

    /// One iteration k = 1, 2, ... 10: modify, rank, look the test keys up.
    void iterate(std::int64_t k) {
        modify_keys(k);
        if (direct_) {
            direct_->rank(keys_.span());
        } else {
            buckets_->rank(keys_.span());
        }
        find_test_ranks(k);
    }

    /// The ranks of the test keys, by iteration, 0 where another rank owns the key.
    std::span<std::int64_t> test_ranks() { return test_ranks_; }
    /// How the keys are ranked, in words.
    std::string_view method() const { return direct_ ? "by counts alone" : "by bucket"; }
    /// How many ranks of test keys are not as published.
    double n_wrong_tests();

    struct Sorted {
        double n_lost;       // of the places, and of the keys, those without the other
        double n_disorders;  // neighbours in descending order
        double sum_change;   // of all keys
    };
    /// Puts every key at the position of its rank and examines the result. Consumes the keys.
    Sorted full_verification();

  private:
    static constexpr Key no_key = std::numeric_limits<Key>::max();

    bool holds(std::int64_t i) const {
        return first_ <= i && i < first_ + static_cast<std::int64_t>(keys_.size());
    }
    Key& key(std::int64_t i) { return keys_[static_cast<std::size_t>(i - first_)]; }
    RankTable& table() { return direct_ ? direct_->table() : buckets_->table(); }

    void generate_keys();
    void modify_keys(std::int64_t k);
    void find_test_ranks(std::int64_t k);
    heorot::Array<Key> sort(std::int64_t& n_misplaced);
    double disorders(std::span<const Key> sorted) const;

    const heorot::Communicator& world_;
    const ProblemClass& problem_;
    int n_parts_;
    std::int64_t first_;       // index in the sequence of the first key of this rank
    heorot::Array<Key> keys_;  // of this rank
    std::vector<Key> originals_;
    std::array<std::int64_t, n_tests> test_keys_ = {};
    std::array<std::int64_t, n_iterations * n_tests> test_ranks_ = {};
    std::unique_ptr<DirectRanking> direct_;   // either this
    std::unique_ptr<BucketRanking> buckets_;  // or this
};

// key = floor(n_values / 4 (u1 + u2 + u3 + u4)); the sum of four numbers of 46 bits is exact.
void IntegerSort::generate_keys() {
    const double scale = static_cast<double>(problem_.n_values()) / 4.0;
#pragma omp parallel for schedule(static)
    for (int p = 0; p < n_parts_; ++p) {
        const Part mine =
            part_of(keys_.size(), static_cast<std::size_t>(p), static_cast<std::size_t>(n_parts_));
        heorot::Random random(seed);
        random.skip(4 * (static_cast<std::uint64_t>(first_) + mine.first));
        std::array<double, 4096> u;
        for (std::size_t i = mine.first; i < mine.last; i += u.size() / 4) {
            const std::size_t n = std::min(u.size() / 4, mine.last - i);
            random.fill(std::span(u).first(4 * n));
            for (std::size_t j = 0; j < n; ++j) {
                const double sum = u[4 * j] + u[4 * j + 1] + u[4 * j + 2] + u[4 * j + 3];
                keys_[i + j] = static_cast<Key>(scale * sum);
            }
        }
    }
}

void IntegerSort::modify_keys(std::int64_t k) {
    if (holds(k)) key(k) = static_cast<Key>(k);
    if (holds(k + n_iterations)) key(k + n_iterations) = static_cast<Key>(problem_.n_values() - k);
}

void IntegerSort::find_test_ranks(std::int64_t k) {
    for (std::size_t i = 0; i < n_tests; ++i) {
        const auto wanted = static_cast<Key>(test_keys_[i]);
        test_ranks_[static_cast<std::size_t>(k - 1) * n_tests + i] =
            table().owns(wanted) ? table().rank_of(wanted) : 0;
    }
}

double IntegerSort::n_wrong_tests() {
    world_.sum(std::span<std::int64_t>(test_ranks_));
    std::int64_t n_wrong = 0;
    for (std::int64_t k = 1; k <= n_iterations; ++k) {
        for (std::size_t i = 0; i < n_tests; ++i) {
            const std::int64_t found = test_ranks_[static_cast<std::size_t>(k - 1) * n_tests + i];
            n_wrong += found == published_rank(problem_, i, k) ? 0 : 1;
        }
    }
    return static_cast<double>(n_wrong);
}

heorot::Array<Key> IntegerSort::sort(std::int64_t& n_misplaced) {
    RankTable& ranks = table();
    const auto n_owned = static_cast<std::size_t>(ranks.n_keys);
    if (direct_) {
        keys_ = direct_->owned(keys_.span());
    } else {
        keys_ = {};  // the owned ones have arrived elsewhere
    }
    heorot::Array<Key> sorted(n_owned);
    std::fill(sorted.begin(), sorted.end(), no_key);
    const auto place = [&](Key key) {
        // Equal keys take the places from their common rank on.
        const std::size_t position = ranks.within[static_cast<std::size_t>(key - ranks.first)]++;
        if (position >= n_owned || sorted[position] != no_key) {
            ++n_misplaced;
        } else {
            sorted[position] = key;
        }
    };
    if (buckets_) {
        buckets_->for_each_owned(place);
    } else {
        for (const Key key : keys_) place(key);
    }
    return sorted;
}

// Neighbours in descending order; the first key of a rank has the last of a lower one before it.
double IntegerSort::disorders(std::span<const Key> sorted) const {
    double result = 0.0;
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        result += sorted[i - 1] <= sorted[i] ? 0.0 : 1.0;
    }
    std::array<std::int64_t, 2> ends = {-1, -1};
    if (!sorted.empty()) ends = {sorted.front(), sorted.back()};
    std::vector<std::int64_t> all(2 * static_cast<std::size_t>(world_.size()));
    world_.all_gather(std::span<const std::int64_t>(ends), std::span(all));
    const auto me = static_cast<std::size_t>(world_.rank());
    for (std::size_t r = 0; r < me; ++r) {
        if (!sorted.empty() && all[2 * r + 1] > ends[0]) result += 1.0;
    }
    return world_.sum(result);
}

IntegerSort::Sorted IntegerSort::full_verification() {
    const auto sum = [this](std::span<const Key> keys) {
        std::int64_t result = 0;
        for (const Key key : keys) result += key;
        return world_.sum(result);
    };
    const std::int64_t sum_before = sum(keys_.span());
    std::int64_t n_misplaced = 0;
    const heorot::Array<Key> sorted = sort(n_misplaced);
    const std::int64_t n_empty = std::count(sorted.begin(), sorted.end(), no_key);
    const std::int64_t n_sorted = world_.sum(static_cast<std::int64_t>(sorted.size()));
    const std::int64_t n_lost =
        world_.sum(n_misplaced + n_empty) + std::abs(n_sorted - problem_.n_keys());
    return {.n_lost = static_cast<double>(n_lost),
            .n_disorders = disorders(sorted.span()),
            .sum_change = std::abs(static_cast<double>(sum(sorted.span()) - sum_before))};
}

void is(heorot::Program& program) {
    // 1. Options
    // The keys, those that arrive, those in order, and a count for every value.
    const auto name = heorot::choose_class(
        program, classes, [](const auto& one) { return 16.0 * static_cast<double>(one.n_keys()); },
        operations_of);
    program.start();

    // 2. Problem
    const ProblemClass& problem = heorot::find_class(classes, name);
    if (problem.n_keys() / program.world().size() > most_keys_per_rank) {
        program.cannot_run("a rank holds 2^31 keys at most; the nearest count that can is " +
                           std::to_string(problem.n_keys() / most_keys_per_rank));
    }
    IntegerSort sort(program, problem);
    program.note("sorting", sort.method());

    // 3. Measure
    const auto region = program.measure({.region = "is",
                                         .point = {{"class", name}},
                                         .counts = operations_of(problem),
                                         .prepare = [&] { sort.restore_keys(); },
                                         .warm_up = [&] { sort.iterate(1); }},
                                        [&] {
                                            for (int k = 1; k <= n_iterations; ++k) sort.iterate(k);
                                        });
    program.corruptible(sort.test_ranks());

    // 4. Verify
    program.check(region, "ranks of test keys that are not as published", sort.n_wrong_tests(),
                  0.0);
    const auto sorted = sort.full_verification();
    program.check(region, "keys without a place and places without a key", sorted.n_lost, 0.0);
    program.check(region, "sorted keys smaller than the one before", sorted.n_disorders, 0.0);
    program.check(region, "sum of all keys, change", sorted.sum_change, 0.0);
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "npb/is", is);
}
