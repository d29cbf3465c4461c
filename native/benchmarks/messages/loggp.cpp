// messages/loggp: what are the LogGP parameters L, o_s, o_r and g?
//
// Method    Between ranks 0 and 1, with blocking standard-mode sends and receives, at each size of
//           n bytes. A body is one round trip PRTT(m, d, n): m messages from rank 0, d seconds of
//           computation between two of them, one answer of n bytes once all have come; m = --train.
//             round_trip: PRTT(1, 0, n)
//             train: PRTT(m, 0, n)
//             delayed: PRTT(m, d, n)
//             late_answer: PRTT(1, 0, n), rank 0 computing for d before it receives the answer,
//               which has then come
//             delay: the computation alone, a loop around a clock, of twice the round trip and 2
//               us, longer than the communication that it hides
//           From their medians follow
//             o_s = (delayed - round_trip) / (m - 1) - delay
//             o_r = late_answer - delay - o_s
//             gap at n bytes = (train - round_trip) / (m - 1)
//             L = round_trip / 2 - o_s - o_r
//           The stamp of each message, about 2 ns at each end, is part of o_s and o_r. For
//           rendezvous messages o_s contains the transfer. All other ranks wait at the barrier that
//           starts a sample. The note same_host marks figures taken inside one host.
// Counts    messages = m + 1, bytes = (m + 1) n per body, m = 1 in round_trip and late_answer. A
//           delay counts nothing.
// Comparable  In part: with Netgauge's pattern loggp, whose method this is, up to its timing; other
//           programs call other differences by the same letters.
// Verified  Each timed message, at both ends: the number of messages and the checksum of their
//           first and last 8 bytes, in their order, equal those of a replay without messages.
//           Before and after the timed samples of each size one train with its answer carries
//           patterns that depend on position, direction, size and number: every byte is compared,
//           and the bytes behind the message must be untouched. No delay is shorter than asked for.
// Source    D. Culler et al., LogP: towards a realistic model of parallel computation, PPoPP 1993.
//           A. Alexandrov et al., LogGP, SPAA 1995. T. Kielmann, H. E. Bal, K. Verstoep, Fast
//           measurement of LogP parameters for message passing platforms, IPDPS workshops 2000 (the
//           late answer). T. Hoefler, A. Lichei, W. Rehm, Low-overhead LogGP parameter assessment
//           for modern interconnection networks, IPDPS 2007 (trains and delays).
// Example   heorot run messages/loggp --set max-bytes=4k --ranks 2
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "benchmarks/messages/payload/sizes.hpp"
#include "benchmarks/messages/pingpong/contiguous.hpp"
#include "benchmarks/messages/pingpong/ends.hpp"
#include "benchmarks/messages/pingpong/round_trip.hpp"
#include "harness/program.hpp"

namespace {

namespace payload = heorot::payload;
namespace pingpong = heorot::pingpong;

constexpr int longest_train = 1 << 16;
constexpr double delay_round_trips = 2.0;
constexpr double least_delay_seconds = 2e-6;
// Two clocks agree this well on the length of a delay.
constexpr double least_share_of_delay = 0.99;

/// One body, as the sender sees it.
struct Pattern {
    std::string region;
    std::int64_t n_messages;
    bool delays_between;  ///< whether it computes between two messages
    bool delays_answer;   ///< whether it computes before it receives the answer
};

/// Ranks 0 and 1: the sender of trains and the one that answers.
class Pair {
  public:
    Pair(heorot::Program& program, std::int64_t n_train, std::size_t max_bytes)
        : program_(program),
          ends_(program.world(), 0, 1),
          n_train_(n_train),
          data_(ends_, max_bytes) {}

    /// Measures and verifies all regions at one size.
    void run(std::size_t n);

  private:
    bool sends() const { return ends_.mine == 0; }
    bool answers() const { return ends_.mine == 1; }
    heorot::Point point() const { return {{"bytes", static_cast<std::int64_t>(data_.n_bytes())}}; }
    void compute() const;
    double n_wrong_bytes(int round);
    heorot::Region time(const Pattern& pattern);
    void time_delay();

    heorot::Program& program_;
    pingpong::Ends ends_;
    std::int64_t n_train_;
    pingpong::Contiguous data_;
    heorot::Clock clock_;  // of the delays only
    std::int64_t delay_ticks_ = 0;
};

/// Does something for the length of a delay, without memory and without messages.
void Pair::compute() const {
    const std::int64_t end = clock_.ticks() + delay_ticks_;
    while (clock_.ticks() < end) {
    }
}

/// One untimed train with its answer, whose every byte is known; the number of bytes that arrived
/// wrong or were written behind a message.
double Pair::n_wrong_bytes(int round) {
    const pingpong::Standard transport(data_, ends_);
    const auto first = round * static_cast<int>(n_train_ + 1);
    const int answer = first + static_cast<int>(n_train_);
    std::int64_t n_wrong = 0;
    for (int number = first; number <= answer && ends_.plays(); ++number) {
        data_.fill(number);
        if (sends() == (number < answer)) {
            transport.send();
        } else {
            transport.receive();
            program_.corruptible(data_.in());
            n_wrong += data_.n_wrong(number);
        }
    }
    if (!ends_.plays()) program_.corruptible(data_.in());  // every rank declares something
    data_.wipe();
    return static_cast<double>(n_wrong);
}

heorot::Region Pair::time(const Pattern& pattern) {
    const pingpong::Standard transport(data_, ends_);
    pingpong::Proof proof(ends_, data_);
    const auto body = [&] {
        if (sends()) {
            for (std::int64_t i = 0; i < pattern.n_messages; ++i) {
                if (i > 0 && pattern.delays_between) compute();
                proof.number();
                transport.send();
            }
            if (pattern.delays_answer) compute();
            transport.receive();
            proof.fold();
        } else if (answers()) {
            for (std::int64_t i = 0; i < pattern.n_messages; ++i) {
                transport.receive();
                proof.fold();
            }
            proof.number();
            transport.send();
        }
    };
    const std::int64_t n_in_all = pattern.n_messages + 1;
    const auto n = static_cast<std::int64_t>(data_.n_bytes());
    const auto region =
        program_.measure({.region = pattern.region,
                          .point = point(),
                          .counts = {{"messages", n_in_all}, {"bytes", n_in_all * n}}},
                         body);
    proof.check(program_, region, region.n_bodies * (sends() ? 1 : pattern.n_messages));
    return region;
}

/// The delay alone, which the messages at this size are about to contain.
void Pair::time_delay() {
    const auto region = program_.measure({.region = "delay", .point = point()}, [&] {
        if (sends()) compute();
    });
    const double asked_seconds = clock_.seconds(delay_ticks_);
    program_.check(region, "time that a delay is too short [s]",
                   std::max(0.0, least_share_of_delay * asked_seconds - region.best_seconds), 0.0);
}

void Pair::run(std::size_t n) {
    data_.choose(n);
    const double n_wrong_before = n_wrong_bytes(0);
    const auto once = time(
        {.region = "round_trip", .n_messages = 1, .delays_between = false, .delays_answer = false});
    const double seconds = delay_round_trips * once.best_seconds + least_delay_seconds;
    delay_ticks_ = static_cast<std::int64_t>(seconds / clock_.seconds(1));
    time_delay();
    const auto train = time({.region = "train",
                             .n_messages = n_train_,
                             .delays_between = false,
                             .delays_answer = false});
    time({.region = "delayed",
          .n_messages = n_train_,
          .delays_between = true,
          .delays_answer = false});
    time(
        {.region = "late_answer", .n_messages = 1, .delays_between = false, .delays_answer = true});
    const double n_wrong_after = n_wrong_bytes(1);
    program_.check(train, "wrong bytes before and after the timed messages",
                   n_wrong_before + n_wrong_after, 0.0);
}

void loggp(heorot::Program& program) {
    // 1. Options
    const payload::Sizes options(program, 1, std::size_t{64} << 10U);
    const auto n_train = program.option("train", 16, "messages that one answer follows");
    // A send and a receive buffer at both ends.
    program.takes("memory_bytes", 4.0 * payload::Sizes::largest(program));
    // Two trains with an answer, two round trips, and a delay without messages.
    payload::Sizes::say_what_is_sent(program, options.all_bytes(program), 5.0,
                                     2.0 * (program.amount("train") + 1.0) + 4.0);
    program.start();
    program.share_budget();

    // 2. Problem
    if (n_train < 2 || n_train > longest_train) {
        throw heorot::UsageError("--train must be between 2 and " + std::to_string(longest_train),
                                 "--train 16");
    }
    const auto sizes = options.bytes();
    const int n_ranks = program.world().size();
    if (n_ranks < 2) {
        program.cannot_run("needs at least 2 ranks, has " + std::to_string(n_ranks));
    }
    program.note("same_host", program.job().are_on_one_host(0, 1) ? 1 : 0);

    // 3. Measure, 4. Verify
    Pair pair(program, n_train, std::ranges::max(sizes));
    for (const std::size_t n : sizes) pair.run(n);
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "messages/loggp", loggp);
}
