// A grid function on one level as one rank stores it: rows along x, planes of rows, ghost points.
#pragma once

#include <array>

#include "benchmarks/npb/mg/layout.hpp"
#include "harness/array.hpp"

namespace heorot::mg {

/// Ghost points that are stored before and after the owned ones of a split direction.
constexpr Index ghost_depth = 4;
/// Numbers in a cache line: rows begin at multiples of it.
constexpr Index line = 8;

/// A view of one plane of constant z.
struct Plane {
    double* start = nullptr;  ///< the point (0, 0)
    Index pitch = 0;          ///< from one row to the next
    Index n_rows = 0;         ///< owned rows
    Index period = 0;         ///< n_rows, or 0 if there are ghost rows

    /// Row j; where y is not split, that means row j modulo n_rows, -n_rows <= j < 2 n_rows.
    double* row(Index j) const {
        if (j < 0) j += period;
        if (j >= n_rows) j -= period;
        return start + j * pitch;
    }
};

/// A plane and the ones before and after it.
struct Planes {
    Plane below, here, above;
};

/// How a field of given axes lies in memory. Rows are an odd number of cache lines long, and planes
/// are padded likewise, so that neighbours do not compete for the same places in a cache.
class Geometry {
  public:
    explicit Geometry(const Axes& axes);

    const Axes& axes() const { return axes_; }
    Index plane_size() const { return plane_size_; }
    Index n_planes() const { return axes_[2].n + 2 * ghosts_z_; }
    /// The plane that begins at `memory`.
    Plane plane_in(double* memory) const;
    /// Where plane k begins in the memory of a field; modulo the number of planes where z is not
    /// split.
    Index plane_offset(Index k) const;

  private:
    Axes axes_;
    Index pitch_, plane_size_, origin_, ghosts_z_;
};

/// Owns the memory of one grid function.
class Field {
  public:
    explicit Field(const Axes& axes);

    const Geometry& geometry() const { return geometry_; }
    const Axes& axes() const { return geometry_.axes(); }
    /// All numbers of plane k, ghost points and padding included.
    double* memory(Index k) { return values_.data() + geometry_.plane_offset(k); }
    Plane plane(Index k) { return geometry_.plane_in(memory(k)); }
    double& at(Index i, Index j, Index k) { return plane(k).row(j)[i]; }
    /// Every number becomes 0, each plane by the thread that later works on it.
    void clear(int n_threads);

  private:
    Geometry geometry_;
    Array<double> values_;
};

/// The owned planes that thread `thread` of `n_threads` works on.
inline Range slab(const Axes& axes, int thread, int n_threads) {
    return {axes[2].n * thread / n_threads, axes[2].n * (thread + 1) / n_threads};
}

}  // namespace heorot::mg
