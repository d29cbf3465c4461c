// A way between two ranks: each send at one end is a receive of as many bytes at the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "harness/program.hpp"

namespace heorot::sockets {

/// One end. Nothing throws: after the first call that fails all others do nothing, the other end
/// fails too, and n_failures() counts.
class Link {
  public:
    Link() = default;
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;
    virtual ~Link() = default;

    /// Returns when `message` may be changed, or, of datagrams, when the answer has come.
    virtual void send(std::span<const std::byte> message) = 0;
    virtual void receive(std::span<std::byte> message) = 0;
    virtual std::int64_t n_failures() const { return 0; }
};

/// Messages of MPI, for comparison with the other transports.
class MpiLink final : public Link {
  public:
    /// `world` must outlive this; `peer` is the rank of the other end.
    MpiLink(const Communicator& world, int peer) : world_(world), peer_(peer) {}
    void send(std::span<const std::byte> message) override { world_.send(message, peer_, tag); }
    void receive(std::span<std::byte> message) override { world_.receive(message, peer_, tag); }

  private:
    static constexpr int tag = 29;
    const Communicator& world_;
    int peer_;
};

}  // namespace heorot::sockets
