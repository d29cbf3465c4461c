// Slow schedulers, written from the definitions alone, to hold the fast ones against.
#pragma once

#include <vector>

#include "scheduler/setting.hpp"

namespace heorot::tests {

/// What a slow scheduler does with the jobs.
struct Slow {
    std::vector<scheduler::Time> start;     ///< never, if the machine is too small
    std::vector<scheduler::Time> promised;  ///< the first reservation, of conservative backfilling
    bool has_delayed = false;               ///< whether a reservation was ever moved to later
};

/// Jobs in the order they come, each with nodes of its own, of which only the number matters.
/// `backfill` is none, easy or conservative.
Slow schedule_slowly(const std::vector<scheduler::Job>& jobs, int n_nodes,
                     scheduler::Backfill backfill);

}  // namespace heorot::tests
