// Warm-up of a region and the number of bodies that make a sample long enough for the clock.
#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/measure/measure.hpp"
#include "harness/record/check.hpp"

namespace heorot {

namespace {

constexpr double settled_within = 0.2;  // two samples in a row agree that well
constexpr double warmup_share_of_budget = 0.2;
constexpr std::int64_t most_repetitions = std::int64_t{1} << 50U;

}  // namespace

void Sampler::lengthen_samples(double sample_seconds) {
    // A margin, and at most tenfold, because short samples are inaccurate.
    const double factor =
        sample_seconds > 0.0 ? std::min(10.0, 1.1 * rules_.sample_seconds / sample_seconds) : 10.0;
    const auto grown = std::ceil(static_cast<double>(samples_.repetitions) * factor);
    samples_.repetitions = std::max(samples_.repetitions + 1, static_cast<std::int64_t>(grown));
    expects(samples_.repetitions < most_repetitions, "a timed body takes time");
}

double Sampler::take_one() {
    double seconds = 0.0;
    take_(body_, timing_, samples_.repetitions, std::span(&seconds, 1));
    samples_.n_bodies += samples_.repetitions;
    return world_.maximum(timing_.counts_here ? seconds : 0.0);
}

double Sampler::used_seconds() const {
    double used = timing_.clock.now() - start_seconds_;
    world_.broadcast(std::span(&used, 1));
    return used;
}

void Sampler::warm_up() {
    if (timing_.warm_up) {
        if (timing_.prepare) timing_.prepare();
        timing_.warm_up();
        // The time of a body is unknown: the first batch is one sample.
        warm_sample_seconds_ = std::numeric_limits<double>::infinity();
        samples_.warmup_seconds = used_seconds();
        return;
    }
    double previous_body_seconds = std::numeric_limits<double>::infinity();
    while (true) {
        const double sample_seconds = take_one();
        const double body_seconds = sample_seconds / static_cast<double>(samples_.repetitions);
        const bool is_long_enough = sample_seconds >= rules_.sample_seconds;
        const bool is_settled =
            std::abs(body_seconds - previous_body_seconds) <= settled_within * body_seconds;
        warm_sample_seconds_ = sample_seconds;
        if (is_long_enough) {
            if (is_settled || used_seconds() > warmup_share_of_budget * rules_.budget_seconds) {
                break;
            }
        } else {
            lengthen_samples(sample_seconds);
        }
        previous_body_seconds = body_seconds;
    }
    samples_.warmup_seconds = used_seconds();
}

}  // namespace heorot
