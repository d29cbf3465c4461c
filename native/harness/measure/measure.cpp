// Samples a region until its median is known, their number is the largest or the budget is used.
#include "harness/measure/measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "harness/record/check.hpp"

namespace heorot {

namespace {

constexpr std::int64_t first_batch = 10;
// Samples, and the share of the budget, after which windows must be long enough.
constexpr int most_settling = 12;
constexpr double settling_share_of_budget = 0.2;
constexpr double least_ticks_per_sample = 100.0;

// Why sampling continues or ends; the order is that of stop_names.
enum class Stop : std::int64_t { not_yet, precision, ceiling, budget };
constexpr std::array<std::string_view, 4> stop_names = {"", "precision", "ceiling", "budget"};

}  // namespace

std::optional<MedianRanks> median_ranks(std::int64_t n_samples) {
    // The number of samples below the median is binomial with p = 1/2. The interval from the r-th
    // smallest to the r-th largest misses the median with probability 2 P(fewer than r below).
    constexpr double tail = 0.025;
    const auto n = static_cast<double>(n_samples);
    std::int64_t lower = 0;
    double probability = 0.0;
    for (std::int64_t k = 0; k < n_samples; ++k) {
        const auto j = static_cast<double>(k);
        probability += std::exp(std::lgamma(n + 1.0) - std::lgamma(j + 1.0) -
                                std::lgamma(n - j + 1.0) - n * std::numbers::ln2);
        if (probability > tail) break;
        lower = k + 1;
    }
    if (lower == 0) return std::nullopt;
    return MedianRanks{lower, n_samples + 1 - lower};
}

double relative_width(std::span<const double> seconds, std::span<double> scratch) {
    const auto ranks = median_ranks(static_cast<std::int64_t>(seconds.size()));
    if (!ranks) return std::numeric_limits<double>::infinity();
    const auto sorted = scratch.first(seconds.size());
    std::copy(seconds.begin(), seconds.end(), sorted.begin());
    std::sort(sorted.begin(), sorted.end());
    const std::size_t n = sorted.size();
    const double median = 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
    const double low = sorted[static_cast<std::size_t>(ranks->lower - 1)];
    const double high = sorted[static_cast<std::size_t>(ranks->upper - 1)];
    return (high - low) / median;
}

Sampler::Sampler(const World& world, const Timing& timing, const SamplingRules& rules,
                 TakeSamples take, void* body)
    : world_(world),
      timing_(timing),
      rules_(rules),
      take_(take),
      body_(body),
      own_(world.size() > 1 ? static_cast<std::size_t>(rules.samples_max) : 0) {
    // Allocates all memory before timing.
    samples_.seconds.reserve(static_cast<std::size_t>(rules.samples_max));
    if (timing.starts != nullptr) {
        samples_.local_seconds.reserve(static_cast<std::size_t>(rules.samples_max));
        samples_.mean_seconds.reserve(static_cast<std::size_t>(rules.samples_max));
    }
    scratch_.resize(static_cast<std::size_t>(rules.samples_max));
}

Samples Sampler::run(const Clock* second) {
    start_seconds_ = timing_.clock.now();
    n_counted_ = world_.sum(timing_.counts_here ? 1.0 : 0.0);
    warm_up();
    calibrate_windows();
    sample(second);
    if (timing_.starts != nullptr) samples_.starts = timing_.starts->facts();
    if (world_.size() > 1) {
        const bool is_global = !samples_.local_seconds.empty();
        samples_.own = own_.summarise(is_global ? samples_.local_seconds : samples_.seconds,
                                      samples_.repetitions);
    }
    return std::move(samples_);
}

void Sampler::calibrate_windows() {
    if (timing_.starts == nullptr) return;
    Starts& starts = *timing_.starts;
    starts.open();
    double used = used_seconds();
    const double most = used + settling_share_of_budget * rules_.budget_seconds;
    for (int i = 0; i < most_settling && !starts.is_settled() && used < most; ++i) {
        take_one();
        const double before = std::exchange(used, used_seconds());
        // A sample's share of the budget includes waiting between bodies.
        warm_sample_seconds_ = used - before;
    }
    starts.give_up_if_late();
}

void Sampler::start_anew(const Clock* second) {
    samples_.seconds.clear();
    samples_.local_seconds.clear();
    samples_.mean_seconds.clear();
    own_.clear();
    if (timing_.starts != nullptr) timing_.starts->clear();
    if (timing_.phases != nullptr) timing_.phases->reset();
    loop_start_seconds_ = timing_.clock.now();
    if (second != nullptr) second_start_seconds_ = second->now();
}

void Sampler::sample(const Clock* second) {
    start_anew(second);
    Decision next = first_decision();
    while (next.stop == static_cast<std::int64_t>(Stop::not_yet)) {
        if (sample_batch(next.n_samples)) {
            next = decide();
        } else {
            start_anew(second);
        }
    }
    samples_.elapsed_seconds = timing_.clock.now() - loop_start_seconds_;
    if (second != nullptr) {
        samples_.elapsed_on_second_clock_seconds = second->now() - second_start_seconds_;
    }
    samples_.stopped = stop_names[static_cast<std::size_t>(next.stop)];
}

bool Sampler::sample_batch(std::int64_t n_samples) {
    const std::size_t first = samples_.seconds.size();
    samples_.seconds.resize(first + static_cast<std::size_t>(n_samples));
    const auto batch = std::span(samples_.seconds).subspan(first);
    take_batch(batch);
    const auto [shortest, longest] = std::minmax_element(batch.begin(), batch.end());
    std::array<double, 2> extremes = {*shortest, *longest};
    world_.broadcast(std::span<double>(extremes));
    // The warm-up was slow, and now even the longest sample misses the length asked for.
    if (first == 0 && extremes[1] < rules_.sample_seconds) {
        lengthen_samples(extremes[1]);
        return false;
    }
    // No clock ticks to speak of: longer samples, all of them anew.
    const double least_seconds = least_ticks_per_sample * rules_.resolution_seconds;
    if (extremes[0] <= 0.0 || extremes[0] < least_seconds) {
        lengthen_samples(0.5 * rules_.sample_seconds);
        return false;
    }
    return true;
}

void Sampler::take_batch(std::span<double> batch) {
    take_(body_, timing_, samples_.repetitions, batch);
    samples_.n_bodies += std::ssize(batch) * samples_.repetitions;
    if (timing_.starts != nullptr && world_.size() > 1) {
        // These lengths are the maxima over ranks; those of each rank are kept separately.
        const auto own = timing_.starts->own_seconds();
        own_.keep(own);
        samples_.local_seconds.insert(samples_.local_seconds.end(), own.begin(), own.end());
        samples_.mean_seconds.insert(samples_.mean_seconds.end(), own.begin(), own.end());
        timing_.starts->forget_own();
        world_.maximum(std::span(samples_.local_seconds).last(batch.size()));
        const auto means = std::span(samples_.mean_seconds).last(batch.size());
        world_.sum(means);
        for (double& seconds : means) seconds /= n_counted_;
    } else if (world_.size() > 1) {
        if (!timing_.counts_here) std::ranges::fill(batch, 0.0);
        own_.keep(batch);
    }
    world_.maximum(batch);
}

Sampler::Decision Sampler::first_decision() const {
    const double left_seconds = rules_.budget_seconds - samples_.warmup_seconds;
    return {static_cast<std::int64_t>(Stop::not_yet),
            batch_within(std::min(first_batch, rules_.samples_max),
                         left_seconds / warm_sample_seconds_)};
}

std::int64_t Sampler::batch_within(std::int64_t wanted, double affordable) {
    if (affordable >= static_cast<double>(wanted)) return wanted;
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(affordable));
}

Sampler::Decision Sampler::decide() {
    std::array<std::int64_t, 2> decision{};
    if (world_.rank() == 0) {
        const auto n = static_cast<std::int64_t>(samples_.seconds.size());
        const double now = timing_.clock.now();
        const double left_seconds = rules_.budget_seconds - (now - start_seconds_);
        Stop stop = Stop::not_yet;
        if (n >= rules_.samples_min &&
            relative_width(samples_.seconds, scratch_) < rules_.precision) {
            stop = Stop::precision;
        } else if (n >= rules_.samples_max) {
            stop = Stop::ceiling;
        } else if (left_seconds <= 0.0) {
            stop = Stop::budget;
        }
        const double seconds_each = (now - loop_start_seconds_) / static_cast<double>(n);
        const std::int64_t wanted = std::min(std::max(first_batch, n / 4), rules_.samples_max - n);
        decision = {static_cast<std::int64_t>(stop),
                    batch_within(wanted, left_seconds / seconds_each)};
    }
    world_.broadcast(std::span<std::int64_t>(decision));
    return {decision[0], decision[1]};
}

}  // namespace heorot
