// Small workloads for tests: drawn at random, or written down.
#pragma once

#include <random>
#include <vector>

#include "scheduler/setting.hpp"

namespace heorot::tests {

using Random = std::mt19937_64;

/// A whole number from `low` to `high`.
int draw(Random& random, int low, int high);

/// How many, what of.
struct Mix {
    int n_jobs = 20;
    int n_nodes = 8;
    int cores_per_node = 1;
    bool exact = false;       ///< estimates are run times
    bool has_chains = false;  ///< some jobs wait for others
    bool has_giants = false;  ///< some are too large for the machine
};

/// Jobs whose times are small whole microseconds, so that many things happen at once.
std::vector<scheduler::Job> draw_jobs(Random& random, const Mix& mix);

/// A job that comes, runs and is estimated so long [us], on so many nodes.
scheduler::Job job(scheduler::Time submit, scheduler::Time run, scheduler::Time estimate,
                   int nodes);

}  // namespace heorot::tests
