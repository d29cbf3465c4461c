// Opening and reading the counters of memory controllers.
#include "harness/measure/counters/memory_counters.hpp"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>

namespace heorot {

namespace {

/// A descriptor of the counter, or a negative number.
int open_counter(const MemoryEvent& event) {
    perf_event_attr wanted{};
    wanted.size = sizeof wanted;
    wanted.type = event.type;
    wanted.config = event.config;
    wanted.config1 = event.config1;
    wanted.config2 = event.config2;
    wanted.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    // Of all processes, by any of the CPUs near the controller: no process and no group.
    return static_cast<int>(
        syscall(SYS_perf_event_open, &wanted, -1, event.cpu, -1, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

std::optional<double> memory_bytes_between(std::span<const MemoryCount> before,
                                           std::span<const MemoryCount> after) {
    if (after.empty() || before.size() != after.size()) return std::nullopt;
    double bytes = 0.0;
    for (std::size_t i = 0; i < after.size(); ++i) {
        const std::uint64_t running = after[i].running_nanoseconds - before[i].running_nanoseconds;
        const std::uint64_t enabled = after[i].enabled_nanoseconds - before[i].enabled_nanoseconds;
        if (running == 0 || after[i].count < before[i].count) return std::nullopt;
        const double turns = static_cast<double>(enabled) / static_cast<double>(running);
        const auto counted = static_cast<double>(after[i].count - before[i].count);
        bytes += after[i].bytes_per_count * counted * turns;
    }
    return bytes;
}

MemoryCounters::MemoryCounters(std::span<const MemoryEvent> events) {
    for (const MemoryEvent& event : events) {
        const int file = open_counter(event);
        if (file < 0) {
            close_all();
            return;
        }
        counters_.push_back({file, event.bytes_per_count});
    }
}

MemoryCounters::~MemoryCounters() {
    close_all();
}

void MemoryCounters::close_all() {
    for (const Counter& counter : counters_) close(counter.file);
    counters_.clear();
}

std::vector<MemoryCount> MemoryCounters::so_far() const {
    std::vector<MemoryCount> all;
    all.reserve(counters_.size());
    for (const Counter& counter : counters_) {
        std::array<std::uint64_t, 3> values{};  // count, time enabled, time running
        if (read(counter.file, values.data(), sizeof values) != sizeof values) return {};
        all.push_back({counter.bytes_per_count, values[0], values[1], values[2]});
    }
    return all;
}

}  // namespace heorot
