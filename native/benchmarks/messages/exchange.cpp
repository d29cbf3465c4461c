// messages/exchange: how long does an exchange with both neighbours take (IMB Exchange)?
//
// Method    All ranks are a periodic chain. One body, as in Exchange of the Pallas and Intel MPI
//           Benchmarks:
//             MPI_Isend n bytes to the right, MPI_Isend n bytes to the left
//             MPI_Recv from the left, MPI_Recv from the right, MPI_Waitall
//           Both sends are from one buffer, and both messages come into another one, page-aligned
//           and first touched by their owner, as there. Bodies follow each other without a barrier:
//           the neighbours keep them together. With two ranks the right and the left neighbour are
//           the same rank; tags separate the directions. Before the sends the first and the last 8
//           bytes of the message get its number, scrambled; after each receive they are folded into
//           a checksum: about 5 ns per body.
// Counts    With p ranks, per body: messages = 2 p, bytes = 2 n p, each byte that crosses counted
//           once. imb_bytes = 4 n, bytes sent and received by one rank, the basis of the throughput
//           of the Intel MPI Benchmarks; all ranks together move p / 2 times as much.
// Comparable  Yes: with Exchange of the Intel MPI Benchmarks on as many ranks, their t_max with the
//           time of a body and their Mbytes/sec with imb_bytes per second. This reports the median
//           of samples where they report a mean.
// Verified  Each timed message, at every rank: the checksums of the first and last 8 bytes of what
//           came from the left and from the right, in their order, equal those of a replay without
//           messages. Before and after the timed samples of each size one body carries patterns
//           that depend on position, rank, size and round: every byte is compared, from both
//           neighbours, and the bytes behind the message must be untouched.
// Source    Pallas MPI Benchmarks: PMB, part MPI-1, Pallas GmbH 2000, section 3.2; Intel MPI
//           Benchmarks User Guide 2021, Exchange: the pattern, the buffers and the throughput.
// Example   heorot run messages/exchange --set max-bytes=64k --ranks 2
#include <mpi.h>

#include <algorithm>
#include <array>
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

constexpr int to_right = 17;  // tags
constexpr int to_left = 18;

/// The place of a rank in the chain.
struct Chain {
    explicit Chain(const heorot::Communicator& world)
        : mine(world.rank()),
          n(world.size()),
          left((mine + n - 1) % n),
          right((mine + 1) % n),
          group(world.mpi()) {}
    int mine;
    int n;
    int left;
    int right;
    MPI_Comm group;
};

/// What a rank remembers of the timed messages of one size; each neighbour has a checksum.
struct Ledger {
    std::uint64_t sent_word;
    std::uint64_t from_left = 0;
    std::uint64_t from_right = 0;
    std::int64_t n_received = 0;
};

class Exchange {
  public:
    Exchange(heorot::Program& program, std::size_t max_bytes)
        : program_(program),
          chain_(program.world()),
          out_(std::max(max_bytes, payload::word_bytes)),
          in_(std::max(max_bytes, payload::word_bytes)) {}

    /// Measures and verifies one size.
    void run(std::size_t n);

  private:
    template <class FromLeft, class FromRight>
    void swap(std::size_t n, FromLeft&& from_left, FromRight&& from_right) const;
    void wipe(std::size_t n) const;
    std::int64_t n_wrong_from(int rank, std::size_t n, int round) const;
    double n_wrong_bytes(std::size_t n, int round);
    heorot::Region time(std::size_t n, Ledger& ledger);

    heorot::Program& program_;
    Chain chain_;
    payload::Buffer<std::byte> out_;
    payload::Buffer<std::byte> in_;
};

/// One exchange; the two functions check each received message before the next one.
template <class FromLeft, class FromRight>
[[gnu::always_inline]] inline void Exchange::swap(std::size_t n, FromLeft&& from_left,
                                                  FromRight&& from_right) const {
    const Chain& c = chain_;
    const int length = static_cast<int>(n);
    std::array<MPI_Request, 2> sends{};
    MPI_Isend(out_.data(), length, MPI_BYTE, c.right, to_right, c.group, &sends[0]);
    MPI_Isend(out_.data(), length, MPI_BYTE, c.left, to_left, c.group, &sends[1]);
    MPI_Recv(in_.data(), length, MPI_BYTE, c.left, to_right, c.group, MPI_STATUS_IGNORE);
    from_left();
    MPI_Recv(in_.data(), length, MPI_BYTE, c.right, to_left, c.group, MPI_STATUS_IGNORE);
    from_right();
    MPI_Waitall(2, sends.data(), MPI_STATUSES_IGNORE);
}

/// Fills the receive buffer with guard values.
void Exchange::wipe(std::size_t n) const {
    std::ranges::fill(in_.first(n), payload::guard);
    in_.guard_behind(n);
}

/// The number of bytes in the receive buffer that are not what `rank` sent, or lie behind the
/// message and are not what they were.
std::int64_t Exchange::n_wrong_from(int rank, std::size_t n, int round) const {
    std::int64_t n_wrong = in_.n_touched_behind(n);
    for (std::size_t i = 0; i < n; ++i) {
        n_wrong += in_.data()[i] == payload::pattern(i, n, rank, round) ? 0 : 1;
    }
    return n_wrong;
}

/// One untimed exchange whose every byte is known; the number of bytes that arrived wrong or were
/// written behind a message.
double Exchange::n_wrong_bytes(std::size_t n, int round) {
    std::int64_t n_wrong = 0;
    for (std::size_t i = 0; i < n; ++i) {
        out_.data()[i] = payload::pattern(i, n, chain_.mine, round);
    }
    wipe(n);
    swap(
        n,
        [&] {
            program_.corruptible(in_.first(n));
            n_wrong += n_wrong_from(chain_.left, n, round);
            wipe(n);
        },
        [&] { n_wrong += n_wrong_from(chain_.right, n, round); });
    // With short messages a checksum reads the bytes behind them, too.
    std::ranges::fill(in_.first(std::max(n, payload::word_bytes)), std::byte{0});
    return static_cast<double>(n_wrong);
}

heorot::Region Exchange::time(std::size_t n, Ledger& ledger) {
    const auto ranks = static_cast<std::size_t>(chain_.n);
    return program_.measure(
        {.region = "exchange",
         .point = {{"bytes", static_cast<std::int64_t>(n)}},
         .counts = {{"messages", 2 * ranks}, {"bytes", 2 * n * ranks}, {"imb_bytes", 4 * n}}},
        [&] {
            ledger.sent_word = payload::next_word(ledger.sent_word);
            payload::stamp(out_.data(), n, ledger.sent_word);
            swap(
                n, [&] { ledger.from_left = payload::fold(ledger.from_left, in_.data(), n); },
                [&] { ledger.from_right = payload::fold(ledger.from_right, in_.data(), n); });
            ++ledger.n_received;
        });
}

void Exchange::run(std::size_t n) {
    const double n_wrong_before = n_wrong_bytes(n, 0);
    Ledger ledger{.sent_word = payload::first_word(chain_.mine)};
    const auto region = time(n, ledger);
    const double n_wrong_after = n_wrong_bytes(n, 1);
    const auto expected_from = [&](int neighbour) {
        return payload::replay(neighbour, n, region.n_bodies).checksum;
    };
    const bool left_is_right = ledger.from_left == expected_from(chain_.left);
    const bool right_is_right = ledger.from_right == expected_from(chain_.right);

    program_.check(region, "timed exchanges missing",
                   std::abs(static_cast<double>(region.n_bodies - ledger.n_received)), 0.0);
    program_.check(region, "neighbours with a wrong checksum of their timed messages",
                   (left_is_right ? 0.0 : 1.0) + (right_is_right ? 0.0 : 1.0), 0.0);
    program_.check(region, "wrong bytes before and after the timed messages",
                   n_wrong_before + n_wrong_after, 0.0);
}

void exchange(heorot::Program& program) {
    // 1. Options
    const payload::Sizes options(program, 0, std::size_t{4} << 20U);
    program.takes("memory_bytes",
                  heorot::ranks() * (3.0 * payload::Sizes::largest(program) + heorot::mebibyte));
    payload::Sizes::say_what_is_sent(program, options.all_bytes(program), 1.0,
                                     2.0 * heorot::ranks());
    program.start();
    program.share_budget();

    // 2. Problem
    const auto sizes = options.bytes();
    const int n_ranks = program.world().size();
    if (n_ranks < 2) {
        program.cannot_run("needs at least 2 ranks, has " + std::to_string(n_ranks));
    }
    Exchange chain(program, std::ranges::max(sizes));

    // 3. Measure, 4. Verify
    for (const std::size_t n : sizes) chain.run(n);
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "messages/exchange", exchange);
}
