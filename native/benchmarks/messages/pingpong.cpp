// messages/pingpong: how long does a message between two processes take, at every size?
//
// Method    Rank 0 sends n bytes to rank --partner, which answers with n bytes, with blocking
//           standard-mode send and receive. One body is one round trip, region "pingpong". Each end
//           has a send and a receive buffer, separate, page-aligned and first touched by their
//           owner, as in the OSU and Intel benchmarks. Before each send the first and the last 8
//           bytes of the message get the number of the message, scrambled; after each receive they
//           are folded into a checksum: about 2 ns per message at any size. All other ranks wait at
//           the barrier that starts a sample. The note same_host tells a figure taken inside one
//           host. Region "turning_broadcast" (exactly two ranks): 8 bytes broadcast from rank 0,
//           then 8 bytes from rank 1. Neither can start before the other has arrived, so this is a
//           round trip too, but by the library's collective code: an independent way to the latency
//           at 8 bytes. Among two ranks a broadcast is one message, so half of it should agree with
//           half of the 8-byte ping-pong within a factor of 2.
// Counts    messages = 2, bytes = 2 n per body; the time of one message is half the time of a body.
// Comparable  Yes: with osu_latency and PingPong of the Intel MPI Benchmarks, which report the mean
//           where this reports the median; rates compare with 1/2 round trip, not with those of
//           windows of messages.
// Verified  Each timed message, at both ends: the number of messages and the checksum of their
//           first and last 8 bytes, in their order, equal those of a replay without messages.
//           Before and after the timed samples of each size one round trip carries patterns that
//           depend on position, direction, size and round: every byte is compared at both ends, and
//           the bytes behind the message must be untouched.
// Source    R. W. Hockney, The communication challenge for MPP, Parallel Computing 20 (1994). OSU
//           Micro-Benchmarks, Intel MPI Benchmarks: the pattern and the buffers.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/messages/payload/buffer.hpp"
#include "benchmarks/messages/payload/numbered.hpp"
#include "benchmarks/messages/payload/sizes.hpp"
#include "harness/program.hpp"

namespace {

namespace payload = heorot::payload;

constexpr int tag = 17;
/// The two ends play; `mine` is 0 or 1 for them and anything else for idle ranks.
struct Ends {
    int mine;
    int peer;  ///< rank of the other end
    bool plays() const { return mine < 2; }
};

class Pingpong {
  public:
    Pingpong(heorot::Program& program, int partner, std::size_t max_bytes)
        : program_(program),
          world_(program.world()),
          ends_{.mine = world_.rank() == 0 ? 0 : (world_.rank() == partner ? 1 : 2),
                .peer = world_.rank() == 0 ? partner : 0},
          send_buffer_(ends_.plays() ? std::max(max_bytes, payload::word_bytes)
                                     : payload::word_bytes),
          receive_buffer_(ends_.plays() ? std::max(max_bytes, payload::word_bytes)
                                        : payload::word_bytes) {}

    /// Measures and verifies one size.
    void run(std::size_t n);

  private:
    void exchange(std::span<const std::byte> out, std::span<std::byte> in) const;
    double n_wrong_bytes(std::size_t n, int round);
    heorot::Region time(std::size_t n, payload::Ledger& ledger);

    heorot::Program& program_;
    const heorot::Communicator& world_;
    Ends ends_;
    payload::Buffer<std::byte> send_buffer_;
    payload::Buffer<std::byte> receive_buffer_;
};

/// One round trip as each end sees it.
void Pingpong::exchange(std::span<const std::byte> out, std::span<std::byte> in) const {
    if (ends_.mine == 0) world_.send(out, ends_.peer, tag);
    world_.receive(in, ends_.peer, tag);
    if (ends_.mine == 1) world_.send(out, ends_.peer, tag);
}

/// One untimed round trip whose every byte is known; the number of bytes that arrived wrong or
/// were written behind the message.
double Pingpong::n_wrong_bytes(std::size_t n, int round) {
    if (!ends_.plays()) return 0.0;
    const auto out = send_buffer_.first(n);
    const auto in = receive_buffer_.first(n);
    std::ranges::fill(in, payload::guard);
    receive_buffer_.guard_behind(n);
    for (std::size_t i = 0; i < n; ++i) out[i] = payload::pattern(i, n, ends_.mine, round);
    exchange(out, in);
    program_.corruptible(in);
    std::int64_t n_wrong = receive_buffer_.n_touched_behind(n);
    for (std::size_t i = 0; i < n; ++i) {
        n_wrong += in[i] == payload::pattern(i, n, 1 - ends_.mine, round) ? 0 : 1;
    }
    std::ranges::fill(in, std::byte{0});
    return static_cast<double>(n_wrong);
}

heorot::Region Pingpong::time(std::size_t n, payload::Ledger& ledger) {
    const std::size_t length = ends_.plays() ? n : 0;
    const std::span<const std::byte> out = send_buffer_.first(length);
    const std::span<std::byte> in = receive_buffer_.first(length);
    std::byte* const to_send = send_buffer_.data();
    const std::byte* const received = receive_buffer_.data();
    const auto send = [&] {
        ledger.sent_word = payload::next_word(ledger.sent_word);
        payload::stamp(to_send, n, ledger.sent_word);
        world_.send(out, ends_.peer, tag);
    };
    const auto receive = [&] {
        world_.receive(in, ends_.peer, tag);
        ledger.checksum = payload::fold(ledger.checksum, received, n);
        ++ledger.n_received;
    };
    return program_.measure({.region = "pingpong",
                             .point = {{"bytes", static_cast<std::int64_t>(n)}},
                             .counts = {{"messages", 2}, {"bytes", 2 * n}}},
                            [&] {
                                if (ends_.mine == 0) {
                                    send();
                                    receive();
                                } else if (ends_.mine == 1) {
                                    receive();
                                    send();
                                }
                            });
}

void Pingpong::run(std::size_t n) {
    const double n_wrong_before = n_wrong_bytes(n, 0);
    payload::Ledger ledger{.sent_word = payload::first_word(ends_.mine)};
    const auto region = time(n, ledger);
    const payload::Ledger expected =
        ends_.plays() ? payload::replay(1 - ends_.mine, n, region.n_bodies) : ledger;
    const double n_wrong_after = n_wrong_bytes(n, 1);

    program_.check(region, "timed messages missing",
                   std::abs(static_cast<double>(expected.n_received - ledger.n_received)), 0.0);
    program_.check(region, "ends with a wrong checksum of the timed messages",
                   expected.checksum == ledger.checksum ? 0.0 : 1.0, 0.0);
    program_.check(region, "wrong bytes before and after the timed messages",
                   n_wrong_before + n_wrong_after, 0.0);
}

/// Half of this body is the latency at 8 bytes by another way. **Collective** over two ranks.
void measure_turning_broadcast(heorot::Program& program) {
    const heorot::Communicator& world = program.world();
    std::array<std::uint64_t, 2> words{};  // words[r] travels from rank r to the other
    std::uint64_t sent_word = payload::first_word(world.rank());
    std::uint64_t checksum = 0;
    const auto peer = static_cast<std::size_t>(1 - world.rank());
    const auto turn = [&](int root) {
        const auto slot = static_cast<std::size_t>(root);
        if (world.rank() == root) words[slot] = sent_word = payload::next_word(sent_word);
        world.broadcast(std::span<std::uint64_t>(&words[slot], 1), root);
    };
    const auto region =
        program.measure({.region = "turning_broadcast",
                         .point = {{"bytes", std::int64_t{payload::word_bytes}}},
                         .counts = {{"messages", 2}, {"bytes", 2 * payload::word_bytes}}},
                        [&] {
                            turn(0);
                            turn(1);
                            checksum = std::rotl(checksum, 1) + words[peer];
                        });
    std::uint64_t word = payload::first_word(1 - world.rank());
    std::uint64_t expected = 0;
    for (std::int64_t i = 0; i < region.n_bodies; ++i) {
        word = payload::next_word(word);
        expected = std::rotl(expected, 1) + word;
    }
    program.check(region, "ends with a wrong checksum of the timed messages",
                  checksum == expected ? 0.0 : 1.0, 0.0);
}

/// Whether the two ends are on one host. **Collective.**
bool are_on_one_host(const heorot::World& world, int partner) {
    const double n_first = world.sum_on_host(world.rank() == 0 ? 1.0 : 0.0);
    return world.sum(world.rank() == partner ? n_first : 0.0) > 0.0;
}

void pingpong(heorot::Program& program) {
    // 1. Options
    const payload::Sizes options(program, 0, std::size_t{4} << 20U);
    const auto partner = program.option("partner", 1, "rank that answers rank 0");
    program.start();

    // 2. Problem
    if (partner < 1) throw heorot::UsageError("--partner must be at least 1", "--partner 1");
    const auto sizes = options.bytes();
    const std::size_t largest = std::ranges::max(sizes);
    const int n_ranks = program.world().size();
    if (partner >= n_ranks) {
        program.cannot_run("needs at least " + std::to_string(partner + 1) + " ranks, has " +
                           std::to_string(n_ranks));
    }
    program.note("same_host", are_on_one_host(program.job(), partner) ? 1 : 0);

    // 3. Measure, 4. Verify
    Pingpong game(program, partner, largest);
    for (const std::size_t n : sizes) game.run(n);
    if (n_ranks == 2) measure_turning_broadcast(program);
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "messages/pingpong", pingpong);
}
