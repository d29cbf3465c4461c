// The ranks of this job and how they talk; the only place that knows whether there is MPI.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "harness/check.hpp"

#if HEOROT_WITH_MPI
#include <mpi.h>
#endif

namespace heorot {

/// Element types that travel in messages.
template <class T>
concept Transferable =
    std::same_as<T, std::byte> || std::same_as<T, std::int32_t> || std::same_as<T, std::int64_t> ||
    std::same_as<T, std::uint64_t> || std::same_as<T, float> || std::same_as<T, double>;

/// All ranks of the job; a build without MPI has one. Before start() this is rank 0 of 1 and
/// nothing collective may be called. "Collective" below means: every rank calls it.
class World {
  public:
    World() = default;
    World(const World&) = delete;
    World& operator=(const World&) = delete;
    ~World() = default;

    /// Joins the job (MPI_Init_thread, level FUNNELED). **Collective.**
    void start();
    /// Leaves the job; only finish() may follow. **Collective.**
    void finish();

    bool is_started() const { return started_; }
    int rank() const { return rank_; }
    int size() const { return size_; }

    /// **Collective** over all ranks.
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
    /// Copies `values` of rank `root` to all ranks. **Collective.**
    template <Transferable T>
    void broadcast(std::span<T> values, int root = 0) const;
    /// Everyone's text, ordered by rank, on rank 0 (empty elsewhere). **Collective.**
    std::vector<std::string> gather(const std::string& text) const;
    /// Everyone's number, ordered by rank, on rank 0 (empty elsewhere). **Collective.**
    std::vector<double> gather(double value) const;

    /// Whether this rank is the first of its host.
    bool leads_host() const { return host_rank_ == 0; }
    /// Sum over the ranks of this host, on every one of them. **Collective.**
    double sum_on_host(double value) const;

    /// Sends `message` to rank `to`; blocking.
    template <Transferable T>
    void send(std::span<const T> message, int to, int tag) const;
    /// Receives exactly `message.size()` elements or fewer from rank `from`; blocking.
    template <Transferable T>
    void receive(std::span<T> message, int from, int tag) const;

    /// What the MPI library calls itself, in one line; "none" without MPI.
    static std::string mpi_library();
    /// The version of the MPI standard the library claims, "none" without MPI.
    static std::string mpi_standard();
    /// Whether wall_time() can be asked.
    static bool has_wall_time();
    /// MPI_Wtime [s]; 0 without MPI.
    static double wall_time();
    /// The rank that the launcher's environment announces, 0 if it says nothing: who prints
    /// before start().
    static int announced_rank();
    /// The number of ranks that the launcher's environment announces, 0 if it says nothing.
    static int announced_size();
    /// Ends all ranks at once with this exit code, from any one of them.
    [[noreturn]] static void abort(int code);

  private:
#if HEOROT_WITH_MPI
    template <Transferable T>
    static MPI_Datatype datatype();
    MPI_Comm host_ = MPI_COMM_NULL;
#endif
    bool started_ = false;
    int rank_ = 0;
    int size_ = 1;
    int host_rank_ = 0;
};

#if HEOROT_WITH_MPI

template <Transferable T>
inline MPI_Datatype World::datatype() {
    if constexpr (std::same_as<T, std::byte>) return MPI_BYTE;
    if constexpr (std::same_as<T, std::int32_t>) return MPI_INT32_T;
    if constexpr (std::same_as<T, std::int64_t>) return MPI_INT64_T;
    if constexpr (std::same_as<T, std::uint64_t>) return MPI_UINT64_T;
    if constexpr (std::same_as<T, float>) return MPI_FLOAT;
    if constexpr (std::same_as<T, double>) return MPI_DOUBLE;
}

template <Transferable T>
void World::broadcast(std::span<T> values, int root) const {
    MPI_Bcast(values.data(), static_cast<int>(values.size()), datatype<T>(), root, MPI_COMM_WORLD);
}

template <Transferable T>
inline void World::send(std::span<const T> message, int to, int tag) const {
    MPI_Send(message.data(), static_cast<int>(message.size()), datatype<T>(), to, tag,
             MPI_COMM_WORLD);
}

template <Transferable T>
inline void World::receive(std::span<T> message, int from, int tag) const {
    MPI_Recv(message.data(), static_cast<int>(message.size()), datatype<T>(), from, tag,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

#else

template <Transferable T>
void World::broadcast(std::span<T>, int) const {}

template <Transferable T>
void World::send(std::span<const T>, int, int) const {
    expects(false, "a build without MPI has nobody to send to");
}

template <Transferable T>
void World::receive(std::span<T>, int, int) const {
    expects(false, "a build without MPI has nobody to receive from");
}

#endif

}  // namespace heorot
