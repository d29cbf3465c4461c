// Which nodes jobs get: cases on paper for whole, shared and neighbouring nodes, and for ports.
#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "scheduler/availability/shape.hpp"
#include "scheduler/engine.hpp"
#include "tests/scheduler/workloads.hpp"
#include "tests/testing.hpp"

using namespace heorot;
using namespace heorot::scheduler;
using tests::job;
using Starts = std::vector<Time>;
using Nodes = std::vector<std::int32_t>;

namespace {

Setting shared(int n_nodes, int cores_per_node) {
    Setting setting;
    setting.n_nodes = n_nodes;
    setting.cores_per_node = cores_per_node;
    setting.allocation = Allocation::packed;
    setting.wants_places = true;
    return setting;
}

Job with_cores(Job job, int cores) {
    job.cores = cores;
    return job;
}

/// The nodes of a job, one by one.
Nodes nodes_of(const Outcome& outcome, std::size_t job) {
    Nodes nodes;
    for (std::uint64_t k = outcome.offsets[job]; k < outcome.offsets[job + 1]; ++k) {
        for (std::int32_t i = 0; i < outcome.intervals[k].n; ++i) {
            nodes.push_back(outcome.intervals[k].first + i);
        }
    }
    return nodes;
}

void check_shapes() {
    // 3 nodes with 2 cores each; 2 nodes with 3 and 2; a node that is not shared.
    const Setting setting = shared(4, 4);
    const Shape even = shape_of(with_cores(job(0, 1, 1, 3), 6), setting);
    CHECK(even.n_first == 0 && even.rest.cores == 2 && even.rest.ports == 0);
    const Shape odd = shape_of(with_cores(job(0, 1, 1, 2), 5), setting);
    CHECK(odd.n_first == 1 && odd.first.cores == 3 && odd.rest.cores == 2);
    Job alone = job(0, 1, 1, 1);
    alone.flags = Job::is_exclusive;
    CHECK(shape_of(alone, setting).rest.cores == 4);
    CHECK(shape_of(alone, setting).first.cores == 4);
}

void check_choice() {
    // Free cores 4, 2, 3, 1; two nodes with 3 and 2: first the one with 3, then the one with 2.
    const std::vector<Room> rooms = {{4, 0}, {2, 0}, {3, 0}, {1, 0}};
    const Setting setting = shared(4, 4);
    CHECK(choose_nodes(shape_of(with_cores(job(0, 1, 1, 2), 5), setting), rooms) == (Nodes{2, 1}));
    CHECK(choose_nodes(shape_of(with_cores(job(0, 1, 1, 3), 6), setting), rooms) ==
          (Nodes{1, 2, 0}));
    CHECK(choose_nodes(shape_of(with_cores(job(0, 1, 1, 2), 7), setting), rooms) == (Nodes{0, 2}));
    CHECK(choose_nodes(shape_of(with_cores(job(0, 1, 1, 2), 8), setting), rooms).empty());
    CHECK(choose_nodes(shape_of(with_cores(job(0, 1, 1, 3), 8), setting), rooms) ==
          (Nodes{2, 0, 1}));
    CHECK(choose_nodes(shape_of(with_cores(job(0, 1, 1, 3), 9), setting), rooms).empty());
}

/// What is kept is what would be chosen anew, and nothing else.
void check_kept(std::uint64_t seed) {
    tests::Random random(seed);
    std::vector<Room> rooms(static_cast<std::size_t>(tests::draw(random, 1, 12)));
    for (Room& room : rooms) {
        room.cores = static_cast<std::int16_t>(tests::draw(random, 0, 4));
        room.ports = static_cast<std::int16_t>(tests::draw(random, 0, 2));
    }
    Setting setting = shared(static_cast<int>(rooms.size()), 4);
    setting.ports_per_node = 2;
    if (seed % 5 == 0) setting.allocation = Allocation::contiguous;
    Job own = job(0, 1, 1, tests::draw(random, 1, setting.n_nodes));
    own.cores = tests::draw(random, own.nodes, 4 * own.nodes);
    own.flags = static_cast<std::uint32_t>(tests::draw(random, 0, 3));
    const Shape shape = shape_of(own, setting);
    const Nodes chosen = choose_nodes(shape, rooms);
    if (!chosen.empty()) CHECK(would_choose(shape, rooms, chosen));
    for (int i = 0; i < 20; ++i) {
        Nodes others(rooms.size());
        std::iota(others.begin(), others.end(), 0);
        std::shuffle(others.begin(), others.end(), random);
        others.resize(static_cast<std::size_t>(own.nodes));
        const bool is_same = shape.n_first == 0 && !shape.neighbouring
                                 ? std::ranges::is_permutation(others, chosen)
                                 : others == chosen;
        CHECK(would_choose(shape, rooms, others) == is_same);
    }
}

/// A request of an early PBS: 3 nodes with 2 of their 2 cores, and 1 core of the fourth.
void check_odd_shapes() {
    const std::vector<Job> jobs = {with_cores(job(0, 10, 10, 1), 1),
                                   with_cores(job(1, 10, 10, 3), 6),
                                   with_cores(job(2, 10, 10, 1), 1)};
    const Outcome outcome = simulate(jobs, shared(4, 2));
    CHECK(outcome.start == (Starts{0, 1, 2}));
    CHECK(nodes_of(outcome, 0) == Nodes{0});
    CHECK(nodes_of(outcome, 1) == (Nodes{1, 2, 3}));
    CHECK(nodes_of(outcome, 2) == Nodes{0});
}

/// Jobs fill nodes that are in use already, so that whole ones stay free.
void check_packing() {
    std::vector<Job> jobs = {job(0, 10, 10, 1), job(1, 10, 10, 1), with_cores(job(2, 5, 5, 1), 2)};
    Outcome outcome = simulate(jobs, shared(2, 2));
    CHECK(outcome.start == (Starts{0, 1, 2}));
    CHECK(nodes_of(outcome, 1) == Nodes{0});
    CHECK(nodes_of(outcome, 2) == Nodes{1});
    // The second wants its node alone: it takes the other, and the third waits for the first.
    jobs[1].flags = Job::is_exclusive;
    outcome = simulate(jobs, shared(2, 2));
    CHECK(outcome.start == (Starts{0, 1, 10}));
    CHECK(nodes_of(outcome, 1) == Nodes{1});
    CHECK(nodes_of(outcome, 2) == Nodes{0});
}

/// Two jobs of one node each may share it, but not its only port.
void check_ports() {
    Setting setting = shared(2, 4);
    std::vector<Job> jobs = {with_cores(job(0, 10, 10, 2), 4), with_cores(job(1, 10, 10, 2), 4),
                             with_cores(job(2, 10, 10, 1), 2)};
    for (Job& each : jobs) each.flags = each.nodes > 1 ? Job::uses_network : 0;
    // There are cores for both at once; the third fits only when the first two have ended.
    CHECK(simulate(jobs, setting).start == (Starts{0, 1, 10}));
    // One port each: the second waits for the first; the third passes it only by backfilling.
    setting.ports_per_node = 1;
    CHECK(simulate(jobs, setting).start == (Starts{0, 10, 10}));
    setting.backfill = Backfill::first_fit;
    CHECK(simulate(jobs, setting).start == (Starts{0, 10, 2}));
    setting.ports_per_node = 2;
    CHECK(simulate(jobs, setting).start == (Starts{0, 1, 10}));
}

/// Enough nodes, but not side by side.
void check_neighbours() {
    Setting setting;
    setting.n_nodes = 4;
    setting.allocation = Allocation::contiguous;
    setting.wants_places = true;
    const std::vector<Job> jobs = {job(0, 10, 10, 1), job(0, 20, 20, 1), job(0, 10, 10, 1),
                                   job(1, 5, 5, 3), job(2, 6, 6, 2)};
    // Nodes 0, 1, 2 are taken until 10, 20, 10. At 10 nodes 0, 2, 3 are free: D wants three in a
    // row and waits until 20, when it gets 0, 1, 2; E, if it may pass, gets 2 and 3 at 10.
    setting.backfill = Backfill::easy;
    Outcome outcome = simulate(jobs, setting);
    CHECK(outcome.start == (Starts{0, 0, 0, 20, 10}));
    CHECK(nodes_of(outcome, 3) == (Nodes{0, 1, 2}));
    CHECK(nodes_of(outcome, 4) == (Nodes{2, 3}));
    setting.allocation = Allocation::exclusive;
    setting.backfill = Backfill::none;
    outcome = simulate(jobs, setting);
    CHECK(outcome.start == (Starts{0, 0, 0, 10, 15}));
    CHECK(nodes_of(outcome, 3) == (Nodes{0, 2, 3}));
}

/// Reservations of counted nodes take the first ones that are free, those of particular nodes the
/// last ones: there they have to be fixed beforehand.
void check_reservations() {
    Setting counted;
    counted.n_nodes = 3;
    counted.wants_places = true;
    counted.blocks = {{.from = 0, .to = 10, .nodes = 2}};
    const Outcome whole = simulate({job(0, 20, 20, 1), job(0, 5, 5, 2)}, counted);
    CHECK(whole.start == (Starts{0, 10}));
    CHECK(nodes_of(whole, 0) == Nodes{2});
    CHECK(nodes_of(whole, 1) == (Nodes{0, 1}));
    Setting setting = shared(3, 2);
    setting.blocks = {{.from = 0, .to = 10, .nodes = 2}};
    const std::vector<Job> jobs = {with_cores(job(0, 20, 20, 1), 2),
                                   with_cores(job(0, 5, 5, 2), 4)};
    const Outcome outcome = simulate(jobs, setting);
    CHECK(outcome.start == (Starts{0, 10}));
    CHECK(nodes_of(outcome, 0) == Nodes{0});
    CHECK(nodes_of(outcome, 1) == (Nodes{1, 2}));
    setting.blocks.push_back({.from = 5, .to = 6, .nodes = 2});
    CHECK(tests::throws<std::invalid_argument>([&] { simulate(jobs, setting); }));
}

}  // namespace

int main() {
    check_shapes();
    check_choice();
    for (std::uint64_t seed = 0; seed < 2000; ++seed) check_kept(seed);
    check_odd_shapes();
    check_packing();
    check_ports();
    check_neighbours();
    check_reservations();
    return tests::result();
}
