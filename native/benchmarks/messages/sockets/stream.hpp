// Messages over a stream of bytes: TCP, or a Unix domain socket.
#pragma once

#include "benchmarks/messages/sockets/link.hpp"
#include "benchmarks/messages/sockets/socket.hpp"

namespace heorot::sockets {

/// How an end waits for bytes: in the system, which wakes it, or by asking again and again.
enum class Waiting { blocked, spinning };

class StreamLink final : public Link {
  public:
    StreamLink(Socket socket, Waiting waiting) : socket_(std::move(socket)), waiting_(waiting) {}

    void send(std::span<const std::byte> message) override;
    void receive(std::span<std::byte> message) override;
    std::int64_t n_failures() const override { return n_failures_; }

  private:
    void fail();

    Socket socket_;
    Waiting waiting_;
    std::int64_t n_failures_ = 0;
};

}  // namespace heorot::sockets
