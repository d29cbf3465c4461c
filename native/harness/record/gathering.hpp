// Reports of all ranks to the first one, which writes the record.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/measure/disturbance.hpp"
#include "harness/measure/measure.hpp"
#include "harness/measure/phases.hpp"
#include "harness/measure/traffic.hpp"
#include "harness/record/record.hpp"
#include "harness/world/world.hpp"

namespace heorot {

/// Up to this number, each rank has its numbers in a region line; of more ranks each host has some,
/// so that the line of a large job stays short.
inline constexpr std::size_t most_ranks_reported = 64;

/// Usage of every rank so far; empty but on rank 0. **Collective.**
std::vector<Usage> gather_usage(const World& world);

/// Every phase with its means per body, rank by rank; empty but on rank 0. **Collective.**
std::vector<PhaseFacts> gather_phases(const Phases& phases, const World& world, double n_bodies);

/// What the ranks themselves took; empty but on rank 0, and if the rank is alone. `hosts` has the
/// host of every rank, on rank 0. **Collective.**
std::optional<OwnFacts> gather_own(const std::optional<OwnTime>& own, const World& world,
                                   std::span<const std::string> hosts);

/// The same on one rank: `own` and `hosts` have an element for each rank.
OwnFacts own_facts(std::span<const OwnTime> own, std::span<const std::string> hosts);

/// The largest number of interfaces in a record: their names may differ from node to node.
inline constexpr std::size_t most_interfaces_reported = 16;

/// What the interfaces of all nodes carried since `before`, which the first rank of each has looked
/// at; empty but on rank 0, and if there is one node. **Collective.**
std::optional<std::vector<TrafficFacts>> gather_traffic(std::span<const Carried> before,
                                                        const World& world);

/// The same on one rank, busiest first: `nodes` has an element for each node.
std::vector<TrafficFacts> traffic_facts(std::span<const std::vector<Carried>> nodes);

}  // namespace heorot
