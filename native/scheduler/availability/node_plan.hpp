// A plan of particular nodes: free resources of each over time.
#pragma once

#include <span>
#include <vector>

#include "scheduler/availability/shape.hpp"

namespace heorot::scheduler {

/// The allocated resources of each node over time; its functions are those of CountPlan. A job that
/// is held has particular nodes, even if it is to start later.
///
/// Takes memory in proportion to nodes times jobs that run or have reservations. Of a span of time
/// only its begin and the steps at which a node has less than before are looked at, and only where
/// there are nodes and cores enough in all.
class NodePlan {
  public:
    NodePlan(const std::vector<Job>& jobs, const Setting& setting);

    void pass(Time now);
    /// Computes what may_fit() returns until more becomes free or time advances.
    void look(Time now);
    /// Whether a job of `nodes` nodes, with at least `cores` cores on each, may fit now.
    bool may_fit(std::int32_t nodes, std::int32_t cores, Time estimate) const;
    /// A job that ends later than this finds no more than a job of this estimate.
    Time level_of(Time estimate) const;
    bool hold_now(Index job, Time now);
    Time hold(Index job, Time now);
    Time advance(Index job, Time start, Time now);
    void release(Index job, Time start, Time from);
    /// In ascending order.
    std::span<const std::int32_t> nodes_of(Index job);

  private:
    struct Step {
        Time time = 0;
        bool falls = false;        ///< some node has less than before
        std::int32_t n_nodes = 0;  ///< with any core free
        std::int64_t n_cores = 0;
        std::size_t rooms = 0;  ///< where they are

        bool may_hold(const Shape& shape) const {
            return n_nodes >= shape.n_nodes && n_cores >= shape.n_cores();
        }
    };
    using Steps = std::vector<Step>;
    /// Resources that are free all the time until past a moment.
    struct Level {
        Time from = 0;                    ///< of jobs that end later
        std::vector<std::int16_t> cores;  ///< the nth is what n nodes have, at least
    };

    const Job& at(Index job) const { return jobs_[static_cast<std::size_t>(job)]; }
    std::size_t n_nodes() const { return static_cast<std::size_t>(setting_.n_nodes); }
    Steps::const_iterator step_at(Time time) const;
    std::span<Room> rooms_of(const Step& step);
    template <class Fits>
    Time earliest(const Shape& shape, Time estimate, Time from, Time until, const Fits& fits);
    bool move(Index job, const Shape& shape, Time from, Time to);
    std::span<const Room> rooms_without(Index job, const Shape& shape, Time from, Time to);
    Level level(Time from, std::span<const Room> rooms) const;
    std::size_t cut(Time time);
    void heal(Time time);
    void change(const Shape& shape, std::span<const std::int32_t> nodes, Time from, Time to,
                std::int16_t sign);
    std::span<const Room> rooms_during(Time from, Time to);
    bool hold_at(Index job, Time start);
    void block(const Block& block);

    const std::vector<Job>& jobs_;
    const Setting& setting_;
    Steps steps_;                      ///< each until the next one, the last for ever
    std::vector<Room> pool_;           ///< rooms of all steps
    std::vector<std::size_t> unused_;  ///< places in the pool
    std::vector<Room> without_;
    std::vector<Room> rooms_;                      ///< of the last look at a span of time
    Time now_ = 0;                                 ///< of the last look()
    std::vector<Level> levels_;                    ///< by time, each with no more than those before
    std::vector<std::vector<std::int32_t>> held_;  ///< nodes, in the shape's order
    std::vector<std::int32_t> sorted_;
};

}  // namespace heorot::scheduler
