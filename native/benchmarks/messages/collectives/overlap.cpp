// Measures how much computation overlaps with nonblocking collectives.
#include "benchmarks/messages/collectives/overlap.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace heorot::collectives {

namespace {

constexpr std::int64_t n_calibrating = 20000;
constexpr double between_tests_seconds = 2e-6;

}  // namespace

Additions::Additions(Program& program) {
    const auto n_all = static_cast<double>(n_calibrating) * program.world().size();
    const Region region = program.measure({.region = "computation",
                                           .counts = {{"computations", 1}, {"additions", n_all}},
                                           .each = true},
                                          [this] { run(n_calibrating); });
    seconds_each_ = region.best_seconds / static_cast<double>(n_calibrating);
    verify(program, region, n_calibrating);
}

std::int64_t Additions::lasting(double seconds) const {
    return std::max<std::int64_t>(1, std::llround(seconds / seconds_each_));
}

void Additions::verify(Program& program, const Region& region, std::int64_t per_body) {
    const auto expected = static_cast<double>(region.n_bodies) * static_cast<double>(per_body);
    program.check(region, "additions missing", std::abs(expected - sum_), 0.0);
    sum_ = 0.0;
}

void measure_overlap(Program& program, const Group& group, const Operation& operation,
                     std::size_t n, Additions& additions) {
    Trial trial(program, group, operation, n);
    const std::string name(operation.name);
    const Region alone = trial.run(name, [&] {
        trial.call();
        trial.wait();
    });

    const std::int64_t n_steps = additions.lasting(alone.best_seconds);
    const auto n_all = static_cast<double>(n_steps) * group.place().size;
    const Region computed = program.measure({.region = name + "_computation",
                                             .point = trial.point(),
                                             .counts = {{"computations", 1}, {"additions", n_all}},
                                             .each = true},
                                            [&] { additions.run(n_steps); });
    additions.verify(program, computed, n_steps);

    const Region overlapped = trial.run(name + "_overlapped", [&] {
        trial.call();
        additions.run(n_steps);
        trial.wait();
    });
    additions.verify(program, overlapped, n_steps);

    // Short computations are interrupted once at least.
    const std::int64_t stretch =
        std::min(additions.lasting(between_tests_seconds), (n_steps + 1) / 2);
    const Region tested = trial.run(name + "_tested", [&] {
        trial.call();
        for (std::int64_t done = 0; done < n_steps; done += stretch) {
            additions.run(std::min(stretch, n_steps - done));
            trial.progress();
        }
        trial.wait();
    });
    additions.verify(program, tested, n_steps);
}

}  // namespace heorot::collectives
