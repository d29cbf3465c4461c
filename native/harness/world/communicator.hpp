// Ranks that talk to each other: messages, collectives, groups. Here and in world.* are the only
// places that know whether there is MPI.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "harness/record/check.hpp"

#if HEOROT_WITH_MPI
#include <mpi.h>
#endif

namespace heorot {

class Phases;

/// Element types that travel in messages.
template <class T>
concept Transferable =
    std::same_as<T, std::byte> || std::same_as<T, std::int32_t> || std::same_as<T, std::uint32_t> ||
    std::same_as<T, std::int64_t> || std::same_as<T, std::uint64_t> || std::same_as<T, float> ||
    std::same_as<T, double>;

/// A message on its way; default-constructed there is none.
class Request {
  private:
    friend class Communicator;
#if HEOROT_WITH_MPI
    MPI_Request handle_ = MPI_REQUEST_NULL;
#endif
};

/// A group of ranks. Default-constructed it is this rank alone, as in a build without MPI;
/// collectives then copy at most. "Collective" below means: every rank of the group calls it. Only
/// the main thread may communicate, and no message may go to oneself.
class Communicator {
  public:
    Communicator() = default;
    Communicator(Communicator&& other) noexcept { swap(other); }
    Communicator& operator=(Communicator&& other) noexcept {
        swap(other);
        return *this;
    }
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;
    ~Communicator();

    int rank() const { return rank_; }
    int size() const { return size_; }

    /// **Collective.**
    void barrier() const;
    /// Largest value of any rank, on every rank; NaN must not occur. **Collective.**
    double maximum(double value) const;
    /// The same for each element, in place. **Collective.**
    void maximum(std::span<double> values) const;
    /// Smallest value of any rank, on every rank. **Collective.**
    double minimum(double value) const;
    void minimum(std::span<double> values) const;
    /// Sum over the ranks, on every rank. **Collective.**
    double sum(double value) const;
    std::int64_t sum(std::int64_t value) const;
    void sum(std::span<double> values) const;
    void sum(std::span<std::int64_t> values) const;
    /// Everyone's text, ordered by rank, on rank 0 (empty elsewhere). **Collective.**
    std::vector<std::string> gather(const std::string& text) const;
    /// Everyone's number, ordered by rank, on rank 0 (empty elsewhere). **Collective.**
    std::vector<double> gather(double value) const;
    /// Copies `values` of rank `root` to all ranks. **Collective.**
    template <Transferable T>
    void broadcast(std::span<T> values, int root = 0) const;
    /// Everyone's elements, ordered by rank, on every rank: all.size() = size() mine.size().
    /// **Collective.**
    template <Transferable T>
    void all_gather(std::span<const T> mine, std::span<T> all) const;
    /// Block r of `out` goes to rank r, block r of `in` comes from there; all are equally long.
    /// **Collective.**
    template <Transferable T>
    void all_to_all(std::span<const T> out, std::span<T> in) const;
    /// The same with blocks of given lengths [element], back to back in order of rank. Every length
    /// is below 2^31. **Collective.**
    template <Transferable T>
    void all_to_all(std::span<const T> out, std::span<const std::int64_t> out_lengths,
                    std::span<T> in, std::span<const std::int64_t> in_lengths) const;

    /// Sends `message`, of less than 2^31 elements, to another rank; blocking.
    template <Transferable T>
    void send(std::span<const T> message, int to, int tag) const;
    /// Receives exactly `message.size()` elements or fewer from another rank; blocking.
    template <Transferable T>
    void receive(std::span<T> message, int from, int tag) const;
    /// The same without waiting: `message` must stay, and be left alone, until wait() returns.
    template <Transferable T>
    Request start_send(std::span<const T> message, int to, int tag) const;
    template <Transferable T>
    Request start_receive(std::span<T> message, int from, int tag) const;
    /// Returns when the message, or all of them, are sent or received.
    void wait(Request& request) const;
    void wait(std::span<Request> requests) const;

    /// The group of ranks with the same color, ordered by key, then by rank. **Collective.**
    Communicator split(int color, int key) const;

    /// Reports times and messages of calls from now on to `phases`, also those of groups made by
    /// split(); null: to none.
    void tell(Phases* phases) { phases_ = phases; }

#if HEOROT_WITH_MPI
    /// The group as MPI knows it: for programs that measure MPI's own calls.
    MPI_Comm mpi() const { return group_; }
#endif

  private:
    friend class World;
#if HEOROT_WITH_MPI
    /// The ranks of `group`, which is freed in the end if it is owned.
    Communicator(MPI_Comm group, bool is_owned);
#endif
    void swap(Communicator& other) noexcept;

    /// One call: its duration, and the bytes sent to each rank or in all [B], for the phases.
    class Call {
      public:
        Call(Phases* phases, int messages, std::size_t bytes, int collectives) : phases_(phases) {
            if (phases_ != nullptr) begin(messages, bytes, collectives);
        }
        Call(const Call&) = delete;
        Call& operator=(const Call&) = delete;
        ~Call() {
            if (phases_ != nullptr) end();
        }

      private:
        void begin(int messages, std::size_t bytes, int collectives);
        void end();
        Phases* phases_;
        std::size_t interrupted_ = 0;
    };
    Call wait_call() const { return {phases_, 0, 0, 0}; }
    Call message_call(std::size_t bytes) const { return {phases_, 1, bytes, 0}; }
    Call collective_call(std::size_t bytes) const { return {phases_, 0, bytes, 1}; }

#if HEOROT_WITH_MPI
    template <Transferable T>
    static MPI_Datatype datatype();
    static int narrow(std::size_t n_elements);
    template <class T>
    void reduce(std::span<T> values, MPI_Op operation) const;
    void exchange_blocks(const std::byte* out, std::span<const std::int64_t> out_lengths,
                         std::byte* in, std::span<const std::int64_t> in_lengths, MPI_Datatype type,
                         std::size_t element_bytes) const;

    MPI_Comm group_ = MPI_COMM_SELF;
    bool is_owned_ = false;
#endif
    Phases* phases_ = nullptr;
    int rank_ = 0;
    int size_ = 1;
};

#if HEOROT_WITH_MPI

template <Transferable T>
inline MPI_Datatype Communicator::datatype() {
    if constexpr (std::same_as<T, std::byte>) return MPI_BYTE;
    if constexpr (std::same_as<T, std::int32_t>) return MPI_INT32_T;
    if constexpr (std::same_as<T, std::uint32_t>) return MPI_UINT32_T;
    if constexpr (std::same_as<T, std::int64_t>) return MPI_INT64_T;
    if constexpr (std::same_as<T, std::uint64_t>) return MPI_UINT64_T;
    if constexpr (std::same_as<T, float>) return MPI_FLOAT;
    if constexpr (std::same_as<T, double>) return MPI_DOUBLE;
}

inline int Communicator::narrow(std::size_t n_elements) {
    expects(n_elements <= std::size_t{std::numeric_limits<int>::max()},
            "a message has less than 2^31 elements");
    return static_cast<int>(n_elements);
}

template <Transferable T>
inline void Communicator::send(std::span<const T> message, int to, int tag) const {
    const Call call = message_call(message.size_bytes());
    MPI_Send(message.data(), narrow(message.size()), datatype<T>(), to, tag, group_);
}

template <Transferable T>
inline void Communicator::receive(std::span<T> message, int from, int tag) const {
    const Call call = wait_call();
    MPI_Recv(message.data(), narrow(message.size()), datatype<T>(), from, tag, group_,
             MPI_STATUS_IGNORE);
}

template <Transferable T>
Request Communicator::start_send(std::span<const T> message, int to, int tag) const {
    const Call call = message_call(message.size_bytes());
    Request request;
    MPI_Isend(message.data(), narrow(message.size()), datatype<T>(), to, tag, group_,
              &request.handle_);
    return request;
}

template <Transferable T>
Request Communicator::start_receive(std::span<T> message, int from, int tag) const {
    const Call call = wait_call();
    Request request;
    MPI_Irecv(message.data(), narrow(message.size()), datatype<T>(), from, tag, group_,
              &request.handle_);
    return request;
}

template <Transferable T>
void Communicator::broadcast(std::span<T> values, int root) const {
    if (size_ == 1) return;
    const Call call = collective_call(rank_ == root ? values.size_bytes() : 0);
    MPI_Bcast(values.data(), narrow(values.size()), datatype<T>(), root, group_);
}

template <Transferable T>
void Communicator::all_gather(std::span<const T> mine, std::span<T> all) const {
    const Call call = collective_call(mine.size_bytes());
    MPI_Allgather(mine.data(), narrow(mine.size()), datatype<T>(), all.data(), narrow(mine.size()),
                  datatype<T>(), group_);
}

template <Transferable T>
void Communicator::all_to_all(std::span<const T> out, std::span<T> in) const {
    const auto n_ranks = static_cast<std::size_t>(size_);
    const int length = narrow(out.size() / n_ranks);
    const Call call = collective_call(out.size_bytes() / n_ranks * (n_ranks - 1));
    MPI_Alltoall(out.data(), length, datatype<T>(), in.data(), length, datatype<T>(), group_);
}

template <Transferable T>
void Communicator::all_to_all(std::span<const T> out, std::span<const std::int64_t> out_lengths,
                              std::span<T> in, std::span<const std::int64_t> in_lengths) const {
    const auto kept = static_cast<std::size_t>(out_lengths[static_cast<std::size_t>(rank_)]);
    const Call call = collective_call(out.size_bytes() - kept * sizeof(T));
    exchange_blocks(reinterpret_cast<const std::byte*>(out.data()), out_lengths,
                    reinterpret_cast<std::byte*>(in.data()), in_lengths, datatype<T>(), sizeof(T));
}

#else

template <Transferable T>
void Communicator::send(std::span<const T>, int, int) const {
    expects(false, "a build without MPI has one rank and cannot send");
}

template <Transferable T>
void Communicator::receive(std::span<T>, int, int) const {
    expects(false, "a build without MPI has one rank and cannot receive");
}

template <Transferable T>
Request Communicator::start_send(std::span<const T> message, int to, int tag) const {
    send(message, to, tag);
    return {};
}

template <Transferable T>
Request Communicator::start_receive(std::span<T> message, int from, int tag) const {
    receive(message, from, tag);
    return {};
}

template <Transferable T>
void Communicator::broadcast(std::span<T>, int) const {}

template <Transferable T>
void Communicator::all_gather(std::span<const T> mine, std::span<T> all) const {
    std::copy(mine.begin(), mine.end(), all.begin());
}

template <Transferable T>
void Communicator::all_to_all(std::span<const T> out, std::span<T> in) const {
    std::copy(out.begin(), out.end(), in.begin());
}

template <Transferable T>
void Communicator::all_to_all(std::span<const T> out, std::span<const std::int64_t>,
                              std::span<T> in, std::span<const std::int64_t>) const {
    std::copy(out.begin(), out.end(), in.begin());
}

#endif

}  // namespace heorot
