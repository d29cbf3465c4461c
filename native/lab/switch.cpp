// A switch with delays, for the labs of computers whose kernel has none to offer (netem).
//
// Usage     heorot-switch TABLE
//           TABLE has a line `INTERFACE NANOSECONDS` for each port: how long a packet takes over
//           its cable. It is read again at SIGHUP, as is what the interfaces are.
//
// Method    One packet socket sees what comes in at every port. A packet waits for the cables of
//           its two ports from the moment at which the kernel took it in, then it leaves; ports are
//           learned from sources, and packets to unknown destinations go to all. A packet leaves at
//           its time less the lateness of earlier ones, so that it is on time on average. The
//           kernel (tbf) limits the rates of outgoing packets of each port.
//
// It is compiled by one call of the compiler, with nothing but the system's headers.

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <optional>
#include <queue>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

constexpr std::int64_t second = 1'000'000'000;
// A packet of up to 64 KiB, if an interface leaves segmentation to others, with its header.
constexpr std::size_t most_packet_bytes = 65'600;
// Further packets are dropped, as in a switch.
constexpr std::size_t most_waiting_bytes = std::size_t{256} << 20U;
constexpr int socket_buffer_bytes = 64 << 20;
// Lateness is averaged over about this number of packets, and compensated up to a limit [ns].
constexpr std::int64_t memory_packets = 64;
constexpr std::int64_t most_early = 150'000;

volatile std::sig_atomic_t table_is_old = 1;

/// A packet that waits until it is due.
struct Packet {
    std::int64_t due = 0;      // since the epoch [ns]
    std::uint64_t number = 0;  // packets that are due at the same time stay in order
    int port = 0;              // index of the interface it came in at
    std::vector<unsigned char> bytes;

    bool operator<(const Packet& other) const {
        return std::pair(due, number) > std::pair(other.due, other.number);
    }
};

/// The time since the epoch, as the kernel stamps packets [ns].
std::int64_t now() {
    timespec time{};
    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec * second + time.tv_nsec;
}

std::uint64_t address(std::span<const unsigned char> bytes) {
    std::uint64_t value = 0;
    for (const unsigned char byte : bytes) {
        value = value << 8U | byte;
    }
    return value;
}

/// The ports with the delays of their cables [ns], by index of the interface.
std::unordered_map<int, std::int64_t> read_table(const char* file) {
    std::unordered_map<int, std::int64_t> ports;
    std::ifstream lines(file);
    std::string name;
    std::int64_t delay = 0;
    while (lines >> name >> delay) {
        // That of a dead node is not there.
        if (const int index = static_cast<int>(if_nametoindex(name.c_str())); index != 0) {
            ports[index] = delay;
        }
    }
    return ports;
}

/// A socket that sees every packet that comes in at any interface; negative without the right to.
int open_socket() {
    const int packets = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, htons(ETH_P_ALL));
    const int on = 1;
    const int size = socket_buffer_bytes;
    setsockopt(packets, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof on);
    setsockopt(packets, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    setsockopt(packets, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size);
    return packets;
}

/// When the kernel took a packet in [ns].
std::int64_t arrival(msghdr& message) {
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
         part = CMSG_NXTHDR(&message, part)) {
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SO_TIMESTAMPNS) {
            timespec time{};
            std::memcpy(&time, CMSG_DATA(part), sizeof time);
            return time.tv_sec * second + time.tv_nsec;
        }
    }
    return now();
}

class Switch {
  public:
    Switch(int packets, const char* table) : packets_(packets), table_(table) {}

    /// Passes packets on until the process is killed.
    [[noreturn]] void run() {
        while (true) {
            if (table_is_old != 0) {
                table_is_old = 0;
                ports_ = read_table(table_);
                known_.clear();
            }
            wait();
            while (take_in()) {
            }
            send_due();
        }
    }

  private:
    /// Waits for a packet, or until one is due.
    void wait() const {
        pollfd socket{.fd = packets_, .events = POLLIN, .revents = 0};
        if (waiting_.empty()) {
            ppoll(&socket, 1, nullptr, nullptr);
            return;
        }
        const std::int64_t left = std::max<std::int64_t>(0, waiting_.top().due - early_ - now());
        const timespec time{.tv_sec = left / second, .tv_nsec = left % second};
        ppoll(&socket, 1, &time, nullptr);
    }

    /// Takes a packet in; false if there is none.
    bool take_in() {
        sockaddr_ll from{};
        alignas(cmsghdr) std::array<unsigned char, 256> control{};
        iovec part{.iov_base = buffer_.data(), .iov_len = buffer_.size()};
        msghdr message{};
        message.msg_name = &from;
        message.msg_namelen = sizeof from;
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        const ssize_t length = recvmsg(packets_, &message, 0);
        if (length < 0) {
            return false;
        }
        const auto port = ports_.find(from.sll_ifindex);
        const auto size = static_cast<std::size_t>(length);
        if (port == ports_.end() || size < ETH_HLEN || n_waiting_bytes_ > most_waiting_bytes) {
            return true;
        }
        const std::span bytes(buffer_.data(), size);
        known_[address(bytes.subspan(ETH_ALEN, ETH_ALEN))] = port->first;
        std::int64_t delay = port->second;
        if (const std::optional<int> to = target(bytes)) {
            delay += ports_[*to];
        }
        n_waiting_bytes_ += size;
        waiting_.push({arrival(message) + delay, n_packets_++, port->first,
                       std::vector<unsigned char>(bytes.begin(), bytes.end())});
        return true;
    }

    /// The port at which the receiver of a packet is, if that is known.
    [[nodiscard]] std::optional<int> target(std::span<const unsigned char> bytes) const {
        const auto found = known_.find(address(bytes.first(ETH_ALEN)));
        const bool is_there = found != known_.end() && ports_.contains(found->second);
        return is_there ? std::optional(found->second) : std::nullopt;
    }

    void send_due() {
        while (!waiting_.empty()) {
            const Packet& packet = waiting_.top();
            const std::int64_t late = now() - packet.due;
            if (late < -early_) {
                return;
            }
            send(packet);
            const std::int64_t sent_late = std::clamp(late + early_, -most_early, most_early);
            early_ = std::clamp<std::int64_t>(early_ + (sent_late - early_) / memory_packets, 0,
                                              most_early);
            n_waiting_bytes_ -= packet.bytes.size();
            waiting_.pop();
        }
    }

    void send(const Packet& packet) const {
        if (const std::optional<int> to = target(packet.bytes)) {
            send_to(*to, packet.bytes);
            return;
        }
        for (const auto& [port, delay] : ports_) {
            if (port != packet.port) {
                send_to(port, packet.bytes);
            }
        }
    }

    /// Sends or, if the port has no room or is down, drops a packet as a switch does.
    void send_to(int port, std::span<const unsigned char> bytes) const {
        sockaddr_ll to{};
        to.sll_family = AF_PACKET;
        to.sll_ifindex = port;
        to.sll_halen = ETH_ALEN;
        std::copy_n(bytes.begin(), ETH_ALEN, std::begin(to.sll_addr));
        sendto(packets_, bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr*>(&to),
               sizeof to);
    }

    int packets_;
    const char* table_;
    std::unordered_map<int, std::int64_t> ports_;
    std::unordered_map<std::uint64_t, int> known_;
    std::priority_queue<Packet> waiting_;
    std::size_t n_waiting_bytes_ = 0;
    std::uint64_t n_packets_ = 0;
    std::int64_t early_ = 0;
    std::vector<unsigned char> buffer_ = std::vector<unsigned char>(most_packet_bytes);
};

void note_old_table(int /*signal*/) {
    table_is_old = 1;
}

/// Requests exact wake-ups, and priority over other processes.
void be_punctual() {
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    sched_param first{};
    first.sched_priority = 1;
    // Refused without the rights of an administrator: then it is as punctual as it gets.
    sched_setscheduler(0, SCHED_FIFO, &first);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: heorot-switch TABLE\n", stderr);
        return 2;
    }
    const int packets = open_socket();
    if (packets < 0) {
        std::fprintf(stderr, "heorot-switch: no packet socket: %s\n", std::strerror(errno));
        return 3;
    }
    struct sigaction again{};
    again.sa_handler = note_old_table;  // without SA_RESTART, so that waiting ends
    sigaction(SIGHUP, &again, nullptr);
    be_punctual();
    Switch(packets, argv[1]).run();
}
