// The game itself, whatever is sent and however: measured at one size, and verified.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "benchmarks/messages/payload/numbered.hpp"
#include "benchmarks/messages/pingpong/ends.hpp"
#include "harness/program.hpp"

// A `way` has send() and receive() for one message, and open() and close() for what has to be done
// before the first of them and after the last. Idle ranks call nothing of it.
namespace heorot::pingpong {

/// For ways that need nothing before the first message and after the last.
struct WithoutAgreement {
    static void open() {}
    static void close() {}
};

/// The timed messages of one end: each that goes gets its number, each that comes is folded into a
/// checksum.
template <class Data, class Way>
class TimedMessages {
  public:
    TimedMessages(const Ends& ends, const Data& data, Way& way)
        : ends_(ends),
          data_(data),
          way_(way),
          ledger_{.sent_word = payload::first_word(ends.mine)} {}

    void send() {
        ledger_.sent_word = payload::next_word(ledger_.sent_word);
        data_.stamp(ledger_.sent_word);
        way_.send();
    }
    void receive() {
        way_.receive();
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
    Way& way_;
    payload::Ledger ledger_;
};

/// One untimed round trip whose every byte is known; the number of bytes that arrived wrong or
/// were written where no message belongs.
template <class Data, class Way>
double n_wrong_bytes(Program& program, const Ends& ends, Data& data, Way& way, int round) {
    if (ends.plays()) {
        data.fill(round);
        way.open();
        if (ends.mine == 0) way.send();
        way.receive();
        if (ends.mine == 1) way.send();
        way.close();
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
template <class Data, class Way>
Region play(Program& program, const Ends& ends, const Measurement& what, Data& data, Way&& way) {
    const double n_wrong_before = n_wrong_bytes(program, ends, data, way, 0);
    TimedMessages messages(ends, data, way);
    if (ends.plays()) way.open();
    const Region timed = program.measure(what, [&] {
        if (ends.mine == 0) {
            messages.send();
            messages.receive();
        } else if (ends.mine == 1) {
            messages.receive();
            messages.send();
        }
    });
    if (ends.plays()) way.close();
    const double n_wrong_after = n_wrong_bytes(program, ends, data, way, 1);

    messages.check(program, timed, timed.n_bodies);
    program.check(timed, "wrong bytes before and after the timed messages",
                  n_wrong_before + n_wrong_after, 0.0);
    return timed;
}

}  // namespace heorot::pingpong
