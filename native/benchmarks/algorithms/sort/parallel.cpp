// Quicksort by all threads: see parallel.hpp.
#include "benchmarks/algorithms/sort/parallel.hpp"

#include <algorithm>
#include <utility>

#include "benchmarks/algorithms/sort/partition.hpp"
#include "benchmarks/algorithms/sort/quick.hpp"

namespace heorot::sort {

template <class Key>
ParallelSort<Key>::ParallelSort(std::size_t n_threads)
    : n_threads_(n_threads), middles_(n_threads) {}

template <class Key>
auto ParallelSort<Key>::part_of(Range whole, std::size_t part, std::size_t n) -> Range {
    return {whole.first + whole.size() * part / n, whole.first + whole.size() * (part + 1) / n};
}

/// A code below which a share of about nth / of of all codes lies, by a sample; if there is one,
/// not the least of the sample.
template <class Key>
template <class Coding>
Code ParallelSort<Key>::find_pivot(const Code* codes, std::size_t n, std::size_t nth,
                                   std::size_t of) {
    std::vector<Code> sample(std::clamp<std::size_t>(n / 256, 64, 4096));
    for (std::size_t i = 0; i < sample.size(); ++i) {
        sample[i] = Coding::coded(codes[n / sample.size() * i] - CodeLanes{})[0];
    }
    sort_codes<Plain>(sample);
    const Code pivot = sample[sample.size() * nth / of];
    return pivot > sample.front()
               ? pivot
               : *std::ranges::upper_bound(sample.begin(), sample.end() - 1, pivot);
}

/// Parts the shares of all threads of teams.
template <class Key>
template <class Coding>
void ParallelSort<Key>::part(Code* codes) {
    for (Team& team : teams_) {
        if (team.n_threads == 1) continue;
        team.pivot = find_pivot<Coding>(codes + team.codes.first, team.codes.size(),
                                        team.n_threads / 2, team.n_threads);
    }
#pragma omp parallel for schedule(static)
    for (std::size_t thread = 0; thread < n_threads_; ++thread) {
        const Team& team = team_of(thread);
        if (team.n_threads == 1) continue;
        const Range share = part_of(team.codes, thread - team.first_thread, team.n_threads);
        middles_[thread] =
            share.first + partition<Coding>(codes + share.first, share.size(), team.pivot);
    }
}

/// Finds where the codes below the pivot of a team end, and which codes are not on their side.
template <class Key>
void ParallelSort<Key>::find_misplaced(Team& team) const {
    if (team.n_threads == 1) return;
    team.middle = team.codes.first;
    for (std::size_t i = 0; i < team.n_threads; ++i) {
        const Range share = part_of(team.codes, i, team.n_threads);
        team.middle += middles_[team.first_thread + i] - share.first;
    }
    for (std::size_t i = 0; i < team.n_threads; ++i) {
        const Range share = part_of(team.codes, i, team.n_threads);
        const std::size_t middle = middles_[team.first_thread + i];
        const Range large{middle, std::min(share.last, team.middle)};
        const Range small{std::max(share.first, team.middle), middle};
        if (large.first < large.last) team.too_large.push_back(large);
        if (small.first < small.last) team.too_small.push_back(small);
    }
}

/// Exchanges a member's share of the codes that are not on their side.
template <class Key>
void ParallelSort<Key>::exchange(Code* codes, const Team& team, std::size_t member) {
    std::size_t n = 0;
    for (const Range& range : team.too_large) n += range.size();
    const Range own = part_of({0, n}, member, team.n_threads);
    std::size_t before = 0;  // codes of ranges before
    auto other = team.too_small.begin();
    std::size_t before_other = 0;
    for (const Range& range : team.too_large) {
        std::size_t i = std::max(before, own.first);
        const std::size_t last = std::min(before + range.size(), own.last);
        while (i < last) {
            while (before_other + other->size() <= i) before_other += (other++)->size();
            const std::size_t end = std::min(last, before_other + other->size());
            Code* const large = codes + range.first + (i - before);
            std::swap_ranges(large, large + (end - i), codes + other->first + (i - before_other));
            i = end;
        }
        before += range.size();
    }
}

/// Each side of a team becomes a team, of as many threads as its share of the codes is worth.
template <class Key>
void ParallelSort<Key>::divide() {
    std::vector<Team> divided;
    for (const Team& team : teams_) {
        const std::size_t n = team.n_threads, n_codes = team.codes.size();
        if (n == 1) {
            divided.push_back(team);
            continue;
        }
        const Range lesser{team.codes.first, team.middle}, others{team.middle, team.codes.last};
        const std::size_t wanted = (lesser.size() * n + n_codes / 2) / n_codes;
        const std::size_t n_of_lesser = std::clamp<std::size_t>(wanted, 1, n - 1);
        divided.push_back({lesser, team.first_thread, n_of_lesser});
        divided.push_back({others, team.first_thread + n_of_lesser, n - n_of_lesser});
    }
    teams_ = std::move(divided);
}

template <class Key>
auto ParallelSort<Key>::team_of(std::size_t thread) -> Team& {
    const auto next = std::ranges::upper_bound(teams_, thread, {}, &Team::first_thread);
    return *(next - 1);
}

template <class Key>
void ParallelSort<Key>::sort(std::span<Key> keys) {
    if (n_threads_ == 1 || keys.size() < n_threads_ * fewest_of_thread) return quick_sort(keys);
    if (put_in_order(keys)) return;
    auto* const codes = reinterpret_cast<Code*>(keys.data());
    teams_ = {{{0, keys.size()}, 0, n_threads_}};
    while (!is_divided()) {
        if (teams_.size() == 1) {
            part<Flipped<Key>>(codes);
        } else {
            part<Plain>(codes);
        }
        for (Team& team : teams_) find_misplaced(team);
#pragma omp parallel for schedule(static)
        for (std::size_t thread = 0; thread < n_threads_; ++thread) {
            const Team& team = team_of(thread);
            exchange(codes, team, thread - team.first_thread);
        }
        divide();
    }
#pragma omp parallel for schedule(static)
    for (std::size_t thread = 0; thread < n_threads_; ++thread) {
        const Range own = teams_[thread].codes;
        sort_codes<Flipped<Key>>(std::span(codes + own.first, own.size()));
    }
}

template class ParallelSort<std::uint64_t>;
template class ParallelSort<double>;

}  // namespace heorot::sort
