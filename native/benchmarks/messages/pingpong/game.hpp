// The game itself, whatever is sent and however: measured at one size, and verified.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "benchmarks/messages/payload/numbered.hpp"
#include "benchmarks/messages/pingpong/ends.hpp"
#include "harness/program.hpp"

namespace heorot::pingpong {

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

/// Measures round trips; `ledger` has what this end received.
template <class Data, class Way>
Region time(Program& program, const Ends& ends, const std::string& region, Data& data, Way& way,
            payload::Ledger& ledger) {
    const auto send = [&] {
        ledger.sent_word = payload::next_word(ledger.sent_word);
        data.stamp(ledger.sent_word);
        way.send();
    };
    const auto receive = [&] {
        way.receive();
        ledger.checksum = data.fold(ledger.checksum);
        ++ledger.n_received;
    };
    const std::size_t n = data.n_bytes();
    if (ends.plays()) way.open();
    const Region timed = program.measure({.region = region,
                                          .point = {{"bytes", static_cast<std::int64_t>(n)}},
                                          .counts = {{"messages", 2}, {"bytes", 2 * n}}},
                                         [&] {
                                             if (ends.mine == 0) {
                                                 send();
                                                 receive();
                                             } else if (ends.mine == 1) {
                                                 receive();
                                                 send();
                                             }
                                         });
    if (ends.plays()) way.close();
    return timed;
}

/// Measures and verifies messages of data.n_bytes(). `way` has send() and receive(), and open() and
/// close() for what has to be done before the first of them and after the last.
template <class Data, class Way>
void play(Program& program, const Ends& ends, const std::string& region, Data& data, Way&& way) {
    const double n_wrong_before = n_wrong_bytes(program, ends, data, way, 0);
    payload::Ledger ledger{.sent_word = payload::first_word(ends.mine)};
    const Region timed = time(program, ends, region, data, way, ledger);
    const payload::Ledger expected =
        ends.plays() ? payload::replay(1 - ends.mine, data.n_bytes(), timed.n_bodies) : ledger;
    const double n_wrong_after = n_wrong_bytes(program, ends, data, way, 1);

    program.check(timed, "timed messages missing",
                  std::abs(static_cast<double>(expected.n_received - ledger.n_received)), 0.0);
    program.check(timed, "ends with a wrong checksum of the timed messages",
                  expected.checksum == ledger.checksum ? 0.0 : 1.0, 0.0);
    program.check(timed, "wrong bytes before and after the timed messages",
                  n_wrong_before + n_wrong_after, 0.0);
}

}  // namespace heorot::pingpong
