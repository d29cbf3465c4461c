// The nodes of a job, and its cores on each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scheduler/setting.hpp"

namespace heorot::scheduler {

/// Free resources of a node, in 16 bits: a plan holds them for every node at every step.
struct Room {
    std::int16_t cores = 0;
    std::int16_t ports = 0;

    bool operator==(const Room&) const = default;
};

/// Resources of a job on its nodes: `first` on the first `n_first` of them, `rest` on the others.
struct Shape {
    std::int32_t n_nodes = 0;
    std::int32_t n_first = 0;
    Room first, rest;
    bool neighbouring = false;

    /// In all.
    std::int64_t n_cores() const {
        return std::int64_t{n_first} * first.cores + std::int64_t{n_nodes - n_first} * rest.cores;
    }
};

/// Cores are spread evenly; of a node that is not shared all are taken. A port is taken of each
/// node by jobs that use the network, if ports are counted.
Shape shape_of(const Job& job, const Setting& setting);

/// Nodes for the job in the order of its shape, none if they are not available. Neighbouring nodes
/// are those with the lowest numbers; else nodes with the least free resources are preferred, and
/// among these the lowest numbers. `rooms` are the free resources of each node.
std::vector<std::int32_t> choose_nodes(const Shape& shape, std::span<const Room> rooms);

/// Whether these nodes are those of choose_nodes(), in any order if the job takes the same of
/// each.
bool would_choose(const Shape& shape, std::span<const Room> rooms,
                  std::span<const std::int32_t> nodes);

}  // namespace heorot::scheduler
