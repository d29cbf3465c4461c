// messages/sockets: what does MPI add to the latency of sockets?
//
// Method    The ping-pong of messages/pingpong between ranks 0 and 1, over sockets. One body is one
//           round trip of n bytes each way.
//             tcp: a stream that sends at once (TCP_NODELAY), each end blocked in the system until
//               bytes are there
//             tcp_spinning: the same, each end polling
//             udp: datagrams of at most --datagram-bytes, each acknowledged before the next, the
//               last of a message by the answer; resent after 0.1 s (note udp_sent_again: how many)
//             relayed: over TCP through a relay process next to each rank, as by the daemons of PVM
//             unix: a Unix domain stream, inside one host only
//             mpi: blocking send and receive of the library
//           Addresses are IPv4: --address, or that of rank 1's host towards rank 0, 127.0.0.1
//           inside a host; ports are free ones. Other ranks wait.
// Counts    messages = 2, bytes = 2 n per body; the time of one message is half the time of a body.
//           Headers and acknowledgements are not counted, nor are the ways through the relays.
// Comparable  In part: with NPtcp of NetPIPE, sockperf and netperf's TCP_RR and UDP_RR over the
//           same interface; "udp" of more than one datagram is this program's own protocol.
// Verified  Each timed message, at both ends: the number of messages and the checksum of their
//           first and last 8 bytes, in their order, equal those of a replay without messages; no
//           call of the system has failed. Before and after the timed samples of each size one
//           round trip carries patterns that depend on position, direction, size and round: every
//           byte is compared at both ends, and the bytes behind the message must be untouched.
// Source    R. J. Harrison, Portable tools and applications for parallel computers, Int. J. Quantum
//           Chemistry 40 (1991): TCGMSG. V. S. Sunderam, PVM: a framework for parallel distributed
//           computing, Concurrency 2 (1990): daemons that relay. RFC 768, RFC 9293.
// Example   heorot run messages/sockets --set transports=tcp,mpi --set max-bytes=64k --ranks 2
#include <sys/socket.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmarks/messages/payload/sizes.hpp"
#include "benchmarks/messages/pingpong/contiguous.hpp"
#include "benchmarks/messages/pingpong/ends.hpp"
#include "benchmarks/messages/pingpong/round_trip.hpp"
#include "benchmarks/messages/sockets/contact.hpp"
#include "benchmarks/messages/sockets/datagrams.hpp"
#include "benchmarks/messages/sockets/link.hpp"
#include "benchmarks/messages/sockets/relay.hpp"
#include "benchmarks/messages/sockets/stream.hpp"
#include "harness/program.hpp"

namespace {

namespace payload = heorot::payload;
namespace pingpong = heorot::pingpong;
using heorot::sockets::Contact;
using heorot::sockets::DatagramLink;
using heorot::sockets::Link;
using heorot::sockets::MpiLink;
using heorot::sockets::Relay;
using heorot::sockets::Socket;
using heorot::sockets::StreamLink;
using heorot::sockets::Waiting;

constexpr double most_waiting_seconds = 30.0;  // for one call within a message
constexpr std::size_t largest_datagram = 65507;
constexpr std::string_view transports = "tcp,tcp_spinning,udp,relayed,unix,mpi";

/// A link as the ping-pong sends over it; idle ranks have none.
class Across : public pingpong::NoHandshake {
  public:
    Across(Link* link, const pingpong::Contiguous& data)
        : link_(link), out_(data.out()), in_(data.in()) {}
    void send() const { link_->send(out_); }
    void receive() const { link_->receive(in_); }

  private:
    Link* link_;
    std::span<const std::byte> out_;
    std::span<std::byte> in_;
};

/// Measures and verifies all sizes over one link; ranks that do not play have none.
void measure(heorot::Program& program, const std::string& region,
             const std::vector<std::size_t>& sizes, Link* link) {
    const pingpong::Ends ends(program.world(), 0, 1);
    pingpong::Contiguous data(ends, std::ranges::max(sizes));
    for (const std::size_t n : sizes) {
        data.choose(n);
        const heorot::Region timed = pingpong::measure_round_trips(
            program, ends, pingpong::round_trips(region, n), data, Across(link, data));
        program.check(timed, "calls that failed",
                      ends.plays() ? static_cast<double>(link->n_failures()) : 0.0, 0.0);
    }
}

/// Makes links, as long as it lives. All **collective** over the world; ranks above 1 get none.
class Links {
  public:
    Links(heorot::Program& program, Contact& contact, std::size_t datagram_bytes)
        : world_(program.world()), contact_(contact), datagram_bytes_(datagram_bytes) {}

    std::unique_ptr<Link> make(const std::string& transport) {
        if (transport == "mpi") return of<MpiLink>(world_, 1 - world_.rank());
        if (transport == "udp") return of<DatagramLink>(contact_.datagrams(), datagram_bytes_);
        if (transport == "relayed") return of<StreamLink>(relayed(), Waiting::blocked);
        Socket socket = transport == "unix" ? contact_.stream(AF_UNIX, "a Unix domain socket")
                                            : contact_.stream(AF_INET, "TCP");
        heorot::sockets::prepare_stream(socket, most_waiting_seconds);
        return of<StreamLink>(std::move(socket),
                              transport == "tcp_spinning" ? Waiting::spinning : Waiting::blocked);
    }

  private:
    template <class T, class... Arguments>
    std::unique_ptr<Link> of(Arguments&&... arguments) const {
        if (world_.rank() > 1) return nullptr;
        return std::make_unique<T>(std::forward<Arguments>(arguments)...);
    }

    Socket relayed() {
        Socket outer = contact_.stream(AF_INET, "TCP");
        Socket mine;
        std::string problem;
        if (world_.rank() < 2) {
            auto [near, inner] = heorot::sockets::connect_to_oneself();
            for (const Socket* one : {&near, &inner, &outer}) {
                heorot::sockets::prepare_stream(*one, most_waiting_seconds);
            }
            if (near.is_open() && inner.is_open()) {
                relay_ = Relay(std::move(inner), std::move(outer), near);
            }
            if (!relay_.is_running()) problem = "no process can be made that relays messages";
            mine = std::move(near);
        }
        contact_.agree(problem);
        return mine;
    }

    const heorot::Communicator& world_;
    Contact& contact_;
    std::size_t datagram_bytes_;
    Relay relay_;
};

std::vector<std::size_t> sizes_above_0(const payload::Sizes& options) {
    const auto sizes = options.bytes();
    if (std::ranges::find(sizes, 0U) != sizes.end()) {
        throw heorot::UsageError("a stream has no messages of 0 bytes", "--min-bytes 1");
    }
    return sizes;
}

void sockets(heorot::Program& program) {
    // 1. Options
    const payload::Sizes options(program, 1, std::size_t{4} << 20U);
    const auto chosen = program.items("transports", transports, "ways between the ends");
    const auto address = program.option("address", "", "of rank 1's host, as rank 0 calls it");
    const auto seconds = program.option("connect-seconds", 5.0, "how long rank 0 calls [s]");
    const auto datagram_bytes =
        program.option("datagram-bytes", largest_datagram, "largest, with header [byte]");
    program.takes("memory_bytes", 4.0 * payload::Sizes::largest(program));
    // Round trips; between hosts one transport fewer, which the formula does not distinguish.
    const auto n_transports = program.n_of("transports");
    payload::Sizes::say_what_is_sent(program, options.all_bytes(program), n_transports,
                                     2.0 * n_transports);
    program.start();
    program.share_budget();

    // 2. Problem
    const auto sizes = sizes_above_0(options);
    if (datagram_bytes <= DatagramLink::header_bytes || datagram_bytes > largest_datagram) {
        throw heorot::UsageError("--datagram-bytes must be 9 to 65507", "--datagram-bytes 1472");
    }
    const bool is_reasonable = seconds > 0.0 && seconds <= 3600.0;
    if (!is_reasonable) {
        throw heorot::UsageError("--connect-seconds must be above 0, at most 3600",
                                 "--connect-seconds 5");
    }
    const int n_ranks = program.world().size();
    if (n_ranks < 2) program.cannot_run("needs at least 2 ranks, has " + std::to_string(n_ranks));
    Contact contact(program, address, seconds);
    program.note("same_host", contact.is_inside_host() ? 1 : 0);

    // 3. Measure, 4. Verify
    for (const std::string& transport : heorot::split_list(chosen)) {
        if (transport == "unix" && !contact.is_inside_host()) {
            if (chosen == transports) continue;
            program.cannot_run("ranks 0 and 1 are on two hosts, which no Unix domain socket joins");
        }
        Links links(program, contact, datagram_bytes);
        const std::unique_ptr<Link> link = links.make(transport);
        measure(program, transport, sizes, link.get());
        if (transport != "udp") continue;
        const auto* datagrams = dynamic_cast<const DatagramLink*>(link.get());
        const std::int64_t again = datagrams == nullptr ? 0 : datagrams->n_sent_again();
        program.note("udp_sent_again", program.world().sum(again));
    }
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "messages/sockets", sockets);
}
