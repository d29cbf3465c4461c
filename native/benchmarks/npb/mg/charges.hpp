// The right-hand side: ten charges +1 and ten charges -1 where random numbers are extreme.
#pragma once

#include <array>
#include <vector>

#include "benchmarks/npb/mg/field.hpp"
#include "harness/world/communicator.hpp"

namespace heorot::mg {

/// A point of the finest grid by its number: x + n (y + n z).
struct Charges {
    static constexpr std::size_t n_each = 10;
    std::array<Index, n_each> positive;  ///< where the largest numbers are, the largest first
    std::array<Index, n_each> negative;  ///< where the smallest are, the smallest first
};

/// Finds the ten largest and the ten smallest of the first n^3 random numbers, one for each point;
/// every rank looks at its share of them and keeps no more than these. **Collective.**
Charges find_charges(Index n, const Communicator& world);

/// v = 1 at the positive charges and -1 at the negative ones, wherever this rank has them, ghost
/// points included. Precondition: v = 0.
void place_charges(const Charges& charges, Index n, Field& v);

}  // namespace heorot::mg
