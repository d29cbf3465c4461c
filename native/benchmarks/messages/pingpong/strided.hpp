// Words of 8 bytes that lie apart in memory, and the ways to send them as one message.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/messages/payload/buffer.hpp"
#include "benchmarks/messages/pingpong/ends.hpp"
#include "benchmarks/messages/pingpong/round_trip.hpp"

namespace heorot::pingpong {

/// Where the words of a message lie. Each has `stride` words to itself.
enum class Places {
    regular,  ///< at the start of these
    jagged,   ///< at one of these, by a formula without a constant step
    split     ///< its first half at the start of these, its second half at their end
};

class Strided {
  public:
    /// Room for messages of up to `max_bytes`; idle ranks have none.
    Strided(const Ends& ends, std::size_t max_bytes, std::size_t stride);

    /// From now on a message has n bytes, a multiple of 8 above 0, and lies in `places`.
    void choose(std::size_t n, Places places);
    std::size_t n_bytes() const { return n_; }
    /// Words of a message; none on idle ranks.
    std::size_t n_words() const { return halves_.size() / 2; }
    std::size_t stride() const { return stride_; }
    /// The word that word i of a message is, counted from the start of the buffer.
    std::size_t place(std::size_t i) const { return halves_[2 * i] / word; }
    /// All words, those between the words of the message too.
    std::span<std::byte> out() const { return send_buffer_.first(extent_); }
    std::span<std::byte> in() const { return receive_buffer_.first(extent_); }

    /// Numbers the next message.
    void stamp(std::uint64_t word) const;
    /// The checksum after the received message.
    std::uint64_t fold(std::uint64_t checksum) const;

    /// The contents of a round of full verification, and a receive buffer without them.
    void fill(int round) const;
    /// The number of wrong bytes, and of bytes overwritten between or behind the words; clears
    /// these.
    std::int64_t n_wrong(int round) const;

  private:
    static constexpr std::size_t word = sizeof(double);
    std::size_t room(std::size_t max_bytes) const;
    /// Of byte i of the message in a buffer.
    std::size_t offset(std::size_t i) const { return halves_[i / (word / 2)] + i % (word / 2); }

    const Ends& ends_;
    std::size_t stride_;
    payload::Buffer<std::byte> send_buffer_;
    payload::Buffer<std::byte> receive_buffer_;
    std::size_t n_ = 0;
    std::size_t extent_ = 0;           // [byte]
    std::vector<std::size_t> halves_;  // where each half of each word begins [byte]
};

/// Leaves it to the library: a derived datatype describes where the words lie.
class Derived : public NoHandshake {
  public:
    /// `mode` is vector, indexed or struct, for regular, jagged or split places.
    Derived(const Strided& data, const Ends& ends, const std::string& mode);
    Derived(const Derived&) = delete;
    Derived& operator=(const Derived&) = delete;
    ~Derived() { MPI_Type_free(&type_); }
    void send() const { MPI_Send(out_, n_, type_, peer_, tag, group_); }
    void receive() const { MPI_Recv(in_, n_, type_, peer_, tag, group_, MPI_STATUS_IGNORE); }

  private:
    const std::byte* out_;
    std::byte* in_;
    int n_ = 1;
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    int peer_;
    MPI_Comm group_;
};

/// Copies the words, in regular places, to and from a buffer where they lie in a row.
class Packed : public NoHandshake {
  public:
    Packed(const Strided& data, const Ends& ends);
    void send();
    void receive();

  private:
    const double* out_;
    double* in_;
    std::size_t stride_;
    payload::Buffer<double> packed_out_;
    payload::Buffer<double> packed_in_;
    int peer_;
    MPI_Comm group_;
};

}  // namespace heorot::pingpong
