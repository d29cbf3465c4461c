// Slow schedulers, written from the definitions alone, to compare the fast ones with.
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

/// Jobs with nodes of their own, of which only the number matters, in any order, with any backfill
/// and number of reservations.
Slow schedule_slowly(const std::vector<scheduler::Job>& jobs, const scheduler::Setting& setting);

}  // namespace heorot::tests
