// The relaying process: only calls that are safe behind a fork of a process with threads.
#include "benchmarks/messages/sockets/relay.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace heorot::sockets {

namespace {

constexpr std::size_t n_at_a_time = 65536;  // bytes
std::array<std::byte, n_at_a_time> carried;

/// Passes on all received bytes; returns whether both streams are still open.
bool pass(int from, int to) {
    const auto n_come = recv(from, carried.data(), carried.size(), MSG_DONTWAIT);
    if (n_come < 0) return errno == EAGAIN || errno == EINTR;
    if (n_come == 0) return false;
    auto left = std::span<const std::byte>(carried).first(static_cast<std::size_t>(n_come));
    while (!left.empty()) {
        const auto n_gone = send(to, left.data(), left.size(), MSG_NOSIGNAL);
        if (n_gone < 0 && errno != EINTR && errno != EAGAIN) return false;
        if (n_gone > 0) left = left.subspan(static_cast<std::size_t>(n_gone));
    }
    return true;
}

[[noreturn]] void relay(int inner, int outer) {
    std::array<pollfd, 2> ends = {pollfd{inner, POLLIN, 0}, pollfd{outer, POLLIN, 0}};
    bool is_open = true;
    while (is_open) {
        if (poll(ends.data(), ends.size(), -1) < 0 && errno != EINTR) break;
        if (ends[0].revents != 0) is_open = pass(inner, outer);
        if (is_open && ends[1].revents != 0) is_open = pass(outer, inner);
    }
    _exit(0);
}

}  // namespace

Relay::Relay(Socket inner, Socket outer, const Socket& foreign) {
    const pid_t parent = getpid();
    child_ = fork();
    if (child_ != 0) return;
    // Signals by which the launcher ends a job must end the child as well.
    for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2}) signal(number, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    close(foreign.number());
    relay(inner.number(), outer.number());
}

Relay::~Relay() {
    if (!is_running()) return;
    kill(child_, SIGKILL);
    while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

}  // namespace heorot::sockets
