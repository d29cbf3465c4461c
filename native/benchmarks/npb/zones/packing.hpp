// Packing: which zones a rank or a thread works on, so that all have about the same to do.
#pragma once

#include <span>
#include <vector>

#include "benchmarks/npb/zones/zone_grid.hpp"

namespace heorot::zones {

/// Items in bins: bin_of[item] and loads[bin], the sum of the costs of its items.
struct Packing {
    std::vector<int> bin_of;
    std::vector<double> loads;

    /// Largest load / mean load: 1 is perfect; its inverse bounds the parallel efficiency.
    double imbalance() const;
    /// The items in one bin, in increasing order.
    std::vector<int> items(int bin) const;
    int largest_bin() const;
};

/// Puts the items one by one, the costliest first, into the bin with the smallest load; then, as
/// long as that helps, moves an item of the fullest bin or swaps it with one of another bin so that
/// the larger load of the two bins becomes as small as it can. The same on every rank.
/// Source: R. L. Graham, Bounds on multiprocessing timing anomalies, SIAM J. Appl. Math. 17 (1969);
/// H. Jin, R. Van der Wijngaart, Performance characteristics of the multi-zone NAS Parallel
/// Benchmarks, IPDPS 2004.
Packing pack(std::span<const double> costs, int n_bins);

/// pack() for the zones of a grid, and then swaps that shorten the faces between bins; or, if it
/// cuts less and is as well balanced, or to 0.5 %, the same from zones that lie together.
/// Precondition: n_bins <= grid.n_zones().
Packing pack_zones(const ZoneGrid& grid, std::span<const double> costs, int n_bins);

/// Points on faces whose zone and neighbour lie in different bins.
Index n_cut_points(const ZoneGrid& grid, const Packing& packing);

}  // namespace heorot::zones
