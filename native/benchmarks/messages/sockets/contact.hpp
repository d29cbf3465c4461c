// Connects ranks 0 and 1 outside MPI, or gives the reason in one sentence.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "benchmarks/messages/sockets/socket.hpp"
#include "harness/program.hpp"

namespace heorot::sockets {

/// Connects rank 0 with rank 1. Everything here is **collective** over the world of the program,
/// gives the other ranks no socket, and ends the program if one of the two fails.
class Contact {
  public:
    /// Rank 1 is called at `address`, a name or four numbers; empty: inside one host at 127.0.0.1,
    /// else at its address towards rank 0. A call fails after `seconds`.
    Contact(Program& program, const std::string& address, double seconds);

    bool is_inside_host() const { return is_inside_host_; }
    /// Their ends of a stream; `family` is AF_INET or AF_UNIX, and `over` what sentences call it.
    Socket stream(int family, std::string_view over);
    /// Their ends of a pair of datagram sockets. Behind this, datagrams of acknowledgement for a
    /// number that is never used may still arrive.
    Socket datagrams();
    /// Ends the program if either of them has a problem: a sentence.
    void agree(const std::string& problem);

  private:
    /// Message of rank 1 to the others, which identify themselves by the token.
    struct Invitation {
        Address address;
        std::uint64_t token = 0;
    };
    Socket invite(int family, int type, std::string_view over);
    void agree(std::string_view over, const std::string& problem);
    std::string_view call_for_datagrams(const Socket& socket) const;
    std::string_view answer_datagrams(const Socket& socket) const;

    Program& program_;
    double seconds_;
    bool is_inside_host_;
    std::uint32_t host_ = 0;  // of rank 1, on rank 1
    Invitation invitation_;
};

}  // namespace heorot::sockets
