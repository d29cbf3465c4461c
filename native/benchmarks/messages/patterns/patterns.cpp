// messages/patterns: which bandwidth do communication patterns reach?
//
// Method    Eleven patterns among p >= 2 ranks, some in variants, each a region. A message has n
//           bytes of doubles (coordinate "bytes"); every buffer is separate, page-aligned and first
//           touched by its owner.
//             pingpong: rank 0 and the first rank of the upper half of the ranks, a round trip by
//               blocking standard-mode calls
//             strided: the same with every --stride-th double of larger buffers, by MPI_Type_vector
//               at both ends
//             broadcast, collect, reduction, reduction_maximum: MPI_Bcast, MPI_Gather, MPI_Reduce
//               (sum, maximum) with root 0
//             transposition: B = A^T of a square matrix of which each rank has some rows
//             bisection_regular: rank i of the lower half and rank i of the upper one exchange, all
//               pairs at the same time, first upwards, then downwards, each pair for itself
//             bisection_random: the same with the upper half in a random order that --seed draws,
//               the same on all ranks
//             bisection_regular_both, bisection_random_both: both directions at once (MPI_Sendrecv)
//             neighbours_1d, _2d, _3d: torus of MPI_Dims_create (notes torus_2d, torus_3d), ranks
//               in their order; all send to the next rank in a direction and receive from the one
//               before, one direction after the other (MPI_Sendrecv)
//             neighbours_1d_both, ...: all directions at once (MPI_Irecv, MPI_Isend, MPI_Waitall)
//           In transposition a rank has n bytes or slightly more (one row at least): n is the data
//           of a rank, not of a pair. Each rank transposes block by block into a buffer,
//           MPI_Alltoallv, rows of the blocks are copied to their places; blocks may be uneven. In
//           bisections of an odd number of ranks the one between the halves rests (note
//           resting_rank). Where ranks are laid out node by node, on an even number of nodes, every
//           pair is on two nodes. No messages along an extent of 1. Round trips follow each other;
//           every other body starts on all ranks together and ends with the last.
// Counts    bytes: minimum data from other ranks, summed over the ranks, for any algorithm:
//           ping-pongs 2 n, broadcast, collect and reductions (p - 1) n, transposition of m x m
//           doubles 8 (m^2 - sum r^2) for r rows of each rank, bisections 2 floor(p/2) n,
//           neighbours p d n for d directions. Gaps and data that stay on a rank are not counted.
//           port_bytes: the same through the port of the busiest rank, with simultaneous input and
//           output counted once: ping-pongs 2 n, broadcast and reductions n, collect (p - 1) n,
//           transposition the largest 8 r (m - r), bisections 2 n, or n both at once, neighbours d
//           n. Where a rank has a line for itself, port_bytes per second cannot exceed its rate in
//           one direction; bytes per second is of all lines together.
// Comparable  In part: the patterns are those of EuroBen's mod1h, whose byte counts are not given
//           and whose printed rates exceed the line for some; rates of the ping-pong compare with
//           1/2 round trip.
// Verified  Before and after the timed bodies of each size one transfer of elements that depend on
//           rank, position and round: every element received is compared, sums and maxima with
//           those over all ranks, the transpose with the matrix, gaps and the bytes behind every
//           buffer must be untouched. In every timed body each sender writes rank and number of the
//           body to both ends of its messages or blocks, and each receiver compares them: some ns
//           per message. The number of bodies.
// Source    A. J. van der Steen, An evaluation of some Beowulf clusters, WFI-2000-07, Utrecht
//           University (2000), table 6.2 and section 6.3.2.2. MPI: A Message-Passing Interface
//           Standard, version 3.1 (2015).
// Example   heorot run messages/patterns --set patterns=broadcast,transposition --ranks 2
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "benchmarks/messages/patterns/neighbours.hpp"
#include "benchmarks/messages/patterns/pairs.hpp"
#include "benchmarks/messages/patterns/pattern.hpp"
#include "benchmarks/messages/patterns/rooted.hpp"
#include "benchmarks/messages/patterns/transposition.hpp"
#include "benchmarks/messages/payload/sizes.hpp"
#include "benchmarks/messages/payload/torus.hpp"
#include "harness/program.hpp"
#include "harness/sums.hpp"

namespace {

using namespace heorot::patterns;
namespace payload = heorot::payload;

using Made = std::unique_ptr<Pattern>;

template <Directions directions>
Made make_regular(const Setting& setting) {
    return std::make_unique<Pairs>(setting, regular_pairs(setting.world), directions);
}

template <Directions directions>
Made make_random(const Setting& setting) {
    return std::make_unique<Pairs>(setting, random_pairs(setting.world, setting.seed), directions);
}

template <int n_dimensions, Directions directions>
Made make_neighbours(const Setting& setting) {
    const Torus torus(setting.world.size(), n_dimensions);
    return std::make_unique<Neighbours>(setting, torus, directions);
}

template <Reduction::Operation operation>
Made make_reduction(const Setting& setting) {
    return std::make_unique<Reduction>(setting, operation);
}

Made make_pingpong(const Setting& setting) {
    return std::make_unique<Pairs>(setting, single_pair(setting.world),
                                   Directions::one_after_the_other);
}

template <class P>
Made make(const Setting& setting) {
    return std::make_unique<P>(setting);
}

struct Kind {
    std::string_view name;
    Made (*make)(const Setting& setting);
};

constexpr auto in_turn = Directions::one_after_the_other;
constexpr auto at_once = Directions::both_at_once;
constexpr std::array kinds = {
    Kind{"pingpong", &make_pingpong},
    Kind{"strided", &make<Strided>},
    Kind{"broadcast", &make<Broadcast>},
    Kind{"collect", &make<Collect>},
    Kind{"reduction", &make_reduction<Reduction::Operation::sum>},
    Kind{"reduction_maximum", &make_reduction<Reduction::Operation::maximum>},
    Kind{"transposition", &make<Transposition>},
    Kind{"bisection_regular", &make_regular<in_turn>},
    Kind{"bisection_regular_both", &make_regular<at_once>},
    Kind{"bisection_random", &make_random<in_turn>},
    Kind{"bisection_random_both", &make_random<at_once>},
    Kind{"neighbours_1d", &make_neighbours<1, in_turn>},
    Kind{"neighbours_1d_both", &make_neighbours<1, at_once>},
    Kind{"neighbours_2d", &make_neighbours<2, in_turn>},
    Kind{"neighbours_2d_both", &make_neighbours<2, at_once>},
    Kind{"neighbours_3d", &make_neighbours<3, in_turn>},
    Kind{"neighbours_3d_both", &make_neighbours<3, at_once>},
};

std::string all_names() {
    std::string names;
    for (const Kind& kind : kinds) names.append(names.empty() ? "" : ",").append(kind.name);
    return names;
}

/// One untimed transfer whose every element is known; the number of wrong ones.
double n_wrong_elements(heorot::Program& program, Pattern& pattern, std::int64_t round) {
    pattern.fill(round);
    pattern.transfer();
    program.corruptible(pattern.received());
    return static_cast<double>(pattern.n_wrong(round));
}

/// Measures and verifies one pattern at one size.
void run(heorot::Program& program, const Kind& kind, const Setting& setting) {
    const Made made = kind.make(setting);
    Pattern& pattern = *made;
    const double n_wrong_before = n_wrong_elements(program, pattern, 0);
    const Work work = pattern.work();
    std::int64_t body = 0;
    std::int64_t n_wrong_ends = 0;
    const auto region = program.measure(
        {.region = std::string(kind.name),
         .point = {{"bytes", static_cast<std::int64_t>(setting.length * sizeof(double))}},
         .counts = {{"bytes", work.bytes}, {"port_bytes", work.port_bytes}},
         .each = !pattern.keeps_in_step()},
        [&] {
            pattern.stamp(body);
            pattern.transfer();
            n_wrong_ends += pattern.n_wrong_ends(body);
            ++body;
        });
    const double n_wrong_after = n_wrong_elements(program, pattern, 1);

    program.check(region, "timed bodies missing",
                  std::abs(static_cast<double>(region.n_bodies - body)), 0.0);
    program.check(region, "wrong ends of timed messages", static_cast<double>(n_wrong_ends), 0.0);
    program.check(region, "wrong elements before and after the timed messages",
                  n_wrong_before + n_wrong_after, 0.0);
}

void describe(heorot::Program& program) {
    const int n_ranks = program.world().size();
    if (n_ranks % 2 == 1) program.note("resting_rank", n_ranks / 2);
    program.note("torus_2d", Torus(n_ranks, 2).text());
    program.note("torus_3d", Torus(n_ranks, 3).text());
}

/// Every pattern at every size. A transposition counts as if rows were shared out evenly.
void say_what_is_sent(heorot::Program& program, const payload::Sizes& sizes) {
    using heorot::Amount;
    using heorot::ranks;
    const auto has = [&](const std::string& name) { return program.has("patterns", name); };
    const auto both = [&](const std::string& name) { return has(name) + has(name + "_both"); };
    const auto pair = 2.0 * (has("pingpong") + has("strided"));
    const auto to_or_from_one = (ranks() - 1.0) * (has("broadcast") + has("collect") +
                                                   has("reduction") + has("reduction_maximum"));
    const auto halves = 2.0 * heorot::rounded_down(ranks() / 2.0) *
                        (both("bisection_regular") + both("bisection_random"));
    const auto neighbours = ranks() * (payload::n_neighbours(1.0) * both("neighbours_1d") +
                                       payload::n_neighbours(2.0) * both("neighbours_2d") +
                                       payload::n_neighbours(3.0) * both("neighbours_3d"));
    const auto all = sizes.all_doubles(program);
    const auto transposed = sizes.sum_over_doubles(program, [](const Amount& n) {
        return (ranks() - 1.0) * larger(n, double{sizeof(double)} * ranks());
    });
    program.takes("points", program.n_of("patterns") * all.number);
    program.takes("swept_bytes", program.n_of("patterns") * ranks() * all.bytes);
    program.takes("bytes", (pair + to_or_from_one + halves + neighbours) * all.bytes +
                               has("transposition") * transposed);
}

void patterns(heorot::Program& program) {
    // 1. Options
    const payload::Sizes options(program, std::size_t{64} << 10U, std::size_t{1} << 20U);
    const auto names = program.items("patterns", all_names(), "which ones");
    const auto stride =
        program.option("stride", std::size_t{8}, "doubles from one strided element to the next");
    const auto seed = program.option("seed", std::size_t{1}, "seed of the random pairing");
    // Six neighbours, to and from, and strided copies.
    program.takes("memory_bytes", payload::Sizes::largest(program) *
                                      (13.0 * heorot::ranks() + 4.0 * program.amount("stride")));
    say_what_is_sent(program, options);
    program.start();
    program.share_budget();

    // 2. Problem
    constexpr std::size_t largest_stride = 1024;
    if (stride < 1 || stride > largest_stride) {
        throw heorot::UsageError("--stride must be 1 to 1024", "--stride 8");
    }
    const auto lengths = options.doubles();
    const int n_ranks = program.world().size();
    if (n_ranks < 2) program.cannot_run("needs at least 2 ranks, has " + std::to_string(n_ranks));
    describe(program);

    // 3. Measure, 4. Verify
    for (const Kind& kind : kinds) {
        if (!heorot::lists(names, kind.name)) continue;
        for (const std::size_t length : lengths) {
            run(program, kind,
                {.world = program.world(), .length = length, .stride = stride, .seed = seed});
        }
    }
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "messages/patterns", patterns);
}
