// Which part of every grid level a rank owns: a process grid whose blocks nest from level to level.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace heorot::mg {

using Index = std::int64_t;

/// The integers first <= i < last.
struct Range {
    Index first = 0;
    Index last = 0;

    Index size() const { return last - first; }
    bool contains(Index i) const { return first <= i && i < last; }
    Range grown(Index lower, Index upper) const { return {first - lower, last + upper}; }
};

/// Ranks along x, y, z; x varies fastest with the number of a rank.
struct ProcessGrid {
    std::array<int, 3> n = {1, 1, 1};

    std::array<int, 3> coordinates(int rank) const;
    int rank(std::array<int, 3> coordinates) const;
};

/// One direction of one level as one rank sees it. Points are numbered from the rank's first.
struct Axis {
    Index n = 0;          ///< points that the rank owns
    Index first = 0;      ///< global number of the first of them
    bool split = false;   ///< several ranks share the direction: there are ghost points
    bool padded = false;  ///< rows have room for ghost points (of interest for x only)
    int lower = 0;        ///< rank that owns what comes before
    int upper = 0;        ///< rank that owns what comes after
};
using Axes = std::array<Axis, 3>;

/// Fewest points of the finest level that a rank owns along a split direction: the depth of its
/// halo.
constexpr Index least_points = 4;

/// Whether n_ranks can share a grid of n^3 points.
bool can_split(int n_ranks, Index n);
/// The process grid with the least halo, among those with at least `least_points` points in every
/// split direction. A face normal to x counts 1.5 times and one normal to y 1.1 times, for they do
/// not lie in one piece. Precondition: can_split().
ProcessGrid choose_grid(int n_ranks, Index n);

/// The levels of n^3, n/2^3, ... 2^3 points as rank `rank` sees them, coarsest first. The finest
/// is dealt out in blocks that differ by one point at most; a coarse point belongs to the rank
/// that owns the fine point at the same place. Levels with fewer than 32 points, or two per rank,
/// along a direction are owned as a whole by every rank.
std::vector<Axes> make_levels(const ProcessGrid& grid, int rank, Index n);
/// Whether every rank owns all of a level although there are several.
bool is_replicated(const ProcessGrid& grid, Index n);

}  // namespace heorot::mg
