// messages/b_eff: what are latency and bandwidth by b_eff of HPC Challenge?
//
// Method    The latency and bandwidth test of HPC Challenge, from its definitions, with messages of
//           --latency-bytes (8) and of --bandwidth-bytes (2,000,000):
//             pingpong: a round trip with blocking standard-mode send and receive between two ranks
//               while the others wait, for all pairs, or for --pairs of them evenly spaced among
//               all
//             natural_sendrecv, random_sendrecv: rings, each rank exchanges a message with its left
//               and its right neighbour by two MPI_Sendrecv, first to the right, then to the left
//             natural_nonblocking, random_nonblocking: the same by two MPI_Irecv, two MPI_Isend and
//               MPI_Waitall
//           Natural rings are in the order of the ranks, random ones in --latency-patterns (30) or
//           --bandwidth-patterns (10) random orders, coordinate "pattern". The better of the two
//           ways counts, for each pattern. The figure of the random rings is the geometric mean
//           over the patterns.
//             time of a message in a ring = time of a body / 2, since a rank sends two
//             bandwidth of a rank = length / that time
// Counts    messages = 2 of a round trip, 2 p of a ring of p ranks, for short messages; bytes = n
//           times that for long ones. Each byte that is sent counts once; rings are reported per
//           rank.
// Comparable  In part: with HPC Challenge, whose sizes, patterns, calls, numbers of random orders,
//           slowest rank, choice of the better way and geometric mean are the same. HPC Challenge
//           takes the least of 5 (short) or 2 (long) loops of 8 or 3 rings and of 8 or 1 round
//           trips, this the median of samples, which is larger; there each rank chooses its better
//           way before the slowest rank counts, here all ranks together; ping-pong goes over each
//           pair in both roles there, and over each pair once here; messages in rings are bytes
//           there, doubles here. The random orders follow from --seed, not from the clock.
// Verified  Each timed message: in rings its first and last element hold sender, direction and
//           number; between two ranks their number and the checksum of their first and last 8 bytes
//           equal those of a replay without messages. Before and after the timed samples one
//           untimed body carries contents that depend on position, sender, direction and round: all
//           are compared, and the bytes behind the message must be untouched.
// Source    R. Rabenseifner, G. Schulz, M. Speck, Bandwidth-Latency-Benchmark (bench_lat_bw 1.5.2)
//           in HPC Challenge, its documentation; R. Rabenseifner, S. R. Tiyyagura, M. Mueller,
//           Network bandwidth measurements and ratio analysis with the HPC Challenge benchmark
//           suite, EuroPVM/MPI 2005, LNCS 3666.
// Example   heorot run messages/b_eff --set pairs=10 --ranks 2
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/messages/pingpong/contiguous.hpp"
#include "benchmarks/messages/pingpong/ends.hpp"
#include "benchmarks/messages/pingpong/round_trip.hpp"
#include "benchmarks/messages/rings/ring.hpp"
#include "harness/program.hpp"

namespace {

namespace pingpong = heorot::pingpong;
namespace rings = heorot::rings;
using heorot::Count;
using heorot::UsageError;

constexpr std::size_t most_bytes = std::size_t{1} << 30U;
constexpr int most_patterns = 1000;

/// One of the two lengths, with its count.
struct Length {
    std::size_t n;  ///< doubles
    bool is_short;  ///< for latency, else for bandwidth
    std::int64_t bytes() const { return static_cast<std::int64_t>(n * sizeof(double)); }
    std::vector<Count> counts(int messages) const {
        return {is_short ? Count("messages", messages) : Count("bytes", messages * bytes())};
    }
};

struct Pair {
    int first;
    int second;
};

/// All pairs of ranks, or at most `most` of them, evenly spaced.
std::vector<Pair> choose_pairs(int n_ranks, std::int64_t most) {
    std::vector<Pair> all;
    for (int first = 0; first < n_ranks; ++first) {
        for (int second = first + 1; second < n_ranks; ++second) all.push_back({first, second});
    }
    const auto n_all = std::ssize(all);
    const auto n_chosen = std::min<std::int64_t>(n_all, most);
    std::vector<Pair> chosen;
    chosen.reserve(static_cast<std::size_t>(n_chosen));
    for (std::int64_t i = 0; i < n_chosen; ++i) {
        chosen.push_back(all[static_cast<std::size_t>(i * n_all / n_chosen)]);
    }
    return chosen;
}

/// Measures and verifies the round trips of one pair.
void run_pair(heorot::Program& program, const Pair& pair, const Length& length) {
    const pingpong::Ends ends(program.world(), pair.first, pair.second);
    pingpong::Contiguous data(ends, length.n * sizeof(double));
    data.choose(length.n * sizeof(double));
    pingpong::measure_round_trips(program, ends,
                                  {.region = "pingpong",
                                   .point = {{"bytes", length.bytes()},
                                             {"first", std::int64_t{pair.first}},
                                             {"second", std::int64_t{pair.second}}},
                                   .counts = length.counts(2)},
                                  data, pingpong::Standard(data, ends));
}

/// The natural ring and the random ones, each in both ways.
void run_rings(rings::Ring& ring, const heorot::Communicator& world, const Length& length,
               std::span<const rings::Neighbours> random) {
    const auto counts = length.counts(2 * world.size());
    const std::vector<rings::Neighbours> natural{rings::natural_order(world.rank(), world.size())};
    ring.run({.region = "natural_sendrecv", .point = {{"bytes", length.bytes()}}, .counts = counts},
             natural, rings::Transfer::both_sendrecv, length.n);
    ring.run(
        {.region = "natural_nonblocking", .point = {{"bytes", length.bytes()}}, .counts = counts},
        natural, rings::Transfer::both_nonblocking, length.n);
    for (std::size_t i = 0; i < random.size(); ++i) {
        const heorot::Point point = {{"bytes", length.bytes()},
                                     {"pattern", static_cast<std::int64_t>(i)}};
        ring.run({.region = "random_sendrecv", .point = point, .counts = counts},
                 random.subspan(i, 1), rings::Transfer::both_sendrecv, length.n);
        ring.run({.region = "random_nonblocking", .point = point, .counts = counts},
                 random.subspan(i, 1), rings::Transfer::both_nonblocking, length.n);
    }
}

Length length_of(std::size_t bytes, const std::string& option, bool is_short) {
    if (bytes == 0 || bytes % sizeof(double) != 0 || bytes > most_bytes) {
        throw UsageError("--" + option + " must be a multiple of 8 from 8 to 1 GiB",
                         "--" + option + (is_short ? " 8" : " 2000000"));
    }
    return {.n = bytes / sizeof(double), .is_short = is_short};
}

void demand_within(const std::string& option, std::int64_t value, std::int64_t least) {
    if (value < least || value > most_patterns) {
        throw UsageError("--" + option + " must be " + std::to_string(least) + " to " +
                             std::to_string(most_patterns),
                         "--" + option + " 10");
    }
}

/// Every pair, and every order in two ways, with both lengths.
void say_what_is_sent(heorot::Program& program) {
    using heorot::ranks;
    const auto pairs = smaller(program.amount("pairs"), ranks() * (ranks() - 1.0) / 2.0);
    const auto short_rings = 2.0 * (1.0 + program.amount("latency-patterns"));
    const auto long_rings = 2.0 * (1.0 + program.amount("bandwidth-patterns"));
    program.takes("points", 2.0 * pairs + short_rings + long_rings);
    program.takes("messages", 2.0 * pairs + 2.0 * ranks() * short_rings);
    program.takes("bytes",
                  program.amount("bandwidth-bytes") * (2.0 * pairs + 2.0 * ranks() * long_rings));
}

void b_eff(heorot::Program& program) {
    // 1. Options
    const auto short_bytes = program.option("latency-bytes", std::size_t{8}, "a short message");
    const auto long_bytes =
        program.option("bandwidth-bytes", std::size_t{2'000'000}, "a long message");
    const auto n_short = program.option("latency-patterns", 30, "random rings of short messages");
    const auto n_long = program.option("bandwidth-patterns", 10, "random rings of long messages");
    const auto n_pairs = program.option("pairs", 100, "most pairs between which messages go");
    const auto seed = program.option("seed", std::int64_t{1}, "of the random orders");
    // Two directions, each with a buffer to send from and one to receive into, and two of pairs.
    program.takes("memory_bytes",
                  heorot::ranks() * (6.0 * program.amount("bandwidth-bytes") + heorot::mebibyte));
    say_what_is_sent(program);
    program.start();
    program.share_budget();

    // 2. Problem
    demand_within("latency-patterns", n_short, 1);
    demand_within("bandwidth-patterns", n_long, 1);
    demand_within("pairs", n_pairs, 1);
    if (seed < 0) throw UsageError("--seed is negative", "--seed 1");
    const Length brief = length_of(short_bytes, "latency-bytes", true);
    const Length lengthy = length_of(long_bytes, "bandwidth-bytes", false);
    const heorot::Communicator& world = program.world();
    if (world.size() < 2) program.cannot_run("needs at least 2 ranks, has 1");
    const auto random =
        rings::random_orders(world.rank(), world.size(), std::max(n_short, n_long), seed);
    const std::span<const rings::Neighbours> orders = random;

    // 3. Measure, 4. Verify
    const std::size_t most = std::max(brief.n, lengthy.n);
    for (const Length& length : {brief, lengthy}) {
        for (const Pair& pair : choose_pairs(world.size(), n_pairs)) {
            run_pair(program, pair, length);
        }
    }
    rings::Ring ring(program, most);
    run_rings(ring, world, brief, orders.first(static_cast<std::size_t>(n_short)));
    run_rings(ring, world, lengthy, orders.first(static_cast<std::size_t>(n_long)));
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "messages/b_eff", b_eff);
}
