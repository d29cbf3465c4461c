// Global sums of vectors: every rank has one, and in the end every rank has the sum of all.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

namespace heorot::global_sum {

/// The ranks that sum.
struct Group {
    MPI_Comm handle;
    int rank;
    int size;
};

/// Vectors of a rank; all three have the same length, which is below 2^31.
struct Vectors {
    std::span<const double> mine;  ///< what this rank contributes; stays as it is
    std::span<double> sum;         ///< the result
    std::span<double> work;        ///< for what arrives
    std::size_t segment;           ///< length of the pieces where an algorithm wants pieces, >= 1
};

// All are **Collective** over at least two ranks, of any number. Those that need a power of two
// first fold: each rank r beyond the largest power of two q sends its vector to rank r - q, which
// adds it to its own, and gets the sum in the end.

/// In step k whole vectors are exchanged with the rank whose number differs in bit k, and added.
void hypercube(const Group& group, const Vectors& vectors);

/// The exchanges of hypercube(), of one segment of the vector after the other: an addition stays in
/// the caches, and the next segment travels meanwhile.
void recursive_doubling(const Group& group, const Vectors& vectors);

/// The vector in p blocks for p ranks: in p - 1 steps a block is sent to the next rank, which adds
/// its own part; then in p - 1 steps a block of the sum.
void ring(const Group& group, const Vectors& vectors);

/// Recursive halving: in step k a rank sends one half of its vector to the rank whose number
/// differs in bit k, and adds the received half to the other one; then recursive doubling collects
/// the parts of the sum in the opposite order. The largest messages go to the nearest ranks.
void rabenseifner(const Group& group, const Vectors& vectors);

}  // namespace heorot::global_sum
