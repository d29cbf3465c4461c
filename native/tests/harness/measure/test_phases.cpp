// Phases: exclusive times that add up, traffic where it belongs, nothing outside timed bodies.
#include <cmath>
#include <thread>

#include "harness/measure/phases.hpp"
#include "tests/testing.hpp"

using namespace heorot;

namespace {

const Clock& clock_of_test() {
    static const Clock clock(Clock::Kind::monotonic);
    return clock;
}

void spend(double seconds) {
    const double until = clock_of_test().now() + seconds;
    while (clock_of_test().now() < until) {
    }
}

void check_exclusive_times() {
    Phases phases(clock_of_test());
    const Phase outer = phases.add("outer");
    const Phase inner = phases.add("inner");
    const auto body = [&] {
        spend(1e-3);
        const auto in_outer = phases.enter(outer);
        spend(2e-3);
        {
            const auto in_inner = phases.enter(inner);
            spend(4e-3);
            const std::size_t call = phases.begin_call({.messages = 2, .bytes = 80});
            spend(3e-3);
            phases.end_call(call);
            spend(20e-3);  // more than what an interruption adds to the rest
        }
        spend(2e-3);
    };
    body();  // not timed: nothing is counted
    for (const PhaseTotals& phase : phases.totals()) {
        CHECK(phase.computation_seconds == 0.0 && phase.messages == 0);
    }
    const double begin = clock_of_test().now();
    phases.start();
    body();
    phases.stop();
    const double elapsed = clock_of_test().now() - begin;
    const auto totals = phases.totals();
    CHECK(totals.size() == 3);
    CHECK(totals[0].name == "rest" && totals[1].name == "outer" && totals[2].name == "inner");
    CHECK(totals[0].computation_seconds >= 1e-3 && totals[1].computation_seconds >= 4e-3);
    CHECK(totals[2].computation_seconds >= 24e-3 && totals[2].communication_seconds >= 3e-3);
    CHECK(totals[2].messages == 2 && totals[2].bytes == 80 && totals[1].messages == 0);
    double sum = 0.0;
    for (const PhaseTotals& phase : totals) {
        sum += phase.computation_seconds + phase.communication_seconds;
    }
    // Without gaps or overlaps, apart from the two readings of the clock around it.
    CHECK(sum <= elapsed && sum >= elapsed - 1e-4);
    phases.reset();
    CHECK(phases.totals()[2].communication_seconds == 0.0 && phases.totals()[2].bytes == 0);
}

void check_other_threads() {
    Phases phases(clock_of_test());
    const Phase part = phases.add("part");
    phases.start();
    std::thread([&] {
        const auto timed = phases.enter(part);
        phases.end_call(phases.begin_call({.messages = 1}));
        spend(1e-3);
    }).join();
    phases.stop();
    CHECK(phases.totals()[1].computation_seconds == 0.0);
    CHECK(phases.totals()[0].messages == 0 && phases.totals()[1].messages == 0);
}

}  // namespace

int main() {
    check_exclusive_times();
    check_other_threads();
    return tests::result();
}
