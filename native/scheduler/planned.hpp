// Schedulers that keep a plan of allocations and reservations.
#pragma once

#include <memory>

#include "scheduler/engine.hpp"

namespace heorot::scheduler {

/// Conservative backfilling and all others with reservations, by numbers of nodes.
std::unique_ptr<Scheduler> make_planned(const std::vector<Job>& jobs, const Setting& setting);

/// By particular nodes: cores of shared nodes, neighbouring nodes, ports.
std::unique_ptr<Scheduler> make_placed(const std::vector<Job>& jobs, const Setting& setting);

}  // namespace heorot::scheduler
