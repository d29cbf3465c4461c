// Which nodes jobs had: written down as they start, or found out afterwards.
#pragma once

#include <span>
#include <vector>

#include "scheduler/engine.hpp"

namespace heorot::scheduler {

/// Nodes of jobs in the order in which they started.
class PlaceLog {
  public:
    bool is_wanted() const { return !jobs_.empty(); }
    /// `nodes` in ascending order.
    void add(Index job, std::span<const std::int32_t> nodes);
    /// Puts them into the outcome, in the order of the workload.
    void sort(Outcome& outcome, std::size_t n_jobs) const;

  private:
    std::vector<Index> jobs_;
    std::vector<std::size_t> begins_;
    std::vector<Interval> intervals_;
};

/// Assigns particular nodes to jobs that only counted nodes: at its start each takes the free
/// ones with the lowest numbers, and so does each reservation.
void assign_places(const std::vector<Job>& jobs, const Setting& setting, Outcome& outcome);

}  // namespace heorot::scheduler
