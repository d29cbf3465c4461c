// Sockets as the operating system has them: open ones, addresses, connections with a time limit.
#pragma once

#include <netinet/in.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace heorot::sockets {

/// An open socket, closed in the end; -1 is none.
class Socket {
  public:
    Socket() = default;
    explicit Socket(int number) : number_(number) {}
    Socket(Socket&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Socket& operator=(Socket&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    ~Socket() { close(); }

    int number() const { return number_; }
    bool is_open() const { return number_ >= 0; }
    void close();

  private:
    int number_ = -1;
};

/// Where a socket can be reached: over IPv4, or by a name inside the host. Travels as bytes.
struct Address {
    std::int32_t family = 0;      ///< AF_INET or AF_UNIX
    std::uint32_t host = 0;       ///< in the order of the network
    std::uint32_t port = 0;       ///< 0 if nothing listens
    std::array<char, 28> name{};  ///< of AF_UNIX, abstract: no file to be left behind

    std::string text() const;
};

/// The failed operation and the reason; empty without a failure.
struct Outcome {
    Socket socket;
    std::string problem;
};

/// Any socket of this host, at a port that is free, that is listening if it is a stream. `host` is
/// what others are to call, in the order of the network; only a name inside the host for AF_UNIX.
Socket open_socket(int family, int type, std::uint32_t host, Address& address);
/// A stream to `address`, or why there is none after `seconds`.
Outcome connect_stream(const Address& address, double seconds);
/// The next stream that comes to `listener` within `seconds`.
Outcome accept_stream(const Socket& listener, double seconds);
/// Both ends of a TCP connection within this host.
std::pair<Socket, Socket> connect_to_oneself();
/// A datagram socket hears of, and talks to, this address only.
bool fix_peer(const Socket& socket, const Address& address);

/// Each send leaves at once, and a call that takes longer than `seconds` fails.
void prepare_stream(const Socket& socket, double seconds);
void limit_waiting(const Socket& socket, double seconds);

/// The address of `text`, a name or four numbers; 0 if it has none.
std::uint32_t resolve(const std::string& text);
/// The address by which the host called `peer` knows this one: that of the interface towards it, or
/// towards the rest of the world if the name of `peer` leads nowhere; 0 if there is none.
std::uint32_t own_address(const std::string& peer);

}  // namespace heorot::sockets
