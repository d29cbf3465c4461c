// Clocks: facts that make sense, agreement among clocks, the choice, the cost of looking.
#include <cmath>
#include <ctime>

#include "harness/measure/clock.hpp"
#include "harness/record/check.hpp"
#include "tests/testing.hpp"

using namespace heorot;

namespace {

void check_facts(const ClockFacts& facts) {
    CHECK(facts.monotonic);
    CHECK(facts.resolution_seconds > 0.0);
    CHECK(facts.resolution_seconds < 1e-3);
    CHECK(facts.overhead_seconds >= 0.0);
    CHECK(facts.overhead_seconds < 1e-3);
}

void check_agreement() {
    if (!has_invariant_counter()) return;
    const Clock counter(Clock::Kind::tsc, calibrate_counter(0.02));
    const Clock monotonic(Clock::Kind::monotonic);
    const std::int64_t counter_start = counter.ticks();
    const std::int64_t start = monotonic.ticks();
    const timespec pause{.tv_sec = 0, .tv_nsec = 50'000'000};
    nanosleep(&pause, nullptr);
    const double counted_seconds = counter.seconds(counter.ticks() - counter_start);
    const double slept_seconds = monotonic.seconds(monotonic.ticks() - start);
    CHECK(slept_seconds >= 0.05);
    // An interruption between the two readings of an end costs at most some milliseconds.
    CHECK(std::abs(counted_seconds - slept_seconds) < 0.01);
}

void check_choice(const World& world) {
    const Clocks automatic("auto", world);
    CHECK(automatic.main().name() == "monotonic");
    check_facts(automatic.facts());
    for (const ClockFacts& facts : automatic.others()) {
        CHECK(facts.name != "monotonic");
        check_facts(facts);
    }
    if (has_invariant_counter()) {
        CHECK(automatic.second()->name() == "tsc");
        const Clocks counting("tsc", world);
        CHECK(counting.main().name() == "tsc");
        CHECK(counting.second()->name() == "monotonic");
    }
    CHECK(tests::throws<Refusal>([&] { Clocks("sundial", world); }));
    if (!World::has_wall_time()) CHECK(tests::throws<Refusal>([&] { Clocks("mpi", world); }));
}

void check_cost(const World& world) {
    // Processor time, so that other processes do not matter: at most 50 ms.
    timespec start;
    timespec stop;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    const Clocks clocks("auto", world);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &stop);
    const double used_seconds = static_cast<double>(stop.tv_sec - start.tv_sec) +
                                1e-9 * static_cast<double>(stop.tv_nsec - start.tv_nsec);
    CHECK(used_seconds < 0.05);
}

}  // namespace

int main() {
    World world;
    world.start();
    check_agreement();
    check_choice(world);
    check_cost(world);
    world.finish();
    World::leave();
    return tests::result();
}
