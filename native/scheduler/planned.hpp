// Schedulers that keep a plan of allocations and reservations.
#pragma once

#include <memory>

#include "scheduler/engine.hpp"

namespace heorot::scheduler {

/// By numbers of nodes: conservative backfilling, and whatever there is with reservations.
std::unique_ptr<Scheduler> make_planned(const std::vector<Job>& jobs, const Setting& setting);

/// By particular nodes: cores of shared nodes, neighbouring nodes, ports.
std::unique_ptr<Scheduler> make_placed(const std::vector<Job>& jobs, const Setting& setting);

}  // namespace heorot::scheduler
