// A plan in which only numbers of nodes matter.
#pragma once

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "scheduler/availability/profile.hpp"

namespace heorot::scheduler {

/// The allocated nodes over time. A job that is held has its nodes from a time on for its estimated
/// run time.
class CountPlan {
  public:
    CountPlan(const std::vector<Job>& jobs, const Setting& setting)
        : jobs_(jobs), profile_(setting.n_nodes) {
        for (const Block& block : setting.blocks) {
            if (profile_.least(block.from, block.to) < block.nodes) {
                throw std::invalid_argument("reservations take more nodes than there are");
            }
            profile_.add(block.from, block.to, -block.nodes);
        }
    }

    /// Moves on; the past is not asked for any more.
    void pass(Time now) { profile_.forget_before(now); }
    /// Computes what may_fit() returns until more becomes free or time advances.
    void look(Time now) {
        now_ = now;
        levels_ = profile_.falls(now);
    }
    /// Whether a job of `nodes` nodes may fit now; nodes have cores enough.
    bool may_fit(std::int32_t nodes, std::int32_t cores, Time estimate) const {
        (void)cores;
        return nodes <= level(estimate).second;
    }
    /// A job that ends later than this finds no more than a job of this estimate.
    Time level_of(Time estimate) const { return level(estimate).first; }
    /// Holds the job from now on, if it fits.
    bool hold_now(Index job, Time now) {
        const Job& own = at(job);
        if (profile_.least(now, now + own.estimate) < own.nodes) return false;
        profile_.add(now, now + own.estimate, -own.nodes);
        return true;
    }
    /// Holds the job from the earliest time at which it fits, and returns that.
    Time hold(Index job, Time now) {
        const Job& own = at(job);
        const Time start = profile_.earliest(own.nodes, own.estimate, now);
        profile_.add(start, start + own.estimate, -own.nodes);
        return start;
    }
    /// Holds a job from an earlier time than `start`, if it fits; returns the better time. Its
    /// present hold does not stand in its way.
    Time advance(Index job, Time start, Time now) {
        const Job& own = at(job);
        const Time better = profile_.earliest(own.nodes, own.estimate, now, start);
        if (better < start) {
            profile_.add(start, start + own.estimate, own.nodes);
            profile_.add(better, better + own.estimate, -own.nodes);
        }
        return better;
    }
    /// Releases the nodes of a job that is held from `start` on, from `from` on.
    void release(Index job, Time start, Time from) {
        const Job& own = at(job);
        if (from < start + own.estimate) profile_.add(from, start + own.estimate, own.nodes);
    }
    /// Its nodes, if they are particular ones.
    std::span<const std::int32_t> nodes_of(Index job) const {
        (void)job;
        return {};
    }

  private:
    using Level = std::pair<Time, std::int32_t>;

    const Job& at(Index job) const { return jobs_[static_cast<std::size_t>(job)]; }
    /// The last that begins before such a job ends.
    const Level& level(Time estimate) const {
        const auto after = std::find_if(levels_.begin() + 1, levels_.end(), [&](const Level& each) {
            return each.first >= now_ + estimate;
        });
        return *(after - 1);
    }

    const std::vector<Job>& jobs_;
    Profile profile_;
    Time now_ = 0;               ///< of the last look()
    std::vector<Level> levels_;  ///< from when on how many nodes are free all the time
};

}  // namespace heorot::scheduler
