// Jobs that cannot start now, so that equal ones are not tried again.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <vector>

#include "scheduler/ranking.hpp"

namespace heorot::scheduler {

/// Remembers requests that found no nodes at the present time.
class Refusals {
  public:
    explicit Refusals(const std::vector<Job>& jobs) {
        std::map<std::array<std::int64_t, 3>, std::size_t> kinds;
        kinds_.reserve(jobs.size());
        for (const Job& job : jobs) {
            const auto at =
                kinds.try_emplace({job.nodes, job.cores, job.flags}, kinds.size()).first;
            kinds_.push_back(at->second);
        }
        levels_.assign(kinds.size(), {});
    }

    void clear() { ++round_; }
    /// Whether an equal request was refused for the same time or a shorter one.
    bool knows(const Waiting& job, Time now) const {
        const Level& level = levels_[kinds_[static_cast<std::size_t>(job.job)]];
        return level.round == round_ && level.from < now + job.estimate;
    }
    /// A job that is not known is refused, and so are those like it that end after `from`.
    void add(Index job, Time from) {
        levels_[kinds_[static_cast<std::size_t>(job)]] = {round_, from};
    }

  private:
    struct Level {
        std::uint64_t round = 0;
        Time from = 0;
    };

    std::vector<std::size_t> kinds_;  ///< of jobs
    std::vector<Level> levels_;       ///< of kinds
    std::uint64_t round_ = 0;
};

}  // namespace heorot::scheduler
