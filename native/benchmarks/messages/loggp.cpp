// messages/loggp: what of a message's time do the sender, the receiver and the way between them
// pay?
//
// Method    Five regions at each size of n bytes, between ranks 0 and 1, with blocking
//           standard-mode sends and receives; a body is one round trip PRTT(m, d, n): m messages
//           from rank 0, d seconds of computation between two of them, one answer of n bytes once
//           all have come. "round_trip" is PRTT(1, 0, n), "train" PRTT(m, 0, n), "delayed"
//           PRTT(m, d, n), with m = --train. "late_answer" is a round trip in which rank 0 computes
//           for d before it receives the answer, which has then come. "delay" is the computation
//           alone: a loop around a clock, of twice the round trip and 2 us, so that what is
//           hidden behind it is over when it ends. From their medians follow o_s = (delayed -
//           round_trip) / (m - 1) - delay, o_r = late_answer - delay - o_s, the gap at n bytes =
//           (train - round_trip) / (m - 1), and L = round_trip / 2 - o_s - o_r. What a message
//           carries to prove that it came, about 2 ns at each end, is part of o_s and o_r. Where
//           messages are so long that a send waits for its receive, o_s contains the way. All
//           other ranks wait at the barrier that starts a sample. The note same_host tells figures
//           taken inside one host.
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
//           measurement of LogP parameters for message passing platforms, IPDPS workshops 2000
//           (the late answer). T. Hoefler, A. Lichei, W. Rehm, Low-overhead LogGP parameter
//           assessment for modern interconnection networks, IPDPS 2007 (trains and delays).
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "benchmarks/messages/payload/buffer.hpp"
#include "benchmarks/messages/payload/numbered.hpp"
#include "benchmarks/messages/payload/sizes.hpp"
#include "harness/program.hpp"

namespace {

namespace payload = heorot::payload;

constexpr int tag = 19;
constexpr int longest_train = 1 << 16;
constexpr double delay_round_trips = 2.0;
constexpr double least_delay_seconds = 2e-6;
// Two clocks agree this well on the length of a delay.
constexpr double least_share_of_delay = 0.99;

/// Who a rank is: the one that sends trains, the one that answers, or neither.
enum class Role { sender, answerer, idle };

/// What happens in one body, as the sender sees it.
struct Pattern {
    std::string region;
    std::int64_t n_messages;
    bool delays_between;  ///< whether it computes between two messages
    bool delays_answer;   ///< whether it computes before it receives the answer
};

class Pair {
  public:
    Pair(heorot::Program& program, std::int64_t n_train, std::size_t max_bytes)
        : program_(program),
          world_(program.world()),
          role_(world_.rank() == 0   ? Role::sender
                : world_.rank() == 1 ? Role::answerer
                                     : Role::idle),
          n_train_(n_train),
          send_buffer_(role_ == Role::idle ? payload::word_bytes
                                           : std::max(max_bytes, payload::word_bytes)),
          receive_buffer_(send_buffer_.size()) {}

    /// Measures and verifies all regions at one size.
    void run(std::size_t n);

  private:
    int end() const { return role_ == Role::sender ? 0 : 1; }
    int peer() const { return 1 - end(); }
    void compute() const;
    void send_pattern(std::size_t n, std::int64_t number);
    std::int64_t n_wrong_pattern(std::size_t n, std::int64_t number);
    double n_wrong_bytes(std::size_t n, int round);
    heorot::Region time(const Pattern& pattern, std::size_t n);
    void verify(const heorot::Region& region, const payload::Ledger& ledger, std::size_t n,
                std::int64_t n_messages);
    void time_delay(std::size_t n);

    heorot::Program& program_;
    const heorot::Communicator& world_;
    Role role_;
    std::int64_t n_train_;
    payload::Buffer<std::byte> send_buffer_;
    payload::Buffer<std::byte> receive_buffer_;
    heorot::Clock clock_;  // of the delays only
    std::int64_t delay_ticks_ = 0;
};

/// Does something for the length of a delay, without memory and without messages.
void Pair::compute() const {
    const std::int64_t end = clock_.ticks() + delay_ticks_;
    while (clock_.ticks() < end) {
    }
}

void Pair::send_pattern(std::size_t n, std::int64_t number) {
    const auto out = send_buffer_.first(n);
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = payload::pattern(i, n, end(), static_cast<int>(number));
    }
    world_.send(std::span<const std::byte>(out), peer(), tag);
}

/// Receives one message into wiped memory; the number of bytes that are wrong or were written
/// behind it.
std::int64_t Pair::n_wrong_pattern(std::size_t n, std::int64_t number) {
    const auto in = receive_buffer_.first(n);
    std::ranges::fill(in, payload::guard);
    receive_buffer_.guard_behind(n);
    world_.receive(in, peer(), tag);
    program_.corruptible(in);
    std::int64_t n_wrong = receive_buffer_.n_touched_behind(n);
    for (std::size_t i = 0; i < n; ++i) {
        n_wrong += in[i] == payload::pattern(i, n, 1 - end(), static_cast<int>(number)) ? 0 : 1;
    }
    return n_wrong;
}

/// One untimed train with its answer, whose every byte is known; the number of wrong ones.
double Pair::n_wrong_bytes(std::size_t n, int round) {
    const std::int64_t first = round * (n_train_ + 1);
    std::int64_t n_wrong = 0;
    for (std::int64_t i = first; i < first + n_train_; ++i) {
        if (role_ == Role::sender) send_pattern(n, i);
        if (role_ == Role::answerer) n_wrong += n_wrong_pattern(n, i);
    }
    if (role_ == Role::answerer) send_pattern(n, first + n_train_);
    if (role_ == Role::sender) n_wrong = n_wrong_pattern(n, first + n_train_);
    std::ranges::fill(receive_buffer_.all(), std::byte{0});
    return static_cast<double>(n_wrong);
}

heorot::Region Pair::time(const Pattern& pattern, std::size_t n) {
    const std::size_t length = role_ == Role::idle ? 0 : n;
    const std::span<const std::byte> out = send_buffer_.first(length);
    const std::span<std::byte> in = receive_buffer_.first(length);
    payload::Ledger ledger{.sent_word = payload::first_word(end())};
    const auto send = [&] {
        ledger.sent_word = payload::next_word(ledger.sent_word);
        payload::stamp(send_buffer_.data(), n, ledger.sent_word);
        world_.send(out, peer(), tag);
    };
    const auto receive = [&] {
        world_.receive(in, peer(), tag);
        ledger.checksum = payload::fold(ledger.checksum, in.data(), n);
        ++ledger.n_received;
    };
    const auto body = [&] {
        if (role_ == Role::sender) {
            send();
            for (std::int64_t i = 1; i < pattern.n_messages; ++i) {
                if (pattern.delays_between) compute();
                send();
            }
            if (pattern.delays_answer) compute();
            receive();
        } else if (role_ == Role::answerer) {
            for (std::int64_t i = 0; i < pattern.n_messages; ++i) receive();
            send();
        }
    };
    const std::int64_t n_in_all = pattern.n_messages + 1;
    const auto region = program_.measure(
        {.region = pattern.region,
         .point = {{"bytes", static_cast<std::int64_t>(n)}},
         .counts = {{"messages", n_in_all}, {"bytes", n_in_all * static_cast<std::int64_t>(n)}}},
        body);
    verify(region, ledger, n, pattern.n_messages);
    return region;
}

/// Whether `ledger` is what all timed messages of a region leave.
void Pair::verify(const heorot::Region& region, const payload::Ledger& ledger, std::size_t n,
                  std::int64_t n_messages) {
    const std::int64_t n_per_body = role_ == Role::sender ? 1 : n_messages;
    const payload::Ledger expected =
        role_ == Role::idle ? ledger : payload::replay(1 - end(), n, region.n_bodies * n_per_body);
    program_.check(region, "timed messages missing",
                   std::abs(static_cast<double>(expected.n_received - ledger.n_received)), 0.0);
    program_.check(region, "ends with a wrong checksum of the timed messages",
                   expected.checksum == ledger.checksum ? 0.0 : 1.0, 0.0);
}

/// The delay alone, which the messages at this size are about to contain.
void Pair::time_delay(std::size_t n) {
    const auto region = program_.measure(
        {.region = "delay", .point = {{"bytes", static_cast<std::int64_t>(n)}}}, [&] {
            if (role_ == Role::sender) compute();
        });
    const double asked_seconds = clock_.seconds(delay_ticks_);
    program_.check(region, "time that a delay is too short [s]",
                   std::max(0.0, least_share_of_delay * asked_seconds - region.best_seconds), 0.0);
}

void Pair::run(std::size_t n) {
    const double n_wrong_before = n_wrong_bytes(n, 0);
    const auto once = time(
        {.region = "round_trip", .n_messages = 1, .delays_between = false, .delays_answer = false},
        n);
    const double seconds = delay_round_trips * once.best_seconds + least_delay_seconds;
    delay_ticks_ = static_cast<std::int64_t>(seconds / clock_.seconds(1));
    time_delay(n);
    const auto train = time({.region = "train",
                             .n_messages = n_train_,
                             .delays_between = false,
                             .delays_answer = false},
                            n);
    time({.region = "delayed",
          .n_messages = n_train_,
          .delays_between = true,
          .delays_answer = false},
         n);
    time({.region = "late_answer", .n_messages = 1, .delays_between = false, .delays_answer = true},
         n);
    const double n_wrong_after = n_wrong_bytes(n, 1);
    program_.check(train, "wrong bytes before and after the timed messages",
                   n_wrong_before + n_wrong_after, 0.0);
}

void loggp(heorot::Program& program) {
    // 1. Options
    const payload::Sizes options(program, 1, std::size_t{64} << 10U);
    const auto n_train = program.option("train", 16, "messages that one answer follows");
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
    const bool is_first = program.job().sum_on_host(program.job().rank() == 0 ? 1.0 : 0.0) > 0.0;
    const bool is_apart = program.job().rank() == 1 && !is_first;
    program.note("same_host", program.job().sum(is_apart ? 1.0 : 0.0) > 0.0 ? 0 : 1);

    // 3. Measure, 4. Verify
    Pair pair(program, n_train, std::ranges::max(sizes));
    for (const std::size_t n : sizes) pair.run(n);
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "messages/loggp", loggp);
}
