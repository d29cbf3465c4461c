// Measured bytes through the memory controllers of a host, by all processes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "harness/measure/counters/memory_events.hpp"

namespace heorot {

/// What an event has counted so far, and how long it was wanted and was really counted: events of
/// several programs may have to take turns.
struct MemoryCount {
    double bytes_per_count = 0.0;
    std::uint64_t count = 0;
    std::uint64_t enabled_nanoseconds = 0;
    std::uint64_t running_nanoseconds = 0;
};

/// Traffic between two readings [B], extrapolated by its rate to times when an event was not
/// counted; none without counters, if these have changed, or if one did not count at all.
/// Source: perf_event_open(2), time_enabled and time_running.
std::optional<double> memory_bytes_between(std::span<const MemoryCount> before,
                                           std::span<const MemoryCount> after);

/// Counters of memory controllers, which run from the beginning to the end of this object.
class MemoryCounters {
  public:
    /// Opens all of them, or none if the kernel refuses one: most kernels allow it to root only
    /// (perf_event_paranoid, CAP_PERFMON).
    explicit MemoryCounters(std::span<const MemoryEvent> events);
    ~MemoryCounters();
    MemoryCounters(const MemoryCounters&) = delete;
    MemoryCounters& operator=(const MemoryCounters&) = delete;
    MemoryCounters(MemoryCounters&&) = delete;
    MemoryCounters& operator=(MemoryCounters&&) = delete;

    /// One for each event, in their order; none if they are not open or one cannot be read.
    std::vector<MemoryCount> so_far() const;

  private:
    struct Counter {
        int file;
        double bytes_per_count;
    };

    void close_all();

    std::vector<Counter> counters_;
};

}  // namespace heorot
