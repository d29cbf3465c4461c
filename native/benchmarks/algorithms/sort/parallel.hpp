// Quicksort by all threads.
//
// Checked like quicksort by one thread: tests/algorithms/test_sort.cpp,
// all_sorts_equal_that_of_the_library.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "benchmarks/algorithms/sort/coding.hpp"

namespace heorot::sort {

/// Quicksort in place by all threads. Each thread of a team parts its share of the team's keys
/// about the same pivot; keys on the wrong side of the whole are exchanged; then each side has a
/// team of its own, until teams are single threads. Of what these sort, idle threads take a part.
/// Source: P. Tsigas and Y. Zhang, A simple, fast parallel implementation of quicksort and its
/// performance evaluation on SUN Enterprise 10000, PDP (2003).
template <class Key>
class ParallelSort {
  public:
    explicit ParallelSort(std::size_t n_threads);

    void sort(std::span<Key> keys);

  private:
    /// A half-open range of codes.
    struct Range {
        std::size_t first, last;
        std::size_t size() const { return last - first; }
    };
    /// Threads that part a range of codes.
    struct Team {
        Range codes;
        std::size_t first_thread, n_threads;
        Code pivot{};
        std::size_t middle{};                         ///< where codes not below the pivot begin
        std::vector<Range> too_large{}, too_small{};  ///< on the side of the others, as many
    };
    static constexpr std::size_t fewest_of_thread = 2048;  ///< fewer keys are left to one thread

    static Range part_of(Range whole, std::size_t part, std::size_t n);
    template <class Coding>
    static Code find_pivot(const Code* codes, std::size_t n, std::size_t nth, std::size_t of);
    template <class Coding>
    void part(Code* codes);
    void find_misplaced(Team& team) const;
    static void exchange(Code* codes, const Team& team, std::size_t member);
    void divide();
    Team& team_of(std::size_t thread);
    bool is_divided() const { return teams_.size() == n_threads_; }

    std::size_t n_threads_;
    std::vector<Team> teams_;           ///< by their threads
    std::vector<std::size_t> middles_;  ///< of each thread's share
};

extern template class ParallelSort<std::uint64_t>;
extern template class ParallelSort<double>;

}  // namespace heorot::sort
