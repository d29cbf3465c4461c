// Messages over datagrams that may be lost: each is repeated until it is acknowledged.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>

#include "benchmarks/messages/sockets/link.hpp"
#include "benchmarks/messages/sockets/socket.hpp"

namespace heorot::sockets {

/// Stop and wait. A message is split into datagrams, each of which is acknowledged before the next
/// one leaves, but for the last: the answer of the other end acknowledges it, as in a ping-pong
/// each message has one. While this end is elsewhere, a thread of its own looks now and then
/// whether the other end still asks for the last answer.
class DatagramLink final : public Link {
  public:
    /// `datagram_bytes` are those of a datagram at most, its header included.
    DatagramLink(Socket socket, std::size_t datagram_bytes);
    DatagramLink(const DatagramLink&) = delete;
    DatagramLink& operator=(const DatagramLink&) = delete;
    ~DatagramLink() override;

    void send(std::span<const std::byte> message) override;
    void receive(std::span<std::byte> message) override;
    std::int64_t n_failures() const override { return n_failures_; }
    /// Datagrams that this end has sent again.
    std::int64_t n_sent_again() const { return n_sent_again_; }

    static constexpr std::size_t header_bytes = 8;

  private:
    enum class Kind : std::uint32_t { more, last, acknowledgement };
    struct Header {
        std::uint32_t number = 0;
        Kind kind = Kind::more;
    };
    static_assert(sizeof(Header) == header_bytes);
    struct Arrival {
        bool is_there = false;
        Header header;
        std::size_t n_bytes = 0;
    };

    void put(Header header, std::span<const std::byte> part);
    Arrival take(std::span<std::byte> part, int flags);
    void answer_again(const Header& repeated);
    void repeat_last();
    void ask_again();
    void await_acknowledgement(Header header, std::span<const std::byte> part);
    void await_part(std::span<std::byte> part, Kind kind);
    bool waits_on(int& n_vain);
    void look_after();

    Socket socket_;
    std::size_t part_bytes_;
    std::uint32_t n_sent_ = 0;
    std::uint32_t n_received_ = 0;
    // Not acknowledged yet: the last datagram of the last message.
    std::span<const std::byte> unconfirmed_;
    bool is_unconfirmed_ = false;
    std::int64_t n_failures_ = 0;
    std::int64_t n_sent_again_ = 0;

    std::mutex in_use_;
    std::atomic<bool> ends_ = false;
    std::thread attendant_;
};

}  // namespace heorot::sockets
