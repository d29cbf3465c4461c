// messages/pingpong: what are latency and bandwidth between two ranks, by message size?
//
// Method    Rank 0 sends n bytes to rank --partner, which answers with n bytes. One body is one
//           round trip:
//             pingpong: MPI_Send, MPI_Recv in standard mode
//             pingpong_synchronous: MPI_Ssend
//             pingpong_ready: MPI_Rsend; each end starts to receive before it sends, so that a
//               message implies that the answer is awaited, as this mode demands
//             pingpong_persistent: MPI_Send_init, MPI_Recv_init; each started and then waited for
//             pingpong_vector: words of 8 bytes, each with --stride words of memory to itself, as a
//               vector datatype
//             pingpong_packed: the same copied by plain loops to and from a contiguous buffer,
//               within the time
//             pingpong_indexed: words with changing distances, as an indexed datatype
//             pingpong_struct: records of a float at the start and an integer at the end, as a
//               struct datatype
//             turning_broadcast: exactly two ranks; 8 bytes broadcast from rank 0, then from rank 1
//           --modes chooses; strided modes run at sizes that are whole numbers of words. Each end
//           has a send and a receive buffer, separate, page-aligned and first touched by their
//           owner, as in the OSU and Intel benchmarks. Before each send the first and the last 8
//           bytes of the message get the number of the message, scrambled; after each receive they
//           are folded into a checksum: about 2 ns per message at any size. All other ranks wait at
//           the barrier that starts a sample. The note same_host marks a figure taken inside one
//           host. Neither broadcast can start before the other has arrived, so this is a round trip
//           by the library's collective code: half of it should agree with half of the 8-byte
//           ping-pong within a factor of 2.
// Counts    messages = 2, bytes = 2 n per body; the time of one message is half the time of a body.
//           Memory between the words of a message is not counted.
// Comparable  Yes: with osu_latency and PingPong of the Intel MPI Benchmarks, which report the mean
//           where this reports the median; rates compare with 1/2 round trip, not with those of
//           windows of messages.
// Verified  Each timed message, at both ends: the number of messages and the checksum of their
//           first and last 8 bytes, in their order, equal those of a replay without messages.
//           Before and after the timed samples of each size one round trip carries patterns that
//           depend on position, direction, size and round: every byte is compared at both ends, and
//           the bytes behind the message, and between its words, must be untouched.
// Source    R. W. Hockney, The communication challenge for MPP, Parallel Computing 20 (1994). OSU
//           Micro-Benchmarks, Intel MPI Benchmarks: the pattern and the buffers. MPI: A
//           Message-Passing Interface Standard 3.1, sections 3.4, 3.9 and 4.1: modes, persistent
//           requests, datatypes.
// Example   heorot run messages/pingpong --set max-bytes=64k --ranks 2
#include <mpi.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/messages/payload/numbered.hpp"
#include "benchmarks/messages/payload/sizes.hpp"
#include "benchmarks/messages/pingpong/contiguous.hpp"
#include "benchmarks/messages/pingpong/ends.hpp"
#include "benchmarks/messages/pingpong/round_trip.hpp"
#include "benchmarks/messages/pingpong/strided.hpp"
#include "harness/program.hpp"

namespace {

using namespace heorot::pingpong;
namespace payload = heorot::payload;

constexpr std::string_view known_modes =
    "standard,synchronous,ready,persistent,vector,packed,indexed,struct";
using Sizes = std::vector<std::size_t>;

/// Returns from a send when the other end has begun to receive.
class Synchronous : public NoHandshake {
  public:
    Synchronous(const Contiguous& data, const Ends& ends) : m_(data, ends) {}
    void send() const { MPI_Ssend(m_.out, m_.n, MPI_BYTE, m_.peer, tag, m_.group); }
    void receive() const {
        MPI_Recv(m_.in, m_.n, MPI_BYTE, m_.peer, tag, m_.group, MPI_STATUS_IGNORE);
    }

  private:
    Message m_;
};

/// MPI_Rsend requires that the receive is posted. Each end posts its next receive before it sends,
/// so that each message implies a posted receive for the answer; only the first message needs a
/// signal in advance.
class Ready {
  public:
    Ready(const Contiguous& data, const Ends& ends) : m_(data, ends), is_first_(ends.mine == 0) {}
    void open() {
        if (is_first_) {
            MPI_Recv(nullptr, 0, MPI_BYTE, m_.peer, word_tag, m_.group, MPI_STATUS_IGNORE);
        } else {
            await();
            MPI_Send(nullptr, 0, MPI_BYTE, m_.peer, word_tag, m_.group);
        }
    }
    void send() {
        await();
        MPI_Rsend(m_.out, m_.n, MPI_BYTE, m_.peer, tag, m_.group);
    }
    void receive() { MPI_Wait(&next_, MPI_STATUS_IGNORE); }
    /// The second end still awaits a message: an empty one.
    void close() {
        if (is_first_) {
            MPI_Rsend(nullptr, 0, MPI_BYTE, m_.peer, tag, m_.group);
        } else {
            receive();
        }
    }

  private:
    static constexpr int word_tag = tag + 1;
    void await() { MPI_Irecv(m_.in, m_.n, MPI_BYTE, m_.peer, tag, m_.group, &next_); }

    Message m_;
    bool is_first_;
    MPI_Request next_ = MPI_REQUEST_NULL;
};

/// Persistent requests: describes its messages to the library once, and starts them repeatedly.
class Persistent : public NoHandshake {
  public:
    Persistent(const Contiguous& data, const Ends& ends) {
        const Message m(data, ends);
        MPI_Send_init(m.out, m.n, MPI_BYTE, m.peer, tag, m.group, &send_);
        MPI_Recv_init(m.in, m.n, MPI_BYTE, m.peer, tag, m.group, &receive_);
    }
    Persistent(const Persistent&) = delete;
    Persistent& operator=(const Persistent&) = delete;
    ~Persistent() {
        MPI_Request_free(&send_);
        MPI_Request_free(&receive_);
    }
    void send() { start_and_wait(send_); }
    void receive() { start_and_wait(receive_); }

  private:
    static void start_and_wait(MPI_Request& request) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }

    MPI_Request send_ = MPI_REQUEST_NULL;
    MPI_Request receive_ = MPI_REQUEST_NULL;
};

bool is_strided(std::string_view mode) {
    return heorot::lists("vector,packed,indexed,struct", mode);
}

/// Sends contiguous bytes in one mode.
void measure_contiguous(heorot::Program& program, const Ends& ends, const std::string& mode,
                        const Sizes& sizes) {
    Contiguous data(ends, std::ranges::max(sizes));
    for (const std::size_t n : sizes) {
        data.choose(n);
        const auto measure_by = [&](const std::string& region, auto&& transport) {
            measure_round_trips(program, ends, round_trips(region, n), data, transport);
        };
        if (mode == "standard") measure_by("pingpong", Standard(data, ends));
        if (mode == "synchronous") measure_by("pingpong_synchronous", Synchronous(data, ends));
        if (mode == "ready") measure_by("pingpong_ready", Ready(data, ends));
        if (mode == "persistent") measure_by("pingpong_persistent", Persistent(data, ends));
    }
}

/// Sends strided words in one mode. Sizes that are no whole number of them are left out.
void measure_strided(heorot::Program& program, const Ends& ends, const std::string& mode,
                     const Sizes& sizes, std::size_t stride) {
    Strided data(ends, std::ranges::max(sizes), stride);
    const Places places = mode == "indexed"  ? Places::jagged
                          : mode == "struct" ? Places::split
                                             : Places::regular;
    for (const std::size_t n : sizes) {
        if (n == 0 || n % payload::word_bytes != 0) continue;
        data.choose(n, places);
        const heorot::Measurement what = round_trips("pingpong_" + mode, n);
        if (mode == "packed") {
            measure_round_trips(program, ends, what, data, Packed(data, ends));
        } else {
            measure_round_trips(program, ends, what, data, Derived(data, ends, mode));
        }
    }
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

/// --stride, if any mode needs it and it makes sense with these sizes.
std::size_t verified_stride(int stride, const std::string& modes, const Sizes& sizes) {
    if (stride < 1) throw heorot::UsageError("--stride must be at least 1", "--stride 2");
    const auto words = static_cast<std::size_t>(stride);
    if (std::ranges::none_of(heorot::split_list(modes), is_strided)) return words;
    constexpr auto most_words = std::size_t{std::numeric_limits<int>::max()};
    if (std::ranges::max(sizes) / payload::word_bytes > most_words / words) {
        throw heorot::UsageError("with this --stride messages extend over 2^31 words or more",
                                 "--stride 2");
    }
    if (std::ranges::none_of(sizes, [](std::size_t n) { return n > 0 && n % 8 == 0; })) {
        throw heorot::UsageError("no message size is a whole number of words of 8 bytes",
                                 "--min-bytes 8 --max-bytes 4M");
    }
    return words;
}

/// Round trips of all sizes in all modes; of a pair alone also broadcasts in turn.
void say_what_is_sent(heorot::Program& program, const payload::Sizes& sizes) {
    using heorot::Amount;
    const auto strided = program.has("modes", "vector") + program.has("modes", "packed") +
                         program.has("modes", "indexed") + program.has("modes", "struct");
    const auto contiguous = program.n_of("modes") - strided;
    const auto all = [&](const heorot::Term& term) {
        return contiguous * sizes.sum_over_bytes(program, term) +
               strided * sizes.sum_over_doubles(program, term);
    };
    const auto is_pair = heorot::smaller(1.0, heorot::rounded_down(2.0 / heorot::ranks()));
    const auto in_turn = is_pair * program.has("modes", "standard");
    const auto points = all([](const Amount&) { return Amount(1.0); }) + in_turn;
    const auto bytes = all([](const Amount& n) { return n; });
    program.takes("points", points);
    program.takes("messages", 2.0 * points);
    program.takes("bytes", 2.0 * bytes + 2.0 * payload::word_bytes * in_turn);
}

void pingpong(heorot::Program& program) {
    // 1. Options
    const payload::Sizes options(program, 0, std::size_t{4} << 20U);
    const auto partner = program.option("partner", 1, "rank that answers rank 0");
    const auto modes = program.items("modes", known_modes, "how messages are sent", "standard");
    const auto words = program.option("stride", 2, "words of memory per word of a strided message");
    // Strided messages, their packed copies, the offsets of their words, the library's workspace.
    const auto strided =
        larger(larger(program.has("modes", "vector"), program.has("modes", "packed")),
               larger(program.has("modes", "indexed"), program.has("modes", "struct")));
    const auto words_each = larger(8.0, strided * (4.0 * program.amount("stride") + 20.0));
    program.takes("memory_bytes", words_each * payload::Sizes::largest(program));
    say_what_is_sent(program, options);
    program.start();
    program.share_budget();

    // 2. Problem
    if (partner < 1) throw heorot::UsageError("--partner must be at least 1", "--partner 1");
    const Sizes sizes = options.bytes();
    const std::size_t stride = verified_stride(words, modes, sizes);
    const int n_ranks = program.world().size();
    if (partner >= n_ranks) {
        program.cannot_run("needs at least " + std::to_string(partner + 1) + " ranks, has " +
                           std::to_string(n_ranks));
    }
    program.note("same_host", program.job().are_on_one_host(0, partner) ? 1 : 0);

    // 3. Measure, 4. Verify
    const Ends ends(program.world(), 0, partner);
    for (const std::string& mode : heorot::split_list(known_modes)) {
        if (!heorot::lists(modes, mode)) continue;
        if (is_strided(mode)) {
            measure_strided(program, ends, mode, sizes, stride);
        } else {
            measure_contiguous(program, ends, mode, sizes);
        }
    }
    if (n_ranks == 2 && heorot::lists(modes, "standard")) measure_turning_broadcast(program);
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "messages/pingpong", pingpong);
}
