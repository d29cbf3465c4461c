// Measuring a region: warm-up, repetitions per sample, samples until the median is known.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/keep.hpp"
#include "harness/measure/clock.hpp"
#include "harness/measure/own_times.hpp"
#include "harness/measure/phases.hpp"
#include "harness/measure/starts.hpp"
#include "harness/record/json.hpp"
#include "harness/world/world.hpp"

namespace heorot {

/// One coordinate of the point at which a region was measured, such as {"n", 1000}.
struct Coordinate {
    std::string name;
    Scalar value;
};
using Point = std::vector<Coordinate>;

/// Work of one body, summed over all ranks and threads, such as {"flops", 2.0e6}.
struct Count {
    Count(std::string what, std::integral auto amount)
        : name(std::move(what)), value(static_cast<double>(amount)) {}
    Count(std::string what, std::floating_point auto amount)
        : name(std::move(what)), value(static_cast<double>(amount)) {}
    std::string name;
    double value;
};

/// A measurement: a region, its point in a sweep, and the work of one body.
struct Measurement {
    std::string region;
    Point point = {};
    std::vector<Count> counts = {};
    /// Restores the input of a body: runs before each one, outside the timer.
    std::function<void()> prepare = {};
    /// Warms up in place of whole bodies, if those are long; runs once.
    std::function<void()> warm_up = {};
    /// Whether every body starts at a common instant of all ranks and ends with the last of them,
    /// as a collective is timed; else the bodies of a sample follow each other.
    bool each = false;
    /// Whether this rank's time counts: a sample is the maximum over the ranks for which it does.
    /// False for ranks that only make load.
    bool counts_here = true;
};

/// A region that has been measured.
struct Region {
    std::string name;
    Point point;
    std::int64_t n_bodies = 0;  ///< how often the body ran on this rank, warm-up included
    double best_seconds = 0.0;  ///< of one body, the same on all ranks: to choose the next point
};

/// Parameters of a timed loop.
struct Timing {
    Clock clock;
    Synchronisation& synchronisation;
    double handicap;           ///< every sample is stretched by this fraction of its length
    Phases* phases = nullptr;  ///< of the body, if it has any
    std::function<void()> prepare = {};
    std::function<void()> warm_up = {};
    Starts* starts = nullptr;  ///< of every body, if each is lined up by itself
    bool counts_here = true;   ///< whether this rank's time counts
};

/// Takes elapsed.size() samples of `repetitions` bodies each; elapsed [s].
using TakeSamples = void (*)(void* body, const Timing& timing, std::int64_t repetitions,
                             std::span<double> elapsed);

/// One timed run of bodies. It allocates, throws and prints nothing.
template <class Body>
[[gnu::always_inline]] inline Stretch time_bodies(Body& body, const Timing& timing,
                                                  Synchronisation& synchronisation,
                                                  std::int64_t n_bodies) {
    const Clock clock = timing.clock;
    synchronisation.line_up();
    if (timing.phases != nullptr) timing.phases->start();
    clobber();
    const std::int64_t start = clock.ticks();
    for (std::int64_t i = 0; i < n_bodies; ++i) {
        body();
        clobber();
    }
    std::int64_t stop = clock.ticks();
    if (timing.phases != nullptr) timing.phases->stop();
    if (timing.handicap > 0.0) {
        const auto extra = static_cast<double>(stop - start) * timing.handicap;
        const std::int64_t late = stop + static_cast<std::int64_t>(extra);
        while (stop < late) stop = clock.ticks();
    }
    return {start, stop};
}

/// A sample of bodies that are lined up one by one [s].
template <class Body>
double time_each(Body& body, const Timing& timing, std::int64_t n_bodies) {
    Starts& starts = *timing.starts;
    starts.begin(n_bodies);
    for (std::int64_t i = 0; i < n_bodies; ++i) {
        if (timing.prepare) timing.prepare();
        starts.keep(time_bodies(body, timing, starts, 1));
    }
    return starts.finish();
}

/// The timed loop, compiled together with the body.
template <class Body>
void take_samples(void* erased_body, const Timing& timing, std::int64_t repetitions,
                  std::span<double> elapsed) {
    Body& body = *static_cast<Body*>(erased_body);
    for (double& seconds : elapsed) {
        if (timing.starts != nullptr) {
            seconds = time_each(body, timing, repetitions);
            continue;
        }
        std::int64_t ticks = 0;
        if (timing.prepare) {
            for (std::int64_t i = 0; i < repetitions; ++i) {
                timing.prepare();
                ticks += time_bodies(body, timing, timing.synchronisation, 1).ticks();
            }
        } else {
            ticks = time_bodies(body, timing, timing.synchronisation, repetitions).ticks();
        }
        seconds = timing.clock.seconds(ticks);
    }
}

/// The shortest time of body() in a millisecond, or of two if they take longer [s].
template <class Body>
double shortest_seconds(Body& body, const Timing& timing) {
    constexpr double enough_seconds = 1e-3;
    double shortest = std::numeric_limits<double>::infinity();
    double spent = 0.0;
    for (int n_done = 0; n_done < 2 || spent < enough_seconds; ++n_done) {
        const auto stretch = time_bodies(body, timing, timing.synchronisation, 1);
        const double seconds = timing.clock.seconds(stretch.ticks());
        shortest = std::min(shortest, seconds);
        spent += seconds;
    }
    return shortest;
}

/// When a region has been sampled enough.
struct SamplingRules {
    std::int64_t samples_min = 10;
    std::int64_t samples_max = 1000;
    double precision = 0.01;          ///< wanted relative width of the interval of the median
    double budget_seconds = 1.0;      ///< time for the region; wins over samples_min
    double sample_seconds = 1e-4;     ///< least length of a sample
    double resolution_seconds = 0.0;  ///< of the clock, the coarsest of all ranks
};

/// Time that regions leave to later ones: a sweep spends it on points with uncertain medians.
class SharedBudget {
  public:
    /// Of each region [s].
    explicit SharedBudget(double budget_seconds) : each_(budget_seconds) {}
    /// Budget of the next region: its own share and part of the time left by others [s].
    double next() const { return each_ + std::min(left_, largest_addition * each_); }
    /// Subtracts the time of a region [s].
    void spend(double seconds) { left_ = std::max(0.0, left_ + each_ - seconds); }

  private:
    static constexpr double largest_addition = 3.0;
    double each_;
    double left_ = 0.0;
};

/// All samples of one region.
struct Samples {
    std::vector<double> seconds;  ///< length of each sample, maximum over the ranks [s]
    std::int64_t repetitions = 1;
    std::int64_t n_bodies = 0;
    /// `precision`, `ceiling` or `budget`
    std::string_view stopped;
    double warmup_seconds = 0.0;
    double elapsed_seconds = 0.0;                           ///< of the sampling loop
    std::optional<double> elapsed_on_second_clock_seconds;  ///< the same on another clock
    std::optional<OwnTime> own;                             ///< of this rank, unless it is alone
    std::optional<StartFacts> starts;   ///< of bodies that are lined up one by one
    std::vector<double> local_seconds;  ///< of these: what the slowest rank took by itself [s]
    std::vector<double> mean_seconds;   ///< of these: mean over the ranks of their own times [s]
};

/// Ranks, counted from 1, of the order statistics that enclose the median with at least 95 %
/// probability: exact, from the binomial distribution. Empty for fewer than 6 samples.
/// Source: H. A. David, H. N. Nagaraja, Order Statistics, 3rd ed., Wiley 2003, section 7.1.
struct MedianRanks {
    std::int64_t lower;
    std::int64_t upper;
};
std::optional<MedianRanks> median_ranks(std::int64_t n_samples);
/// Width of the 95 % interval of the median relative to the median; infinite if there is none.
/// `scratch` must hold as many numbers as `seconds` and is overwritten.
double relative_width(std::span<const double> seconds, std::span<double> scratch);

/// Samples one body.
class Sampler {
  public:
    Sampler(const World& world, const Timing& timing, const SamplingRules& rules, TakeSamples take,
            void* body);
    /// Warm-up, calibration, samples. **Collective.** `second` may be null.
    Samples run(const Clock* second);

  private:
    /// Decision of rank 0 for all: why to stop (0: not yet) and the number of samples to come.
    struct Decision {
        std::int64_t stop;
        std::int64_t n_samples;
    };

    double take_one();
    double used_seconds() const;
    void warm_up();
    void calibrate_windows();
    void lengthen_samples(double sample_seconds);
    void start_anew(const Clock* second);
    void sample(const Clock* second);
    bool sample_batch(std::int64_t n_samples);
    void take_batch(std::span<double> batch);
    Decision first_decision() const;
    Decision decide();
    static std::int64_t batch_within(std::int64_t wanted, double affordable);

    const World& world_;
    const Timing& timing_;
    const SamplingRules& rules_;
    TakeSamples take_;
    void* body_;
    double start_seconds_ = 0.0;
    double loop_start_seconds_ = 0.0;
    double second_start_seconds_ = 0.0;
    double warm_sample_seconds_ = 0.0;
    double n_counted_ = 1.0;  // ranks whose time counts
    Samples samples_;
    std::vector<double> scratch_;
    OwnSamples own_;
};

}  // namespace heorot
