// messages/collectives: how long do MPI collectives take, and does computation overlap?
//
// Method    A call of the collective on all ranks, region by its name without MPI_, on doubles in
//           page-aligned buffers; reductions are sums. Every call starts at a common instant of all
//           ranks and ends with the last of them. Root is rank --root. The coordinate bytes is 8 n,
//           the input of a rank (gather, scatter, allgather: one share; alltoall,
//           reduce_scatter_block: one block; else the vector).
//             gatherv, scatterv, allgatherv, alltoallv, alltoallw: uneven shares, among them 0,
//               that make the same sum
//             reduce_scatter: spreads n over the ranks
//             ..._in_place: the input lies where the result will be
//             neighbor_...: on a periodic grid of two directions
//             i...: a nonblocking operation, started and waited for; three more regions of each:
//             i..._computation: a computation of the same length
//             i..._overlapped: that computation between start and wait
//             i..._tested: the same with an MPI_Test every 2 us
//             allreduce_types: only with --integer-types, an allreduce of 1031 elements of each
//               type
//           Sizes with buffers above --memory are skipped; a note has the first one.
// Counts    operations = 1; bytes = minimum traffic between ranks for any algorithm, so that no
//           rate exceeds the line rate: with p ranks bcast, reduce, scan, exscan and reduce_scatter
//           (p-1) 8n; gather and scatter all but the root's share; allgather, alltoall and
//           reduce_scatter_block p (p-1) 8n, alltoallv the same without own blocks; allreduce 2
//           (p-1) 8n; neighbours 8n from each that is another rank, once. port_bytes = the larger
//           of minimum input and output of the busiest rank. A computation: computations = 1,
//           additions = those of all ranks.
// Comparable  In part: sizes and buffers as in the OSU Micro-Benchmarks and IMB, which report the
//           mean over ranks and calls, with a barrier between calls: avg_latency, the median over
//           samples of the mean over ranks, compares with it. latency is that of the slowest rank.
//           Bytes per second compare with none that counts otherwise.
// Verified  Before and after the timed calls of each size one call with elements that depend on
//           position, rank and round: every element of every rank is compared, the bytes behind
//           must be untouched. Each timed call: both ends of each block hold its number and its
//           sender, and both ends of each result are compared. Barriers: one rank comes late, to
//           which the others send a message behind the barrier; it must see none before. Sums of
//           integers that do not fit must be those modulo 2^bits: so C defines it for unsigned
//           integers, processors do it for signed ones, and a library that saturates some elements
//           of an array is wrong by any reading.
// Source    MPI: A Message-Passing Interface Standard, version 3.1, chapters 5 and 7. P. Patarasuk,
//           X. Yuan, Bandwidth optimal all-reduce algorithms for clusters of workstations, J.
//           Parallel Distrib. Comput. 69 (2009): what an allreduce must move. OSU Micro-Benchmarks:
//           the meaning of a size.
// Example   heorot run messages/collectives --set operations=allreduce,bcast --ranks 2
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/messages/collectives/integers.hpp"
#include "benchmarks/messages/collectives/operations.hpp"
#include "benchmarks/messages/collectives/overlap.hpp"
#include "benchmarks/messages/collectives/trial.hpp"
#include "benchmarks/messages/payload/sizes.hpp"
#include "benchmarks/messages/payload/torus.hpp"
#include "harness/program.hpp"
#include "harness/sums.hpp"

namespace {

using namespace heorot::collectives;

// Offsets in bytes are of type int in MPI_Alltoallw.
constexpr std::size_t most_memory = std::size_t{4} << 30U;

/// Those of `sizes` for which no rank's two buffers take more than `memory`; notes the smallest
/// that is left out. **Collective.**
std::vector<std::size_t> affordable(heorot::Program& program, const Group& group,
                                    const Operation& operation, std::size_t memory,
                                    const std::vector<std::size_t>& sizes) {
    std::vector<std::size_t> chosen;
    std::optional<std::size_t> left_out;
    for (const std::size_t n : sizes) {
        const auto mine = static_cast<double>(buffer_bytes(operation, group.place(), n));
        if (2.0 * program.world().maximum(mine) <= static_cast<double>(memory)) {
            chosen.push_back(n);
        } else {
            left_out = std::min(n, left_out.value_or(n));
        }
    }
    if (left_out) {
        program.note(std::string(operation.name) + "_left_out_from_bytes",
                     static_cast<std::int64_t>(sizeof(double) * *left_out));
    }
    return chosen;
}

/// A rank has something for everybody, as far as that fits its buffers.
void say_what_it_takes(heorot::Program& program) {
    const auto message = heorot::payload::Sizes::largest(program);
    const auto shares = heorot::smaller(heorot::ranks() * message, program.amount("memory") / 2.0);
    const auto buffers = 2.0 * heorot::ranks() * heorot::larger(message, shares);
    const auto of_types = program.amount("integer-types");
    program.takes("memory_bytes", of_types * heorot::mebibyte + (1.0 - of_types) * buffers);
}

/// Operations that are alike in what a rank keeps at most and in what crosses between ranks, in
/// messages; of those with uneven shares as if half a message stayed where it is.
struct Alike {
    std::string_view names;
    heorot::Amount kept, crossing;
};

std::vector<Alike> alike_operations() {
    const auto p = heorot::ranks();
    return {
        {"bcast,reduce,reduce_scatter,scan,exscan,ibcast,ireduce", 1.0, p - 1.0},
        {"gather,scatter,gather_in_place,igather,iscatter", p, p - 1.0},
        {"gatherv,scatterv", p, p - 0.5},
        {"allgather,allgatherv,alltoall,reduce_scatter_block,allgather_in_place,alltoall_in_place,"
         "reduce_scatter_block_in_place,iallgather,ialltoall",
         p, p * (p - 1.0)},
        {"alltoallv,alltoallw", p, p * (p - 0.5)},
        {"allreduce,allreduce_in_place,iallreduce", 1.0, 2.0 * (p - 1.0)},
        {"neighbor_allgather,neighbor_alltoall", 4.0, p * heorot::payload::n_neighbours(2.0)},
    };
}

/// How many regions some operations have; of those, how many are about the operations themselves.
struct Regions {
    heorot::Amount all = 0.0;
    heorot::Amount with_operation = 0.0;
};

Regions regions_of(std::string_view names, const std::string& wanted) {
    const auto asks_for = [&](std::string_view word) -> heorot::Amount {
        const double there = heorot::lists(wanted, word) ? 1.0 : 0.0;
        return {"('" + std::string(word) + "' in operations)",
                [there](const heorot::JobSize&) { return there; }};
    };
    Regions regions;
    for (const Operation& operation : operations()) {
        if (!heorot::lists(names, operation.name)) continue;
        auto is_wanted = asks_for(operation.name) + asks_for("all");
        if (!operation.is_started) is_wanted = is_wanted + asks_for("blocking");
        regions.all = regions.all + (operation.is_started ? 4.0 : 1.0) * is_wanted;
        regions.with_operation =
            regions.with_operation + (operation.is_started ? 3.0 : 1.0) * is_wanted;
    }
    return regions;
}

/// Every operation at the sizes for which there is room, or sums of ten types.
void say_what_is_sent(heorot::Program& program, const heorot::payload::Sizes& sizes,
                      const std::string& wanted) {
    using heorot::Amount;
    const auto barriers = regions_of("barrier,ibarrier", wanted);
    Amount points = barriers.all;
    Amount n_operations = barriers.with_operation;
    Amount bytes = 0.0;
    Amount swept = 0.0;
    for (const Alike& alike : alike_operations()) {
        const auto regions = regions_of(alike.names, wanted);
        const auto over_sizes = [&](const heorot::Term& term) {
            return sizes.sum_over_doubles(program, [&](const Amount& n) {
                const auto room = program.amount("memory") / (2.0 * alike.kept);
                return smaller(1.0, heorot::rounded_down(room / larger(n, 1.0))) * term(n);
            });
        };
        const auto n_sizes = over_sizes([](const Amount&) { return Amount(1.0); });
        const auto messages = over_sizes([](const Amount& n) { return n; });
        points = points + regions.all * n_sizes;
        n_operations = n_operations + regions.with_operation * n_sizes;
        bytes = bytes + regions.with_operation * alike.crossing * messages;
        swept = swept + regions.all * heorot::ranks() * messages;
    }
    constexpr double n_types = 10.0;
    const auto of_types = program.amount("integer-types");
    const auto of_operations = 1.0 - of_types;
    // A computation is timed before the first operation that is only started.
    const auto is_started = smaller(
        1.0, regions_of(all_names(), wanted).all - regions_of(blocking_names(), wanted).all);
    program.takes("points", of_types * n_types + of_operations * (points + is_started));
    program.takes("operations", of_types * n_types + of_operations * n_operations);
    program.takes("bytes", of_operations * bytes);
    program.takes("swept_bytes", of_operations * swept);
}

void collectives(heorot::Program& program) {
    // 1. Options
    const heorot::payload::Sizes size_options(program, 8, std::size_t{1} << 20U);
    const auto wanted = program.option("operations", "blocking", "list of them, blocking or all");
    const auto root = program.option("root", 0, "rank that has what others get, or gets it");
    const auto memory = program.option("memory", std::size_t{256} << 20U,
                                       "most that the buffers of a rank may take [byte]");
    const auto integer_types = program.option("integer-types", false, "only sums of each type");
    say_what_it_takes(program);
    say_what_is_sent(program, size_options, wanted);
    program.start();
    program.share_budget();

    // 2. Problem
    if (memory < 4096 || memory > most_memory) {
        throw heorot::UsageError("--memory must lie between 4k and 4G", "--memory 256M");
    }
    const auto names = wanted == "blocking"
                           ? blocking_names()
                           : heorot::verified_list("operations", wanted, all_names());
    const auto sizes = size_options.doubles();
    const Group group(program, root);

    // 3. Measure, 4. Verify: in each of them
    if (integer_types) {
        measure_types(program, group);
        return;
    }
    std::unique_ptr<Additions> additions;
    for (const Operation& operation : operations()) {
        if (!heorot::lists(names, operation.name)) continue;
        if (operation.is_started && !additions) additions = std::make_unique<Additions>(program);
        const auto chosen = operation.is_barrier()
                                ? std::vector<std::size_t>{0}
                                : affordable(program, group, operation, memory, sizes);
        for (const std::size_t n : chosen) {
            if (operation.is_started) {
                measure_overlap(program, group, operation, n, *additions);
            } else {
                Trial trial(program, group, operation, n);
                trial.run(std::string(operation.name), [&] { trial.call(); });
            }
        }
    }
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "messages/collectives", collectives);
}
