// The operators of the V-cycle, applied to one plane at a time.
#pragma once

#include <array>

#include "benchmarks/npb/mg/field.hpp"
#include "harness/array.hpp"

namespace heorot::mg {

/// A symmetric 27-point operator: the weights of a point itself and of its neighbours across a
/// face, an edge and a corner.
struct Stencil {
    double centre, face, edge, corner;
};

/// The discrete Laplacian A.
constexpr Stencil laplacian = {-8.0 / 3.0, 0.0, 1.0 / 6.0, 1.0 / 12.0};

/// The points of a plane that are to be computed.
struct Patch {
    Range x, y;
    bool periodic_x;  ///< x is all of a row, which continues at its other end
};

/// The owned points of a plane, and `ghosts` ghost points in the directions that are split.
Patch owned(const Axes& axes, Index ghosts);

/// How a level lies over the next coarser one: the coarse point J is the fine point 2 J + 1 -
/// shift.
using Shift = std::array<Index, 3>;
Shift shift_between(const Axes& fine, const Axes& coarse);
/// The coarse points that lie on fine points of `fine`.
Range coarse_points(Range fine, Index shift);

/// Rows of intermediate results, one set for each thread.
class RowBuffers {
  public:
    /// Rows of up to `n` points and their ghost points.
    explicit RowBuffers(Index n);
    /// Point 0 of row `number` < 4.
    double* row(Index number) { return values_.data() + number * length_ + 2 * line; }

  private:
    Index length_;
    Array<double> values_;
};

/// r = v - A u on `patch`; r may be v's plane.
void resid(const Patch& patch, const Planes& u, const Plane& v, const Plane& r, RowBuffers& rows);
/// u = u + S r on `patch`. Precondition: S has no corners.
void psinv(const Patch& patch, const Stencil& smoother, const Planes& r, const Plane& u,
           RowBuffers& rows);
/// A plane of u becomes Q z, or Q z is added to it: trilinear interpolation. z_below and z_above
/// are the coarse planes around it, twice the same if it lies on one.
void interp(const Patch& patch, const Plane& z_below, const Plane& z_above, const Shift& shift,
            bool adds, const Plane& u, RowBuffers& rows);
/// A plane of s becomes P r, the full weighting: 1/2 of the point itself, 1/4, 1/8 and 1/16 of its
/// neighbours across faces, edges and corners. `patch` is the part of the fine plane whose coarse
/// points are wanted.
void rprj3(const Patch& patch, const Planes& r, const Shift& shift, const Plane& s,
           RowBuffers& rows);
/// Sum of r^2 over `patch`, from which norm2u3 is made.
double sum_of_squares(const Patch& patch, const Plane& r);

}  // namespace heorot::mg
