// messages/multi_pair: which message rate and bandwidth do many pairs of ranks reach?
//
// Method    Rank i of p sends to rank i + p/2, for i below the number of pairs, so that pairs span
//           the halves of a job and with it its nodes; the other ranks wait. One body is one window
//           of --window (64) messages in flight.
//             message_rate: one way, messages of at most --small bytes: the sender starts them all
//               by MPI_Isend and waits, the receiver has started as many MPI_Irecv, waits for them
//               and answers with 8 bytes
//             bandwidth: the same body, longer messages
//             bidirectional: both start all receives, then all sends, and wait
//           Elements are doubles. All messages of a window leave from one buffer; each has its own
//           receive buffer, since MPI forbids pending receives to share one. The bodies of a sample
//           follow each other without a barrier: the answer, or the other window, synchronises a
//           pair, and a sample ends with the slowest pair.
// Counts    messages = k w, bytes = k w n for k pairs and a window of w, twice that if
//           bidirectional. The answers are not counted. Each byte that is sent counts once.
// Comparable  In part: with osu_bw and osu_mbw_mr (one way, their bandwidth and message rate) and
//           osu_bibw (bidirectional) at the same window: pairs, calls and counts are the same. OSU
//           receives all messages of a window into one buffer, which stays in cache; here windows
//           larger than a cache are written to memory. OSU reports the mean, this the median.
// Verified  Each timed message, the answer included: its first and last element hold sender and
//           number of the window, in each place. Before and after the timed samples one untimed
//           window carries contents that depend on position, sender, round and number within the
//           window: every element is compared, and the bytes behind the window must be untouched.
// Source    OSU Micro-Benchmarks 7: osu_bw, osu_bibw, osu_mbw_mr, their descriptions.
// Example   heorot run messages/multi_pair --set window=16 --ranks 2
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/messages/payload/buffer.hpp"
#include "benchmarks/messages/payload/elements.hpp"
#include "benchmarks/messages/payload/sizes.hpp"
#include "harness/program.hpp"
#include "harness/sums.hpp"

namespace {

namespace payload = heorot::payload;
using heorot::UsageError;

constexpr int tag = 51;
constexpr int answer_tag = 52;
constexpr double wiped = -1.0;            // no element and no stamp is negative
constexpr std::size_t line_elements = 8;  // the places of a window begin at cache lines
constexpr int most_window = 1024;
constexpr std::int64_t most_pairs = std::int64_t{1} << 30;
constexpr std::size_t most_window_bytes = std::size_t{8} << 30U;

/// Elements from one place of a window to the next.
constexpr std::size_t stride(std::size_t n) {
    return (n + line_elements - 1) / line_elements * line_elements;
}

enum class Traffic { one_way, both_ways };

/// A window of messages between the two ranks of a pair.
class Window {
  public:
    Window(heorot::Program& program, int size, std::size_t most);

    /// Measures and verifies windows of messages of n doubles between n_pairs pairs.
    void run(const char* region, std::int64_t n_pairs, Traffic traffic, std::size_t n);

  private:
    void start_receives(std::size_t n, MPI_Request* requests) const;
    void start_sends(std::size_t n, std::size_t shift, MPI_Request* requests) const;
    void exchange(Traffic traffic, std::size_t n, std::size_t shift);
    void timed(Traffic traffic, std::size_t n);
    double n_wrong(std::int64_t n_pairs, Traffic traffic, std::size_t n);
    std::int64_t n_wrong_in_window(std::size_t n) const;

    bool plays(std::int64_t n_pairs) const { return pair_ < n_pairs; }
    bool receives(Traffic traffic) const { return traffic == Traffic::both_ways || !is_first_; }
    std::span<double> place(std::size_t message, std::size_t n) const {
        return in_.all().subspan(message * stride(n), n);
    }

    heorot::Program& program_;
    MPI_Comm comm_;
    int rank_;
    int half_;       // number of ranks that send in traffic of one way
    bool is_first_;  // one of them
    int pair_;       // the last rank of an odd number is in no pair that takes part
    int peer_;
    std::size_t size_;  // messages in a window
    std::int64_t round_ = 0;
    std::int64_t n_windows_ = 0;
    std::int64_t n_wrong_ends_ = 0;
    payload::Buffer<double> out_;
    payload::Buffer<double> in_;
    payload::Buffer<double> answer_;
    std::vector<MPI_Request> requests_;
};

Window::Window(heorot::Program& program, int size, std::size_t most)
    : program_(program),
      comm_(program.world().mpi()),
      rank_(program.world().rank()),
      half_(program.world().size() / 2),
      is_first_(rank_ < half_),
      pair_(is_first_ ? rank_ : rank_ - half_),
      peer_(is_first_ ? rank_ + half_ : pair_),
      size_(static_cast<std::size_t>(size)),
      out_(most + size_),
      in_(stride(most) * size_),
      answer_(1),
      requests_(2 * size_, MPI_REQUEST_NULL) {}

void Window::start_receives(std::size_t n, MPI_Request* requests) const {
    for (std::size_t i = 0; i < size_; ++i) {
        MPI_Irecv(place(i, n).data(), static_cast<int>(n), MPI_DOUBLE, peer_, tag, comm_,
                  requests + i);
    }
}

/// Message i of a window begins i * shift elements behind the start of the buffer.
void Window::start_sends(std::size_t n, std::size_t shift, MPI_Request* requests) const {
    for (std::size_t i = 0; i < size_; ++i) {
        MPI_Isend(out_.data() + i * shift, static_cast<int>(n), MPI_DOUBLE, peer_, tag, comm_,
                  requests + i);
    }
}

/// One window as each end sees it.
void Window::exchange(Traffic traffic, std::size_t n, std::size_t shift) {
    const auto wait = [&](std::size_t n_requests) {
        MPI_Waitall(static_cast<int>(n_requests), requests_.data(), MPI_STATUSES_IGNORE);
    };
    if (traffic == Traffic::both_ways) {
        start_receives(n, requests_.data());
        start_sends(n, shift, requests_.data() + size_);
        wait(2 * size_);
    } else if (is_first_) {
        start_sends(n, shift, requests_.data());
        wait(size_);
        MPI_Recv(answer_.data(), 1, MPI_DOUBLE, peer_, answer_tag, comm_, MPI_STATUS_IGNORE);
    } else {
        start_receives(n, requests_.data());
        wait(size_);
        MPI_Send(answer_.data(), 1, MPI_DOUBLE, peer_, answer_tag, comm_);
    }
}

/// One body of a rank that takes part. Received messages are checked after the answer was sent.
void Window::timed(Traffic traffic, std::size_t n) {
    const double mine = payload::stamp(rank_, n_windows_);
    const double theirs = payload::stamp(peer_, n_windows_);
    payload::put_ends(out_.first(n), mine);
    if (!is_first_) payload::put_ends(answer_.all(), mine);
    exchange(traffic, n, 0);
    if (receives(traffic)) {
        for (std::size_t i = 0; i < size_; ++i) {
            n_wrong_ends_ += payload::n_wrong_ends(place(i, n), theirs);
        }
    } else {
        n_wrong_ends_ += payload::n_wrong_ends(answer_.all(), theirs);
    }
    ++n_windows_;
}

/// Message i holds the elements from number i on that the peer sends.
std::int64_t Window::n_wrong_in_window(std::size_t n) const {
    std::int64_t n_wrong = in_.n_touched_behind(size_ * stride(n));
    for (std::size_t i = 0; i < size_; ++i) {
        const std::span<double> message = place(i, n);
        if (i == size_ / 2) program_.corruptible(message);
        n_wrong += payload::n_wrong(message, peer_, round_, static_cast<std::int64_t>(i));
        const auto gap = in_.all().subspan(i * stride(n) + n, stride(n) - n);
        n_wrong += std::ssize(gap) - std::ranges::count(gap, wiped);
    }
    return n_wrong;
}

/// One untimed window whose every element is known; the number of elements that arrived wrong or
/// behind a message, and of bytes that were written behind the window.
double Window::n_wrong(std::int64_t n_pairs, Traffic traffic, std::size_t n) {
    ++round_;
    if (!plays(n_pairs)) {
        program_.corruptible(answer_.all());  // every rank declares something
        return 0.0;
    }
    payload::fill(out_.first(n + size_), rank_, round_);
    const std::span<double> window = in_.first(size_ * stride(n));
    std::ranges::fill(window, wiped);
    in_.guard_behind(window.size());
    answer_.data()[0] = is_first_ ? wiped : payload::element(0, rank_, -round_);
    exchange(traffic, n, 1);
    std::int64_t n_wrong = 0;
    if (receives(traffic)) {
        n_wrong += n_wrong_in_window(n);
    } else {
        program_.corruptible(answer_.all());
        n_wrong += payload::n_wrong(answer_.all(), peer_, -round_);
    }
    std::ranges::fill(window, wiped);
    return static_cast<double>(n_wrong);
}

void Window::run(const char* region_name, std::int64_t n_pairs, Traffic traffic, std::size_t n) {
    const double n_wrong_before = n_wrong(n_pairs, traffic, n);
    n_windows_ = 0;
    n_wrong_ends_ = 0;
    const double n_messages = static_cast<double>(size_) * static_cast<double>(n_pairs) *
                              (traffic == Traffic::both_ways ? 2.0 : 1.0);
    const auto bytes = static_cast<std::int64_t>(n * sizeof(double));
    const auto region = program_.measure(
        {.region = region_name,
         .point = {{"pairs", n_pairs}, {"bytes", bytes}},
         .counts = {{"messages", n_messages}, {"bytes", n_messages * static_cast<double>(bytes)}}},
        [&] {
            if (plays(n_pairs)) timed(traffic, n);
        });
    const double n_wrong_after = n_wrong(n_pairs, traffic, n);

    const std::int64_t n_expected = plays(n_pairs) ? region.n_bodies : 0;
    program_.check(region, "timed windows missing",
                   std::abs(static_cast<double>(n_expected - n_windows_)), 0.0);
    program_.check(region, "wrong ends of timed messages", static_cast<double>(n_wrong_ends_), 0.0);
    program_.check(region, "wrong elements before and after the timed messages",
                   n_wrong_before + n_wrong_after, 0.0);
}

/// The numbers of pairs that are listed, or 1, 2, 4... and all of them if none is.
std::vector<std::int64_t> numbers_of_pairs(std::vector<std::int64_t> numbers, std::int64_t half) {
    if (!numbers.empty()) return numbers;
    for (std::int64_t n = 1; n < half; n *= 2) numbers.push_back(n);
    numbers.push_back(half);
    return numbers;
}

/// Windows of every number of pairs at every size: one way, and both ways.
void say_what_is_sent(heorot::Program& program, const payload::Sizes& sizes,
                      std::span<const std::int64_t> pairs) {
    const auto half = larger(1.0, heorot::rounded_down(heorot::ranks() / 2.0));
    const heorot::Sizes below_half{1.0, half - 1.0, 1.0};
    const auto n_listed = program.n_of("pairs");
    const auto is_left_open = 1.0 - smaller(1.0, n_listed);
    const auto n_numbers = n_listed + is_left_open * (heorot::n_of(below_half) + 1.0);
    const auto n_pairs =
        heorot::sum_over("pairs", pairs, [](const heorot::Amount& n) { return n; }) +
        is_left_open * (heorot::total(below_half) + half);
    payload::Sizes::say_what_is_sent(program, sizes.all_doubles(program), 2.0 * n_numbers,
                                     3.0 * program.amount("window") * n_pairs);
}

void multi_pair(heorot::Program& program) {
    // 1. Options
    const payload::Sizes options(program, 8, std::size_t{1} << 20U);
    const auto window = program.option("window", 64, "messages in flight");
    const auto pairs = program.numbers("pairs", "", 1, most_pairs,
                                       "numbers of pairs, as in 1,4; empty: 1, 2, 4...");
    const auto small =
        program.option("small", std::size_t{1024}, "largest message with a message rate [byte]");
    // A place for every message of the largest window.
    const auto places = (program.amount("window") + 1.0) * payload::Sizes::largest(program);
    program.takes("memory_bytes", heorot::ranks() * (places + heorot::mebibyte));
    say_what_is_sent(program, options, pairs);
    program.start();
    program.share_budget();

    // 2. Problem
    if (window < 1 || window > most_window) {
        throw UsageError("--window must be 1 to " + std::to_string(most_window), "--window 64");
    }
    const auto lengths = options.doubles();
    const std::size_t longest = std::ranges::max(lengths);
    if (longest * sizeof(double) > most_window_bytes / static_cast<std::size_t>(window)) {
        throw UsageError("a window of the largest messages is above 8 GiB", "--max-bytes 1M");
    }
    const int n_ranks = program.world().size();
    const auto numbers = numbers_of_pairs(pairs, std::max(1, n_ranks / 2));
    const std::int64_t most = std::ranges::max(numbers);
    if (most > n_ranks / 2) {
        program.cannot_run("needs at least " + std::to_string(2 * most) + " ranks, has " +
                           std::to_string(n_ranks));
    }
    Window messages(program, window, longest);

    // 3. Measure, 4. Verify
    for (const std::int64_t n_pairs : numbers) {
        for (const std::size_t n : lengths) {
            const bool is_small = n * sizeof(double) <= small;
            messages.run(is_small ? "message_rate" : "bandwidth", n_pairs, Traffic::one_way, n);
            messages.run("bidirectional", n_pairs, Traffic::both_ways, n);
        }
    }
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "messages/multi_pair", multi_pair);
}
