// Noise on the hosts during a measurement, their energy and memory traffic, and the slowdown of a
// reference probe.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <vector>

#include "harness/array.hpp"
#include "harness/measure/clock.hpp"
#include "harness/measure/counters/memory_counters.hpp"
#include "harness/measure/energy.hpp"
#include "harness/measure/waiting.hpp"
#include "harness/world/world.hpp"

namespace heorot {

/// Resources used by processes so far (getrusage).
struct Usage {
    double user_seconds = 0.0;
    double system_seconds = 0.0;
    std::int64_t peak_memory_bytes = 0;
    std::int64_t involuntary_switches = 0;

    double cpu_seconds() const { return user_seconds + system_seconds; }
};
/// Of this rank's process.
Usage usage_so_far();
/// Of the children that have ended and whose end was waited for, with theirs; the memory is that of
/// the largest one.
Usage usage_of_children_so_far();
/// Usage after `earlier`; the peak of memory is that of `later`.
Usage operator-(const Usage& later, const Usage& earlier);

/// CPU time of the whole host so far (/proc/stat, in ticks of 10 ms), zero where unreadable.
struct HostTime {
    double busy_seconds = 0.0;   ///< user, nice, system, interrupts
    double steal_seconds = 0.0;  ///< given to other virtual machines
};
HostTime host_time_so_far();
/// Reads the first line of a text like /proc/stat.
HostTime parse_host_time(std::istream& stat, double seconds_per_tick);

/// CPU time of a host between two looks [s] without the `own_seconds` that we used.
double other_cpu_seconds(const HostTime& before, const HostTime& after, double own_seconds);
/// `cpu_seconds`, or nothing if the window is too short for the ticks they were counted in.
std::optional<double> if_resolved(double cpu_seconds, double window_seconds);

/// Noise in one window, over all ranks and hosts.
struct Disturbance {
    std::int64_t involuntary_switches = 0;
    double steal_seconds = 0.0;
    std::optional<double> other_cpu_seconds;  ///< empty if the window is too short for the ticks
    std::optional<double> waited_seconds;     ///< our threads for a core; empty if not known
    std::optional<double> energy_joules;      ///< of all hosts; empty if unknown of one
    std::optional<double> memory_bytes;       ///< likewise, read and written
    double window_seconds = 0.0;
    double sentinel_before = 1.0;
    double sentinel_after = 1.0;
};

/// The reference probe, whose slowdown shows a perturbed machine: a dependent chain in the core and
/// a streaming read from beyond L2.
class Sentinel {
  public:
    /// Takes the first reference times (about 3 ms); without `streams` the chain is all.
    Sentinel(const Clock& clock, bool streams);
    /// Slowdown against the fastest time so far, the worse of the two kernels (>= 1).
    double slowdown();

  private:
    double time_chain();
    double time_stream();

    Clock clock_;
    Array<std::uint64_t> buffer_;
    double fastest_chain_seconds_ = 0.0;
    double fastest_stream_seconds_ = 0.0;
};

/// Opens and closes windows of observation.
class Observer {
  public:
    struct Window {
        double start_seconds;
        Usage usage;
        HostTime host;
        std::optional<double> waited_seconds;
        std::vector<EnergyCounter> energy;  // of this host, on its first rank
        std::vector<MemoryCount> memory;    // likewise
        double sentinel_before;
    };

    Observer(const World& world, const Clock& clock);
    /// Runs the probe (at most every 50 ms) and notes all counters. **Collective.**
    Window open();
    /// Noise since the window was opened. **Collective.**
    Disturbance close(const Window& window);

  private:
    double sentinel_slowdown();
    std::vector<EnergyCounter> energy_here() const;
    /// The sum over hosts of `here` on their first ranks; none if one has none. **Collective.**
    std::optional<double> of_all_hosts(std::optional<double> here) const;

    const World& world_;
    Clock clock_;
    Sentinel sentinel_;
    Waiting waiting_;
    MemoryCounters memory_;
    double last_sentinel_seconds_;
    double last_slowdown_ = 1.0;
};

}  // namespace heorot
