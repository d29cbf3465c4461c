// How long our own threads were ready to run and had no core: the scheduler's account of
// neighbours.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace heorot {

/// Time that the threads of this process have waited for a core (/proc/self/task/*/schedstat),
/// which the kernel counts in nanoseconds, where CPU time has ticks of 10 ms.
class Waiting {
  public:
    Waiting() = default;
    ~Waiting();
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    Waiting(Waiting&&) = delete;
    Waiting& operator=(Waiting&&) = delete;

    /// Seconds so far of all threads alive; empty if the kernel does not report it. Files stay open
    /// from one call to the next, so that a window costs microseconds.
    std::optional<double> seconds_so_far();

  private:
    void open_all();
    void close_all();

    std::vector<int> files_;  // one per thread
    std::uint64_t n_threads_ = 0;
};

/// The second number of a text like /proc/self/schedstat, nanoseconds, in seconds.
/// Source: Linux, Documentation/scheduler/sched-stats.rst.
std::optional<double> parse_waiting(std::string_view schedstat);

}  // namespace heorot
