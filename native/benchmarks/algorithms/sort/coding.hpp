// Codes of keys: whole numbers that are less if the key is.
#pragma once

#include <cstdint>
#include <limits>

#include "benchmarks/algorithms/sort/network.hpp"

namespace heorot::sort {

/// Whole numbers without sign are less where those with the sign bit flipped are, as signed ones.
[[gnu::always_inline]] inline CodeLanes flipped(const CodeLanes& bits, std::uint64_t /*key*/) {
    return bits ^ std::numeric_limits<Code>::min();
}
/// Negative doubles have all bits but the sign flipped. Then they ascend as whole numbers do, and
/// so do those without an order of their own: -0 before +0, what is no number at the ends.
[[gnu::always_inline]] inline CodeLanes flipped(const CodeLanes& bits, double /*key*/) {
    return bits ^ ((bits >> 63) & largest_code);
}

/// Codes as they are.
struct Plain {
    static CodeLanes coded(const CodeLanes& codes) { return codes; }
};
/// Keys of a type, to become codes, and the reverse.
template <class Key>
struct Flipped {
    static CodeLanes coded(const CodeLanes& bits) { return flipped(bits, Key{}); }
};

/// The sum of all lanes.
inline Code total(const CodeLanes& lanes) {
    Code sum = 0;
    for (int lane = 0; lane < n_lanes; ++lane) sum += lanes[lane];
    return sum;
}

}  // namespace heorot::sort
