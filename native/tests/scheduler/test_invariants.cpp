// What holds under every order, backfilling and allocation, on workloads drawn at random.
#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "scheduler/availability/shape.hpp"
#include "scheduler/engine.hpp"
#include "tests/scheduler/workloads.hpp"
#include "tests/testing.hpp"

using namespace heorot;
using namespace heorot::scheduler;

namespace {

/// What jobs that run at a moment take of each node.
std::vector<Room> taken_at(Time time, const std::vector<Job>& jobs, const Setting& setting,
                           const Outcome& outcome) {
    std::vector<Room> taken(static_cast<std::size_t>(setting.n_nodes));
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const bool runs = outcome.start[i] != never && outcome.start[i] <= time &&
                          time < outcome.start[i] + jobs[i].run;
        if (!runs) continue;
        // A node has at least so many cores, whichever nodes of the job have one more.
        const Shape shape = shape_of(jobs[i], setting);
        for (std::uint64_t k = outcome.offsets[i]; k < outcome.offsets[i + 1]; ++k) {
            const Interval& nodes = outcome.intervals[k];
            for (std::int32_t node = nodes.first; node < nodes.first + nodes.n; ++node) {
                Room& room = taken[static_cast<std::size_t>(node)];
                const bool whole = setting.allocation != Allocation::packed;
                const auto cores = whole ? setting.cores_per_node : shape.rest.cores;
                room.cores = static_cast<std::int16_t>(room.cores + cores);
                room.ports = static_cast<std::int16_t>(room.ports + shape.rest.ports);
            }
        }
    }
    return taken;
}

std::int32_t nodes_of(std::size_t job, const Outcome& outcome) {
    std::int32_t n = 0;
    for (std::uint64_t k = outcome.offsets[job]; k < outcome.offsets[job + 1]; ++k) {
        n += outcome.intervals[k].n;
    }
    return n;
}

/// All cores that jobs have at a time: exact, where taken_at() is a lower bound.
std::int64_t cores_at(Time time, const std::vector<Job>& jobs, const Outcome& outcome) {
    std::int64_t n = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const bool runs = outcome.start[i] != never && outcome.start[i] <= time &&
                          time < outcome.start[i] + jobs[i].run;
        if (runs) n += jobs[i].cores;
    }
    return n;
}

void check_moment(Time time, const std::vector<Job>& jobs, const Setting& setting,
                  const Outcome& outcome) {
    std::int64_t n_idle = 0;
    for (const Room& room : taken_at(time, jobs, setting, outcome)) {
        CHECK(room.cores <= setting.cores_per_node);
        CHECK(setting.ports_per_node == 0 || room.ports <= setting.ports_per_node);
        n_idle += room.cores == 0;
    }
    CHECK(cores_at(time, jobs, outcome) <=
          static_cast<std::int64_t>(setting.n_nodes) * setting.cores_per_node);
    for (const Block& block : setting.blocks) {
        if (block.from <= time && time < block.to) CHECK(n_idle >= block.nodes);
    }
}

void check_all(const std::vector<Job>& jobs, const Setting& setting) {
    const Outcome outcome = simulate(jobs, setting);
    CHECK(outcome.offsets.size() == jobs.size() + 1);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const bool can_run = can_ever_run(jobs[i], setting);
        CHECK((outcome.start[i] != never) == can_run);
        CHECK(outcome.submit[i] >= jobs[i].submit);
        if (jobs[i].preceding != nobody) {
            const auto before = static_cast<std::size_t>(jobs[i].preceding);
            const Time left = outcome.start[before] == never
                                  ? outcome.submit[before]
                                  : outcome.start[before] + jobs[before].run;
            CHECK(outcome.submit[i] == std::max(jobs[i].submit, left + jobs[i].think));
        }
        if (!can_run) continue;
        CHECK(outcome.start[i] >= outcome.submit[i]);
        CHECK(nodes_of(i, outcome) == jobs[i].nodes);
        if (setting.allocation == Allocation::contiguous) {
            CHECK(outcome.offsets[i + 1] - outcome.offsets[i] == 1);
        }
        check_moment(outcome.start[i], jobs, setting, outcome);
    }
    for (const Block& block : setting.blocks) check_moment(block.from, jobs, setting, outcome);
}

Setting draw_setting(tests::Random& random, int n_nodes, int cores_per_node) {
    Setting setting;
    setting.n_nodes = n_nodes;
    setting.cores_per_node = cores_per_node;
    setting.ageing = 0.3e6;
    setting.share_weight = 5.0;
    setting.half_life_seconds = tests::draw(random, 0, 2) * 10e-6;
    setting.wants_places = true;
    if (tests::draw(random, 0, 1) == 0) setting.most_reservations = tests::draw(random, 1, 5);
    if (tests::draw(random, 0, 1) == 0) {
        setting.blocks = {{.from = 5, .to = 25, .nodes = (n_nodes + 1) / 2},
                          {.from = 20, .to = 40, .nodes = n_nodes / 2}};
        if (setting.blocks[1].nodes == 0) setting.blocks.pop_back();
    }
    return setting;
}

/// All ways of scheduling; of the jobs that keep in their order with strict FCFS, too.
void check_workload(std::uint64_t seed) {
    tests::Random random(seed);
    const tests::Mix mix{.n_jobs = tests::draw(random, 1, 25),
                         .n_nodes = tests::draw(random, 1, 9),
                         .cores_per_node = tests::draw(random, 1, 4),
                         .exact = seed % 3 == 0,
                         .has_chains = seed % 4 == 0,
                         .has_giants = seed % 5 == 0};
    const std::vector<Job> jobs = tests::draw_jobs(random, mix);
    Setting setting = draw_setting(random, mix.n_nodes, mix.cores_per_node);
    for (std::uint32_t order = 0; order <= static_cast<std::uint32_t>(Order::fair_share); ++order) {
        for (const Backfill backfill :
             {Backfill::none, Backfill::easy, Backfill::conservative, Backfill::first_fit}) {
            for (const Allocation allocation :
                 {Allocation::exclusive, Allocation::packed, Allocation::contiguous}) {
                setting.order = static_cast<Order>(order);
                setting.backfill = backfill;
                setting.allocation = allocation;
                setting.ports_per_node =
                    allocation == Allocation::packed ? tests::draw(random, 0, 2) : 0;
                CHECK(complaint_about(setting, jobs).empty());
                check_all(jobs, setting);
            }
        }
    }
}

/// If all jobs need one node, it does not matter which: no job overtakes another by EASY either.
void check_single_nodes(std::uint64_t seed) {
    tests::Random random(seed);
    std::vector<Job> jobs = tests::draw_jobs(random, {.n_jobs = 25, .n_nodes = 1});
    Setting setting;
    setting.n_nodes = 3;
    for (const Backfill backfill : {Backfill::none, Backfill::easy}) {
        setting.backfill = backfill;
        setting.allocation = Allocation::exclusive;
        const std::vector<Time> starts = simulate(jobs, setting).start;
        for (const Allocation allocation : {Allocation::packed, Allocation::contiguous}) {
            setting.allocation = allocation;
            CHECK(simulate(jobs, setting).start == starts);
        }
    }
}

}  // namespace

int main() {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        check_workload(seed);
        check_single_nodes(seed);
        if (tests::n_failures > 0) {
            std::fprintf(stderr, "workload %d\n", static_cast<int>(seed));
            break;
        }
    }
    return tests::result();
}
