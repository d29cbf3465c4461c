// messages/startup: how much time and memory does MPI start-up take?
//
// Method    The first three occur once per launch; their time is that of the slowest rank.
//             init: MPI_Init_thread
//             first_barrier: the MPI_Barrier right after it, which also waits for ranks that are
//               late
//             connect: every rank sends 8 bytes to each other rank and receives as many, with
//               MPI_Isend and MPI_Irecv at once, for the first time; the harness's own collectives
//               have used a few of the pairs before
//             exchange: the same again, sampled as usual; the difference is the connection time
//           Memory is resident memory; the notes library_bytes_per_rank_largest and
//           library_bytes_per_rank_mean are its increase by MPI_Init_thread and the first barrier,
//           connect_bytes_per_rank_largest that by connecting. Pages that ranks of a host share
//           count for each of them.
// Counts    rank_pairs = p (p - 1) messages of 8 bytes among p ranks in connect and exchange, and
//           partners = p - 1; ranks = p in init and first_barrier.
// Comparable  In part: init with osu_init, which reports the mean over the ranks, too.
// Verified  The sum of ones over all ranks is the number of ranks, and the sum of their numbers
//           equals p (p - 1) / 2. Every message of every exchange carries sender, receiver and
//           round, and is compared with them; receive buffers are wiped before connect.
// Source    OSU Micro-Benchmarks (osu_init): the idea. S. Chakraborty et al., PMI extensions for
//           scalable MPI startup, EuroMPI/ASIA 2014.
// Example   heorot run messages/startup --ranks 2
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "benchmarks/messages/payload/buffer.hpp"
#include "benchmarks/messages/payload/elements.hpp"
#include "harness/program.hpp"

namespace {

namespace payload = heorot::payload;

constexpr int tag = 19;
constexpr double unwritten = -1.0;

/// One double from every rank to every other.
class Exchange {
  public:
    explicit Exchange(const heorot::Communicator& world)
        : world_(world),
          out_(static_cast<std::size_t>(world.size())),
          in_(static_cast<std::size_t>(world.size())),
          requests_(2 * static_cast<std::size_t>(world.size()), MPI_REQUEST_NULL) {}

    /// Sends and receives everything once. **Collective.**
    void run();
    void wipe() {
        std::ranges::fill(in_.all(), unwritten);
        in_.guard_behind(in_.size());
    }
    std::span<double> received() const { return in_.all(); }
    std::int64_t n_rounds() const { return round_; }
    /// Wrong messages and overwritten bytes since the last call.
    std::int64_t take_n_wrong() {
        return std::exchange(n_wrong_, 0) + in_.n_touched_behind(in_.size());
    }
    /// Wrong messages of the last round.
    std::int64_t n_wrong() const;

  private:
    /// The message of `from` to `to` in a round.
    double element(int from, int to, std::int64_t round) const {
        return payload::element(to, from, round);
    }
    const heorot::Communicator& world_;
    payload::Buffer<double> out_;  // element r goes to rank r, or comes from there
    payload::Buffer<double> in_;
    std::vector<MPI_Request> requests_;
    std::int64_t round_ = 0;
    std::int64_t n_wrong_ = 0;
};

void Exchange::run() {
    const int n_ranks = world_.size();
    const int own = world_.rank();
    MPI_Comm const group = world_.mpi();
    int n = 0;
    // Each begins with its neighbour, so that not all reach for rank 0 first.
    for (int distance = 1; distance < n_ranks; ++distance) {
        const int from = (own + n_ranks - distance) % n_ranks;
        MPI_Irecv(in_.data() + from, 1, MPI_DOUBLE, from, tag, group,
                  &requests_[static_cast<std::size_t>(n++)]);
    }
    for (int distance = 1; distance < n_ranks; ++distance) {
        const int to = (own + distance) % n_ranks;
        out_.data()[to] = element(own, to, round_);
        MPI_Isend(out_.data() + to, 1, MPI_DOUBLE, to, tag, group,
                  &requests_[static_cast<std::size_t>(n++)]);
    }
    MPI_Waitall(n, requests_.data(), MPI_STATUSES_IGNORE);
    ++round_;
    n_wrong_ += n_wrong();
}

std::int64_t Exchange::n_wrong() const {
    std::int64_t n_wrong = 0;
    for (int from = 0; from < world_.size(); ++from) {
        if (from == world_.rank()) continue;
        n_wrong += in_.data()[from] == element(from, world_.rank(), round_ - 1) ? 0 : 1;
    }
    return n_wrong;
}

/// Times of MPI_Init_thread and of the first barrier, and the ranks that have joined.
void report_joining(heorot::Program& program) {
    const heorot::Communicator& world = program.world();
    const heorot::Joining& joining = program.job().joining();
    const std::int64_t n = world.size();
    const std::vector<heorot::Count> counts = {{"ranks", n}};
    program.record_once({.region = "init", .counts = counts}, joining.init_seconds);
    program.record_once({.region = "first_barrier", .counts = counts},
                        joining.first_barrier_seconds);
    const auto taken =
        static_cast<double>(joining.resident_bytes_after - joining.resident_bytes_before);
    program.note("library_bytes_per_rank_largest", std::round(world.maximum(taken)));
    program.note("library_bytes_per_rank_mean",
                 std::round(world.sum(taken) / static_cast<double>(n)));
    std::vector<std::int64_t> joined = {1, world.rank()};
    world.sum(std::span<std::int64_t>(joined));
    program.corruptible(std::span<std::int64_t>(joined));
    program.check("ranks that are missing among those that joined",
                  static_cast<double>(std::abs(joined[0] - n)), 0.0);
    program.check("difference of the sum of their numbers",
                  static_cast<double>(std::abs(joined[1] - n * (n - 1) / 2)), 0.0);
}

/// The first message of every pair, and then more of them.
void measure_exchange(heorot::Program& program) {
    const heorot::Communicator& world = program.world();
    const std::int64_t n = world.size();
    const std::vector<heorot::Count> counts = {{"rank_pairs", n * (n - 1)}, {"partners", n - 1}};
    Exchange exchange(world);
    exchange.wipe();

    // An event that happens once has no samples: MPI_Wtime is read here, and nowhere else.
    const std::int64_t bytes_before = heorot::resident_bytes();
    world.barrier();
    const double start = heorot::World::wall_time();
    exchange.run();
    const double seconds = heorot::World::wall_time() - start;
    const auto taken = static_cast<double>(heorot::resident_bytes() - bytes_before);
    const auto connect = program.record_once({.region = "connect", .counts = counts}, seconds);
    program.note("connect_bytes_per_rank_largest", std::round(world.maximum(taken)));
    program.corruptible(exchange.received());
    program.check(connect, "wrong messages",
                  static_cast<double>(exchange.take_n_wrong() + exchange.n_wrong()), 0.0);

    const auto region = program.measure({.region = "exchange", .counts = counts, .each = true},
                                        [&] { exchange.run(); });
    program.check(region, "wrong messages", static_cast<double>(exchange.take_n_wrong()), 0.0);
    program.check(region, "rounds missing",
                  static_cast<double>(std::abs(exchange.n_rounds() - 1 - region.n_bodies)), 0.0);
}

void startup(heorot::Program& program) {
    // 1. Options: it has none
    using heorot::ranks;
    program.takes("memory_bytes", ranks() * (heorot::mebibyte + 64.0 * ranks()));
    // Joining, and among several ranks the first exchange and those after it.
    program.takes("points", 2.0 + 2.0 * smaller(ranks() - 1.0, 1.0));
    program.takes("rank_pairs", 2.0 * ranks() * (ranks() - 1.0));
    program.start();

    // 2. Problem: every rank and each of its partners
    // 3. Measure, 4. Verify
    report_joining(program);
    if (program.world().size() > 1) measure_exchange(program);
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "messages/startup", startup);
}
