// Schedules that can be drawn on paper: every case states when each job runs, and why.
#include <stdexcept>
#include <vector>

#include "scheduler/engine.hpp"
#include "tests/scheduler/workloads.hpp"
#include "tests/testing.hpp"

using namespace heorot;
using namespace heorot::scheduler;
using tests::job;
using Starts = std::vector<Time>;

namespace {

Starts starts(const std::vector<Job>& jobs, int n_nodes, Order order, Backfill backfill) {
    Setting setting;
    setting.n_nodes = n_nodes;
    setting.order = order;
    setting.backfill = backfill;
    return simulate(jobs, setting).start;
}

/// Four nodes. A takes 3 until 10, B wants 4, C wants 1 for 10, D wants 1 for 11.
void check_backfilling() {
    const std::vector<Job> jobs = {job(0, 10, 10, 3), job(1, 5, 5, 4), job(2, 8, 8, 1),
                                   job(3, 11, 11, 1)};
    // B at 10 when A ends, C and D at 15 when B ends.
    CHECK(starts(jobs, 4, Order::arrival, Backfill::none) == (Starts{0, 10, 15, 15}));
    // C ends at 10 just when B can start, so it may start at 2; D would end at 14: it waits.
    CHECK(starts(jobs, 4, Order::arrival, Backfill::easy) == (Starts{0, 10, 2, 15}));
    CHECK(starts(jobs, 4, Order::arrival, Backfill::conservative) == (Starts{0, 10, 2, 15}));
    // C now ends at 11. By first fit it starts at 2 all the same, D follows at 10 on one of A's
    // nodes, and B waits until 21.
    const std::vector<Job> longer = {jobs[0], jobs[1], job(2, 9, 9, 1), jobs[3]};
    CHECK(starts(longer, 4, Order::arrival, Backfill::first_fit) == (Starts{0, 21, 2, 10}));
    CHECK(starts(longer, 4, Order::arrival, Backfill::easy) == (Starts{0, 10, 15, 15}));
}

/// EASY lets who is third wait longer, conservative backfilling does not.
void check_who_is_delayed() {
    // Four nodes. A: 3 until 10. B wants 2, from 10 to 20. C wants 4, from 20 to 25. D wants 1 for
    // 30 from 3 on. By EASY only B counts: at 10 B leaves two nodes over, D may have one of them
    // until 33, and C waits for it.
    const std::vector<Job> jobs = {job(0, 10, 10, 3), job(1, 10, 10, 2), job(2, 5, 5, 4),
                                   job(3, 30, 30, 1)};
    CHECK(starts(jobs, 4, Order::arrival, Backfill::easy) == (Starts{0, 10, 33, 3}));
    // Conservatively C has 20 to 25 promised: D does not fit before, and follows.
    CHECK(starts(jobs, 4, Order::arrival, Backfill::conservative) == (Starts{0, 10, 20, 25}));
}

/// A job that ends early: what had reservations moves up, in the order of the queue.
void check_compression() {
    // Two nodes. A: 2, thought to run until 100, ends at 10. B: 2 for 5, promised 100. C: 1 for 90,
    // promised 105. At 10 both move up: B 10 to 15, C from 15.
    const std::vector<Job> jobs = {job(0, 10, 100, 2), job(1, 5, 5, 2), job(2, 90, 90, 1)};
    CHECK(starts(jobs, 2, Order::arrival, Backfill::conservative) == (Starts{0, 10, 15}));
    // Two nodes. A: 1 until 20. B: 1, thought to run until 40, ends at 10. C wants 2: promised 40.
    // D wants 1 for 25: after C, at 45. At 10, C moves first: A still has a node until 20, so it
    // gets 20. D cannot end before that: 25, when C has ended.
    const std::vector<Job> others = {job(0, 20, 20, 1), job(0, 10, 40, 1), job(1, 5, 5, 2),
                                     job(2, 25, 25, 1)};
    CHECK(starts(others, 2, Order::arrival, Backfill::conservative) == (Starts{0, 0, 20, 25}));
}

void check_orders() {
    // One node, busy until 10; then three jobs that came meanwhile, all known at 10.
    const std::vector<Job> jobs = {job(0, 10, 10, 1), job(1, 6, 6, 1), job(2, 2, 2, 1),
                                   job(3, 4, 4, 1)};
    CHECK(starts(jobs, 1, Order::arrival, Backfill::none) == (Starts{0, 10, 16, 18}));
    CHECK(starts(jobs, 1, Order::shortest, Backfill::none) == (Starts{0, 16, 10, 12}));
    CHECK(starts(jobs, 1, Order::longest, Backfill::none) == (Starts{0, 10, 20, 16}));
    // Three nodes, busy until 10; then 1, 3 and 2 nodes for 5 each.
    const std::vector<Job> sizes = {job(0, 10, 10, 3), job(1, 5, 5, 1), job(2, 5, 5, 3),
                                    job(3, 5, 5, 2)};
    CHECK(starts(sizes, 3, Order::smallest, Backfill::none) == (Starts{0, 10, 15, 10}));
    CHECK(starts(sizes, 3, Order::largest, Backfill::none) == (Starts{0, 15, 10, 15}));
    // The largest does not fit until 10, and no job passes it; by EASY one passes until then.
    const std::vector<Job> behind = {job(0, 10, 10, 2), job(1, 5, 5, 3), job(2, 4, 4, 1)};
    CHECK(starts(behind, 3, Order::largest, Backfill::none) == (Starts{0, 10, 15}));
    CHECK(starts(behind, 3, Order::largest, Backfill::easy) == (Starts{0, 10, 2}));
}

void check_priorities() {
    // One node, busy until 10 s. B came at 1 s; C at 5 s, with priority 3.
    std::vector<Job> jobs = {job(0, 10 * second, 10 * second, 1), job(second, second, second, 1),
                             job(5 * second, second, second, 1)};
    jobs[2].priority = 3.0F;
    Setting setting;
    setting.order = Order::priority;
    // 0.5 per second: B has gained 2 when C comes with 3, so C goes first.
    setting.ageing = 0.5;
    CHECK(simulate(jobs, setting).start == (Starts{0, 11 * second, 10 * second}));
    // One per second: B has gained 4, and C never makes up for it.
    setting.ageing = 1.0;
    CHECK(simulate(jobs, setting).start == (Starts{0, 10 * second, 11 * second}));
}

void check_fair_share() {
    // One node. User 0 has it from 0 to 10 s and wants it again, user 1 comes last.
    std::vector<Job> jobs = {job(0, 10 * second, 10 * second, 1), job(second, second, second, 1),
                             job(2 * second, second, second, 1)};
    jobs[2].user = 1;
    Setting setting;
    setting.order = Order::fair_share;
    setting.share_weight = 10.0;
    // Factor of user 0 at 10 s: 2^(-1 / 0.5) = 0.25, of user 1: 1.
    CHECK(simulate(jobs, setting).start == (Starts{0, 11 * second, 10 * second}));
    // B has waited a second longer: with 8 per second that outweighs 10 (1 - 0.25) = 7.5.
    setting.ageing = 8.0;
    CHECK(simulate(jobs, setting).start == (Starts{0, 10 * second, 11 * second}));
    // User 0 has paid for 9 of 10: its factor is 2^(-1 / 0.9) = 0.463, the difference 5.4.
    setting.ageing = 6.0;
    CHECK(simulate(jobs, setting).start == (Starts{0, 11 * second, 10 * second}));
    jobs[0].share = jobs[1].share = 9.0F;
    CHECK(simulate(jobs, setting).start == (Starts{0, 10 * second, 11 * second}));
}

/// What was used long ago counts less than what was used of late.
void check_half_life() {
    // User 0 has the node from 0 to 30 s, user 1 from 30 to 50 s; then each wants it once more.
    std::vector<Job> jobs = {
        job(0, 30 * second, 30 * second, 1), job(second, 20 * second, 20 * second, 1),
        job(31 * second, second, second, 1), job(32 * second, second, second, 1)};
    jobs[1].user = jobs[2].user = 1;
    Setting setting;
    setting.order = Order::fair_share;
    setting.share_weight = 100.0;
    // For ever: 30 s are more than 20 s, so user 1 goes first.
    CHECK(simulate(jobs, setting).start == (Starts{0, 30 * second, 50 * second, 51 * second}));
    // Half after 10 s: user 0 has (1 - 1/8) / 4 = 0.22 of it left, user 1 has 0.75.
    setting.half_life_seconds = 10.0;
    CHECK(simulate(jobs, setting).start == (Starts{0, 30 * second, 51 * second, 50 * second}));
}

void check_chains() {
    // Two nodes. B follows A, which ends at 10, by 5. C follows B at once; its own time, 40, is
    // later than B's end at 20.
    std::vector<Job> jobs = {job(0, 10, 10, 1), job(1, 5, 5, 1), job(40, 1, 1, 1)};
    jobs[1].preceding = 0;
    jobs[1].think = 5;
    jobs[2].preceding = 1;
    Setting setting;
    setting.n_nodes = 2;
    const Outcome outcome = simulate(jobs, setting);
    CHECK(outcome.start == (Starts{0, 15, 40}));
    CHECK(outcome.submit == (Starts{0, 15, 40}));
    // A is too large: B comes 5 after it would have.
    jobs[0].nodes = jobs[0].cores = 3;
    CHECK(simulate(jobs, setting).start == (Starts{never, 5, 40}));
}

void check_reservations() {
    // Two nodes, one of which is kept from 10 to 20.
    Setting setting;
    setting.n_nodes = 2;
    setting.blocks = {{.from = 10, .to = 20, .nodes = 1}};
    // A takes both for 10 and just fits before; B takes both and does not, it starts at 20; C takes
    // one for 5 and passes B, if it may, at 10.
    const std::vector<Job> jobs = {job(0, 10, 10, 2), job(1, 5, 5, 2), job(2, 5, 5, 1)};
    for (const Backfill backfill : {Backfill::easy, Backfill::conservative, Backfill::first_fit}) {
        setting.backfill = backfill;
        CHECK(simulate(jobs, setting).start == (Starts{0, 20, 10}));
    }
    setting.backfill = Backfill::none;
    CHECK(simulate(jobs, setting).start == (Starts{0, 20, 25}));
    // Three nodes in two reservations of a machine of two.
    setting.blocks.push_back({.from = 15, .to = 16, .nodes = 2});
    CHECK(tests::throws<std::invalid_argument>([&] { simulate(jobs, setting); }));
}

}  // namespace

int main() {
    check_backfilling();
    check_who_is_delayed();
    check_compression();
    check_orders();
    check_priorities();
    check_fair_share();
    check_half_life();
    check_chains();
    check_reservations();
    return tests::result();
}
