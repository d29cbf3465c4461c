// A ping-pong on one page: its two ends, blocking send and receive, the timed round trips, and what
// proves that every message came.
#pragma once

#include <mpi.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "benchmarks/messages/payload/numbered.hpp"
#include "benchmarks/messages/pingpong/contiguous.hpp"
#include "benchmarks/messages/pingpong/ends.hpp"
#include "harness/program.hpp"

// A `transport` has send() and receive() for one message, and open() and close() for what has to be
// done before the first of them and after the last. Idle ranks call nothing of it.
namespace heorot::pingpong {

/// For transports that need nothing before the first message and after the last.
struct NoHandshake {
    static void open() {}
    static void close() {}
};

/// A message in each direction, as MPI's own calls take it.
struct Message {
    Message(const Contiguous& data, const Ends& ends)
        : out(data.out().data()),
          in(data.in().data()),
          n(static_cast<int>(data.out().size())),
          peer(ends.peer),
          group(ends.world.mpi()) {}
    const std::byte* out;
    std::byte* in;
    int n;
    int peer;
    MPI_Comm group;
};

/// Blocking send and receive in standard mode.
class Standard : public NoHandshake {
  public:
    Standard(const Contiguous& data, const Ends& ends) : m_(data, ends) {}
    void send() const { MPI_Send(m_.out, m_.n, MPI_BYTE, m_.peer, tag, m_.group); }
    void receive() const {
        MPI_Recv(m_.in, m_.n, MPI_BYTE, m_.peer, tag, m_.group, MPI_STATUS_IGNORE);
    }

  private:
    Message m_;
};

/// Verifies the timed messages: each sent one carries its number, each received one is folded into
/// a checksum.
template <class Data>
class Proof {
  public:
    Proof(const Ends& ends, const Data& data)
        : ends_(ends), data_(data), ledger_{.sent_word = payload::first_word(ends.mine)} {}

    void number() {
        ledger_.sent_word = payload::next_word(ledger_.sent_word);
        data_.stamp(ledger_.sent_word);
    }
    void fold() {
        ledger_.checksum = data_.fold(ledger_.checksum);
        ++ledger_.n_received;
    }

    /// Checks that `n_messages` have come, as they were sent. **Collective.**
    void check(Program& program, const Region& timed, std::int64_t n_messages) const {
        const payload::Ledger expected =
            ends_.plays() ? payload::replay(1 - ends_.mine, data_.n_bytes(), n_messages) : ledger_;
        program.check(timed, "timed messages missing",
                      std::abs(static_cast<double>(expected.n_received - ledger_.n_received)), 0.0);
        program.check(timed, "ends with a wrong checksum of the timed messages",
                      expected.checksum == ledger_.checksum ? 0.0 : 1.0, 0.0);
    }

  private:
    const Ends& ends_;
    const Data& data_;
    payload::Ledger ledger_;
};

/// One untimed round trip whose every byte is known; the number of bytes that arrived wrong or
/// were written where no message belongs.
template <class Data, class Transport>
double n_wrong_bytes(Program& program, const Ends& ends, Data& data, Transport& transport,
                     int round) {
    if (ends.plays()) {
        data.fill(round);
        transport.open();
        if (ends.mine == 0) transport.send();
        transport.receive();
        if (ends.mine == 1) transport.send();
        transport.close();
    }
    program.corruptible(data.in());
    return ends.plays() ? static_cast<double>(data.n_wrong(round)) : 0.0;
}

/// Messages of n bytes there and back, as `region`.
inline Measurement round_trips(const std::string& region, std::size_t n) {
    return {.region = region,
            .point = {{"bytes", static_cast<std::int64_t>(n)}},
            .counts = {{"messages", 2}, {"bytes", 2 * n}}};
}

/// Measures and verifies round trips of data.n_bytes() each way as `what`. **Collective.**
template <class Data, class Transport>
Region measure_round_trips(Program& program, const Ends& ends, const Measurement& what, Data& data,
                           Transport&& transport) {
    const double n_wrong_before = n_wrong_bytes(program, ends, data, transport, 0);
    Proof proof(ends, data);
    if (ends.plays()) transport.open();
    const Region timed = program.measure(what, [&] {
        if (ends.mine == 0) {
            proof.number();
            transport.send();
            transport.receive();
            proof.fold();
        } else if (ends.mine == 1) {
            transport.receive();
            proof.fold();
            proof.number();
            transport.send();
        }
    });
    if (ends.plays()) transport.close();
    const double n_wrong_after = n_wrong_bytes(program, ends, data, transport, 1);

    proof.check(program, timed, timed.n_bodies);
    program.check(timed, "wrong bytes before and after the timed messages",
                  n_wrong_before + n_wrong_after, 0.0);
    return timed;
}

}  // namespace heorot::pingpong
