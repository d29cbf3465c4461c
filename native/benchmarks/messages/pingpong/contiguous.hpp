// Contiguous messages of bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "benchmarks/messages/payload/buffer.hpp"
#include "benchmarks/messages/payload/numbered.hpp"
#include "benchmarks/messages/pingpong/ends.hpp"

namespace heorot::pingpong {

class Contiguous {
  public:
    /// Room for messages of up to `max_bytes`; idle ranks have none.
    Contiguous(const Ends& ends, std::size_t max_bytes)
        : ends_(ends),
          send_buffer_(room(ends, max_bytes)),
          receive_buffer_(room(ends, max_bytes)) {}

    /// From now on a message has n bytes.
    void choose(std::size_t n) {
        n_ = n;
        length_ = ends_.plays() ? n : 0;
    }
    std::size_t n_bytes() const { return n_; }
    std::span<std::byte> out() const { return send_buffer_.first(length_); }
    std::span<std::byte> in() const { return receive_buffer_.first(length_); }

    /// Numbers the next message.
    void stamp(std::uint64_t word) const { payload::stamp(send_buffer_.data(), n_, word); }
    /// The checksum after the received message.
    std::uint64_t fold(std::uint64_t checksum) const {
        return payload::fold(checksum, receive_buffer_.data(), n_);
    }

    /// The contents of a round of full verification, and a receive buffer without them.
    void fill(int round) const {
        std::ranges::fill(in(), payload::guard);
        receive_buffer_.guard_behind(n_);
        for (std::size_t i = 0; i < n_; ++i) out()[i] = payload::pattern(i, n_, ends_.mine, round);
    }
    /// The number of bytes that came wrong or were written behind the message, which is then wiped.
    std::int64_t n_wrong(int round) const {
        std::int64_t n_wrong = receive_buffer_.n_touched_behind(n_);
        for (std::size_t i = 0; i < n_; ++i) {
            n_wrong += in()[i] == payload::pattern(i, n_, 1 - ends_.mine, round) ? 0 : 1;
        }
        wipe();
        return n_wrong;
    }
    /// Takes the contents of full verification away before timed messages come: the checksum of a
    /// short one reads the bytes behind it, too.
    void wipe() const {
        const std::size_t n_read = std::max(length_, payload::word_bytes);
        std::ranges::fill(receive_buffer_.first(n_read), std::byte{0});
    }

  private:
    static std::size_t room(const Ends& ends, std::size_t max_bytes) {
        return ends.plays() ? std::max(max_bytes, payload::word_bytes) : payload::word_bytes;
    }

    Ends ends_;
    payload::Buffer<std::byte> send_buffer_;
    payload::Buffer<std::byte> receive_buffer_;
    std::size_t n_ = 0;
    std::size_t length_ = 0;
};

}  // namespace heorot::pingpong
