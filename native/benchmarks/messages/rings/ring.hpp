// Rings: all ranks in a closed chain, each of which sends to its neighbours at the same time.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "benchmarks/messages/payload/buffer.hpp"
#include "harness/program.hpp"

namespace heorot::rings {

/// The neighbours of a rank in a closed chain; in a chain of two, both are the same.
struct Neighbours {
    int left;
    int right;
};

/// Of `rank` in the order of the ranks.
Neighbours natural_order(int rank, int n_ranks);
/// Of `rank` in each of so many random orders, all equally probable; the same orders on all ranks.
std::vector<Neighbours> random_orders(int rank, int n_ranks, int n_orders, std::int64_t seed);

/// The exchange of each rank in a ring, by its MPI calls.
enum class Transfer {
    one_sendrecv,     ///< sends to the right, receives from the left
    both_sendrecv,    ///< the same, and then to the left, from the right
    both_nonblocking  ///< both directions at once: two receives are started, two sends, then waits
};

/// Messages that one rank sends in one ring.
constexpr int n_directions(Transfer transfer) {
    return transfer == Transfer::one_sendrecv ? 1 : 2;
}

/// Measures rings and verifies their messages.
class Ring {
  public:
    /// `most` is the number of doubles of the longest message. Precondition: at least two ranks.
    Ring(Program& program, std::size_t most);

    /// Measures bodies which go through `orders` one after the other with messages of n doubles,
    /// 1 to 2^27. **Collective.**
    void run(const Measurement& what, std::span<const Neighbours> orders, Transfer transfer,
             std::size_t n);

  private:
    /// One direction of the ring.
    struct Lane {
        std::span<double> out;
        std::span<double> in;
        int to;
        int from;
        int direction;
    };
    /// Stamps of the timed messages.
    struct Ledger {
        std::int64_t ring = 0;  // number of the next one
        std::int64_t n_received = 0;
        std::int64_t n_wrong_ends = 0;
    };

    std::array<Lane, 2> lanes(const Neighbours& at, std::size_t n) const;
    void exchange(std::span<const Lane> used, Transfer transfer) const;
    void timed_ring(const Neighbours& at, Transfer transfer, std::size_t n, Ledger& ledger) const;
    double n_wrong(std::span<const Neighbours> orders, Transfer transfer, std::size_t n);
    std::int64_t n_wrong_in_one(const Neighbours& at, Transfer transfer, std::size_t n);

    Program& program_;
    MPI_Comm comm_;
    int rank_;
    int n_ranks_;
    std::int64_t round_ = 0;  // of full verification
    std::array<payload::Buffer<double>, 2> out_;
    std::array<payload::Buffer<double>, 2> in_;
};

}  // namespace heorot::rings
