// Strict order, EASY, first fit and conservative backfilling, in any order and with any number of
// reservations, start every job when the slow schedulers do.
#include <array>
#include <cstdio>

#include "scheduler/engine.hpp"
#include "tests/scheduler/reference.hpp"
#include "tests/scheduler/workloads.hpp"
#include "tests/testing.hpp"

using namespace heorot;
using scheduler::Backfill;
using scheduler::Order;

namespace {

constexpr int n_workloads = 10'000;

void compare(const std::vector<scheduler::Job>& jobs, int n_nodes, Backfill backfill, int seed) {
    scheduler::Setting setting;
    setting.n_nodes = n_nodes;
    setting.backfill = backfill;
    CHECK(scheduler::complaint_about(setting, jobs).empty());
    const scheduler::Outcome fast = simulate(jobs, setting);
    const tests::Slow slow = tests::schedule_slowly(jobs, setting);
    CHECK(fast.start == slow.start);
    CHECK(!slow.has_delayed);
    if (fast.start != slow.start) std::fprintf(stderr, "workload %d\n", seed);
    if (backfill != Backfill::conservative) return;
    for (std::size_t i = 0; i < jobs.size(); ++i) CHECK(fast.start[i] <= slow.promised[i]);
    // A reservation of no consequence: the way of strict order and EASY by a plan.
    setting.blocks = {{.from = 1'000'000, .to = 1'000'001, .nodes = 1}};
    for (const Backfill other : {Backfill::none, Backfill::easy}) {
        setting.backfill = other;
        CHECK(simulate(jobs, setting).start == tests::schedule_slowly(jobs, setting).start);
    }
}

/// Any order, which may change, with any backfill; conservative of a few reservations, or all.
void compare_ordered(const std::vector<scheduler::Job>& jobs, int n_nodes, tests::Random& random,
                     int seed) {
    scheduler::Setting setting;
    setting.n_nodes = n_nodes;
    setting.order = static_cast<Order>(tests::draw(random, 0, static_cast<int>(Order::fair_share)));
    setting.ageing = tests::draw(random, 0, 1) * 0.3e6;
    setting.half_life_seconds = tests::draw(random, 0, 3) > 0 ? 17e-6 : 0.0;
    if (tests::draw(random, 0, 3) > 0) setting.most_reservations = tests::draw(random, 1, 6);
    for (const Backfill backfill :
         {Backfill::none, Backfill::easy, Backfill::conservative, Backfill::first_fit}) {
        setting.backfill = backfill;
        // With the last one priorities are but a few units in the last place of ranks, or none: who
        // waits without a reservation goes by what is not rounded.
        const bool is_bounded = backfill == Backfill::conservative;
        setting.share_weight =
            std::array{5.0, 0.5, is_bounded ? 50.0 : 1e16}[static_cast<std::size_t>(seed) % 3];
        const std::vector<scheduler::Time> fast = simulate(jobs, setting).start;
        const tests::Slow slow = tests::schedule_slowly(jobs, setting);
        CHECK(fast == slow.start);
        if (fast != slow.start) {
            std::fprintf(stderr, "workload %d, order %d, backfill %d\n", seed,
                         static_cast<int>(setting.order), static_cast<int>(backfill));
        }
        // A reservation of no consequence, as above.
        if (is_bounded) {
            CHECK(!slow.has_delayed);
            for (std::size_t i = 0; i < jobs.size(); ++i) CHECK(fast[i] <= slow.promised[i]);
        } else {
            setting.blocks = {{.from = 1'000'000, .to = 1'000'001, .nodes = 1}};
            CHECK(simulate(jobs, setting).start == fast);
            setting.blocks.clear();
        }
    }
}

/// Work grows with the jobs, not with the square of those that wait; it is counted, not timed.
void check_work() {
    for (const int n_jobs : {500, 2000}) {
        tests::Random random(static_cast<std::uint64_t>(n_jobs));
        tests::Mix mix;
        mix.n_jobs = n_jobs;
        std::vector<scheduler::Job> jobs = tests::draw_jobs(random, mix);
        for (scheduler::Job& job : jobs) job.submit = 0;
        scheduler::Setting setting;
        setting.n_nodes = mix.n_nodes;
        setting.backfill = Backfill::conservative;
        setting.most_reservations = 20;
        const std::uint64_t n_searches = simulate(jobs, setting).n_searches;
        const std::uint64_t most = static_cast<std::uint64_t>(n_jobs) * (20 + 1);
        CHECK(most / 3 < n_searches && n_searches <= most);
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
        compare_ordered(jobs, mix.n_nodes, random, seed);
    }
    check_work();
    return tests::result();
}
