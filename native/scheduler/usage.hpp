// Recent usage of users: node seconds that count half after a half-life.
#pragma once

#include <vector>

#include "scheduler/setting.hpp"

namespace heorot::scheduler {

/// Usage and shares of all users. Of a job that runs with n nodes the usage u of its user follows
/// du/dt = n - u ln 2 / half-life.
///
/// Source  The factor of a user is 2^(-(u / sum of all u) / (share / sum of all shares)), as the
///         multifactor priority plug-in of Slurm publishes it (without a tree of accounts).
class Usage {
  public:
    Usage(const std::vector<Job>& jobs, double half_life_seconds);

    void started(const Job& job, Time now) { add(job, now, job.nodes); }
    void ended(const Job& job, Time now) { add(job, now, -job.nodes); }
    /// From 0 for far too much usage to 1 for none.
    double factor(std::int32_t user, Time now);

  private:
    struct Account {
        double node_seconds = 0.0;
        std::int64_t nodes = 0;  ///< in use
        Time last = 0;
    };

    void add(const Job& job, Time now, std::int32_t nodes);
    void bring_up(Account& account, Time now);

    double decay_;   ///< per second
    Time span_ = 0;  ///< over which there was decay last, as of all that were brought up together
    double kept_ = 1.0;
    double gained_seconds_ = 0.0;
    std::vector<Account> accounts_;
    Account all_;
    std::vector<double> shares_;
};

}  // namespace heorot::scheduler
