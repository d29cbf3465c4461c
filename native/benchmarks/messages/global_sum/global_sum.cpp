// messages/global_sum: how fast are allreduce algorithms, and MPI_Allreduce?
//
// Method    Every rank has a vector of N doubles; in the end every rank has the sum of all,
//           elsewhere in its memory, and still its own. One body is one global sum; all bodies
//           start at a common instant and end with the last rank.
//             hypercube: the published test, in step k of n = log2 p whole vectors are exchanged
//               with rank xor 2^k and added
//             recursive_doubling: the same exchanges of one segment (--segment) after the other, so
//               that an addition stays in the caches while the next segment travels
//             ring: reduce-scatter and allgather around the ring of ranks
//             rabenseifner: reduce-scatter by recursive halving, allgather by recursive doubling
//             allreduce: MPI_Allreduce
//             allreduce_in_place: the same in place, with the vector refilled before each body
//           For p that is no power of two hypercube, recursive_doubling and rabenseifner add the
//           vectors of the ranks above the largest power of two q to those of the ranks q below,
//           and send them the sum in the end.
// Counts    With L = 8 N bytes: bytes = n p L for p = 2^n, as published, the total traffic of
//           "hypercube"; for other p (q log2 q + 2 (p - q)) L. For all other algorithms it is
//           nominal: rates compare as times do. bytes_in_and_out = twice as much, 2 n L of each
//           rank. sent_bytes, of own algorithms: bytes really sent, 2 (p - 1) L for "ring" and
//           "rabenseifner".
// Comparable  In part: with the table of the source for 16 to 128 processes and N = 2097152 and
//           8388608, in Mbit/s of each process, 8 (2 n L) / t with L in units of 1024^2 bytes; it
//           does not state whether its routine overwrites the vector.
// Verified  Before and after the timed bodies of each region and size one sum of contents that
//           depend on position, rank and round: every element of the sum is exact on every rank,
//           the own vector is as before, and the bytes behind the sum and the workspace are
//           untouched. In each timed body, warm-up included, three elements of the sum, both ends
//           and a moving one, equal the values of this body. All versions do the same untimed at
//           odd lengths, among them 1 and some around the number of ranks.
// Source    M. Pester, Chemnitz High Performance Linux Cluster: First Experiences on CHiC, slides,
//           TU Chemnitz, 23 March 2007: the test and its accounting. R. Thakur, R. Rabenseifner, W.
//           Gropp, Optimization of Collective Communication Operations in MPICH, Int. J. High
//           Performance Computing Applications 19 (2005): recursive doubling, Rabenseifner's
//           algorithm, other p. P. Patarasuk, X. Yuan, Bandwidth optimal all-reduce algorithms for
//           clusters of workstations, J. Parallel and Distributed Computing 69 (2009): the ring.
// Example   heorot run messages/global_sum --ranks 2
#include <mpi.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/messages/global_sum/algorithms.hpp"
#include "benchmarks/messages/payload/buffer.hpp"
#include "benchmarks/messages/payload/elements.hpp"
#include "benchmarks/messages/payload/sizes.hpp"
#include "harness/program.hpp"

namespace {

using namespace heorot;
using namespace heorot::global_sum;

void allreduce(const Group& group, const Vectors& vectors) {
    MPI_Allreduce(vectors.mine.data(), vectors.sum.data(), static_cast<int>(vectors.sum.size()),
                  MPI_DOUBLE, MPI_SUM, group.handle);
}

void allreduce_in_place(const Group& group, const Vectors& vectors) {
    MPI_Allreduce(MPI_IN_PLACE, vectors.sum.data(), static_cast<int>(vectors.sum.size()),
                  MPI_DOUBLE, MPI_SUM, group.handle);
}

struct Version {
    const char* name;
    void (*sum)(const Group& group, const Vectors& vectors);
    bool is_ours = false;
    bool sends_parts = false;  ///< 2 (p - 1) vectors in all, whatever p is
};
constexpr std::array<Version, 6> versions = {
    {{.name = "hypercube", .sum = hypercube, .is_ours = true},
     {.name = "recursive_doubling", .sum = recursive_doubling, .is_ours = true},
     {.name = "ring", .sum = ring, .is_ours = true, .sends_parts = true},
     {.name = "rabenseifner", .sum = rabenseifner, .is_ours = true, .sends_parts = true},
     {.name = "allreduce", .sum = allreduce},
     {.name = "allreduce_in_place", .sum = allreduce_in_place}}};

/// How many vectors the ranks send in all by version "hypercube".
std::int64_t n_vectors_sent(int n_ranks) {
    const auto q = std::bit_floor(static_cast<unsigned>(n_ranks));
    return std::int64_t{q} * std::countr_zero(q) + 2 * (n_ranks - std::int64_t{q});
}

class GlobalSum {
  public:
    GlobalSum(Program& program, std::size_t longest, std::size_t segment)
        : program_(program),
          group_{.handle = program.world().mpi(),
                 .rank = program.world().rank(),
                 .size = program.world().size()},
          segment_(segment),
          mine_(longest),
          sum_(longest),
          work_(longest) {}

    /// Measures and verifies one version at one length.
    void run(const Version& version, std::size_t n);
    /// One untimed sum whose every element is known; the number of elements that are wrong and of
    /// bytes that were written behind vectors. **Collective.**
    double n_wrong(const Version& version, std::size_t n, std::int64_t round);

  private:
    struct Ledger {
        std::int64_t n_bodies = 0;
        std::int64_t n_wrong = 0;
        std::size_t wanderer = 0;
    };

    Vectors vectors(std::size_t n) const {
        return {.mine = mine_.first(n),
                .sum = sum_.first(n),
                .work = work_.first(n),
                .segment = segment_};
    }
    Region time(const Version& version, std::size_t n, Ledger& ledger);
    std::vector<Count> counts(const Version& version, std::size_t n) const;

    Program& program_;
    Group group_;
    std::size_t segment_;
    payload::Buffer<double> mine_;
    payload::Buffer<double> sum_;
    payload::Buffer<double> work_;
};

double GlobalSum::n_wrong(const Version& version, std::size_t n, std::int64_t round) {
    const Vectors all = vectors(n);
    const auto mine = mine_.first(n);
    // Rank r has r + 1 times an element of no rank, so that the sum of all needs no loop over them.
    const double weight = group_.rank + 1;
    const double of_all = 0.5 * group_.size * (group_.size + 1.0);
    payload::fill(mine, 0, round);
    std::ranges::for_each(mine, [weight](double& element) { element *= weight; });
    if (version.sum == allreduce_in_place) {
        std::ranges::copy(mine, all.sum.begin());
    } else {
        std::ranges::fill(all.sum, std::numeric_limits<double>::quiet_NaN());
    }
    std::ranges::fill(all.work, std::numeric_limits<double>::quiet_NaN());
    sum_.guard_behind(n);
    work_.guard_behind(n);
    version.sum(group_, all);
    program_.corruptible(all.sum);
    std::int64_t n_wrong = sum_.n_touched_behind(n) + work_.n_touched_behind(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double element = payload::element(static_cast<std::int64_t>(i), 0, round);
        n_wrong += all.sum[i] == of_all * element ? 0 : 1;
        n_wrong += mine[i] == weight * element ? 0 : 1;
    }
    return static_cast<double>(n_wrong);
}

std::vector<Count> GlobalSum::counts(const Version& version, std::size_t n) const {
    const auto vector_bytes = static_cast<std::int64_t>(n * sizeof(double));
    const std::int64_t bytes = n_vectors_sent(group_.size) * vector_bytes;
    std::vector<Count> all = {{"bytes", bytes}, {"bytes_in_and_out", 2 * bytes}};
    if (version.is_ours) {
        const std::int64_t of_parts = std::int64_t{2} * (group_.size - 1) * vector_bytes;
        all.emplace_back("sent_bytes", version.sends_parts ? of_parts : bytes);
    }
    return all;
}

Region GlobalSum::time(const Version& version, std::size_t n, Ledger& ledger) {
    const Vectors all = vectors(n);
    const auto mine = mine_.first(n);
    const bool in_place = version.sum == allreduce_in_place;
    const auto summand = in_place ? all.sum : mine;
    const std::size_t stride = n / 3 + 1;  // so that it wanders through every rank's block
    const auto body = [&] {
        const double stamp = payload::stamp(group_.rank, ledger.n_bodies);
        const double expected = payload::sum_of_stamps(group_.size, ledger.n_bodies);
        ledger.wanderer += stride;
        if (ledger.wanderer >= n) ledger.wanderer -= n;
        payload::put_ends(summand, stamp);
        summand[ledger.wanderer] = stamp;
        version.sum(group_, all);
        ledger.n_wrong += payload::n_wrong_ends(all.sum, expected) +
                          (all.sum[ledger.wanderer] == expected ? 0 : 1);
        ++ledger.n_bodies;
    };
    const std::function<void()> fill = [&] { std::ranges::copy(mine, all.sum.begin()); };
    return program_.measure({.region = version.name,
                             .point = {{"bytes", static_cast<std::int64_t>(n * sizeof(double))}},
                             .counts = counts(version, n),
                             .prepare = in_place ? fill : nullptr,
                             .each = true},
                            body);
}

void GlobalSum::run(const Version& version, std::size_t n) {
    const double n_wrong_before = n_wrong(version, n, 0);
    Ledger ledger;
    const Region region = time(version, n, ledger);
    const double n_wrong_after = n_wrong(version, n, 1);

    program_.check(region, "timed bodies missing",
                   std::abs(static_cast<double>(region.n_bodies - ledger.n_bodies)), 0.0);
    program_.check(region, "wrong elements of those looked at in timed bodies",
                   static_cast<double>(ledger.n_wrong), 0.0);
    program_.check(region, "wrong elements before and after the timed bodies",
                   n_wrong_before + n_wrong_after, 0.0);
}

/// Lengths that do not divide evenly: below and above the number of ranks, and more segments than
/// two, unless these are long.
std::vector<std::size_t> odd_lengths(int n_ranks, std::size_t segment) {
    constexpr std::size_t long_segment = std::size_t{1} << 20U;
    const auto p = static_cast<std::size_t>(n_ranks);
    std::vector<std::size_t> lengths = {1, p - 1, p + 1, 2 * p + 1, 1021};
    if (segment < long_segment) lengths.push_back(5 * segment + 3);
    return lengths;
}

/// All versions at every length; the traffic of the library's is unknown.
void say_what_is_sent(Program& program, const payload::Sizes& sizes) {
    constexpr double n_in_parts = 2.0;
    constexpr double n_whole = 2.0;
    const auto all = sizes.all_doubles(program);
    // The powers of two up to p: q, and how many there are above 1.
    const heorot::Sizes powers{1.0, ranks(), 1.0};
    const auto q = (total(powers) + 1.0) / 2.0;
    const auto sent = (q * (n_of(powers) - 1.0) + 2.0 * (ranks() - q)) * all.bytes;
    const auto n_versions = double{versions.size()};
    program.takes("points", n_versions * all.number);
    program.takes("swept_bytes", n_versions * ranks() * all.bytes);
    program.takes("bytes", n_versions * sent);
    program.takes("bytes_in_and_out", 2.0 * n_versions * sent);
    program.takes("sent_bytes", n_whole * sent + n_in_parts * 2.0 * (ranks() - 1.0) * all.bytes);
}

void run_global_sum(Program& program) {
    // 1. Options
    const payload::Sizes sizes(program, sizeof(double), std::size_t{16} << 20U);
    const auto segment_bytes = program.option(
        "segment", std::size_t{256} << 10U, "length of the segments of recursive_doubling [byte]");
    program.takes("memory_bytes", heorot::ranks() * 3.0 * payload::Sizes::largest(program));
    say_what_is_sent(program, sizes);
    program.start();
    program.share_budget();

    // 2. Problem
    if (segment_bytes < sizeof(double) || segment_bytes > payload::largest_message) {
        throw UsageError("--segment must be from 8 bytes to 1 GiB", "--segment 256k");
    }
    const std::size_t segment = segment_bytes / sizeof(double);
    const std::vector<std::size_t> lengths = sizes.doubles();
    const int n_ranks = program.world().size();
    if (n_ranks < 2) program.cannot_run("needs at least 2 ranks, has 1");
    const std::vector<std::size_t> odd = odd_lengths(n_ranks, segment);
    GlobalSum sum(program, std::max(std::ranges::max(lengths), std::ranges::max(odd)), segment);

    // 3. Measure, 4. Verify
    double n_wrong = 0.0;
    for (const std::size_t n : odd) {
        for (const Version& version : versions) n_wrong += sum.n_wrong(version, n, 2);
    }
    program.check("wrong elements at odd lengths", n_wrong, 0.0);
    for (const std::size_t n : lengths) {
        for (const Version& version : versions) sum.run(version, n);
    }
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "messages/global_sum", run_global_sum);
}
