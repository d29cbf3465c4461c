// messages/ring: which bandwidth and latency has each rank in rings of messages?
//
// Method    The ranks form a periodic chain; elements are doubles.
//             natural, random: every rank sends n bytes to its right neighbour and receives n bytes
//               from its left one by one MPI_Sendrecv
//             natural_both, random_both: it exchanges n bytes with each of the two at once: two
//               MPI_Irecv, two MPI_Isend, MPI_Waitall
//           The natural order is that of the ranks; a body of a random region goes through
//           --permutations random orders, the same at every size, so that its time is the mean over
//           them and no lucky order counts more. Each direction has a send and a receive buffer,
//           separate, page-aligned and first touched by their owner. The bodies of a sample follow
//           each other without a barrier, as halo exchanges do: the time is that of rings in steady
//           state. With two ranks both neighbours are the same rank.
// Counts    messages = p, bytes = p n per ring of p ranks, twice that in both directions; a body of
//           the random regions is --permutations rings. Each byte that is sent counts once. The
//           figures are per rank: bytes sent by one rank per second, and the time of a body divided
//           by its messages per rank.
// Comparable  In part: the natural regions are the patterns of Sendrecv and Exchange of the Intel
//           MPI Benchmarks, whose rates count sent and received bytes and are twice as large. The
//           rings of HPC Challenge are measured by messages/b_eff.
// Verified  Each timed message: its first and last element hold sender, direction and number.
//           Before and after the timed samples of each size every order is gone through once with
//           contents that depend on position, sender, direction and round: every element is
//           compared, and the bytes behind the message must be untouched.
// Source    R. Rabenseifner, A. E. Koniges, Effective communication and file-I/O bandwidth
//           benchmarks, EuroPVM/MPI 2001, LNCS 2131: rings and random orders. Intel MPI Benchmarks:
//           Sendrecv and Exchange.
// Example   heorot run messages/ring --set max-bytes=64k --ranks 2
#include "benchmarks/messages/rings/ring.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/messages/payload/sizes.hpp"
#include "harness/program.hpp"

namespace {

namespace payload = heorot::payload;
namespace rings = heorot::rings;

constexpr int most_permutations = 1000;

/// One way and both ways, in the natural order and in random ones.
void say_what_is_sent(heorot::Program& program, const payload::Sizes& sizes) {
    payload::Sizes::say_what_is_sent(
        program, sizes.all_doubles(program), 4.0,
        3.0 * heorot::ranks() * (1.0 + program.amount("permutations")));
}

void ring(heorot::Program& program) {
    // 1. Options
    const payload::Sizes options(program, 8, std::size_t{4} << 20U);
    const auto n_permutations =
        program.option("permutations", 5, "random orders that a body goes through");
    const auto seed = program.option("seed", std::int64_t{1}, "of the random orders");
    // Each direction has a buffer to send from and one to receive into.
    program.takes("memory_bytes",
                  heorot::ranks() * (4.0 * payload::Sizes::largest(program) + heorot::mebibyte));
    say_what_is_sent(program, options);
    program.start();
    program.share_budget();

    // 2. Problem
    if (n_permutations < 1 || n_permutations > most_permutations) {
        throw heorot::UsageError("--permutations must be 1 to " + std::to_string(most_permutations),
                                 "--permutations 5");
    }
    if (seed < 0) throw heorot::UsageError("--seed is negative", "--seed 1");
    const auto lengths = options.doubles();
    const int n_ranks = program.world().size();
    const int rank = program.world().rank();
    if (n_ranks < 2) program.cannot_run("needs at least 2 ranks, has 1");
    const std::vector<rings::Neighbours> natural{rings::natural_order(rank, n_ranks)};
    const auto random = rings::random_orders(rank, n_ranks, n_permutations, seed);
    rings::Ring chain(program, std::ranges::max(lengths));

    // 3. Measure, 4. Verify
    for (const std::size_t n : lengths) {
        const auto run = [&](const char* region, std::span<const rings::Neighbours> orders,
                             rings::Transfer transfer) {
            const auto messages = static_cast<double>(n_ranks) *
                                  static_cast<double>(orders.size()) *
                                  rings::n_directions(transfer);
            const auto bytes = static_cast<double>(n * sizeof(double));
            chain.run({.region = region,
                       .point = {{"bytes", static_cast<std::int64_t>(n * sizeof(double))}},
                       .counts = {{"messages", messages}, {"bytes", messages * bytes}}},
                      orders, transfer, n);
        };
        run("natural", natural, rings::Transfer::one_sendrecv);
        run("random", random, rings::Transfer::one_sendrecv);
        run("natural_both", natural, rings::Transfer::both_nonblocking);
        run("random_both", random, rings::Transfer::both_nonblocking);
    }
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "messages/ring", ring);
}
