// FCFS, EASY and conservative backfilling start every job when the slow schedulers do.
#include <cstdio>

#include "scheduler/engine.hpp"
#include "tests/scheduler/reference.hpp"
#include "tests/scheduler/workloads.hpp"
#include "tests/testing.hpp"

using namespace heorot;
using scheduler::Backfill;

namespace {

constexpr int n_workloads = 10'000;

void compare(const std::vector<scheduler::Job>& jobs, int n_nodes, Backfill backfill, int seed) {
    scheduler::Setting setting;
    setting.n_nodes = n_nodes;
    setting.backfill = backfill;
    CHECK(scheduler::complaint_about(setting, jobs).empty());
    const scheduler::Outcome fast = simulate(jobs, setting);
    const tests::Slow slow = tests::schedule_slowly(jobs, n_nodes, backfill);
    CHECK(fast.start == slow.start);
    CHECK(!slow.has_delayed);
    if (fast.start != slow.start) std::fprintf(stderr, "workload %d\n", seed);
    if (backfill != Backfill::conservative) return;
    for (std::size_t i = 0; i < jobs.size(); ++i) CHECK(fast.start[i] <= slow.promised[i]);
    // A reservation of no consequence: the way of strict order and EASY by a plan.
    setting.blocks = {{.from = 1'000'000, .to = 1'000'001, .nodes = 1}};
    for (const Backfill other : {Backfill::none, Backfill::easy}) {
        setting.backfill = other;
        CHECK(simulate(jobs, setting).start == tests::schedule_slowly(jobs, n_nodes, other).start);
    }
}

}  // namespace

int main() {
    for (int seed = 0; seed < n_workloads; ++seed) {
        tests::Random random(static_cast<std::uint64_t>(seed));
        tests::Mix mix;
        mix.n_jobs = tests::draw(random, 1, seed % 100 == 0 ? 300 : 30);
        mix.n_nodes = tests::draw(random, 1, seed % 2 == 0 ? 8 : 40);
        mix.exact = seed % 3 == 0;
        mix.has_chains = seed % 5 == 0;
        mix.has_giants = seed % 7 == 0;
        const std::vector<scheduler::Job> jobs = tests::draw_jobs(random, mix);
        for (const Backfill backfill : {Backfill::none, Backfill::easy, Backfill::conservative}) {
            compare(jobs, mix.n_nodes, backfill, seed);
        }
    }
    return tests::result();
}
