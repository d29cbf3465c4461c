// Whole messages in and out of a stream.
#include "benchmarks/messages/sockets/stream.hpp"

#include <sched.h>
#include <sys/socket.h>

#include <cerrno>

namespace heorot::sockets {

namespace {

// Half a minute or so of asking in vain, after which the other end is given up.
constexpr std::int64_t n_most_asked = 100'000'000;
// Where both ends share a core, one has to let the other have it at times.
constexpr std::int64_t n_before_yielding = 1000;

}  // namespace

void StreamLink::fail() {
    ++n_failures_;
    shutdown(socket_.number(), SHUT_RDWR);  // the other end must not wait
}

void StreamLink::send(std::span<const std::byte> message) {
    while (!message.empty() && n_failures_ == 0) {
        const auto n = ::send(socket_.number(), message.data(), message.size(), MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR) fail();
        if (n > 0) message = message.subspan(static_cast<std::size_t>(n));
    }
}

void StreamLink::receive(std::span<std::byte> message) {
    const int flags = waiting_ == Waiting::spinning ? MSG_DONTWAIT : 0;
    std::int64_t n_asked = 0;
    while (!message.empty() && n_failures_ == 0) {
        const auto n = ::recv(socket_.number(), message.data(), message.size(), flags);
        if (n > 0) {
            message = message.subspan(static_cast<std::size_t>(n));
            n_asked = 0;
            continue;
        }
        const bool asks_again = n < 0 && flags != 0 && errno == EAGAIN && n_asked < n_most_asked;
        if (!asks_again && (n == 0 || errno != EINTR)) fail();
        if (++n_asked % n_before_yielding == 0) sched_yield();
    }
}

}  // namespace heorot::sockets
