// The grid of a multi-zone problem: a periodic plane of zones, each a block of points of its own.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace heorot::zones {

using Index = std::int64_t;

/// The borders on which a zone has a neighbour: x decreasing, x increasing, y decreasing, y
/// increasing.
enum class Border : int { west, east, south, north };
inline constexpr std::array<Border, 4> borders = {Border::west, Border::east, Border::south,
                                                  Border::north};
constexpr Border opposite(Border side) {
    return static_cast<Border>(static_cast<int>(side) ^ 1);
}
constexpr bool is_across_x(Border side) {
    return side == Border::west || side == Border::east;
}

/// Numbers of points of a zone in each direction, boundaries included.
struct Zone {
    Index nx, ny, nz;
    Index n_points() const { return nx * ny * nz; }
};

/// Lengths of `n_parts` intervals that make up n points, each longer than the one before by the
/// same factor; the last is `ratio` times the first, up to rounding. Interval i ends at
/// floor(s (r^i - 1) / (r - 1) + 0.45) with r = ratio^(1/(n_parts - 1)) and s = n (r - 1) /
/// (r^n_parts - 1); with ratio 1, at floor(i n / n_parts).
/// Source: R. Van der Wijngaart, H. Jin, NAS Parallel Benchmarks, Multi-Zone Versions, NAS-03-010
/// (2003).
std::vector<Index> interval_lengths(Index n, int n_parts, double ratio);

/// The zones, numbered 0, 1, ... with x fastest. All reach over the full height nz; the plane is
/// periodic in x and y.
class ZoneGrid {
  public:
    /// Overall numbers of points, numbers of zones, and the ratio of the largest to the smallest
    /// extent of a zone in x and in y.
    struct Shape {
        Index nx, ny, nz;
        int x_zones, y_zones;
        double ratio;
    };
    explicit ZoneGrid(const Shape& shape);

    int n_zones() const { return x_zones_ * y_zones_; }
    const Zone& zone(int id) const { return zones_[static_cast<std::size_t>(id)]; }
    /// Position in the plane of zones.
    int column(int id) const { return id % x_zones_; }
    int row(int id) const { return id / x_zones_; }
    /// The zone beyond that side; with a single zone in that direction, the zone itself.
    int neighbour(int id, Border side) const;
    /// Points of that face that neighbours exchange: those that lie on no edge of the zone.
    Index n_face_points(int id, Border side) const;

  private:
    int x_zones_;
    int y_zones_;
    std::vector<Zone> zones_;
};

}  // namespace heorot::zones
