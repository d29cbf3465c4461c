// The event loop: jobs arrive, start as a scheduler decides, and end.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "scheduler/setting.hpp"

namespace heorot::scheduler {

/// Neighbouring nodes.
struct Interval {
    std::int32_t first = 0;
    std::int32_t n = 0;
};

/// Times and nodes of the jobs.
struct Outcome {
    std::vector<Time> submit;  ///< actual submission: later than its own if a job preceded it
    std::vector<Time> start;   ///< never: the machine is too small for it
    std::vector<Index> order;  ///< in which they started
    std::vector<Interval> intervals;     ///< nodes, job after job, if they were wanted
    std::vector<std::uint64_t> offsets;  ///< job i had intervals [offsets[i], offsets[i + 1])
    std::uint64_t n_searches = 0;        ///< for the start of a reservation
};

/// Takes jobs that start now; `nodes` are their nodes, in ascending order, if it matters which.
using Start = std::function<void(Index job, std::span<const std::int32_t> nodes)>;

/// Decides which jobs start.
class Scheduler {
  public:
    virtual ~Scheduler() = default;
    /// Takes an arriving job; jobs of the same moment in the order of the workload.
    virtual void arrive(Index job, Time now) = 0;
    /// A job has given its nodes back.
    virtual void end(Index job, Time now) = 0;
    /// Called after all events of a moment: starts jobs.
    virtual void pass(Time now, const Start& start) = 0;
    /// The next time, after `now`, for a pass without an arrival or an end.
    virtual Time next(Time now) {
        (void)now;
        return never;
    }
    /// How often it has looked for the start of a reservation that is kept.
    virtual std::uint64_t n_searches() const { return 0; }
};

/// Called now and then with the number of ended jobs.
using Progress = std::function<void(std::size_t n_ended)>;

/// Simulates the workload. At each moment all ends are reported, then all arrivals; then jobs
/// start. A job with a preceding one comes `think` after that one's end, but not before its own
/// time; the successor of a job that is too large comes as if that had ended at once.
/// Precondition: complaint_about() has no complaint.
Outcome simulate(
    const std::vector<Job>& jobs, const Setting& setting,
    const Progress& progress = [](std::size_t) {});

}  // namespace heorot::scheduler
