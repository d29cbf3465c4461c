// The choice of nodes.
#include "scheduler/availability/shape.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace heorot::scheduler {

namespace {

bool holds(const Room& room, const Room& wanted) {
    return (room.cores >= wanted.cores) & (room.ports >= wanted.ports);
}

std::vector<std::int32_t> choose_neighbours(const Shape& shape, std::span<const Room> rooms) {
    std::int32_t n_found = 0;
    for (std::size_t node = 0; node < rooms.size(); ++node) {
        n_found = holds(rooms[node], shape.first) ? n_found + 1 : 0;
        if (n_found < shape.n_nodes) continue;
        std::vector<std::int32_t> nodes(static_cast<std::size_t>(shape.n_nodes));
        std::iota(nodes.begin(), nodes.end(), static_cast<std::int32_t>(node) + 1 - n_found);
        return nodes;
    }
    return {};
}

/// Whether there are nodes for the job, which need not be neighbours.
bool has_room(const Shape& shape, std::span<const Room> rooms) {
    std::int32_t n_first = 0, n_rest = 0;
    for (const Room& room : rooms) {
        n_first += holds(room, shape.first);
        n_rest += holds(room, shape.rest);
    }
    // Nodes that hold one core more also hold the others.
    return n_first >= shape.n_first && n_rest >= shape.n_nodes;
}

/// How many nodes there are for `wanted` with at most so many cores.
std::int32_t count_holding(std::span<const Room> rooms, const Room& wanted, int most_cores) {
    std::int32_t n = 0;
    for (const Room& room : rooms) {
        n += static_cast<std::int32_t>(holds(room, wanted) & (room.cores <= most_cores));
    }
    return n;
}

}  // namespace

Shape shape_of(const Job& job, const Setting& setting) {
    Shape shape;
    shape.n_nodes = job.nodes;
    shape.neighbouring = setting.allocation == Allocation::contiguous;
    const bool is_alone = shape.neighbouring || (job.flags & Job::is_exclusive) != 0;
    const bool has_port = setting.ports_per_node > 0 && (job.flags & Job::uses_network) != 0;
    const auto room = [&](std::int32_t cores) {
        return Room{static_cast<std::int16_t>(is_alone ? setting.cores_per_node : cores),
                    static_cast<std::int16_t>(has_port)};
    };
    shape.n_first = job.cores % job.nodes;
    shape.first = room((job.cores + job.nodes - 1) / job.nodes);
    shape.rest = room(job.cores / job.nodes);
    return shape;
}

std::vector<std::int32_t> choose_nodes(const Shape& shape, std::span<const Room> rooms) {
    if (shape.neighbouring) return choose_neighbours(shape, rooms);
    if (!has_room(shape, rooms)) return {};
    std::vector<std::int32_t> candidates;
    candidates.reserve(rooms.size());
    for (std::size_t node = 0; node < rooms.size(); ++node) {
        if (holds(rooms[node], shape.rest)) candidates.push_back(static_cast<std::int32_t>(node));
    }
    const auto is_before = [&](std::int32_t a, std::int32_t b) {
        const Room& left = rooms[static_cast<std::size_t>(a)];
        const Room& right = rooms[static_cast<std::size_t>(b)];
        return left.cores != right.cores ? left.cores < right.cores : a < b;
    };
    // Often all have the same to spare.
    if (!std::is_sorted(candidates.begin(), candidates.end(), is_before)) {
        std::sort(candidates.begin(), candidates.end(), is_before);
    }
    if (shape.n_first > 0) {
        std::int32_t n_wanted = shape.n_first;
        std::stable_partition(candidates.begin(), candidates.end(), [&](std::int32_t node) {
            const bool takes =
                n_wanted > 0 && holds(rooms[static_cast<std::size_t>(node)], shape.first);
            n_wanted -= takes;
            return takes;
        });
    }
    candidates.resize(static_cast<std::size_t>(shape.n_nodes));
    return candidates;
}

bool would_choose(const Shape& shape, std::span<const Room> rooms,
                  std::span<const std::int32_t> nodes) {
    if (shape.neighbouring || shape.n_first > 0) {
        return std::ranges::equal(choose_nodes(shape, rooms), nodes);
    }
    Room last = shape.rest;  // has the most to spare
    std::size_t last_node = 0;
    for (const std::int32_t each : nodes) {
        const auto node = static_cast<std::size_t>(each);
        if (!holds(rooms[node], shape.rest)) return false;
        if (std::pair(rooms[node].cores, node) < std::pair(last.cores, last_node)) continue;
        last = rooms[node];
        last_node = node;
    }
    const std::int32_t n_chosen =
        count_holding(rooms.first(last_node + 1), shape.rest, last.cores) +
        count_holding(rooms.subspan(last_node + 1), shape.rest, last.cores - 1);
    return n_chosen == shape.n_nodes;
}

}  // namespace heorot::scheduler
