// Steps with what is free of every node.
#include "scheduler/availability/node_plan.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace heorot::scheduler {

NodePlan::NodePlan(const std::vector<Job>& jobs, const Setting& setting)
    : jobs_(jobs), setting_(setting) {
    const Room empty{static_cast<std::int16_t>(setting.cores_per_node),
                     static_cast<std::int16_t>(setting.ports_per_node)};
    steps_.push_back({0, std::vector<Room>(static_cast<std::size_t>(setting.n_nodes), empty)});
    for (const Block& each : setting.blocks) block(each);
}

void NodePlan::block(const Block& block) {
    // The last nodes: jobs prefer the first ones, so fewer are in the way.
    std::vector<Room> rooms = rooms_during(block.from, block.to);
    std::vector<std::int32_t> nodes;
    for (std::int32_t node = setting_.n_nodes - 1; node >= 0; --node) {
        if (std::cmp_equal(nodes.size(), block.nodes)) break;
        if (rooms[static_cast<std::size_t>(node)].cores > 0) nodes.push_back(node);
    }
    if (std::cmp_less(nodes.size(), block.nodes)) {
        throw std::invalid_argument("reservations take more nodes than there are");
    }
    Shape shape;
    shape.n_nodes = block.nodes;
    shape.rest.cores = static_cast<std::int16_t>(setting_.cores_per_node);
    change(shape, nodes, block.from, block.to, -1);
}

void NodePlan::pass(Time now) {
    std::size_t n_past = 0;
    while (n_past + 1 < steps_.size() && steps_[n_past + 1].time <= now) ++n_past;
    steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(n_past));
}

std::int32_t NodePlan::most_nodes(Time now) const {
    const std::vector<Room> rooms = rooms_during(now, now + 1);
    const auto n =
        std::count_if(rooms.begin(), rooms.end(), [](const Room& room) { return room.cores > 0; });
    return static_cast<std::int32_t>(n);
}

bool NodePlan::hold_now(Index job, Time now) {
    return hold_at(job, now);
}

Time NodePlan::hold(Index job, Time now) {
    if (hold_at(job, now)) return now;
    // Nothing gets better but at a step; holding changes the steps, and then we are done.
    for (const Step& step : steps_) {
        const Time time = step.time;
        if (time > now && hold_at(job, time)) return time;
    }
    throw std::logic_error("a job that can run never fits");
}

Time NodePlan::advance(Index job, Time start, Time now) {
    release(job, start, start);
    return hold(job, now);
}

void NodePlan::release(Index job, Time start, Time from) {
    const auto held = held_.find(job);
    const Time end = start + at(job).estimate;
    if (from < end) change(shape_of(at(job), setting_), held->second, from, end, 1);
    held_.erase(held);
}

std::span<const std::int32_t> NodePlan::nodes_of(Index job) {
    sorted_ = held_.at(job);
    std::sort(sorted_.begin(), sorted_.end());
    return sorted_;
}

bool NodePlan::hold_at(Index job, Time start) {
    const Time end = start + at(job).estimate;
    const Shape shape = shape_of(at(job), setting_);
    std::vector<std::int32_t> nodes = choose_nodes(shape, rooms_during(start, end));
    if (nodes.empty()) return false;
    change(shape, nodes, start, end, -1);
    held_[job] = std::move(nodes);
    return true;
}

std::vector<Room> NodePlan::rooms_during(Time from, Time to) const {
    const auto after =
        std::upper_bound(steps_.begin(), steps_.end(), from,
                         [](Time time, const Step& step) { return time < step.time; });
    auto step = after - 1;
    std::vector<Room> rooms = step->rooms;
    for (++step; step != steps_.end() && step->time < to; ++step) {
        for (std::size_t node = 0; node < rooms.size(); ++node) {
            rooms[node].cores = std::min(rooms[node].cores, step->rooms[node].cores);
            rooms[node].ports = std::min(rooms[node].ports, step->rooms[node].ports);
        }
    }
    return rooms;
}

void NodePlan::change(const Shape& shape, std::span<const std::int32_t> nodes, Time from, Time to,
                      std::int16_t sign) {
    const std::size_t begin = cut(from);
    const std::size_t end = cut(to);
    for (std::size_t i = begin; i < end; ++i) {
        for (std::size_t k = 0; k < nodes.size(); ++k) {
            const bool is_first = std::cmp_less(k, shape.n_first);
            const Room& taken = is_first ? shape.first : shape.rest;
            Room& room = steps_[i].rooms[static_cast<std::size_t>(nodes[k])];
            room.cores = static_cast<std::int16_t>(room.cores + sign * taken.cores);
            room.ports = static_cast<std::int16_t>(room.ports + sign * taken.ports);
        }
    }
    heal(to);
    heal(from);
}

std::size_t NodePlan::cut(Time time) {
    const auto at = std::lower_bound(steps_.begin(), steps_.end(), time,
                                     [](const Step& step, Time t) { return step.time < t; });
    const auto index = static_cast<std::size_t>(at - steps_.begin());
    if (at != steps_.end() && at->time == time) return index;
    steps_.insert(at, {time, steps_[index - 1].rooms});
    return index;
}

void NodePlan::heal(Time time) {
    const auto at = std::lower_bound(steps_.begin(), steps_.end(), time,
                                     [](const Step& step, Time t) { return step.time < t; });
    const bool is_there = at != steps_.end() && at->time == time && at != steps_.begin();
    if (is_there && at->rooms == (at - 1)->rooms) steps_.erase(at);
}

}  // namespace heorot::scheduler
