// The assignment of zones: to ranks first, then to the threads of a rank.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "benchmarks/npb/zones/packing.hpp"
#include "benchmarks/npb/zones/zone_grid.hpp"

namespace heorot::zones {

/// How the threads of a rank share its zones: each has zones of its own, or all work on the
/// points of one zone after the other; `automatic` decides by what is predicted to be faster.
enum class ThreadsOver { zones, points, automatic };
/// "zones", "points" or "auto"; throws UsageError for other texts.
ThreadsOver threads_over(std::string_view text);

/// A plan that every rank makes for itself, the same everywhere.
class Schedule {
  public:
    struct Team {
        int n_ranks, rank;
        int n_threads;  ///< of each rank
    };
    /// What threads that share the points of a zone are assumed to be worth, compared with threads
    /// that each have a zone of their own: they wait for each other in every sweep.
    static constexpr double efficiency_over_points = 0.8;

    /// costs[zone] in any unit. Precondition: team.n_ranks <= grid.n_zones().
    Schedule(const ZoneGrid& grid, std::span<const double> costs, const Team& team,
             ThreadsOver choice);

    const Packing& ranks() const { return ranks_; }
    /// The zones of this rank.
    std::span<const int> mine() const { return mine_; }
    bool is_over_zones() const { return is_over_zones_; }
    /// Zones that are worked on at the same time on this rank: numbers of scratch memories.
    std::size_t n_lanes() const { return lanes_.size(); }
    /// Predicted largest / mean load, of ranks and of threads.
    double rank_imbalance() const { return ranks_.imbalance(); }
    double thread_imbalance() const { return thread_imbalance_; }

    /// Calls action(z, lane) for all zones of this rank, z counted from 0 in the order of mine().
    /// Lanes run at the same time, the zones of a lane one after the other, always in the same
    /// thread: pages that it touches first lie near it.
    template <class Action>
    void for_each_zone(const Action& action) const;

  private:
    // Largest load of a thread if the threads of every rank share out its zones.
    double largest_over_zones(std::span<const double> costs, int n_threads) const;

    Packing ranks_;
    std::vector<int> mine_;
    std::vector<std::vector<std::size_t>> lanes_;  // positions in mine_
    bool is_over_zones_ = false;
    double thread_imbalance_ = 1.0;
};

template <class Action>
void Schedule::for_each_zone(const Action& action) const {
    if (lanes_.size() == 1) {
        for (const std::size_t z : lanes_.front()) action(z, std::size_t{0});
        return;
    }
#pragma omp parallel for schedule(static, 1)
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
        for (const std::size_t z : lanes_[lane]) action(z, lane);
    }
}

}  // namespace heorot::zones
