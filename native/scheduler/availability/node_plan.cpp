// Steps with what is free of every node.
#include "scheduler/availability/node_plan.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>

namespace heorot::scheduler {

namespace {

/// The lesser of both, node by node.
void lower(std::span<Room> rooms, std::span<const Room> others) {
    for (std::size_t node = 0; node < rooms.size(); ++node) {
        rooms[node].cores = std::min(rooms[node].cores, others[node].cores);
        rooms[node].ports = std::min(rooms[node].ports, others[node].ports);
    }
}

/// Whether any node has less than before.
bool has_less(std::span<const Room> rooms, std::span<const Room> before) {
    bool any = false;
    for (std::size_t node = 0; node < rooms.size(); ++node) {
        any |= rooms[node].cores < before[node].cores || rooms[node].ports < before[node].ports;
    }
    return any;
}

}  // namespace

void NodePlan::Step::sum_up() {
    n_nodes = 0;
    n_cores = 0;
    for (const Room& room : rooms) {
        n_nodes += room.cores > 0;
        n_cores += room.cores;
    }
}

NodePlan::NodePlan(const std::vector<Job>& jobs, const Setting& setting)
    : jobs_(jobs), setting_(setting) {
    const Room empty{static_cast<std::int16_t>(setting.cores_per_node),
                     static_cast<std::int16_t>(setting.ports_per_node)};
    steps_.emplace_back().rooms.assign(static_cast<std::size_t>(setting.n_nodes), empty);
    steps_.front().sum_up();
    for (const Block& each : setting.blocks) block(each);
}

void NodePlan::block(const Block& block) {
    // The last nodes: jobs prefer the first ones, so fewer are in the way.
    const std::span<const Room> rooms = rooms_during(block.from, block.to);
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

void NodePlan::look(Time now) {
    now_ = now;
    levels_.clear();
    auto step = step_at(now);
    rooms_ = step->rooms;
    levels_.push_back(level(now, rooms_));
    for (++step; step != steps_.end(); ++step) {
        if (!step->falls) continue;
        lower(rooms_, step->rooms);
        levels_.push_back(level(step->time, rooms_));
    }
}

NodePlan::Level NodePlan::level(Time from, std::span<const Room> rooms) const {
    Level level{from, {}};
    std::size_t n_neighbours = 0, longest = 0;
    for (const Room& room : rooms) {
        n_neighbours = room.cores == setting_.cores_per_node ? n_neighbours + 1 : 0;
        longest = std::max(longest, n_neighbours);
        if (room.cores > 0) level.cores.push_back(room.cores);
    }
    std::sort(level.cores.begin(), level.cores.end(), std::greater<>());
    if (setting_.allocation == Allocation::contiguous) level.cores.resize(longest);
    return level;
}

bool NodePlan::may_fit(std::int32_t nodes, std::int32_t cores, Time estimate) const {
    const auto last = static_cast<std::size_t>(nodes) - 1;
    for (const Level& level : levels_) {
        if (level.from >= now_ + estimate) break;
        if (last >= level.cores.size() || level.cores[last] < cores) return false;
    }
    return true;
}

Time NodePlan::level_of(Time estimate) const {
    Time from = now_;
    for (const Level& level : levels_) {
        if (level.from >= now_ + estimate) break;
        from = level.from;
    }
    return from;
}

bool NodePlan::hold_now(Index job, Time now) {
    return hold_at(job, now);
}

Time NodePlan::hold(Index job, Time now) {
    const Shape shape = shape_of(at(job), setting_);
    const Time estimate = at(job).estimate;
    // Nothing gets better but at a step; holding changes the steps, and then we are done.
    for (auto step = step_at(now); step != steps_.end(); ++step) {
        if (!step->may_hold(shape)) continue;
        const Time time = std::max(step->time, now);
        auto last = step + 1;
        while (last != steps_.end() && last->time < time + estimate && last->may_hold(shape)) {
            ++last;
        }
        if (last != steps_.end() && last->time < time + estimate) {
            step = last;
        } else if (hold_at(job, time)) {
            return time;
        }
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
    if (!step_at(start)->may_hold(shape)) return false;
    std::vector<std::int32_t> nodes = choose_nodes(shape, rooms_during(start, end));
    if (nodes.empty()) return false;
    change(shape, nodes, start, end, -1);
    held_[job] = std::move(nodes);
    return true;
}

NodePlan::Steps::const_iterator NodePlan::step_at(Time time) const {
    return std::upper_bound(steps_.begin(), steps_.end(), time,
                            [](Time t, const Step& step) { return t < step.time; }) -
           1;
}

std::span<const Room> NodePlan::rooms_during(Time from, Time to) {
    auto step = step_at(from);
    rooms_ = step->rooms;
    for (++step; step != steps_.end() && step->time < to; ++step) {
        if (step->falls) lower(rooms_, step->rooms);
    }
    return rooms_;
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
        steps_[i].sum_up();
    }
    heal(to);
    heal(from);
}

std::size_t NodePlan::cut(Time time) {
    const auto at = std::lower_bound(steps_.begin(), steps_.end(), time,
                                     [](const Step& step, Time t) { return step.time < t; });
    const auto index = static_cast<std::size_t>(at - steps_.begin());
    if (at != steps_.end() && at->time == time) return index;
    Step step = steps_[index - 1];
    step.time = time;
    step.falls = false;
    steps_.insert(at, std::move(step));
    return index;
}

void NodePlan::heal(Time time) {
    const auto at = std::lower_bound(steps_.begin(), steps_.end(), time,
                                     [](const Step& step, Time t) { return step.time < t; });
    if (at == steps_.end() || at->time != time || at == steps_.begin()) return;
    if (at->rooms == (at - 1)->rooms) {
        steps_.erase(at);
    } else {
        at->falls = has_less(at->rooms, (at - 1)->rooms);
    }
}

}  // namespace heorot::scheduler
