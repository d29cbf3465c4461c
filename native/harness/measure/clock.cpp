// Looking at clocks: resolution, cost and direction of each, and the choice of one.
#include "harness/measure/clock.hpp"

#include <algorithm>
#include <array>
#include <limits>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "harness/record/check.hpp"

namespace heorot {

namespace {

constexpr double coarsest_acceptable_seconds = 1e-6;
constexpr double calibration_seconds = 0.02;
constexpr std::array<Clock::Kind, 3> all_kinds = {Clock::Kind::monotonic, Clock::Kind::tsc,
                                                  Clock::Kind::mpi};

double raw_seconds() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// A counter reading and the kernel's time at that instant.
struct CounterReading {
    std::uint64_t ticks;
    double seconds;
};

CounterReading read_both() {
    // The reading whose kernel call took the shortest: an interruption between the two spoils it.
    CounterReading best{};
    std::uint64_t shortest = std::numeric_limits<std::uint64_t>::max();
    for (int i = 0; i < 10; ++i) {
        const std::uint64_t before = Clock::counter();
        const double seconds = raw_seconds();
        const std::uint64_t after = Clock::counter();
        if (after - before < shortest) {
            shortest = after - before;
            best = {before + (after - before) / 2, seconds};
        }
    }
    return best;
}

bool exists(Clock::Kind kind) {
    switch (kind) {
        case Clock::Kind::monotonic:
            return true;
        case Clock::Kind::tsc:
            return has_invariant_counter();
        case Clock::Kind::mpi:
            return World::has_wall_time();
    }
    return false;
}

}  // namespace

bool has_invariant_counter() {
#if defined(__x86_64__)
    // AMD64 Architecture Programmer's Manual vol. 3, and Intel SDM vol. 2A, CPUID: leaf
    // 8000'0001h EDX bit 27 = RDTSCP, leaf 8000'0007h EDX bit 8 = invariant TSC.
    unsigned int a = 0;
    unsigned int b = 0;
    unsigned int c = 0;
    unsigned int d = 0;
    if (__get_cpuid(0x80000001U, &a, &b, &c, &d) == 0 || (d & (1U << 27U)) == 0) return false;
    return __get_cpuid(0x80000007U, &a, &b, &c, &d) != 0 && (d & (1U << 8U)) != 0;
#elif defined(__aarch64__)
    return true;  // The generic timer is architectural (Arm ARM, section D12).
#else
    return false;
#endif
}

double calibrate_counter([[maybe_unused]] double interval_seconds) {
#if defined(__aarch64__)
    std::uint64_t frequency;
    asm volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
    return static_cast<double>(frequency);
#else
    const CounterReading first = read_both();
    while (raw_seconds() - first.seconds < interval_seconds) {
    }
    const CounterReading last = read_both();
    expects(last.ticks > first.ticks, "the time stamp counter runs forward");
    return static_cast<double>(last.ticks - first.ticks) / (last.seconds - first.seconds);
#endif
}

Clock::Clock(Kind kind, double ticks_per_second)
    : kind_(kind),
      ticks_per_second_(ticks_per_second),
      origin_wall_(kind == Kind::mpi ? World::wall_time() : 0.0) {
    origin_ = ticks();
}

std::string_view Clock::name() const {
    switch (kind_) {
        case Kind::monotonic:
            return "monotonic";
        case Kind::tsc:
            return "tsc";
        case Kind::mpi:
            return "mpi";
    }
    return "";
}

ClockFacts assess(const Clock& clock, int n_calls) {
    std::vector<std::int64_t> readings(static_cast<std::size_t>(n_calls));
    for (std::int64_t& reading : readings) reading = clock.ticks();
    std::vector<std::int64_t> steps(readings.size() - 1);
    for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = readings[i + 1] - readings[i];
    std::sort(steps.begin(), steps.end());
    const auto visible = std::upper_bound(steps.begin(), steps.end(), std::int64_t{0});
    std::int64_t resolution = visible != steps.end() ? *visible : 0;
    // A clock that stood still for all calls: wait for its tick, but not for ever.
    const std::int64_t start = clock.ticks();
    for (int i = 0; resolution == 0 && i < 1'000'000; ++i) resolution = clock.ticks() - start;
    return {.name = std::string(clock.name()),
            .resolution_seconds = clock.seconds(resolution),
            .overhead_seconds = clock.seconds(steps[steps.size() / 2]),
            .monotonic = steps.front() >= 0};
}

Clocks::Clocks(const std::string& wanted, const World& world) {
    for (const Clock::Kind kind : all_kinds) {
        const bool here = exists(kind);
        if (world.minimum(here ? 1.0 : 0.0) == 0.0) continue;
        const bool needs_rate = kind == Clock::Kind::tsc;
        clocks_.emplace_back(kind, needs_rate ? calibrate_counter(calibration_seconds) : 1e9);
        ClockFacts facts = assess(clocks_.back());
        facts.resolution_seconds = world.maximum(facts.resolution_seconds);
        facts.overhead_seconds = world.maximum(facts.overhead_seconds);
        facts.monotonic = world.minimum(facts.monotonic ? 1.0 : 0.0) == 1.0;
        facts_.push_back(facts);
    }
    main_ = choose(wanted);
}

std::size_t Clocks::choose(const std::string& wanted) const {
    std::size_t finest = facts_.size();
    for (std::size_t i = 0; i < facts_.size(); ++i) {
        const ClockFacts& facts = facts_[i];
        if (wanted != "auto") {
            if (facts.name == wanted) return i;
            continue;
        }
        if (!facts.monotonic || !(facts.resolution_seconds > 0.0)) continue;
        if (facts.resolution_seconds <= coarsest_acceptable_seconds) return i;
        if (finest == facts_.size() ||
            facts.resolution_seconds < facts_[finest].resolution_seconds) {
            finest = i;
        }
    }
    if (finest < facts_.size()) return finest;
    throw Refusal(wanted == "auto" ? "no clock here runs forward"
                                   : "the clock '" + wanted + "' does not exist here",
                  Refusal::Scope::all_ranks);
}

std::vector<ClockFacts> Clocks::others() const {
    std::vector<ClockFacts> facts = facts_;
    facts.erase(facts.begin() + static_cast<std::ptrdiff_t>(main_));
    return facts;
}

const Clock* Clocks::second() const {
    // MPI_Wtime may be the monotonic clock under another name, so the counter is asked first.
    for (const Clock::Kind kind : {Clock::Kind::tsc, Clock::Kind::monotonic, Clock::Kind::mpi}) {
        for (std::size_t i = 0; i < clocks_.size(); ++i) {
            if (i != main_ && clocks_[i].kind() == kind) return &clocks_[i];
        }
    }
    return nullptr;
}

}  // namespace heorot
