// Clocks for timing: resolution and overhead of each, and whether it runs forward.
#pragma once

#include <time.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/world/world.hpp"

namespace heorot {

/// Measured properties of one clock.
struct ClockFacts {
    std::string name;
    double resolution_seconds = 0.0;  ///< smallest difference between two readings that differ
    double overhead_seconds = 0.0;    ///< median distance of two calls back to back
    bool monotonic = false;           ///< no reading was smaller than the one before
};

/// One clock, cheap to copy and to read.
class Clock {
  public:
    enum class Kind { monotonic, tsc, mpi };

    Clock() = default;
    /// The time stamp counter needs `ticks_per_second` (see calibrate_counter); the others count
    /// nanoseconds.
    explicit Clock(Kind kind, double ticks_per_second = 1e9);

    /// A reading [tick].
    [[gnu::always_inline]] std::int64_t ticks() const {
        if (kind_ == Kind::monotonic) {
            timespec t;
            clock_gettime(CLOCK_MONOTONIC, &t);
            return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
        }
        if (kind_ == Kind::tsc) return static_cast<std::int64_t>(counter());
        return static_cast<std::int64_t>((World::wall_time() - origin_wall_) * 1e9);
    }
    /// Length of an interval [s] between two readings.
    double seconds(std::int64_t ticks) const {
        return static_cast<double>(ticks) / ticks_per_second_;
    }
    /// The inverse: the length of an interval [tick] of `seconds`.
    std::int64_t ticks_in(double seconds) const {
        return static_cast<std::int64_t>(seconds * ticks_per_second_);
    }
    /// Seconds since this clock was made.
    double now() const { return seconds(ticks() - origin_); }
    Kind kind() const { return kind_; }
    std::string_view name() const;

    /// The processor's time stamp counter [tick]: constant rate, not the core clock. Waits for
    /// earlier instructions and holds back later ones.
    [[gnu::always_inline]] static std::uint64_t counter() {
#if defined(__x86_64__)
        unsigned int processor = 0;
        // What __rdtscp and _mm_lfence are, without the header that takes longer to read than this.
        const std::uint64_t ticks = __builtin_ia32_rdtscp(&processor);
        __builtin_ia32_lfence();
        return ticks;
#elif defined(__aarch64__)
        std::uint64_t ticks;
        asm volatile("isb; mrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
        return ticks;
#else
        return 0;
#endif
    }

  private:
    Kind kind_ = Kind::monotonic;
    double ticks_per_second_ = 1e9;
    std::int64_t origin_ = 0;
    double origin_wall_ = 0.0;  // keeps the digits of MPI_Wtime, which may count from 1970
};

/// The clocks of this run: the one that times, one to cross-check it, and facts about both.
class Clocks {
  public:
    /// Measures every clock there is (about 25 ms) and picks one: `wanted` or, for "auto", the
    /// monotonic one unless it is coarser than 1 us or runs backwards on some rank; then the next
    /// that is not, or else the finest. Throws Refusal
    /// if the wanted clock does not exist here. **Collective.**
    Clocks(const std::string& wanted, const World& world);

    const Clock& main() const { return clocks_[main_]; }
    const ClockFacts& facts() const { return facts_[main_]; }
    /// Facts of the clocks not chosen.
    std::vector<ClockFacts> others() const;
    /// A clock independent of main(), null if there is none.
    const Clock* second() const;

  private:
    std::size_t choose(const std::string& wanted) const;

    std::vector<Clock> clocks_;
    std::vector<ClockFacts> facts_;
    std::size_t main_ = 0;
};

/// Whether this processor has a counter with a constant rate that never stops.
bool has_invariant_counter();
/// Ticks per second of the counter, from `interval_seconds` against the kernel's unadjusted clock,
/// or from the processor if it reports them.
double calibrate_counter(double interval_seconds);
/// Resolution, overhead and direction of a clock, from `n_calls` calls.
ClockFacts assess(const Clock& clock, int n_calls = 10000);

}  // namespace heorot
