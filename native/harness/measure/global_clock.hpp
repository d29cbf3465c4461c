// A clock that all ranks agree on: that of rank 0, as every other rank knows it.
#pragma once

#include <cstdint>

#include "harness/measure/clock.hpp"
#include "harness/measure/clock_model.hpp"
#include "harness/world/world.hpp"

namespace heorot {

/// The clock of rank 0, in seconds since it was made there. The first ranks of the hosts learn it
/// along a binary tree, all others from the first of their host. One look is a series of round
/// trips: the answer was given between question and receipt, which bounds the offset without
/// assuming that both ways take equally long; the narrowest bounds count. Repeated looks give the
/// drift. Ranks of one host whose kernel shows them the same clock need no model, which a look at
/// the start has to confirm.
/// Source: S. Hunold, A. Carpen-Amarie, Hierarchical Clock Synchronization in MPI, IEEE CLUSTER
/// 2018: the tree. F. Cristian, Probabilistic clock synchronization, Distributed Computing 3
/// (1989): the bounds.
class GlobalClock {
  public:
    /// Takes some round trips with every rank, and 20 ms between hosts. **Collective.**
    GlobalClock(const World& world, const Clock& clock);

    /// Measures again if the last time is long ago compared with its duration. **Collective.**
    void refresh();

    /// The global time of a reading of this rank's clock [s].
    double at(std::int64_t ticks) const {
        const double own = own_seconds(ticks);
        return own + model_.offset(own);
    }
    /// The reading of this rank's clock at a global time, near the present.
    std::int64_t ticks_at(double global_seconds) const;
    /// The global time now [s].
    double now() const { return at(clock_.ticks()); }
    /// Largest possible error of now(), on this rank [s].
    double error_seconds() const;
    /// Seconds that rank 0's clock gains on this one in a second.
    double drift() const { return model_.drift(); }
    /// Largest possible error of drift().
    double drift_error() const { return model_.drift_error(); }
    /// Whether all ranks read the same clock, so that no offsets are needed.
    bool is_common() const { return n_hosts_ == 1 && shares_host_clock_; }

  private:
    double own_seconds(std::int64_t ticks) const { return clock_.seconds(ticks - origin_); }
    void look();
    void look_at_hosts();
    void look_inside_host();
    OffsetBounds ask(const Communicator& among, int server) const;
    void answer(const Communicator& among, int client) const;

    const World& world_;
    Clock clock_;
    Communicator leaders_;  // the first ranks of all hosts, on these
    std::int64_t origin_ = 0;
    int n_hosts_ = 1;
    bool shares_host_clock_ = false;
    ClockModel model_;
    double looked_at_ = 0.0;     // own clock [s]
    double look_seconds_ = 0.0;  // what the last look took
};

}  // namespace heorot
