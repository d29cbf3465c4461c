// Sampling: exact ranks, each reason to stop, repetitions, restarts, the handicap, own times.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "harness/measure/measure.hpp"
#include "tests/testing.hpp"

using namespace heorot;

namespace {

bool ranks_are(std::int64_t n_samples, std::int64_t lower, std::int64_t upper) {
    const auto ranks = median_ranks(n_samples);
    return ranks && ranks->lower == lower && ranks->upper == upper;
}

void check_ranks() {
    // Ranks as tabulated for the sign test: W. J. Conover, Practical Nonparametric Statistics.
    CHECK(!median_ranks(5));
    CHECK(ranks_are(6, 1, 6));
    CHECK(ranks_are(10, 2, 9));
    CHECK(ranks_are(20, 6, 15));
    CHECK(ranks_are(100, 40, 61));
    CHECK(ranks_are(1000, 469, 532));
    // Far out the normal approximation holds: n/2 - 1.96 sqrt(n)/2.
    const auto far_out = median_ranks(100000);
    CHECK(far_out && std::abs(static_cast<double>(far_out->lower) - 49690.0) < 3.0);
}

void check_width() {
    std::vector<double> seconds = {10, 3, 1, 2, 4, 5, 6, 7, 8, 9};
    std::vector<double> scratch(seconds.size());
    CHECK(std::abs(relative_width(seconds, scratch) - 7.0 / 5.5) < 1e-15);
    CHECK(seconds[0] == 10.0);
    seconds.resize(5);
    CHECK(relative_width(seconds, scratch) == std::numeric_limits<double>::infinity());
}

/// Replays wanted sample lengths [s] in place of measuring: `lengths` over and over.
struct Script {
    std::vector<double> lengths;
    std::size_t at = 0;
    bool times_repetitions = false;
};

void replay(void* erased, const Timing&, std::int64_t repetitions, std::span<double> elapsed) {
    Script& script = *static_cast<Script*>(erased);
    for (double& seconds : elapsed) {
        seconds = script.lengths[script.at++ % script.lengths.size()];
        if (script.times_repetitions) seconds *= static_cast<double>(repetitions);
    }
}

Samples sample(const World& world, Script script, SamplingRules rules) {
    const auto synchronisation = make_synchronisation(world);
    const Timing timing{Clock(Clock::Kind::monotonic), *synchronisation, 0.0};
    rules.resolution_seconds = 1e-8;
    return Sampler(world, timing, rules, &replay, &script).run(&timing.clock);
}

void check_stops(const World& world) {
    const SamplingRules rules{.budget_seconds = 1.0};
    const Samples steady = sample(world, {.lengths = {1e-3}}, rules);
    CHECK(steady.stopped == "precision");
    CHECK(steady.seconds.size() == 10);
    CHECK(steady.repetitions == 1);
    CHECK(steady.n_bodies == 12);  // two warm-up samples that agree
    CHECK(steady.elapsed_on_second_clock_seconds.has_value());

    const Samples wild = sample(world, {.lengths = {1e-3, 2e-3}}, rules);
    CHECK(wild.stopped == "ceiling");
    CHECK(wild.seconds.size() == 1000);

    // No time at all: one sample nevertheless.
    const Samples slow = sample(world, {.lengths = {1e-3, 2e-3}}, {.budget_seconds = 1e-9});
    CHECK(slow.stopped == "budget");
    CHECK(slow.seconds.size() == 1);
}

void check_repetitions(const World& world) {
    const SamplingRules rules{.budget_seconds = 1.0};
    const Samples short_bodies =
        sample(world, {.lengths = {1e-7}, .times_repetitions = true}, rules);
    CHECK(short_bodies.repetitions >= 1000);
    CHECK(short_bodies.repetitions <= 1200);
    for (const double seconds : short_bodies.seconds) CHECK(seconds >= 1e-4);

    // A warm-up ten times slower than what follows: the samples reach their length all the same.
    Script slow_start{.lengths = {1e-3, 1e-3}};
    slow_start.lengths.insert(slow_start.lengths.end(), 10, 2e-5);
    slow_start.lengths.insert(slow_start.lengths.end(), 40, 1.2e-4);
    const Samples caught_up = sample(world, slow_start, rules);
    CHECK(caught_up.repetitions == 6);
    CHECK(caught_up.seconds.size() == 10);
    for (const double seconds : caught_up.seconds) CHECK(seconds == 1.2e-4);

    // Long enough in the warm-up, then zero: refused, more than doubled, anew.
    Script stumbling{.lengths = {1e-3, 1e-3, 0.0}};
    stumbling.lengths.insert(stumbling.lengths.end(), 40, 1e-3);
    const Samples restarted = sample(world, stumbling, rules);
    CHECK(restarted.repetitions == 3);
    CHECK(restarted.seconds.size() == 10);
    for (const double seconds : restarted.seconds) CHECK(seconds == 1e-3);
}

/// Each sample is as long as on the slowest rank, and all ranks agree on what comes next.
void check_slowest_rank(const World& world) {
    const double slowest = world.size();
    const double own = world.rank() + 1;
    const SamplingRules patient{.budget_seconds = 60.0};
    const Samples samples = sample(world, {.lengths = {1e-3 * own}}, patient);
    for (const double seconds : samples.seconds) CHECK(seconds == 1e-3 * slowest);
    CHECK(world.minimum(static_cast<double>(samples.seconds.size())) == 10.0);
    // Too short on the first rank, long enough on the last.
    const Samples lengthened =
        sample(world, {.lengths = {1e-5 * own}, .times_repetitions = true}, patient);
    const auto repetitions = static_cast<double>(lengthened.repetitions);
    CHECK(world.minimum(repetitions) == world.maximum(repetitions));
    for (const double seconds : lengthened.seconds) CHECK(seconds >= 1e-4);
}

void check_shared_budget() {
    SharedBudget budget(1.0);
    CHECK(budget.next() == 1.0);
    budget.spend(0.25);
    CHECK(budget.next() == 1.75);
    budget.spend(2.0);  // more than it might: nothing is owed
    CHECK(budget.next() == 1.0);
    for (int i = 0; i < 10; ++i) budget.spend(0.5);
    CHECK(budget.next() == 4.0);
}

void check_own_samples() {
    OwnSamples own(4);
    own.keep(std::vector<double>{9.0});
    own.clear();
    own.keep(std::vector<double>{3.0, 1.0});
    own.keep(std::vector<double>{2.0, 8.0});
    // The slowest in the first and, with another rank, in the last.
    const OwnTime even = own.summarise(std::vector<double>{3.0, 4.0, 5.0, 8.0}, 2);
    CHECK(even.median_seconds == 1.25);
    CHECK(even.slowest == 2);
    own.clear();
    own.keep(std::vector<double>{7.0, 5.0, 6.0});
    const OwnTime odd = own.summarise(std::vector<double>{7.5, 7.5, 7.5}, 1);
    CHECK(odd.median_seconds == 6.0);
    CHECK(odd.slowest == 0);
}

/// A rank's own times are kept besides the maxima, also after the samples began anew.
void check_own_times(const World& world) {
    const double own = world.rank() + 1;
    const bool is_last = world.rank() == world.size() - 1;
    const SamplingRules patient{.budget_seconds = 60.0};
    const Samples samples = sample(world, {.lengths = {1e-3 * own}}, patient);
    CHECK(samples.own.has_value() == (world.size() > 1));
    if (!samples.own) return;
    CHECK(std::abs(samples.own->median_seconds - 1e-3 * own) < 1e-15);
    CHECK(samples.own->slowest == (is_last ? 10 : 0));

    Script script{.lengths = {1e-3, 1e-3, 0.0}};  // too short at first: what was taken is forgotten
    script.lengths.insert(script.lengths.end(), 40, 3e-3 * own);
    const Samples anew = sample(world, script, patient);
    CHECK(anew.repetitions == 3);
    CHECK(anew.own.has_value());
    if (!anew.own) return;
    CHECK(std::abs(anew.own->median_seconds - 1e-3 * own) < 1e-15);
    CHECK(anew.own->slowest == (is_last ? 10 : 0));
}

/// Of bodies with common starts the mean over the ranks that count is kept, too.
void check_means(const World& world) {
    const auto synchronisation = make_synchronisation(world);
    const Clock clock(Clock::Kind::monotonic);
    const bool counts_here = world.rank() > 0 || world.size() < 3;
    Starts starts(world, clock, assess(clock), {.counts_here = counts_here});
    const double own_seconds = 100e-6 * (world.rank() + 1);
    auto body = [&] {
        const std::int64_t start = clock.ticks();
        while (clock.seconds(clock.ticks() - start) < own_seconds) {
        }
    };
    const Timing timing{.clock = clock,
                        .synchronisation = *synchronisation,
                        .handicap = 0.0,
                        .starts = &starts,
                        .counts_here = counts_here};
    const SamplingRules rules{.samples_max = 20, .budget_seconds = 60.0};
    const Samples samples =
        Sampler(world, timing, rules, &take_samples<decltype(body)>, &body).run(nullptr);
    if (world.size() == 1) {
        CHECK(samples.mean_seconds.empty());
        return;
    }
    CHECK(samples.mean_seconds.size() == samples.seconds.size());
    const double mean_seconds =
        world.sum(counts_here ? own_seconds : 0.0) / world.sum(counts_here ? 1.0 : 0.0);
    const double least_seconds = mean_seconds * static_cast<double>(samples.repetitions);
    for (std::size_t i = 0; i < samples.mean_seconds.size(); ++i) {
        // Reading the clock is subtracted.
        CHECK(samples.mean_seconds[i] >= 0.98 * least_seconds);
        CHECK(samples.mean_seconds[i] <= samples.local_seconds[i] * (1.0 + 1e-12));
    }
    const auto shortest =
        std::min_element(samples.mean_seconds.begin(), samples.mean_seconds.end());
    if (world.has_a_core_each()) CHECK(*shortest < 1.5 * least_seconds);
}

void check_real_loop(const World& world) {
    const auto synchronisation = make_synchronisation(world);
    CHECK(synchronisation->name() == "none");
    const Clock clock(Clock::Kind::monotonic);
    int n_calls = 0;
    auto body = [&] {
        const std::int64_t start = clock.ticks();
        while (clock.ticks() - start < 20'000) {
        }
        ++n_calls;
    };
    std::vector<double> plain(40);
    std::vector<double> hampered(40);
    take_samples<decltype(body)>(&body, {clock, *synchronisation, 0.0}, 5, plain);
    take_samples<decltype(body)>(&body, {clock, *synchronisation, 0.5}, 5, hampered);
    CHECK(n_calls == 400);
    for (const double seconds : plain) CHECK(seconds >= 100e-6);
    for (const double seconds : hampered) CHECK(seconds >= 150e-6 - 1e-9);
}

/// The shortest of as many as fit a millisecond, of two at least.
void check_shortest() {
    const World alone;
    const auto synchronisation = make_synchronisation(alone);
    const Clock clock(Clock::Kind::monotonic);
    int n_calls = 0;
    const auto shortest = [&](const std::vector<double>& seconds) {
        n_calls = 0;
        auto body = [&] {
            const double wanted = seconds[static_cast<std::size_t>(n_calls++) % seconds.size()];
            const std::int64_t start = clock.ticks();
            while (clock.seconds(clock.ticks() - start) < wanted) {
            }
        };
        return shortest_seconds(body, {clock, *synchronisation, 0.0});
    };
    const double brief = shortest({100e-6});
    CHECK(n_calls >= 2 && n_calls <= 10);
    CHECK(brief >= 100e-6);
    for (const std::vector<double>& lengths : {std::vector{0.0, 5e-3}, std::vector{5e-3, 0.0}}) {
        CHECK(shortest(lengths) < 5e-3);
        CHECK(n_calls == 2 || lengths[0] == 0.0);
    }
}

}  // namespace

int main() {
    check_ranks();
    check_width();
    check_own_samples();
    check_shared_budget();
    World world;
    world.start();
    check_slowest_rank(world);
    check_own_times(world);
    check_means(world);
    if (world.size() == 1) {  // what has to be done within a time
        check_stops(world);
        check_repetitions(world);
        check_real_loop(world);
        check_shortest();
    }
    world.finish();
    World::leave();
    return tests::result();
}
