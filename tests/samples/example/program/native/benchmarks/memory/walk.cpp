// memory/walk: how long does a load take that has to wait for the one before?
//
// Method    An index array of n 8-byte elements holds one random cycle through all of them
//           (Sattolo's algorithm). A body follows it once around from element 0: every load needs
//           the result of the one before, so none overlaps another. One thread of every rank.
// Counts    loads = n, summed over the ranks.
// Comparable  Yes: with lat_mem_rd of lmbench at random order.
// Verified  Followed from element 0 the cycle comes back to it after exactly n loads.
// Source    L. McVoy, C. Staelin, lmbench: Portable Tools for Performance Analysis, USENIX 1996;
//           S. Sattolo, An algorithm to generate a random cyclic permutation, Information
//           Processing Letters 22 (1986).
// Example   heorot run memory/walk --set bytes=16M
#include <cstddef>
#include <cstdint>
#include <utility>

#include "harness/program.hpp"
#include "numerics/random.hpp"

namespace {

using Index = std::uint64_t;

/// One cycle through all elements: next(i) is visited after i.
void make_cycle(heorot::Array<Index>& next) {
    for (std::size_t i = 0; i < next.size(); ++i) next[i] = i;
    heorot::Random random(314159265);
    for (std::size_t i = next.size() - 1; i > 0; --i) {
        const auto j = static_cast<std::size_t>(random.next() * static_cast<double>(i));
        std::swap(next[i], next[j]);
    }
}

/// Where `n_loads` loads from element 0 end: i <- next(i).
Index follow(const Index* next, std::size_t n_loads) {
    Index i = 0;
    for (std::size_t load = 0; load < n_loads; ++load) i = next[i];
    return i;
}

/// Loads from element 0 back to it; n + 1 if that takes more than n, as on no cycle through all.
std::size_t length(const heorot::Array<Index>& next) {
    Index i = 0;
    for (std::size_t n_loads = 1; n_loads <= next.size(); ++n_loads) {
        i = next[i];
        if (i == 0) return n_loads;
    }
    return next.size() + 1;
}

void walk(heorot::Program& program) {
    // 1. Options
    const auto bytes = program.option<std::size_t>("bytes", std::size_t{1} << 26,
                                                   "size of the array of every rank");
    program.start();
    // An even number: with its lowest bit flipped an index stays inside.
    const std::size_t n = bytes / (2 * sizeof(Index)) * 2;
    if (n < 2) throw heorot::UsageError("a cycle needs two elements", "--bytes 16 or more");

    // 2. Problem
    heorot::Array<Index> next(n);
    make_cycle(next);
    Index last = 0;

    // 3. Measure
    const double loads = static_cast<double>(n) * program.world().size();
    const auto region = program.measure({.region = "chase",
                                         .point = {{"working_set_bytes", n * sizeof(Index)}},
                                         .counts = {{"loads", loads}}},
                                        [&] {
                                            last = follow(next.data(), n);
                                            heorot::keep(last);
                                        });

    // 4. Verify
    program.corruptible(next.span());
    const auto around = static_cast<double>(length(next));
    program.check(region, "loads around the cycle, less n", around - static_cast<double>(n), 0.0);
    program.check(region, "n less loads around the cycle", static_cast<double>(n) - around, 0.0);

    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "memory/walk", walk);
}
