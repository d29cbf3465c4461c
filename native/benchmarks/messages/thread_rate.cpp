// messages/thread_rate: which message rate do threads reach with MPI_THREAD_MULTIPLE?
//
// Method    Two ranks with MPI_THREAD_MULTIPLE. Thread i of rank --partner sends --window messages
//           of n bytes to thread i of rank 0 by MPI_Isend, under its own tag; that thread has as
//           many MPI_Irecv in flight, waits for all of them and answers with 8 bytes. A body is
//           --rounds windows per thread.
//             shared_communicator: all threads use one communicator
//             own_communicator: one duplicate per pair of threads, which a library may serve
//               without a common lock
//             one_thread: one pair of threads, for comparison
//           Each message of a window has its own buffers. OpenMP threads; fork and join once per
//           body are part of the time. All other ranks wait at the barrier that starts a sample.
// Counts    messages = threads x window x rounds, bytes = n times that; answers count nothing.
// Comparable  In part: with message rates of the same number of process pairs (osu_mbw_mr); the
//           difference is the cost of threads.
// Verified  Each timed message carries a stamp of its thread, place in the window and round at both
//           ends, and each answer the same of its round; all are compared. Before and after, a body
//           whose every element is known by thread, place and position, into buffers that were
//           wiped; the bytes behind the last message of each thread must be untouched.
// Source    R. Thakur, W. Gropp, Test suite for evaluating performance of multithreaded MPI
//           communication, Parallel Computing 35 (2009).
// Example   heorot run messages/thread_rate --ranks 2 --threads 2 --oversubscribe
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/messages/payload/buffer.hpp"
#include "benchmarks/messages/payload/elements.hpp"
#include "benchmarks/messages/payload/sizes.hpp"
#include "harness/program.hpp"
#include "harness/world/threads.hpp"

namespace {

namespace payload = heorot::payload;

constexpr int first_answer_tag = 1 << 10;
constexpr int most_threads = first_answer_tag;
constexpr double unwritten = -1.0;

/// How many messages a body has.
struct Work {
    int window;
    int rounds;
    std::int64_t of_a_thread() const { return std::int64_t{window} * rounds; }
};

/// One thread of one end: its buffers and its place among the threads. Two lines of memory apart
/// from others, so that none waits for the counters of another.
class alignas(128) Endpoint {
  public:
    Endpoint(MPI_Comm shared, int peer, int number, const Work& work, std::size_t n)
        : peer_(peer),
          number_(number),
          work_(work),
          n_(n),
          messages_(static_cast<std::size_t>(work.window) * n),
          requests_(static_cast<std::size_t>(work.window), MPI_REQUEST_NULL) {
        MPI_Comm_dup(shared, &own_);
    }
    Endpoint(const Endpoint&) = delete;
    Endpoint& operator=(const Endpoint&) = delete;
    ~Endpoint() { MPI_Comm_free(&own_); }

    MPI_Comm own() const { return own_; }
    std::int64_t n_rounds() const { return round_; }
    std::int64_t n_wrong_ends() const { return n_wrong_ends_; }
    /// All messages of a window, back to back.
    std::span<double> all() const { return messages_.all(); }

    /// The rounds of one body, at one end or the other.
    void send(MPI_Comm group);
    void receive(MPI_Comm group);

    /// Contents by thread, place and position, and what a receiver must have of them. The ends are
    /// those of the last round.
    void fill(std::int64_t key) { payload::fill(all(), number_, key); }
    void wipe() {
        std::ranges::fill(all(), unwritten);
        messages_.guard_behind(all().size());
    }
    std::int64_t n_wrong(std::int64_t key) const;
    /// Starts to count anew.
    void reset() { round_ = n_wrong_ends_ = 0; }

  private:
    std::span<double> message(int place) const {
        return all().subspan(static_cast<std::size_t>(place) * n_, n_);
    }
    double stamp(int place, std::int64_t round) const {
        return payload::stamp(number_ * work_.window + place, round);
    }

    int peer_;
    int number_;
    Work work_;
    std::size_t n_;  // doubles of a message
    payload::Buffer<double> messages_;
    std::vector<MPI_Request> requests_;
    MPI_Comm own_ = MPI_COMM_NULL;
    std::int64_t round_ = 0;
    std::int64_t n_wrong_ends_ = 0;
};

void Endpoint::send(MPI_Comm group) {
    for (int i = 0; i < work_.rounds; ++i, ++round_) {
        for (int place = 0; place < work_.window; ++place) {
            const auto one = message(place);
            payload::put_ends(one, stamp(place, round_));
            MPI_Isend(one.data(), static_cast<int>(n_), MPI_DOUBLE, peer_, number_, group,
                      &requests_[static_cast<std::size_t>(place)]);
        }
        MPI_Waitall(work_.window, requests_.data(), MPI_STATUSES_IGNORE);
        double answer = unwritten;
        MPI_Recv(&answer, 1, MPI_DOUBLE, peer_, first_answer_tag + number_, group,
                 MPI_STATUS_IGNORE);
        n_wrong_ends_ += answer == stamp(0, round_) ? 0 : 1;
    }
}

void Endpoint::receive(MPI_Comm group) {
    for (int i = 0; i < work_.rounds; ++i, ++round_) {
        for (int place = 0; place < work_.window; ++place) {
            MPI_Irecv(message(place).data(), static_cast<int>(n_), MPI_DOUBLE, peer_, number_,
                      group, &requests_[static_cast<std::size_t>(place)]);
        }
        MPI_Waitall(work_.window, requests_.data(), MPI_STATUSES_IGNORE);
        for (int place = 0; place < work_.window; ++place) {
            n_wrong_ends_ += payload::n_wrong_ends(message(place), stamp(place, round_));
        }
        const double answer = stamp(0, round_);
        MPI_Send(&answer, 1, MPI_DOUBLE, peer_, first_answer_tag + number_, group);
    }
}

/// The elements between the ends that are wrong, and the bytes behind that were written to.
std::int64_t Endpoint::n_wrong(std::int64_t key) const {
    std::int64_t n_wrong = messages_.n_touched_behind(all().size());
    for (int place = 0; place < work_.window; ++place) {
        const auto one = message(place);
        n_wrong += payload::n_wrong_ends(one, stamp(place, round_ - 1));
        if (n_ > 2) {
            n_wrong += payload::n_wrong(one.subspan(1, n_ - 2), number_, key,
                                        place * static_cast<std::int64_t>(n_) + 1);
        }
    }
    return n_wrong;
}

/// The two ends, with a player for each thread; other ranks have none.
class EndpointPair {
  public:
    EndpointPair(heorot::Program& program, const heorot::Communicator& ends, bool takes_part,
                 Work work)
        : program_(program), ends_(ends), takes_part_(takes_part), work_(work) {}

    /// Measures and verifies one region at one size [double]. **Collective** over the job.
    void run(const std::string& region, int n_threads, bool own_groups, std::size_t n);

  private:
    using Endpoints = std::vector<std::unique_ptr<Endpoint>>;

    void run_body(const Endpoints& endpoints, int n_threads, bool own_groups) const;
    std::int64_t n_wrong_untimed(const Endpoints& endpoints, int n_threads, bool own_groups,
                                 std::int64_t key) const;
    bool sends() const { return ends_.rank() == 1; }

    heorot::Program& program_;
    const heorot::Communicator& ends_;
    bool takes_part_;
    Work work_;
};

/// One body at one end.
void EndpointPair::run_body(const Endpoints& endpoints, int n_threads, bool own_groups) const {
    // Each thread has one player; if there were fewer threads they would play one after the other.
#pragma omp parallel for num_threads(n_threads) schedule(static, 1)
    for (int i = 0; i < n_threads; ++i) {
        Endpoint& endpoint = *endpoints[static_cast<std::size_t>(i)];
        MPI_Comm const group = own_groups ? endpoint.own() : ends_.mpi();
        sends() ? endpoint.send(group) : endpoint.receive(group);
    }
}

/// Runs one untimed body of known elements and returns the number of wrong ones.
std::int64_t EndpointPair::n_wrong_untimed(const Endpoints& endpoints, int n_threads,
                                           bool own_groups, std::int64_t key) const {
    for (const auto& endpoint : endpoints) {
        endpoint->reset();
        sends() ? endpoint->fill(key) : endpoint->wipe();
    }
    if (takes_part_) run_body(endpoints, n_threads, own_groups);
    program_.corruptible(endpoints.empty() ? std::span<double>{} : endpoints.back()->all());
    std::int64_t n_wrong = 0;
    for (const auto& endpoint : endpoints)
        n_wrong += endpoint->n_wrong_ends() + endpoint->n_wrong(key);
    return n_wrong;
}

void EndpointPair::run(const std::string& name, int n_threads, bool own_groups, std::size_t n) {
    Endpoints endpoints;
    for (int i = 0; takes_part_ && i < n_threads; ++i) {
        endpoints.push_back(std::make_unique<Endpoint>(ends_.mpi(), 1 - ends_.rank(), i, work_, n));
    }
    std::int64_t n_wrong = n_wrong_untimed(endpoints, n_threads, own_groups, 0);
    for (const auto& endpoint : endpoints) endpoint->reset();
    const std::int64_t n_messages = n_threads * work_.of_a_thread();
    const std::size_t bytes = n * sizeof(double);
    const auto region = program_.measure(
        {.region = name,
         .point = {{"bytes", static_cast<std::int64_t>(bytes)}, {"threads", n_threads}},
         .counts = {{"messages", n_messages},
                    {"bytes", static_cast<double>(n_messages) * static_cast<double>(bytes)}}},
        [&] {
            if (takes_part_) run_body(endpoints, n_threads, own_groups);
        });
    std::int64_t n_wrong_ends = 0;
    std::int64_t n_missing = 0;
    for (const auto& endpoint : endpoints) {
        n_wrong_ends += endpoint->n_wrong_ends();
        n_missing += std::abs(endpoint->n_rounds() - work_.rounds * region.n_bodies);
    }
    n_wrong += n_wrong_untimed(endpoints, n_threads, own_groups, 1);
    program_.check(region, "wrong ends of timed messages and answers",
                   static_cast<double>(n_wrong_ends), 0.0);
    program_.check(region, "rounds missing in a thread", static_cast<double>(n_missing), 0.0);
    program_.check(region, "wrong elements before and after the timed messages",
                   static_cast<double>(n_wrong), 0.0);
}

/// How many threads every rank really gets, one at least.
int n_threads_everywhere(const heorot::Program& program) {
    int n_threads = 1;
#pragma omp parallel
    {
#pragma omp single
        n_threads = heorot::n_threads_in_team();
    }
    return static_cast<int>(program.world().minimum(n_threads));
}

void thread_rate(heorot::Program& program) {
    // 1. Options
    const payload::Sizes sizes(program, sizeof(double), 4096);
    const auto partner = program.option("partner", 1, "rank that sends to rank 0");
    const auto window = program.option("window", 64, "messages on their way at once, per thread");
    const auto rounds = program.option("rounds", 4, "windows of each thread in a body");
    program.takes("memory_bytes",  // a window of each thread, and the pages that it ends in
                  heorot::ranks() * heorot::threads() *
                      (program.amount("window") * payload::Sizes::largest(program) + 16384.0));
    // One thread alone, then all of them in two ways.
    payload::Sizes::say_what_is_sent(
        program, sizes.all_doubles(program), 3.0,
        program.amount("window") * program.amount("rounds") * (1.0 + 2.0 * heorot::threads()));
    program.start(heorot::Callers::all_threads);
    program.share_budget();

    // 2. Problem
    if (partner < 1) throw heorot::UsageError("--partner must be at least 1", "--partner 1");
    if (window < 1 || window > 4096 || rounds < 1 || rounds > 1'000'000) {
        throw heorot::UsageError("--window is 1 to 4096, --rounds 1 to 1000000",
                                 "--window 64 --rounds 4");
    }
    const auto lengths = sizes.doubles();
    const heorot::Communicator& world = program.world();
    if (partner >= world.size()) {
        program.cannot_run("needs at least " + std::to_string(partner + 1) + " ranks, has " +
                           std::to_string(world.size()));
    }
    if (program.job().callers() != heorot::Callers::all_threads) {
        program.cannot_run("the MPI library does not let several threads communicate");
    }
    const bool takes_part = world.rank() == 0 || world.rank() == partner;
    const heorot::Communicator ends = world.split(takes_part ? 0 : 1, world.rank());
    const int n_threads = std::min(n_threads_everywhere(program), most_threads);

    // 3. Measure, 4. Verify
    EndpointPair match(program, ends, takes_part, {.window = window, .rounds = rounds});
    for (const std::size_t n : lengths) {
        match.run("one_thread", 1, false, n);
        match.run("shared_communicator", n_threads, false, n);
        match.run("own_communicator", n_threads, true, n);
    }
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "messages/thread_rate", thread_rate);
}
