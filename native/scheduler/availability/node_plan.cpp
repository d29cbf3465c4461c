// Steps with the free resources of every node.
#include "scheduler/availability/node_plan.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>

namespace heorot::scheduler {

namespace {

void copy(std::span<const Room> from, std::vector<Room>& to) {
    to.assign(from.begin(), from.end());
}

/// The lesser of both, node by node.
void lower(std::span<Room> rooms, std::span<const Room> others) {
    for (std::size_t node = 0; node < rooms.size(); ++node) {
        rooms[node].cores = std::min(rooms[node].cores, others[node].cores);
        rooms[node].ports = std::min(rooms[node].ports, others[node].ports);
    }
}

struct Difference {
    bool any = false;
    bool any_less = false;  ///< of some node there is less than before
};

Difference difference(std::span<const Room> rooms, std::span<const Room> before) {
    unsigned any = 0, less = 0;
    for (std::size_t node = 0; node < rooms.size(); ++node) {
        const Room &room = rooms[node], &other = before[node];
        any |= unsigned{room.cores != other.cores} | unsigned{room.ports != other.ports};
        less |= unsigned{room.cores < other.cores} | unsigned{room.ports < other.ports};
    }
    return {any != 0, less != 0};
}

/// Allocates or releases a shape on nodes; returns the change of the number with a free core.
std::int32_t shift(std::span<Room> rooms, const Shape& shape, std::span<const std::int32_t> nodes,
                   int sign) {
    std::int32_t n_more = 0;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        const Room& taken = std::cmp_less(k, shape.n_first) ? shape.first : shape.rest;
        Room& room = rooms[static_cast<std::size_t>(nodes[k])];
        n_more -= static_cast<std::int32_t>(room.cores > 0);
        room.cores = static_cast<std::int16_t>(room.cores + sign * taken.cores);
        room.ports = static_cast<std::int16_t>(room.ports + sign * taken.ports);
        n_more += static_cast<std::int32_t>(room.cores > 0);
    }
    return n_more;
}

}  // namespace

NodePlan::NodePlan(const std::vector<Job>& jobs, const Setting& setting)
    : jobs_(jobs), setting_(setting) {
    const Room empty{static_cast<std::int16_t>(setting.cores_per_node),
                     static_cast<std::int16_t>(setting.ports_per_node)};
    held_.resize(jobs.size());
    pool_.assign(static_cast<std::size_t>(setting.n_nodes), empty);
    steps_.push_back({.n_nodes = setting.n_nodes,
                      .n_cores = std::int64_t{setting.n_nodes} * setting.cores_per_node});
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
    for (std::size_t i = 0; i < n_past; ++i) unused_.push_back(steps_[i].rooms);
    steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(n_past));
}

void NodePlan::look(Time now) {
    now_ = now;
    levels_.clear();
    auto step = step_at(now);
    copy(rooms_of(*step), rooms_);
    levels_.push_back(level(now, rooms_));
    for (++step; step != steps_.end(); ++step) {
        if (!step->falls) continue;
        lower(rooms_, rooms_of(*step));
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
    const auto fits = [&](Time time) { return hold_at(job, time); };
    const Time start = earliest(shape, at(job).estimate, now, never, fits);
    if (start == never) throw std::logic_error("a job that can run never fits");
    return start;
}

Time NodePlan::advance(Index job, Time start, Time now) {
    const Shape shape = shape_of(at(job), setting_);
    const auto fits = [&](Time time) { return move(job, shape, start, time); };
    const Time better = earliest(shape, at(job).estimate, now, start, fits);
    if (better == start) move(job, shape, start, start);
    return better;
}

/// The earliest time from `from` on for which `fits(time)`; `until`, if there is none before. It is
/// not asked where there are too few nodes or cores before `until`.
template <class Fits>
Time NodePlan::earliest(const Shape& shape, Time estimate, Time from, Time until,
                        const Fits& fits) {
    // More becomes free only at a step; a job that fits may change the steps, and ends the loop.
    for (auto step = step_at(from); step != steps_.end() && step->time < until; ++step) {
        if (!step->may_hold(shape)) continue;
        const Time time = std::max(step->time, from);
        const Time end = std::min(time + estimate, until);
        auto last = step + 1;
        while (last != steps_.end() && last->time < end && last->may_hold(shape)) ++last;
        if (last != steps_.end() && last->time < end) {
            step = last;
        } else if (fits(time)) {
            return time;
        }
    }
    return until;
}

/// Moves a job that is held from `from` on to another time, if it fits there.
bool NodePlan::move(Index job, const Shape& shape, Time from, Time to) {
    const Time estimate = at(job).estimate;
    std::vector<std::int32_t>& held = held_[static_cast<std::size_t>(job)];
    const std::span<const Room> rooms = rooms_without(job, shape, from, to);
    if (to == from && would_choose(shape, rooms, held)) return true;
    std::vector<std::int32_t> nodes = choose_nodes(shape, rooms);
    if (nodes.empty()) return false;
    change(shape, held, from, from + estimate, 1);
    change(shape, nodes, to, to + estimate, -1);
    held = std::move(nodes);
    return true;
}

/// Free resources for a job from `to` on, without its own hold from `from` on; `to` <= `from`.
std::span<const Room> NodePlan::rooms_without(Index job, const Shape& shape, Time from, Time to) {
    const Time end = to + at(job).estimate;
    if (end <= from) return rooms_during(to, end);
    rooms_during(from, end);
    shift(rooms_, shape, held_[static_cast<std::size_t>(job)], 1);
    if (to == from) return rooms_;
    std::swap(rooms_, without_);
    rooms_during(to, from);
    lower(rooms_, without_);
    return rooms_;
}

void NodePlan::release(Index job, Time start, Time from) {
    std::vector<std::int32_t>& held = held_[static_cast<std::size_t>(job)];
    const Time end = start + at(job).estimate;
    if (from < end) change(shape_of(at(job), setting_), held, from, end, 1);
    held = {};
}

std::span<const std::int32_t> NodePlan::nodes_of(Index job) {
    sorted_ = held_[static_cast<std::size_t>(job)];
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
    held_[static_cast<std::size_t>(job)] = std::move(nodes);
    return true;
}

NodePlan::Steps::const_iterator NodePlan::step_at(Time time) const {
    return std::upper_bound(steps_.begin(), steps_.end(), time,
                            [](Time t, const Step& step) { return t < step.time; }) -
           1;
}

std::span<Room> NodePlan::rooms_of(const Step& step) {
    return std::span(pool_).subspan(step.rooms * n_nodes(), n_nodes());
}

std::span<const Room> NodePlan::rooms_during(Time from, Time to) {
    auto step = step_at(from);
    copy(rooms_of(*step), rooms_);
    for (++step; step != steps_.end() && step->time < to; ++step) {
        if (step->falls) lower(rooms_, rooms_of(*step));
    }
    return rooms_;
}

void NodePlan::change(const Shape& shape, std::span<const std::int32_t> nodes, Time from, Time to,
                      std::int16_t sign) {
    const std::size_t begin = cut(from);
    const std::size_t end = cut(to);
    for (std::size_t i = begin; i < end; ++i) {
        Step& step = steps_[i];
        step.n_nodes += shift(rooms_of(step), shape, nodes, sign);
        step.n_cores += sign * shape.n_cores();
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
    if (unused_.empty()) {
        step.rooms = pool_.size() / n_nodes();
        pool_.resize(pool_.size() + n_nodes());
    } else {
        step.rooms = unused_.back();
        unused_.pop_back();
    }
    std::ranges::copy(rooms_of(steps_[index - 1]), rooms_of(step).begin());
    steps_.insert(at, step);
    return index;
}

void NodePlan::heal(Time time) {
    const auto at = std::lower_bound(steps_.begin(), steps_.end(), time,
                                     [](const Step& step, Time t) { return step.time < t; });
    if (at == steps_.end() || at->time != time || at == steps_.begin()) return;
    const Difference own = difference(rooms_of(*at), rooms_of(*(at - 1)));
    at->falls = own.any_less;
    if (own.any) return;
    unused_.push_back(at->rooms);
    steps_.erase(at);
}

}  // namespace heorot::scheduler
