// Words that lie apart: their places, contents and datatypes.
#include "benchmarks/messages/pingpong/strided.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "benchmarks/messages/payload/numbered.hpp"

namespace heorot::pingpong {

namespace {

constexpr std::size_t half_bytes = sizeof(float);
using TwoWords = std::array<std::byte, 2 * payload::word_bytes>;

/// Words i * stride + spot(i, stride) follow each other with distances from 1 to 2 stride - 1.
std::size_t spot(std::size_t i, std::size_t stride) {
    const std::uint64_t scrambled = (i + 1) * 0x9e3779b97f4a7c15U;
    return static_cast<std::size_t>(scrambled >> 33U) % stride;
}

MPI_Datatype make_vector(const Strided& data) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(static_cast<int>(data.n_words()), 1, static_cast<int>(data.stride()),
                    MPI_DOUBLE, &type);
    return type;
}

MPI_Datatype make_indexed(const Strided& data) {
    std::vector<int> places(data.n_words());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int>(data.place(i));
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_indexed_block(static_cast<int>(places.size()), 1, places.data(), MPI_DOUBLE,
                                  &type);
    return type;
}

/// One word: a float and an integer, in a record of `stride` words.
MPI_Datatype make_struct(const Strided& data) {
    const auto record_bytes = static_cast<MPI_Aint>(data.stride() * payload::word_bytes);
    const std::array<int, 2> lengths = {1, 1};
    const std::array<MPI_Aint, 2> offsets = {0, record_bytes - MPI_Aint{half_bytes}};
    const std::array<MPI_Datatype, 2> types = {MPI_FLOAT, MPI_INT32_T};
    MPI_Datatype fields = MPI_DATATYPE_NULL;
    MPI_Datatype record = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, lengths.data(), offsets.data(), types.data(), &fields);
    MPI_Type_create_resized(fields, 0, record_bytes, &record);
    MPI_Type_free(&fields);
    return record;
}

}  // namespace

Strided::Strided(const Ends& ends, std::size_t max_bytes, std::size_t stride)
    : ends_(ends),
      stride_(stride),
      send_buffer_(room(max_bytes)),
      receive_buffer_(room(max_bytes)) {}

std::size_t Strided::room(std::size_t max_bytes) const {
    return ends_.plays() ? max_bytes / word * word * stride_ : word;
}

void Strided::choose(std::size_t n, Places places) {
    n_ = n;
    const std::size_t n_words = ends_.plays() ? n / word : 0;
    extent_ = n_words * stride_ * word;
    halves_.resize(2 * n_words);
    for (std::size_t i = 0; i < n_words; ++i) {
        const std::size_t shift = places == Places::jagged ? spot(i, stride_) : 0;
        const std::size_t apart =
            places == Places::split ? stride_ * word - half_bytes : half_bytes;
        halves_[2 * i] = (i * stride_ + shift) * word;
        halves_[2 * i + 1] = halves_[2 * i] + apart;
    }
}

void Strided::stamp(std::uint64_t number) const {
    TwoWords ends{};
    payload::stamp(ends.data(), ends.size(), number);
    const std::size_t last = halves_.size() - 2;
    std::byte* const to = send_buffer_.data();
    std::memcpy(to + halves_[0], ends.data(), half_bytes);
    std::memcpy(to + halves_[1], ends.data() + half_bytes, half_bytes);
    std::memcpy(to + halves_[last], ends.data() + 2 * half_bytes, half_bytes);
    std::memcpy(to + halves_[last + 1], ends.data() + 3 * half_bytes, half_bytes);
}

std::uint64_t Strided::fold(std::uint64_t checksum) const {
    TwoWords ends{};
    const std::size_t last = halves_.size() - 2;
    const std::byte* const from = receive_buffer_.data();
    std::memcpy(ends.data(), from + halves_[0], half_bytes);
    std::memcpy(ends.data() + half_bytes, from + halves_[1], half_bytes);
    std::memcpy(ends.data() + 2 * half_bytes, from + halves_[last], half_bytes);
    std::memcpy(ends.data() + 3 * half_bytes, from + halves_[last + 1], half_bytes);
    return payload::fold(checksum, ends.data(), ends.size());
}

void Strided::fill(int round) const {
    std::ranges::fill(in(), payload::guard);
    receive_buffer_.guard_behind(extent_);
    for (std::size_t i = 0; i < n_; ++i) {
        out()[offset(i)] = payload::pattern(i, n_, ends_.mine, round);
    }
}

std::int64_t Strided::n_wrong(int round) const {
    std::int64_t n_wrong = receive_buffer_.n_touched_behind(extent_);
    for (std::size_t i = 0; i < n_; ++i) {
        std::byte& here = in()[offset(i)];
        n_wrong += here == payload::pattern(i, n_, 1 - ends_.mine, round) ? 0 : 1;
        here = payload::guard;
    }
    n_wrong += std::ssize(in()) - std::ranges::count(in(), payload::guard);
    std::ranges::fill(in(), std::byte{0});
    return n_wrong;
}

Derived::Derived(const Strided& data, const Ends& ends, const std::string& mode)
    : out_(data.out().data()), in_(data.in().data()), peer_(ends.peer), group_(ends.world.mpi()) {
    if (mode == "struct") {
        type_ = make_struct(data);
        n_ = static_cast<int>(data.n_words());
    } else {
        type_ = mode == "vector" ? make_vector(data) : make_indexed(data);
    }
    MPI_Type_commit(&type_);
}

Packed::Packed(const Strided& data, const Ends& ends)
    : out_(reinterpret_cast<const double*>(data.out().data())),
      in_(reinterpret_cast<double*>(data.in().data())),
      stride_(data.stride()),
      packed_out_(data.n_words()),
      packed_in_(data.n_words()),
      peer_(ends.peer),
      group_(ends.world.mpi()) {}

void Packed::send() {
    double* const packed = packed_out_.data();
    const std::size_t n = packed_out_.size();
    for (std::size_t i = 0; i < n; ++i) packed[i] = out_[i * stride_];
    MPI_Send(packed, static_cast<int>(n), MPI_DOUBLE, peer_, tag, group_);
}

void Packed::receive() {
    const double* const packed = packed_in_.data();
    const std::size_t n = packed_in_.size();
    MPI_Recv(packed_in_.data(), static_cast<int>(n), MPI_DOUBLE, peer_, tag, group_,
             MPI_STATUS_IGNORE);
    for (std::size_t i = 0; i < n; ++i) in_[i * stride_] = packed[i];
}

}  // namespace heorot::pingpong
