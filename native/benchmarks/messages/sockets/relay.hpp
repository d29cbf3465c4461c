// A process that stands between a rank and the network, as the daemons of PVM did.
#pragma once

#include <sys/types.h>

#include "benchmarks/messages/sockets/socket.hpp"

namespace heorot::sockets {

/// A child of this process that forwards between two streams in both directions.
/// It ends with either of them, and with its parent.
class Relay {
  public:
    Relay() = default;
    /// Takes over both streams; `foreign` is the parent's end of one of them, which the child must
    /// not keep open.
    Relay(Socket inner, Socket outer, const Socket& foreign);
    Relay(Relay&& other) noexcept : child_(std::exchange(other.child_, -1)) {}
    Relay& operator=(Relay&& other) noexcept {
        std::swap(child_, other.child_);
        return *this;
    }
    Relay(const Relay&) = delete;
    Relay& operator=(const Relay&) = delete;
    /// Ends the child and waits for it.
    ~Relay();

    bool is_running() const { return child_ > 0; }

  private:
    pid_t child_ = -1;
};

}  // namespace heorot::sockets
