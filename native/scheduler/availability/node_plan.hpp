// A plan of particular nodes: what is free of each, from when to when.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "scheduler/availability/shape.hpp"

namespace heorot::scheduler {

/// What of which node is taken from when to when; see CountPlan for what its functions mean. A job
/// that is held has particular nodes, even if it is to start later.
///
/// Takes time and memory in proportion to nodes times jobs that run or have reservations.
class NodePlan {
  public:
    NodePlan(const std::vector<Job>& jobs, const Setting& setting);

    void pass(Time now);
    std::int32_t most_nodes(Time now) const;
    bool hold_now(Index job, Time now);
    Time hold(Index job, Time now);
    Time advance(Index job, Time start, Time now);
    void release(Index job, Time start, Time from);
    /// In ascending order.
    std::span<const std::int32_t> nodes_of(Index job);

  private:
    struct Step {
        Time time = 0;
        std::vector<Room> rooms;
    };

    const Job& at(Index job) const { return jobs_[static_cast<std::size_t>(job)]; }
    std::size_t cut(Time time);
    void heal(Time time);
    void change(const Shape& shape, std::span<const std::int32_t> nodes, Time from, Time to,
                std::int16_t sign);
    std::vector<Room> rooms_during(Time from, Time to) const;
    bool hold_at(Index job, Time start);
    void block(const Block& block);

    const std::vector<Job>& jobs_;
    const Setting& setting_;
    std::vector<Step> steps_;  ///< each until the next one, the last for ever
    std::unordered_map<Index, std::vector<std::int32_t>> held_;  ///< nodes, in the shape's order
    std::vector<std::int32_t> sorted_;
};

}  // namespace heorot::scheduler
