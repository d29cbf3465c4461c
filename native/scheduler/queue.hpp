// The jobs that wait, in the order of their turn.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "scheduler/blocked.hpp"
#include "scheduler/usage.hpp"

namespace heorot::scheduler {

/// A job that waits.
struct Waiting {
    double rank = 0.0;       ///< lower ones first
    std::uint32_t turn = 0;  ///< how many came before it: the first of equals first
    Index job = nobody;
    std::int32_t nodes = 0;
    std::int32_t cores = 0;  ///< at least, on each node
    Time estimate = 0;

    bool operator<(const Waiting& other) const {
        return rank != other.rank ? rank < other.rank : turn < other.turn;
    }
    bool operator>(const Waiting& other) const { return other < *this; }
};

/// The least that any of several jobs takes.
struct Least {
    explicit Least(std::span<const Waiting> jobs) {
        for (const Waiting& job : jobs) {
            nodes = std::min(nodes, job.nodes);
            cores = std::min(cores, job.cores);
            estimate = std::min(estimate, job.estimate);
        }
    }
    std::int32_t nodes = std::numeric_limits<std::int32_t>::max();
    std::int32_t cores = std::numeric_limits<std::int32_t>::max();
    Time estimate = never;
};

using Queue = Blocked<Waiting, Least>;

/// Knows whose turn it is.
class Ranking {
  public:
    Ranking(const std::vector<Job>& jobs, const Setting& setting);

    /// A job that comes now.
    Waiting arrived(Index job, Time now);
    void started(Index job, Time now);
    void ended(Index job, Time now);
    /// Whether ranks change with time by more than all others'.
    bool is_dynamic() const { return usage_.has_value(); }
    /// Puts the queue into the order that holds now.
    void renew(Queue& queue, Time now);
    /// The job with the rank that it has now.
    Waiting renewed(Waiting job, Time now);
    /// Jobs of one group keep their order among each other for ever.
    std::size_t group_of(const Waiting& job) const;

  private:
    double fixed_rank(const Job& job, Time now) const;

    const std::vector<Job>& jobs_;
    const Setting& setting_;
    std::uint32_t n_arrived_ = 0;
    std::optional<Usage> usage_;
    std::vector<double> fixed_ranks_;  ///< of jobs by their turn, if ranks are dynamic
};

/// Jobs of which only the first is ever wanted, however their order changes.
class Backlog {
  public:
    explicit Backlog(Ranking& ranking) : ranking_(ranking) {}

    bool empty() const { return n_jobs_ == 0; }
    void add(const Waiting& job);
    /// Removes the first in the order that holds now. Precondition: it is not empty.
    Waiting take(Time now);

  private:
    Ranking& ranking_;
    std::size_t n_jobs_ = 0;
    std::vector<std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>>> groups_;
};

}  // namespace heorot::scheduler
