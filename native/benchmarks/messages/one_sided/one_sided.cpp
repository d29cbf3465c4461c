// messages/one_sided: what are latency and bandwidth of MPI one-sided communication?
//
// Method    Rank --partner, the origin, accesses a window of rank 0, the target. A body is one
//           epoch with one operation, a region each; regions *_many have 2 to 64 operations, as
//           many as fit 4 MiB, on separate memory.
//             put, get: MPI_Put, MPI_Get of n bytes of doubles
//             accumulate, get_accumulate: MPI_Accumulate, MPI_Get_accumulate, sums of n bytes of
//               doubles
//             fetch_and_op, compare_and_swap: MPI_Fetch_and_op, MPI_Compare_and_swap of one integer
//               of 64 bits
//           Coordinate "epoch":
//             fence: one MPI_Win_fence of both ends behind the operations
//             pscw: MPI_Win_start and MPI_Win_complete against MPI_Win_post and MPI_Win_wait
//             lock: a shared lock and its release
//             flush: MPI_Win_flush under a lock_all that lasts
//           In lock and flush the target has no calls in a body and waits in the barrier before the
//           next sample, inside the library, so that nothing depends on progress behind its back.
//           Successive epochs use two halves of the window in turn. The memory is that of
//           MPI_Win_allocate, or with --memory create the target's own, by MPI_Win_create. The two
//           ends alone share the window; all other ranks wait at the barrier that starts a sample.
//           The note same_host marks figures taken inside one host.
// Counts    operations = 1, or their number in an epoch; bytes = n times that, twice as many for
//           get_accumulate, which sends n bytes each way. Atomic operations count no bytes.
// Comparable  In part: with osu_put_latency and its relatives for lock and flush; they have two
//           fences around an operation where this has one, and halve exchanges in both directions
//           for pscw.
// Verified  Of put the ends of one operation of each timed body, another one each time, at the
//           target under fence and pscw; under lock and flush its memory must finally hold all
//           elements and stamps of the last bodies. Of get and get_accumulate the same ends at the
//           origin; of accumulate and get_accumulate the sums of all timed bodies in the end,
//           exact; fetch_and_op and compare_and_swap must return the number of the body. Before and
//           after, epochs whose every element is compared, at the target and at the origin, into
//           reset memory; bytes behind must be untouched. All ranks at once then add to the same
//           numbers under lock and flush by accumulate, fetch_and_op and compare_and_swap: the sums
//           are exact.
// Source    MPI: A Message-Passing Interface Standard, Version 3.1, 2015, chapter 11. W. Gropp, T.
//           Hoefler, R. Thakur, E. Lusk, Using Advanced MPI, MIT Press 2014, chapters 3 and 4.
// Example   heorot run messages/one_sided --set operations=put,get --set epochs=fence,flush --ranks
//           2
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/messages/one_sided/atomics.hpp"
#include "benchmarks/messages/one_sided/transfers.hpp"
#include "benchmarks/messages/one_sided/window.hpp"
#include "benchmarks/messages/payload/sizes.hpp"
#include "harness/program.hpp"

namespace {

using namespace heorot::one_sided;

constexpr std::string_view all_operations =
    "put,get,accumulate,get_accumulate,put_many,get_many,accumulate_many,fetch_and_op,"
    "compare_and_swap";
constexpr std::size_t most_operations = 64;
constexpr std::size_t epoch_doubles = std::size_t{1} << 19U;  // of an epoch of many operations

/// Options of the run.
struct Wanted {
    std::string operations;
    std::string epochs;
    std::vector<std::size_t> sizes;  // of one operation [double]
    Memory memory;
    bool has(const std::string& operation) const { return heorot::lists(operations, operation); }
    bool has(Epoch epoch) const { return heorot::lists(epochs, name_of(epoch)); }
};

/// Throws if the operations that are wanted have none of the epochs that are.
void verify(const Wanted& wanted) {
    if (wanted.has(Epoch::lock) || wanted.has(Epoch::flush)) return;
    for (const std::string& name : heorot::split_list(wanted.operations)) {
        if (name != "fetch_and_op" && name != "compare_and_swap") return;
    }
    throw heorot::UsageError("fetch_and_op and compare_and_swap have no epochs but lock and flush",
                             "--epochs lock,flush");
}

std::size_t n_many(std::size_t n) {
    return std::clamp(epoch_doubles / n, std::size_t{1}, most_operations);
}

Memory memory_of(const std::string& name) {
    if (name == "allocate") return Memory::allocate;
    if (name == "create") return Memory::create;
    throw heorot::UsageError("--memory is allocate or create, not '" + name + "'",
                             "--memory allocate");
}

/// All sizes of one operation in one kind of epoch.
void sweep(Transfers& transfers, const Wanted& wanted, Transfer transfer, Epoch epoch) {
    const std::string name(transfer_names[static_cast<std::size_t>(transfer)]);
    for (const std::size_t n : wanted.sizes) {
        if (wanted.has(name)) transfers.run(name, {transfer, epoch, n, 1});
        if (n_many(n) > 1 && wanted.has(name + "_many")) {
            transfers.run(name + "_many", {transfer, epoch, n, n_many(n)});
        }
    }
}

/// Everything but compare_and_swap in one kind of epoch.
void measure(heorot::Program& program, const Wanted& wanted, const heorot::Communicator& ends,
             bool plays, Transfers& transfers, Epoch epoch) {
    for (const Transfer transfer :
         {Transfer::put, Transfer::get, Transfer::accumulate, Transfer::get_accumulate}) {
        sweep(transfers, wanted, transfer, epoch);
    }
    if (has_target_calls(epoch)) return;
    if (wanted.has("accumulate")) {
        verify_concurrent(program, Atomic::accumulate, epoch, wanted.memory);
    }
    if (!wanted.has("fetch_and_op")) return;
    fetch_and_op(program, ends, plays, epoch, wanted.memory);
    verify_concurrent(program, Atomic::fetch_and_op, epoch, wanted.memory);
}

/// Every operation in every kind of epoch: one, or as many as fit, at every size; of integers,
/// where the target has no calls.
void say_what_is_sent(heorot::Program& program, const heorot::payload::Sizes& sizes) {
    using heorot::Amount;
    const auto has = [&](const char* name) { return program.has("operations", name); };
    const auto one_way = has("put") + has("get") + has("accumulate");
    const auto both_ways = has("get_accumulate");
    const auto many = has("put_many") + has("get_many") + has("accumulate_many");
    const auto integers = (has("fetch_and_op") + has("compare_and_swap")) *
                          (program.has("epochs", "lock") + program.has("epochs", "flush"));
    const auto in_epoch = [](const Amount& bytes) {
        constexpr double most_bytes = epoch_doubles * sizeof(double);
        return larger(1.0, smaller(double{most_operations},
                                   heorot::rounded_down(most_bytes / larger(bytes, 1.0))));
    };
    const auto of_epochs = [&](const heorot::Term& term) {
        return program.n_of("epochs") * sizes.sum_over_doubles(program, term);
    };
    const auto several = [&](const Amount& bytes) {
        return many * smaller(1.0, in_epoch(bytes) - 1.0);
    };
    program.takes("points", integers + of_epochs([&](const Amount& bytes) {
                                return one_way + both_ways + several(bytes);
                            }));
    program.takes("operations", integers + of_epochs([&](const Amount& bytes) {
                                    return one_way + both_ways + several(bytes) * in_epoch(bytes);
                                }));
    program.takes("bytes", of_epochs([&](const Amount& bytes) {
                      return bytes * (one_way + 2.0 * both_ways + several(bytes) * in_epoch(bytes));
                  }));
}

void one_sided(heorot::Program& program) {
    // 1. Options
    const heorot::payload::Sizes sizes(program, sizeof(double), std::size_t{4} << 20U);
    const auto partner =
        program.option("partner", 1, "rank that reaches into the memory of rank 0");
    const auto operations = program.items("operations", all_operations, "regions");
    const auto epochs = program.items("epochs", "fence,pscw,lock,flush", "what encloses them");
    const auto memory = program.option("memory", "allocate", "of the window: allocate or create");
    // Two halves of the window, and the origin's buffers for sent and received data.
    program.takes("memory_bytes", 4.0 * heorot::larger(4.0 * heorot::mebibyte,
                                                       heorot::payload::Sizes::largest(program)));
    say_what_is_sent(program, sizes);
    program.start();
    program.share_budget();

    // 2. Problem
    if (partner < 1) throw heorot::UsageError("--partner must be at least 1", "--partner 1");
    const Wanted wanted{.operations = operations,
                        .epochs = epochs,
                        .sizes = sizes.doubles(),
                        .memory = memory_of(memory)};
    verify(wanted);
    const heorot::Communicator& world = program.world();
    if (partner >= world.size()) {
        program.cannot_run("needs at least " + std::to_string(partner + 1) + " ranks, has " +
                           std::to_string(world.size()));
    }
    program.note("same_host", program.job().are_on_one_host(0, partner) ? 1 : 0);
    const bool plays = world.rank() == 0 || world.rank() == partner;
    const heorot::Communicator ends = world.split(plays ? 0 : 1, world.rank());
    std::size_t longest = 0;
    for (const std::size_t n : wanted.sizes) longest = std::max(longest, n * n_many(n));

    // 3. Measure, 4. Verify
    Transfers transfers(program, ends, plays, longest, wanted.memory);
    for (const Epoch epoch : {Epoch::fence, Epoch::pscw, Epoch::lock, Epoch::flush}) {
        if (wanted.has(epoch)) measure(program, wanted, ends, plays, transfers, epoch);
    }
    // Last, because there are libraries that crash here, and all else should be on record.
    for (const Epoch epoch : {Epoch::lock, Epoch::flush}) {
        if (!wanted.has("compare_and_swap") || !wanted.has(epoch)) continue;
        compare_and_swap(program, ends, plays, epoch, wanted.memory);
        verify_concurrent(program, Atomic::compare_and_swap, epoch, wanted.memory);
    }
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "messages/one_sided", one_sided);
}
