// messages/congestion: how much does network congestion slow down communication?
//
// Method    The ranks are split into victims, a share of --victims, and aggressors: interleaved
//           (--placement interleaved), first ranks against the rest (blocks), or random by --seed
//           (random). Operations of the victims, without (region *_alone) and with load
//           (*_congested), --operations times per body:
//             allreduce: the sum of one double
//             ring_latency: 8 bytes to and from both neighbours in a ring of random order
//             ring_bandwidth: the same with --ring-bytes
//           Aggressors keep --in-flight messages of --load-bytes each in flight, to all other
//           aggressors in turn (--load all_to_all) or all to the first of them (incast). They stop
//           when, at the end of a body, a victim sends them 8 bytes, which is part of its body
//           with and without load; messages then in flight remain so until the next body begins.
//           Alone, they wait for that message and send nothing. The time of a sample is that of the
//           slowest victim; the time of aggressors does not count.
// Counts    Per body, over all v victims: operations = --operations; messages = 2 v operations and
//           bytes = n messages in the rings. Messages of the aggressors are not counted; the notes
//           load_messages_beside_* have their number.
// Comparable  In part: with GPCNeT, which has further victims and aggressors. The ratios compare if
//           ranks are placed alike; that of the 99th percentile is one of bodies here, of single
//           operations there.
// Verified  Each timed operation: sums are exact, and the first and last element of each message
//           hold rank and number of the operation; the same for each message of the aggressors and
//           each word that ends their load. The number of operations equals that of the bodies; all
//           messages sent are received. Before and after the timed samples, one operation and one
//           message from each aggressor to each of its receivers have known contents, all compared;
//           memory behind must be untouched.
// Source    S. Chunduri, T. Groves, P. Mendygral et al., GPCNeT: Designing a Benchmark Suite for
//           Inducing and Measuring Contention in HPC Networks, SC'19. Rings: P. Luszczek et al.,
//           Introduction to the HPC Challenge Benchmark Suite, 2005.
// Example   heorot run messages/congestion --set load=incast --ranks 4 --oversubscribe
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/messages/congestion/load.hpp"
#include "benchmarks/messages/congestion/roles.hpp"
#include "benchmarks/messages/congestion/victims.hpp"
#include "benchmarks/messages/payload/sizes.hpp"
#include "harness/program.hpp"
#include "harness/sums.hpp"

namespace {

namespace payload = heorot::payload;
using heorot::congestion::Load;
using heorot::congestion::Pattern;
using heorot::congestion::Placement;
using heorot::congestion::Roles;
using heorot::congestion::Shape;
using heorot::congestion::Signal;
using heorot::congestion::Victims;

constexpr int n_least_ranks = 4;

/// The victims' operation in a pair of regions.
struct Task {
    std::string name;
    std::size_t n_elements;  ///< of a message of the ring; 0: a sum
    heorot::Point point;
    std::vector<heorot::Count> counts;
};

class Congestion {
  public:
    Congestion(heorot::Program& program, const Roles& roles, const Shape& shape,
               std::size_t n_largest, std::int64_t n_operations, std::int64_t seed)
        : program_(program),
          is_victim_(roles.is_victim),
          n_operations_(n_operations),
          group_(program.world().split(is_victim_ ? 0 : 1, program.world().rank())),
          victims_(is_victim_ ? Victims(group_, n_largest, seed) : Victims()),
          load_(is_victim_ ? Load() : Load(group_, shape)),
          signal_(program.world(), roles) {}

    /// Measures and verifies a task without and with load by the aggressors.
    void run(const Task& task) {
        run(task, false);
        run(task, true);
    }

  private:
    void run(const Task& task, bool is_congested);
    heorot::Region time(const Task& task, bool is_congested);
    std::int64_t n_wrong(const Task& task, int round);
    void check_load(const Task& task, const heorot::Region& region, std::int64_t n_before);

    heorot::Program& program_;
    bool is_victim_;
    std::int64_t n_operations_;
    heorot::Communicator group_;
    Victims victims_;
    Load load_;
    Signal signal_;
};

/// Wrong elements of one untimed operation and of the aggressors' messages.
std::int64_t Congestion::n_wrong(const Task& task, int round) {
    return load_.n_wrong_elements(program_, round) +
           (task.n_elements == 0 ? victims_.n_wrong_sums(program_, round)
                                 : victims_.n_wrong_elements(program_, task.n_elements, round));
}

heorot::Region Congestion::time(const Task& task, bool is_congested) {
    const auto body = [&] {
        if (!is_victim_) {
            is_congested ? signal_.await(load_) : signal_.await();
            return;
        }
        for (std::int64_t i = 0; i < n_operations_; ++i) {
            task.n_elements == 0 ? victims_.sum() : victims_.exchange(task.n_elements);
        }
        signal_.tell();
    };
    return program_.measure({.region = task.name + (is_congested ? "_congested" : "_alone"),
                             .point = task.point,
                             .counts = task.counts,
                             .counts_here = is_victim_},
                            body);
}

void Congestion::run(const Task& task, bool is_congested) {
    const std::int64_t n_wrong_before = n_wrong(task, 0);
    victims_.reset();
    signal_.reset();
    const std::int64_t n_sent_before = load_.n_sent();
    if (is_congested) load_.start();
    const heorot::Region region = time(task, is_congested);
    load_.drain();
    if (is_congested) check_load(task, region, n_sent_before);

    const std::int64_t n_expected = is_victim_ ? n_operations_ * region.n_bodies : 0;
    program_.check(region, "timed operations missing",
                   static_cast<double>(std::abs(n_expected - victims_.n_done())), 0.0);
    program_.check(region, "wrong results or ends of messages of timed operations",
                   static_cast<double>(victims_.n_wrong()), 0.0);
    program_.check(
        region, "words to the aggressors missing or wrong",
        static_cast<double>(signal_.n_wrong() + std::abs(signal_.n_bodies() - region.n_bodies)),
        0.0);
    program_.check(region, "wrong elements before and after the timed operations",
                   static_cast<double>(n_wrong_before + n_wrong(task, 1)), 0.0);
}

void Congestion::check_load(const Task& task, const heorot::Region& region,
                            std::int64_t n_sent_before) {
    const std::int64_t n_missing = program_.world().sum(load_.n_sent() - load_.n_received());
    const std::int64_t n_messages = program_.world().sum(load_.n_sent() - n_sent_before);
    program_.note("load_messages_beside_" + task.name, n_messages);
    program_.check(region, "messages of aggressors that did not arrive",
                   static_cast<double>(std::abs(n_missing)), 0.0);
    program_.check(region, "wrong ends of messages of aggressors",
                   static_cast<double>(load_.n_wrong_ends()), 0.0);
    program_.check(region, "loads without a message", n_messages > 0 ? 0.0 : 1.0, 0.0);
}

template <class T>
T chosen(const std::string& option, const std::string& word,
         const std::vector<std::pair<std::string, T>>& known) {
    std::string words;
    for (const auto& [name, value] : known) {
        if (name == word) return value;
        words += (words.empty() ? "" : ", ") + name;
    }
    throw heorot::UsageError("--" + option + " cannot be '" + word + "'", "one of " + words);
}

/// Bytes of a message as a number of doubles.
std::size_t doubles(const std::string& option, std::size_t bytes) {
    if (bytes == 0 || bytes % sizeof(double) != 0 || bytes > payload::largest_message) {
        throw heorot::UsageError("--" + option + " must be a multiple of 8, at most 1 GiB",
                                 "--" + option + " 128k");
    }
    return bytes / sizeof(double);
}

void require(bool holds, const char* message, const char* hint) {
    if (!holds) throw heorot::UsageError(message, hint);
}

std::vector<Task> list_tasks(std::size_t n_victims, std::int64_t n_operations, std::size_t n_ring) {
    const heorot::Count operations("operations", n_operations);
    const auto ring = [&](const char* name, std::size_t n) {
        const std::size_t n_messages = 2 * n_victims * static_cast<std::size_t>(n_operations);
        const std::size_t bytes = n * sizeof(double);
        return Task{
            .name = name,
            .n_elements = n,
            .point = {{"bytes", static_cast<std::int64_t>(bytes)}},
            .counts = {operations, {"messages", n_messages}, {"bytes", n_messages * bytes}}};
    };
    return {Task{.name = "allreduce",
                 .n_elements = 0,
                 .point = {{"bytes", std::int64_t{sizeof(double)}}},
                 .counts = {operations}},
            ring("ring_latency", 1), ring("ring_bandwidth", n_ring)};
}

void say_what_it_takes(heorot::Program& program) {
    // In an all-to-all an aggressor has two buffers for each message in flight; in an incast the
    // first has them for all others. Victims have four.
    const auto victims = heorot::ranks() * program.amount("victims");
    const auto load = program.amount("load-bytes") * program.amount("in-flight");
    program.takes("memory_bytes", 2.0 * load * (heorot::ranks() - victims) +
                                      4.0 * program.amount("ring-bytes") * victims);
}

/// Three tasks, each without and with load; the number of messages of the load is unknown.
void say_what_is_sent(heorot::Program& program) {
    const auto wanted = heorot::rounded_down(heorot::ranks() * program.amount("victims") + 0.5);
    const auto victims = larger(2.0, smaller(wanted, heorot::ranks() - 2.0));
    const auto of_a_ring = 2.0 * victims * program.amount("operations");
    program.takes("points", 6.0);
    program.takes("operations", 6.0 * program.amount("operations"));
    program.takes("messages", 4.0 * of_a_ring);
    program.takes("bytes", 2.0 * of_a_ring * (sizeof(double) + program.amount("ring-bytes")));
}

void congestion(heorot::Program& program) {
    // 1. Options
    const auto share = program.option("victims", 0.5, "share of the ranks that are victims");
    const auto placement_word =
        program.option("placement", "interleaved", "of the victims: interleaved, blocks or random");
    const auto load_word = program.option("load", "all_to_all", "all_to_all or incast");
    const auto load_bytes =
        program.option("load-bytes", std::size_t{1} << 20U, "message of an aggressor [byte]");
    const auto in_flight = program.option("in-flight", 2, "messages in flight of an aggressor");
    const auto ring_bytes =
        program.option("ring-bytes", std::size_t{128} << 10U, "message of ring_bandwidth [byte]");
    const auto n_operations = program.option("operations", 10, "operations of a body");
    const auto seed = program.option("seed", 1, "of the random orders");
    say_what_it_takes(program);
    say_what_is_sent(program);
    program.start();

    // 2. Problem
    const auto placement = chosen<Placement>("placement", placement_word,
                                             {{"interleaved", Placement::interleaved},
                                              {"blocks", Placement::blocks},
                                              {"random", Placement::random}});
    const Shape shape{
        .pattern = chosen<Pattern>(
            "load", load_word, {{"all_to_all", Pattern::all_to_all}, {"incast", Pattern::incast}}),
        .n_elements = doubles("load-bytes", load_bytes),
        .in_flight = in_flight};
    const std::size_t n_ring = doubles("ring-bytes", ring_bytes);
    require(share > 0.0 && share < 1.0, "--victims must be above 0 and below 1", "--victims 0.5");
    require(in_flight >= 1 && in_flight <= 1000, "--in-flight must be 1 to 1000", "--in-flight 2");
    require(n_operations >= 1, "--operations must be at least 1", "--operations 10");
    const heorot::Communicator& world = program.world();
    if (world.size() < n_least_ranks) {
        program.cannot_run("needs at least " + std::to_string(n_least_ranks) + " ranks, has " +
                           std::to_string(world.size()));
    }
    const Roles roles = cast_roles(world, share, placement, seed);
    program.note("victims", std::ssize(roles.victims));
    program.note("aggressors", std::ssize(roles.aggressors));

    // 3. Measure, 4. Verify
    Congestion contest(program, roles, shape, n_ring, n_operations, seed);
    for (const Task& task : list_tasks(roles.victims.size(), n_operations, n_ring)) {
        contest.run(task);
    }
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "messages/congestion", congestion);
}
