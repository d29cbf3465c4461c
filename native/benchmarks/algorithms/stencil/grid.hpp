// Grids of points with a boundary around them, and a field on them that a stencil changes in a way
// that is known.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "harness/array.hpp"

namespace heorot::stencil {

using Index = std::ptrdiff_t;

/// Points that a sweep computes, without the boundary.
struct Shape {
    Index nx, ny, nz;

    /// Of a grid whose two copies take about so many bytes, no more; each extent is odd, and they
    /// are not all alike.
    static Shape within(std::size_t bytes);
    double n_points() const;
};

/// A half-open range.
struct Range {
    Index first, last;
    Index size() const { return last - first; }
};

/// Part `part` of `n` equal parts of `whole`.
Range part_of(Range whole, Index part, Index n);

/// Where the points of a grid lie. Rows begin so that i = 1 is at the beginning of a cache line;
/// rows and planes are an odd number of lines apart, so that neighbours do not meet in a set of a
/// cache.
struct Layout {
    explicit Layout(const Shape& of);

    /// Of an array.
    Index size() const { return lead + n_rows * n_planes * pitch + trail; }
    /// Where (0, j, k) lies.
    Index row(Index j, Index k) const { return lead + (k * n_rows + j) * pitch; }

    static constexpr Index line = 8;         // doubles
    static constexpr Index lead = line - 1;  // before (0, 0, 0)
    static constexpr Index trail = 2 * line + 1;
    Shape shape;
    Index pitch;     ///< from row to row [doubles]
    Index n_rows;    ///< of a plane, one more than needed at times
    Index n_planes;  ///< with the boundary
};

/// The planes of thread `thread`: its share of what is inside.
Range slab(const Shape& shape, Index thread, Index n_threads);

/// u(i,j,k) = 1 + x/2 + y/4 + z/8 + a sin(p x) sin(q y) sin(r z), with x = i / (nx + 1) and the
/// others alike, and p, q, r multiples of pi, so that the wave is zero at the boundary. A
/// symmetric stencil whose weights add up to 1 keeps the plane and multiplies the wave by a factor.
class Field {
  public:
    explicit Field(const Shape& shape);

    /// The cosines of the wave's phase from point to point, in x, y and z.
    struct Cosines {
        double x, y, z;
    };
    Cosines cosines() const { return cosines_; }

    /// Fills an array, each thread the planes that it works on; padding becomes 0.
    void fill(std::span<double> array, const Layout& layout, Index n_threads) const;
    /// Largest distance of an array from the field with a wave of `amplitude`, boundary and what
    /// is no point included.
    double largest_deviation(std::span<const double> array, const Layout& layout,
                             double amplitude) const;

  private:
    void expect_row(std::span<double> row, const Layout& layout, Index number,
                    double amplitude) const;

    Shape shape_;
    std::vector<double> x_, y_, z_;  ///< sin(p x), sin(q y), sin(r z)
    Cosines cosines_;
};

}  // namespace heorot::stencil
