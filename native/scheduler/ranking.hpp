// The order of waiting jobs.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "scheduler/blocked.hpp"
#include "scheduler/usage.hpp"

namespace heorot::scheduler {

/// A waiting job.
struct Waiting {
    double rank = 0.0;       ///< lower ones first
    std::uint32_t turn = 0;  ///< its arrival number, which decides among equal ranks
    Index job = nobody;
    std::int32_t nodes = 0;
    std::int32_t cores = 0;  ///< at least, on each node
    Time estimate = 0;

    bool operator<(const Waiting& other) const {
        return rank != other.rank ? rank < other.rank : turn < other.turn;
    }
    bool operator>(const Waiting& other) const { return other < *this; }
};

/// The least request of several jobs.
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

using Sequence = Blocked<Waiting, Least>;

/// Computes ranks, by which the queue is ordered.
class Ranking {
  public:
    Ranking(const std::vector<Job>& jobs, const Setting& setting);

    /// A job that arrives now.
    Waiting arrived(Index job, Time now);
    void started(Index job, Time now);
    void ended(Index job, Time now);
    /// Whether ranks change with time by more than all others'.
    bool is_dynamic() const { return usage_.has_value(); }
    /// Puts jobs into the order that holds now.
    void renew(Sequence& jobs, Time now);
    /// The job with the rank that it has now.
    Waiting renewed(Waiting job, Time now);
    /// Jobs of one group keep their order among each other for ever, except those made equal by
    /// rounding.
    std::size_t group_of(const Waiting& job) const;
    /// The common part of the ranks of a group now.
    double factor(std::size_t group, Time now);
    /// The present rank of a job of a group, from its rank at arrival.
    double rank(double first, double factor) const;
    /// Whether ranks that differ by so little may be equal now; `largest` is the greatest amount.
    bool may_round(double difference, double largest) const;

  private:
    double fixed_rank(const Job& job, Time now) const;

    const std::vector<Job>& jobs_;
    const Setting& setting_;
    std::uint32_t n_arrived_ = 0;
    std::optional<Usage> usage_;
    std::vector<double> fixed_ranks_;  ///< of jobs by their arrival numbers, if ranks are dynamic
};

}  // namespace heorot::scheduler
