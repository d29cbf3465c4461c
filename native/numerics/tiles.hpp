// A grid cut into tiles so that line sweeps in all three directions keep every rank busy.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace heorot {

/// Numbers of points in x, y, z; also a point's indices.
using Extent = std::array<int, 3>;

/// A direction along a line of the grid: down to the neighbour with the smaller index, or up.
enum class Side { lower = 0, upper = 1 };
constexpr std::array<Side, 2> both_sides = {Side::lower, Side::upper};

/// The points begin <= (i, j, k) < end of a grid. The outermost points of the grid are its walls,
/// whose values are given; all others are interior points. Local indices count from `begin`.
struct Box {
    Extent grid;   ///< size of the whole grid
    Extent begin;  ///< of the box, in indices of the grid
    Extent end;    ///< one past its last point

    /// Everything: the box of a grid that is not cut.
    static Box whole(const Extent& grid) { return {grid, {0, 0, 0}, grid}; }

    int size(int d) const { return at(end, d) - at(begin, d); }
    bool has_wall(int d, Side side) const {
        return side == Side::lower ? at(begin, d) == 0 : at(end, d) == at(grid, d);
    }
    /// Local index of the first interior point in direction d.
    int first(int d) const { return has_wall(d, Side::lower) ? 1 : 0; }
    /// Local index one past the last interior point in direction d.
    int last(int d) const { return size(d) - (has_wall(d, Side::upper) ? 1 : 0); }

    /// Whether a loop over the interior points is long enough for threads to gain from sharing it:
    /// below that they would wait for each other longer than they compute.
    bool is_worth_threads() const {
        constexpr std::int64_t fewest_points = 1000;
        std::int64_t n = 1;
        for (int d = 0; d < 3; ++d) n *= last(d) - first(d);
        return n >= fewest_points;
    }

    static int at(const Extent& extent, int d) { return extent[static_cast<std::size_t>(d)]; }
};

/// Generalised multipartitioning. For p = a^2 b ranks, a as large as possible, the grid is cut into
/// a x ab x ab tiles (x, being the contiguous direction, is cut least). Tile (i, j, k) belongs to
/// the rank (r, s) with r = (j - k) mod ab and s = (i + k) mod a, which is number r a + s. Then
///   - in every slab of tiles perpendicular to x each rank owns b tiles, perpendicular to y or z
///     one tile, so that a sweep slab by slab in any direction keeps all ranks busy;
///   - the neighbours in a given direction of all tiles of a rank belong to one and the same rank.
/// p = q^2 is the classical diagonal multipartition into q x q x q tiles, p = 1 is one tile.
/// Source: A. Darte, J. Mellor-Crummey, R. Fowler, D. Chavarria-Miranda, Generalized
/// multipartitioning of multi-dimensional arrays for parallelizing line-sweep computations, JPDC
/// 63 (2003); N. H. Naik, V. K. Naik, M. Nicoules, Parallelization of a class of implicit finite
/// difference schemes in computational fluid dynamics, Int. J. High Speed Computing 5 (1993).
class Multipartition {
  public:
    struct Tile {
        Box box;
        Extent place;  ///< which tile of how many, in each direction
    };

    /// The tiles of `rank`. Precondition: fits(grid, n_ranks).
    Multipartition(const Extent& grid, int n_ranks, int rank);

    /// Numbers of tiles in x, y, z for `n_ranks`.
    static Extent cuts(int n_ranks);
    /// The rank that owns the tile at `place`.
    static int owner(const Extent& place, int n_ranks);
    /// Whether all tiles are at least two points thick, which a ghost layer of two points from the
    /// adjacent tile needs.
    static bool fits(const Extent& grid, int n_ranks);
    /// The rank count closest to `n_ranks` that fits; the smaller one of two.
    static int nearest_that_fits(const Extent& grid, int n_ranks);

    const Extent& grid() const { return grid_; }
    const Extent& cuts() const { return cuts_; }
    /// Number of slabs, and so of stages of a sweep, in direction d.
    int n_slabs(int d) const { return Box::at(cuts_, d); }
    /// The tiles of this rank.
    std::span<const Tile> tiles() const { return tiles_; }
    /// Which of them lie in slab `s` perpendicular to d: numbers into tiles(), in an order that
    /// is the same for the adjacent tiles of the neighbours.
    std::span<const int> slab(int d, int s) const;
    /// The rank that owns the tiles next to this rank's in direction d (never this rank itself,
    /// if there are any). Tiles at a wall have no neighbour.
    int neighbour(int d, Side side) const;

  private:
    Extent grid_;
    Extent cuts_;
    std::vector<Tile> tiles_;
    std::array<std::vector<std::vector<int>>, 3> slabs_;  // by direction and place
    std::array<std::array<int, 2>, 3> neighbours_;        // by direction and side
};

}  // namespace heorot
