// Stop-and-wait over datagrams.
#include "benchmarks/messages/sockets/datagrams.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <utility>

namespace heorot::sockets {

namespace {

// How long a datagram is waited for until the last one is sent again, and how often.
constexpr double patience_seconds = 0.1;
constexpr int n_most_vain = 300;
constexpr auto rounds_of_attendant = std::chrono::milliseconds(20);

}  // namespace

DatagramLink::DatagramLink(Socket socket, std::size_t datagram_bytes)
    : socket_(std::move(socket)), part_bytes_(datagram_bytes - header_bytes) {
    limit_waiting(socket_, patience_seconds);
    attendant_ = std::thread([this] { look_after(); });
}

DatagramLink::~DatagramLink() {
    ends_ = true;
    attendant_.join();
}

void DatagramLink::put(Header header, std::span<const std::byte> part) {
    std::array<iovec, 2> pieces = {
        iovec{&header, sizeof header},
        iovec{const_cast<std::byte*>(part.data()), part.size()},
    };
    msghdr datagram{};
    datagram.msg_iov = pieces.data();
    datagram.msg_iovlen = pieces.size();
    // A datagram that cannot be sent counts as lost.
    while (sendmsg(socket_.number(), &datagram, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
}

DatagramLink::Arrival DatagramLink::take(std::span<std::byte> part, int flags) {
    Arrival arrival;
    std::array<iovec, 2> pieces = {
        iovec{&arrival.header, sizeof arrival.header},
        iovec{part.data(), part.size()},
    };
    msghdr datagram{};
    datagram.msg_iov = pieces.data();
    datagram.msg_iovlen = pieces.size();
    const auto n = recvmsg(socket_.number(), &datagram, flags);
    if (std::cmp_less(n, header_bytes)) return arrival;
    arrival.is_there = true;
    arrival.n_bytes = static_cast<std::size_t>(n) - header_bytes;
    return arrival;
}

bool DatagramLink::waits_on(int& n_vain) {
    if (++n_vain >= n_most_vain) ++n_failures_;
    return n_failures_ == 0;
}

void DatagramLink::repeat_last() {
    if (!is_unconfirmed_) return;
    ++n_sent_again_;
    put({n_sent_ - 1, Kind::last}, unconfirmed_);
}

/// After a timeout: the other end may lack the last datagram of this end.
void DatagramLink::ask_again() {
    if (is_unconfirmed_) {
        repeat_last();
    } else if (n_received_ > 0) {
        ++n_sent_again_;
        put({n_received_ - 1, Kind::acknowledgement}, {});
    }
}

/// The other end has repeated a datagram: it lacks this end's answer.
void DatagramLink::answer_again(const Header& repeated) {
    if (repeated.kind == Kind::more) {
        ++n_sent_again_;
        put({repeated.number, Kind::acknowledgement}, {});
    } else if (repeated.kind == Kind::last || repeated.number + 2 == n_sent_) {
        repeat_last();
    }
}

void DatagramLink::await_acknowledgement(Header header, std::span<const std::byte> part) {
    int n_vain = 0;
    while (n_failures_ == 0) {
        const Arrival arrival = take({}, 0);
        if (!arrival.is_there) {
            if (!waits_on(n_vain)) return;
            ++n_sent_again_;
            put(header, part);
        } else if (arrival.header.kind == Kind::acknowledgement) {
            if (arrival.header.number == header.number) return;
        } else if (arrival.header.kind == Kind::more) {
            answer_again(arrival.header);
        }
    }
}

void DatagramLink::send(std::span<const std::byte> message) {
    const std::scoped_lock lock(in_use_);
    is_unconfirmed_ = false;  // this message is an answer, or the first of all
    while (message.size() > part_bytes_ && n_failures_ == 0) {
        const Header header{n_sent_++, Kind::more};
        const auto part = message.first(part_bytes_);
        put(header, part);
        await_acknowledgement(header, part);
        message = message.subspan(part_bytes_);
    }
    unconfirmed_ = message;
    is_unconfirmed_ = true;
    put({n_sent_++, Kind::last}, unconfirmed_);
}

/// Fills `part` with the datagram that is next, which must be as long.
void DatagramLink::await_part(std::span<std::byte> part, Kind kind) {
    int n_vain = 0;
    while (n_failures_ == 0) {
        const Arrival arrival = take(part, 0);
        if (!arrival.is_there) {
            if (!waits_on(n_vain)) return;
            ask_again();
        } else if (arrival.header.kind != Kind::acknowledgement &&
                   arrival.header.number == n_received_) {
            if (arrival.n_bytes != part.size() || arrival.header.kind != kind) ++n_failures_;
            ++n_received_;
            is_unconfirmed_ = false;
            return;
        } else {
            answer_again(arrival.header);
        }
    }
}

void DatagramLink::receive(std::span<std::byte> message) {
    const std::scoped_lock lock(in_use_);
    while (message.size() > part_bytes_ && n_failures_ == 0) {
        await_part(message.first(part_bytes_), Kind::more);
        put({n_received_ - 1, Kind::acknowledgement}, {});
        message = message.subspan(part_bytes_);
    }
    await_part(message, Kind::last);
}

/// Between messages the other end may lack the last one: it asks, and gets it.
void DatagramLink::look_after() {
    while (!ends_) {
        std::this_thread::sleep_for(rounds_of_attendant);
        const std::unique_lock<std::mutex> lock(in_use_, std::try_to_lock);
        if (!lock.owns_lock()) continue;
        for (;;) {
            // The next message may be here before its receiver is: it must stay.
            const Arrival next = take({}, MSG_DONTWAIT | MSG_PEEK);
            const bool is_new =
                next.header.kind != Kind::acknowledgement && next.header.number >= n_received_;
            if (!next.is_there || is_new) break;
            const Arrival old = take({}, MSG_DONTWAIT);
            answer_again(old.header);
        }
    }
}

}  // namespace heorot::sockets
