// Numbered messages: how each of many timed messages proves that it arrived, at about 2 ns each.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace heorot::payload {

inline constexpr std::size_t word_bytes = sizeof(std::uint64_t);

// The words of successive messages: multiples of 2^64 divided by the golden ratio, modulo 2^64, so
// that each byte of the word changes from message to message.
constexpr std::uint64_t next_word(std::uint64_t word) {
    return word + 0x9e3779b97f4a7c15U;
}

/// Writes `word` to both ends of a message of n bytes. Below 8 bytes the message carries only the
/// first bytes of it, but `message` must have room for 8.
inline void stamp(std::byte* message, std::size_t n, std::uint64_t word) {
    std::memcpy(message, &word, word_bytes);
    std::memcpy(message + (n > word_bytes ? n - word_bytes : 0), &word, word_bytes);
}

/// The checksum after one more message; a single wrong bit in any of them remains visible.
inline std::uint64_t fold(std::uint64_t checksum, const std::byte* message, std::size_t n) {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::memcpy(&first, message, word_bytes);
    std::memcpy(&last, message + (n > word_bytes ? n - word_bytes : 0), word_bytes);
    return std::rotl(std::rotl(checksum, 1) + first, 1) + last;
}

/// Numbers and checksum of the timed messages from one sender to one receiver.
struct Ledger {
    std::uint64_t sent_word;
    std::uint64_t checksum = 0;
    std::int64_t n_received = 0;
};

/// Each sender, a rank or an end of two, has a sequence of words of its own, which begins behind
/// this.
constexpr std::uint64_t first_word(int sender) {
    return static_cast<std::uint64_t>(sender + 1) * 0xc2b2ae3d27d4eb4fU;
}

/// The checksum and number that `n_messages` messages of n bytes from `sender` must leave.
inline Ledger replay(int sender, std::size_t n, std::int64_t n_messages) {
    // Only the ends of a message matter, and they do not overlap from two words on.
    const std::size_t length = std::min(n, 2 * word_bytes);
    std::array<std::byte, 2 * word_bytes> sent{};
    std::array<std::byte, 2 * word_bytes> received{};
    Ledger ledger{.sent_word = first_word(sender)};
    for (; ledger.n_received < n_messages; ++ledger.n_received) {
        ledger.sent_word = next_word(ledger.sent_word);
        stamp(sent.data(), length, ledger.sent_word);
        std::memcpy(received.data(), sent.data(), length);
        ledger.checksum = fold(ledger.checksum, received.data(), length);
    }
    return ledger;
}

/// Byte i of the message of n bytes that `sender` sends in a round of full verification.
inline std::byte pattern(std::size_t i, std::size_t n, int sender, int round) {
    const std::uint64_t key = i * 0x9e3779b97f4a7c15U + n * 0xc2b2ae3d27d4eb4fU +
                              static_cast<std::uint64_t>(sender) * 0x85ebca77c2b2ae63U +
                              static_cast<std::uint64_t>(round) * 0x165667b19e3779f9U;
    return static_cast<std::byte>(key >> 56U);
}

}  // namespace heorot::payload
