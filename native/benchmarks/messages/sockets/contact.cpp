// Invitations over MPI, calls over sockets.
#include "benchmarks/messages/sockets/contact.hpp"

#include <mpi.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <random>

namespace heorot::sockets {

namespace {

constexpr int tag = 31;
constexpr std::int64_t token_bytes = sizeof(std::uint64_t);
constexpr double probe_seconds = 0.05;

/// Makes datagram sockets known to each other: an acknowledgement of a datagram never sent.
struct Probe {
    std::uint32_t number = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t acknowledgement = 2;
    std::uint64_t token = 0;
};

/// The host name of rank 0. **Collective.**
std::string name_of_first(const Communicator& world) {
    constexpr std::size_t n_most = 256;
    std::array<char, n_most> name{};
    gethostname(name.data(), name.size() - 1);
    world.broadcast(std::span<std::byte>(std::as_writable_bytes(std::span(name))));
    return name.data();
}

std::string reason() {
    return std::strerror(errno);
}

}  // namespace

Contact::Contact(Program& program, const std::string& address, double seconds)
    : program_(program), seconds_(seconds), is_inside_host_(program.job().are_on_one_host(0, 1)) {
    const std::string first = name_of_first(program.world());
    if (program.world().rank() == 1) {
        host_ = !address.empty()  ? resolve(address)
                : is_inside_host_ ? htonl(INADDR_LOOPBACK)
                                  : own_address(first);
    }
    const bool has_none = program.world().rank() == 1 && host_ == 0;
    if (program.world().sum(std::int64_t{has_none ? 1 : 0}) == 0) return;
    if (!address.empty()) {
        throw UsageError("--address '" + address + "' is none that rank 1 can resolve",
                         "four numbers, as in --address 10.0.0.2");
    }
    program.cannot_run("the host of rank 1 has no IPv4 address that others can call");
}

void Contact::agree(const std::string& problem) {
    const Communicator& world = program_.world();
    const std::vector<std::string> problems = world.gather(problem);
    if (world.sum(std::int64_t{problem.empty() ? 0 : 1}) == 0) return;
    std::string reason;
    for (const std::string& one : problems) {
        if (reason.empty()) reason = one;
    }
    program_.cannot_run(reason);
}

void Contact::agree(std::string_view over, const std::string& problem) {
    agree(problem.empty() ? ""
                          : "rank 1 cannot be reached at " + invitation_.address.text() + " over " +
                                std::string(over) + ": " + problem);
}

Socket Contact::invite(int family, int type, std::string_view over) {
    const Communicator& world = program_.world();
    Socket socket;
    if (world.rank() == 1) {
        socket = open_socket(family, type, host_, invitation_.address);
        invitation_.token = (std::uint64_t{std::random_device{}()} << 32U) + std::random_device{}();
    }
    const bool has_failed = world.rank() == 1 && !socket.is_open();
    agree(has_failed ? "rank 1 cannot open a socket for " + std::string(over) + ": " + reason()
                     : "");
    const auto bytes = std::as_writable_bytes(std::span(&invitation_, 1));
    world.broadcast(std::span<std::byte>(bytes), 1);
    return socket;
}

Socket Contact::stream(int family, std::string_view over) {
    const int rank = program_.world().rank();
    const Socket listener = invite(family, SOCK_STREAM, over);
    Outcome reached;
    if (rank == 0) {
        reached = connect_stream(invitation_.address, seconds_);
        if (reached.problem.empty()) {
            send(reached.socket.number(), &invitation_.token, token_bytes, MSG_NOSIGNAL);
        }
    } else if (rank == 1) {
        reached = accept_stream(listener, seconds_);
        if (reached.problem.empty()) {
            limit_waiting(reached.socket, seconds_);
            std::uint64_t token = 0;
            const auto n = recv(reached.socket.number(), &token, token_bytes, MSG_WAITALL);
            if (n != token_bytes || token != invitation_.token) {
                reached.problem = "another process has connected";
            }
        }
    }
    agree(over, reached.problem);
    return std::move(reached.socket);
}

/// Rank 0 calls until it is answered, and then reports the outcome to rank 1.
std::string_view Contact::call_for_datagrams(const Socket& socket) const {
    std::int64_t is_answered = 0;
    if (fix_peer(socket, invitation_.address)) {
        limit_waiting(socket, probe_seconds);
        const Probe call{.token = invitation_.token};
        for (int i = 0; i * probe_seconds < seconds_ && is_answered == 0; ++i) {
            Probe answer{};
            send(socket.number(), &call, sizeof call, MSG_NOSIGNAL);
            const auto n = recv(socket.number(), &answer, sizeof answer, 0);
            if (n == sizeof answer && answer.token == call.token) is_answered = 1;
            // A refusal comes at once; rank 1 may be there the next time.
            if (n < 0 && errno != EAGAIN) usleep(static_cast<useconds_t>(1e6 * probe_seconds));
        }
    }
    program_.world().send(std::span<const std::int64_t>(&is_answered, 1), 1, tag);
    return is_answered == 1 ? "" : "no answer";
}

/// Rank 1 answers every datagram with the token until rank 0 has received an answer.
std::string_view Contact::answer_datagrams(const Socket& socket) const {
    limit_waiting(socket, 0.1 * probe_seconds);
    int is_over = 0;
    while (is_over == 0) {
        Probe call{};
        sockaddr_in caller{};
        socklen_t length = sizeof caller;
        auto* const from = reinterpret_cast<sockaddr*>(&caller);
        const auto n = recvfrom(socket.number(), &call, sizeof call, 0, from, &length);
        if (n == sizeof call && call.token == invitation_.token) {
            const bool is_fixed = connect(socket.number(), from, length) == 0;
            if (is_fixed) send(socket.number(), &call, sizeof call, MSG_NOSIGNAL);
        }
        MPI_Iprobe(0, tag, program_.world().mpi(), &is_over, MPI_STATUS_IGNORE);
    }
    std::int64_t is_answered = 0;
    program_.world().receive(std::span(&is_answered, 1), 0, tag);
    return is_answered == 1 ? "" : "no answer";
}

Socket Contact::datagrams() {
    const int rank = program_.world().rank();
    Socket socket = invite(AF_INET, SOCK_DGRAM, "UDP");
    std::string problem;
    if (rank == 0) {
        Address own;
        socket = open_socket(AF_INET, SOCK_DGRAM, INADDR_ANY, own);
        problem = call_for_datagrams(socket);
    } else if (rank == 1) {
        problem = answer_datagrams(socket);
    }
    agree("UDP", problem);
    return socket;
}

}  // namespace heorot::sockets
