// Lining up for every body: how long ranks wait for each other, and when they have windows at all.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <thread>

#include "harness/measure/starts.hpp"
#include "tests/testing.hpp"

using namespace heorot;

namespace {

constexpr double body_seconds = 50e-6;
constexpr int most_attempts = 200;  // on a busy machine some of them fail
constexpr std::chrono::milliseconds lateness(100);
constexpr int n_bodies = 20;

void check_patience() {
    Patience patience;
    patience.open(1e-3);
    for (int i = 0; i < 1000; ++i) patience.adapt(false);
    const double longest = patience.seconds();
    CHECK(longest > 2e-3);
    CHECK(longest < 0.1);
    patience.adapt(true);
    CHECK(patience.seconds() < longest);
    for (int i = 0; i < 1000; ++i) patience.adapt(true);
    CHECK(patience.seconds() == 1e-3);
}

/// A sample of bodies that take their time.
double take(Starts& starts, const Clock& clock, std::int64_t n, double seconds = body_seconds) {
    starts.begin(n);
    for (std::int64_t i = 0; i < n; ++i) {
        starts.line_up();
        const std::int64_t start = clock.ticks();
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
        starts.keep({start, clock.ticks()});
    }
    return starts.finish();
}

/// Where a rank is never there in time, barriers are better; unless windows are insisted on.
void check_giving_up(const World& world, const Clock& clock, const ClockFacts& facts,
                     GlobalClock& global) {
    for (const bool insists : {true, false}) {
        Starts starts(world, clock, facts, {.global = &global, .insists = insists});
        // Nothing but lining up.
        starts.begin(1);
        starts.line_up();
        starts.keep({0, 0});
        starts.finish();
        starts.open();
        CHECK(starts.name() == "window");
        for (int i = 0; i < 3; ++i) {
            starts.begin(1);
            if (world.rank() == world.size() - 1) std::this_thread::sleep_for(lateness);
            starts.line_up();
            starts.keep({clock.ticks(), clock.ticks()});
            starts.finish();
        }
        CHECK(!starts.is_settled());
        starts.give_up_if_late();
        CHECK(starts.name() == (insists ? "window" : "barrier"));
    }
}

/// Bodies that are much longer than a barrier start without a window.
void check_long_bodies(const World& world, const Clock& clock, const ClockFacts& facts,
                       GlobalClock& global) {
    constexpr double long_seconds = 20e-3;
    bool by_barriers = false;
    for (int i = 0; i < most_attempts && !by_barriers; ++i) {
        Starts starts(world, clock, facts, {.global = &global});
        take(starts, clock, 3, long_seconds);
        starts.open();
        by_barriers = starts.name() == "barrier";
    }
    CHECK(by_barriers);
}

/// A sample in which the last rank is slow once: in a body, or before it, so that it comes late and
/// the others wait in the body.
double take_with_slow(Starts& starts, const World& world, const Clock& clock, bool is_late) {
    const bool is_last = world.rank() == world.size() - 1;
    starts.begin(n_bodies);
    for (int i = 0; i < n_bodies; ++i) {
        const bool is_chosen = i == n_bodies / 2;
        if (is_chosen && is_late && is_last) std::this_thread::sleep_for(lateness);
        starts.line_up();
        const std::int64_t start = clock.ticks();
        if (is_chosen && is_late != is_last) std::this_thread::sleep_for(lateness);
        starts.keep({start, clock.ticks()});
    }
    return starts.finish();
}

/// A body for which the last rank comes late is left out, also of the times of single ranks, and
/// one that it prolongs is not. On a
/// busy machine all ranks are late at times.
void check_late_and_long(Starts& starts, const World& world, const Clock& clock) {
    const double slow_seconds = std::chrono::duration<double>(lateness).count();
    bool is_left_out = false;
    bool is_counted = false;
    for (int i = 0; i < most_attempts && !(is_left_out && is_counted); ++i) {
        const std::int64_t n_late = starts.facts().n_late;
        const double seconds = take_with_slow(starts, world, clock, true);
        const double longest = world.maximum(std::max(seconds, starts.own_seconds().back()));
        is_left_out |= longest < 0.5 * slow_seconds;
        CHECK(starts.facts().n_late > n_late);
        is_counted |= take_with_slow(starts, world, clock, false) >= slow_seconds;
    }
    CHECK(is_left_out);
    CHECK(is_counted);
}

void check_windows(const World& world) {
    const Clock clock(Clock::Kind::monotonic);
    const ClockFacts facts = assess(clock);
    GlobalClock global(world, clock);
    Starts starts(world, clock, facts, {.global = &global, .insists = true});
    // Nothing is known yet of how long a window must be.
    starts.open();
    CHECK(starts.name() == "barrier");
    take(starts, clock, 5);
    starts.open();
    CHECK(starts.name() == "window");
    const double all = take(starts, clock, n_bodies);
    CHECK(all >= n_bodies * body_seconds);
    CHECK(starts.facts().n_bodies == n_bodies);
    const double window_seconds = starts.facts().window_seconds;
    CHECK(window_seconds >= body_seconds);
    const double before = clock.now();
    take(starts, clock, n_bodies);
    CHECK(clock.now() - before >= 0.9 * (n_bodies - 1) * window_seconds);
    // Ranks that share a core come late by themselves.
    if (world.has_a_core_each()) {
        check_late_and_long(starts, world, clock);
        check_long_bodies(world, clock, facts, global);
    }
    check_giving_up(world, clock, facts, global);
}

}  // namespace

int main() {
    World world;
    world.start();
    check_patience();
    check_windows(world);
    world.finish();
    World::leave();
    return tests::result();
}
