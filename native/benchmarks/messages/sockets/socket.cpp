// Opening, naming and connecting sockets.
#include "benchmarks/messages/sockets/socket.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

namespace heorot::sockets {

namespace {

/// An address in the form that the system takes.
struct Form {
    sockaddr_storage storage{};
    socklen_t length = 0;

    explicit Form(const Address& address) {
        if (address.family == AF_UNIX) {
            sockaddr_un own{};
            own.sun_family = AF_UNIX;
            // A first byte of 0 makes the name abstract.
            std::memcpy(&own.sun_path[1], address.name.data(), address.name.size());
            length =
                static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + address.name.size());
            std::memcpy(&storage, &own, sizeof own);
        } else {
            sockaddr_in own{};
            own.sin_family = AF_INET;
            own.sin_addr.s_addr = address.host;
            own.sin_port = htons(static_cast<std::uint16_t>(address.port));
            length = sizeof own;
            std::memcpy(&storage, &own, sizeof own);
        }
    }
    const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

/// A unique name on this host.
std::array<char, 28> unique_name() {
    static int n_names = 0;
    std::array<char, 28> name{};
    const std::string text = "heorot-" + std::to_string(getpid()) + "-" + std::to_string(++n_names);
    std::copy_n(text.begin(), std::min(text.size(), name.size()), name.begin());
    return name;
}

sockaddr_in name_of(const Socket& socket) {
    sockaddr_in name{};
    socklen_t length = sizeof name;
    getsockname(socket.number(), reinterpret_cast<sockaddr*>(&name), &length);
    return name;
}

bool leads_out(std::uint32_t host) {
    constexpr std::uint32_t loopback = 127;
    return host != 0 && ntohl(host) >> 24U != loopback;
}

/// The address of the interface by which datagrams to `host` leave; nothing is sent.
std::uint32_t source_towards(std::uint32_t host) {
    constexpr std::uint32_t discard = 9;  // any port will do
    const Socket socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const Form form(Address{.family = AF_INET, .host = host, .port = discard});
    if (!socket.is_open() || connect(socket.number(), form.get(), form.length) != 0) return 0;
    return name_of(socket).sin_addr.s_addr;
}

std::uint32_t any_interface() {
    ifaddrs* all = nullptr;
    if (getifaddrs(&all) != 0) return 0;
    std::uint32_t found = 0;
    for (const ifaddrs* one = all; one != nullptr && found == 0; one = one->ifa_next) {
        if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
        if ((one->ifa_flags & IFF_UP) == 0) continue;
        const auto host = reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr.s_addr;
        if (leads_out(host)) found = host;
    }
    freeifaddrs(all);
    return found;
}

/// Why a call failed.
std::string reason() {
    return std::strerror(errno);
}

/// Whether the socket is ready for `events` within `seconds`; else errno has the reason.
bool is_ready(const Socket& socket, short events, double seconds) {
    pollfd one{.fd = socket.number(), .events = events, .revents = 0};
    const int n_ready = poll(&one, 1, static_cast<int>(1e3 * seconds));
    if (n_ready == 0) errno = ETIMEDOUT;
    return n_ready > 0;
}

}  // namespace

void Socket::close() {
    if (is_open()) ::close(std::exchange(number_, -1));
}

std::string Address::text() const {
    if (family == AF_UNIX) return name.data();
    const in_addr shown{.s_addr = host};
    std::array<char, INET_ADDRSTRLEN> text{};
    inet_ntop(AF_INET, &shown, text.data(), text.size());
    return std::string(text.data()) + ":" + std::to_string(port);
}

Socket open_socket(int family, int type, std::uint32_t host, Address& address) {
    address = {.family = family, .host = INADDR_ANY, .port = 0};
    if (family == AF_UNIX) address.name = unique_name();
    Socket socket(::socket(family, type | SOCK_CLOEXEC, 0));
    if (!socket.is_open()) return {};
    const auto bind_to = [&](std::uint32_t interface) {
        address.host = interface;
        const Form form(address);
        return bind(socket.number(), form.get(), form.length) == 0;
    };
    // Answers come from the address that was called. Behind a translation it is none of this host.
    if (!bind_to(host) && !bind_to(INADDR_ANY)) return {};
    if (type == SOCK_STREAM && listen(socket.number(), 1) != 0) return {};
    address.host = host;
    address.port = family == AF_UNIX ? 1U : ntohs(name_of(socket).sin_port);
    return socket;
}

Outcome connect_stream(const Address& address, double seconds) {
    Socket socket(::socket(address.family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket.is_open()) return {{}, reason()};
    const Form form(address);
    if (connect(socket.number(), form.get(), form.length) != 0) {
        if (errno != EINPROGRESS || !is_ready(socket, POLLOUT, seconds)) return {{}, reason()};
        int problem = 0;
        socklen_t length = sizeof problem;
        getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &problem, &length);
        if (problem != 0) return {{}, std::strerror(problem)};
    }
    fcntl(socket.number(), F_SETFL, fcntl(socket.number(), F_GETFL) & ~O_NONBLOCK);
    return {std::move(socket), ""};
}

Outcome accept_stream(const Socket& listener, double seconds) {
    if (!is_ready(listener, POLLIN, seconds)) return {{}, reason()};
    Socket socket(accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket.is_open()) return {{}, reason()};
    return {std::move(socket), ""};
}

std::pair<Socket, Socket> connect_to_oneself() {
    constexpr double seconds = 5.0;
    Address address;
    const Socket listener = open_socket(AF_INET, SOCK_STREAM, htonl(INADDR_LOOPBACK), address);
    if (!listener.is_open()) return {};
    Socket mine = connect_stream(address, seconds).socket;
    Socket other = accept_stream(listener, seconds).socket;
    return {std::move(mine), std::move(other)};
}

bool fix_peer(const Socket& socket, const Address& address) {
    const Form form(address);
    return connect(socket.number(), form.get(), form.length) == 0;
}

void prepare_stream(const Socket& socket, double seconds) {
    const int yes = 1;
    setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    limit_waiting(socket, seconds);
}

void limit_waiting(const Socket& socket, double seconds) {
    const double whole = std::floor(seconds);
    const timeval limit{.tv_sec = static_cast<time_t>(whole),
                        .tv_usec = static_cast<suseconds_t>(1e6 * (seconds - whole))};
    setsockopt(socket.number(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(socket.number(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

std::uint32_t resolve(const std::string& text) {
    addrinfo wanted{};
    wanted.ai_family = AF_INET;
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (text.empty() || getaddrinfo(text.c_str(), nullptr, &wanted, &found) != 0) return 0;
    const auto host = reinterpret_cast<const sockaddr_in*>(found->ai_addr)->sin_addr.s_addr;
    freeaddrinfo(found);
    return host;
}

std::uint32_t own_address(const std::string& peer) {
    // Names that lead to 127.0.1.1, as on Debian, are of no use to others.
    const std::uint32_t named = resolve(peer);
    if (leads_out(named)) {
        const std::uint32_t host = source_towards(named);
        if (leads_out(host)) return host;
    }
    // A reserved address (RFC 5737): packets to it take the default route.
    const std::uint32_t nobody = resolve("203.0.113.1");
    const std::uint32_t host = source_towards(nobody);
    return leads_out(host) ? host : any_interface();
}

}  // namespace heorot::sockets
