// Observing the machine around a measurement.
#include "harness/measure/disturbance.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <string>

#include "harness/keep.hpp"

namespace heorot {

namespace {

constexpr double sentinel_interval_seconds = 0.05;
constexpr double shortest_window_seconds = 0.2;  // twenty ticks of 10 ms
constexpr int n_chain_steps = 20000;
constexpr std::size_t least_buffer_bytes = std::size_t{4} << 20U;
constexpr std::size_t largest_buffer_bytes = std::size_t{32} << 20U;

double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

std::size_t buffer_length() {
    const long known_bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    const std::size_t l2_bytes = known_bytes > 0 ? static_cast<std::size_t>(known_bytes) : 0;
    return std::clamp(2 * l2_bytes, least_buffer_bytes, largest_buffer_bytes) /
           sizeof(std::uint64_t);
}

/// The shortest of several, until one is about as fast as `known_seconds`: what lasts slows all of
/// them, a single interrupt does not, nor do caches that our own work before has filled.
template <class Kernel>
double shortest_seconds(const Clock& clock, double known_seconds, const Kernel& kernel) {
    constexpr int most = 16;
    constexpr double alike = 1.05;
    double shortest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < most && shortest > alike * known_seconds; ++i) {
        const double start = clock.now();
        kernel();
        shortest = std::min(shortest, clock.now() - start);
    }
    return shortest;
}

Usage usage_in(const rusage& counted) {
    return {.user_seconds = seconds(counted.ru_utime),
            .system_seconds = seconds(counted.ru_stime),
            .peak_memory_bytes = static_cast<std::int64_t>(counted.ru_maxrss) * 1024,
            .involuntary_switches = counted.ru_nivcsw};
}

}  // namespace

Usage usage_so_far() {
    rusage own{};
    getrusage(RUSAGE_SELF, &own);
    return usage_in(own);
}

Usage usage_of_children_so_far() {
    rusage children{};
    getrusage(RUSAGE_CHILDREN, &children);
    return usage_in(children);
}

Usage operator-(const Usage& later, const Usage& earlier) {
    return {.user_seconds = later.user_seconds - earlier.user_seconds,
            .system_seconds = later.system_seconds - earlier.system_seconds,
            .peak_memory_bytes = later.peak_memory_bytes,
            .involuntary_switches = later.involuntary_switches - earlier.involuntary_switches};
}

HostTime parse_host_time(std::istream& stat, double seconds_per_tick) {
    // proc(5): cpu user nice system idle iowait irq softirq steal ...; user contains guests.
    std::string label;
    std::array<double, 8> ticks{};
    if (!(stat >> label) || label != "cpu") return {};
    for (double& count : ticks) stat >> count;
    return {
        .busy_seconds = (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) * seconds_per_tick,
        .steal_seconds = ticks[7] * seconds_per_tick};
}

HostTime host_time_so_far() {
    std::ifstream stat("/proc/stat");
    return parse_host_time(stat, 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK)));
}

double other_cpu_seconds(const HostTime& before, const HostTime& after, double own_seconds) {
    // The two are counted differently, so that a small difference may be negative.
    return std::max(0.0, after.busy_seconds - before.busy_seconds - own_seconds);
}

std::optional<double> if_resolved(double cpu_seconds, double window_seconds) {
    if (window_seconds < shortest_window_seconds) return std::nullopt;
    return cpu_seconds;
}

Sentinel::Sentinel(const Clock& clock, bool streams)
    : clock_(clock), buffer_(streams ? buffer_length() : 0) {
    std::fill(buffer_.begin(), buffer_.end(), std::uint64_t{1});
    fastest_chain_seconds_ = time_chain();
    if (streams) fastest_stream_seconds_ = time_stream();
}

double Sentinel::time_chain() {
    return shortest_seconds(clock_, fastest_chain_seconds_, [] {
        // Each product needs the one before; the multiplier is D. Knuth's for 64-bit words.
        std::uint64_t x = 1;
        for (int i = 0; i < n_chain_steps; ++i) {
            x *= 6364136223846793005ULL;
            keep(x);
        }
    });
}

double Sentinel::time_stream() {
    return shortest_seconds(clock_, fastest_stream_seconds_, [this] {
        std::uint64_t sum = 0;
        for (const std::uint64_t word : buffer_.span()) sum += word;
        keep(sum);
    });
}

double Sentinel::slowdown() {
    const double chain_seconds = time_chain();
    fastest_chain_seconds_ = std::min(fastest_chain_seconds_, chain_seconds);
    const double slowdown = chain_seconds / fastest_chain_seconds_;
    if (buffer_.size() == 0) return slowdown;
    const double stream_seconds = time_stream();
    fastest_stream_seconds_ = std::min(fastest_stream_seconds_, stream_seconds);
    return std::max(slowdown, stream_seconds / fastest_stream_seconds_);
}

Observer::Observer(const World& world, const Clock& clock)
    : world_(world),
      clock_(clock),
      // Ranks that stream at the same time would slow each other down.
      sentinel_(clock, world.leads_host()),
      memory_(world.leads_host() ? memory_events() : std::vector<MemoryEvent>{}),
      last_sentinel_seconds_(clock.now()) {}

double Observer::sentinel_slowdown() {
    // Only rank 0 decides, or some ranks would wait for others that do not.
    double due = clock_.now() - last_sentinel_seconds_ >= sentinel_interval_seconds ? 1.0 : 0.0;
    world_.broadcast(std::span(&due, 1));
    if (due > 0.0) {
        last_slowdown_ = world_.maximum(sentinel_.slowdown());
        last_sentinel_seconds_ = clock_.now();
    }
    return last_slowdown_;
}

std::vector<EnergyCounter> Observer::energy_here() const {
    return world_.leads_host() ? energy_so_far() : std::vector<EnergyCounter>{};
}

std::optional<double> Observer::of_all_hosts(std::optional<double> here) const {
    std::array<double, 2> totals = {here.value_or(0.0), world_.leads_host() && !here ? 1.0 : 0.0};
    world_.sum(totals);
    if (totals[1] > 0.0) return std::nullopt;
    return totals[0];
}

Observer::Window Observer::open() {
    const double slowdown = sentinel_slowdown();
    return {.start_seconds = clock_.now(),
            .usage = usage_so_far(),
            .host = world_.leads_host() ? host_time_so_far() : HostTime{},
            .waited_seconds = waiting_.seconds_so_far(),
            .energy = energy_here(),
            .memory = memory_.so_far(),
            .sentinel_before = slowdown};
}

Disturbance Observer::close(const Window& window) {
    const std::optional<double> waited = waiting_.seconds_so_far();
    const Usage usage = usage_so_far() - window.usage;
    const HostTime host = world_.leads_host() ? host_time_so_far() : HostTime{};
    const auto memory_bytes = memory_bytes_between(window.memory, memory_.so_far());
    double window_seconds = clock_.now() - window.start_seconds;
    world_.broadcast(std::span(&window_seconds, 1));

    const double own_seconds = world_.sum_on_host(usage.cpu_seconds());
    // The account of a thread is lost at its end.
    const bool knows_waited = waited.has_value() && window.waited_seconds.has_value();
    const double waited_seconds =
        knows_waited ? std::max(0.0, *waited - *window.waited_seconds) : 0;
    std::array<double, 5> totals = {
        static_cast<double>(usage.involuntary_switches),
        host.steal_seconds - window.host.steal_seconds,
        world_.leads_host() ? other_cpu_seconds(window.host, host, own_seconds) : 0.0,
        waited_seconds, knows_waited ? 0.0 : 1.0};
    world_.sum(totals);

    Disturbance result;
    result.involuntary_switches = static_cast<std::int64_t>(totals[0]);
    result.steal_seconds = totals[1];
    result.other_cpu_seconds = if_resolved(totals[2], window_seconds);
    if (totals[4] == 0.0) result.waited_seconds = totals[3];
    result.window_seconds = window_seconds;
    result.sentinel_before = window.sentinel_before;
    result.energy_joules = of_all_hosts(energy_between(window.energy, energy_here()));
    result.memory_bytes = of_all_hosts(memory_bytes);
    result.sentinel_after = sentinel_slowdown();
    return result;
}

}  // namespace heorot
