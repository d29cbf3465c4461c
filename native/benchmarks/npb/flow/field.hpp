// Five components on one box of the grid, stored one after the other.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "benchmarks/npb/flow/coefficients.hpp"
#include "harness/array.hpp"
#include "numerics/tiles.hpp"

namespace heorot::flow {

using Index = std::ptrdiff_t;

/// Ghost layers at each side of a box that is not a wall of the grid; at a wall there are none.
constexpr int n_ghosts = 2;

/// Where the points of a box lie in memory: x is contiguous, then y, z and the component.
///   - The first interior point of every row is at an address divisible by 64, all strides are
///     multiples of 8, and no stride is such that lines of the grid collide in caches.
///   - Reading whole groups of 8 points, beginning at any point from the first interior one on, or
///     up to 2 points before or after it, stays within the allocation.
///   - Whole groups of 8 that begin at the first interior point of a row end before the first
///     interior point of the next row: beyond the last interior point they overwrite walls, ghosts
///     and padding only. So a field whose walls are never read (rhs) may be written in groups.
/// Fields of the same box have the same layout: one index serves all of them.
class Layout {
  public:
    explicit Layout(const Box& box);

    const Box& box() const { return box_; }
    /// Distance of a point's neighbours in x, y, z.
    Index stride(int d) const { return strides_[static_cast<std::size_t>(d)]; }
    Index row() const { return strides_[1]; }
    Index plane() const { return strides_[2]; }
    /// Distance of the components.
    Index component() const { return component_; }
    /// Of the point with local indices (i, j, k), which may be ghosts, relative to (0, 0, 0).
    Index at(Index i, Index j, Index k) const { return i + j * row() + k * plane(); }
    /// Of (0, 0, 0) of component 0, relative to the start of the memory.
    Index origin() const { return origin_; }
    /// Doubles needed for all five components.
    std::size_t n_elements() const { return n_elements_; }
    /// Ghost layers there are at that side.
    int ghosts(int d, Side side) const { return box_.has_wall(d, side) ? 0 : n_ghosts; }

  private:
    Box box_;
    std::array<Index, 3> strides_ = {};
    Index component_ = 0;
    Index origin_ = 0;
    std::size_t n_elements_ = 0;
};

/// A field on one box, with ghost layers. Made full of ones, so that 1 / rho is finite everywhere.
class Field {
  public:
    /// Owns its memory, touched first by the threads that have the planes of a static schedule.
    explicit Field(const Box& box);
    /// Lies in memory of at least Layout(box).n_elements() doubles at an address divisible by 64,
    /// which must outlive it and is left as it is: so one piece of memory serves many zones. It has
    /// to be finite everywhere if u lies there.
    Field(const Box& box, std::span<double> memory);

    const Layout& layout() const { return layout_; }
    const Box& box() const { return layout_.box(); }
    /// Address of the point (0, 0, 0) of component m = 0..4.
    double* component(int m) { return origin_ + m * layout_.component(); }
    const double* component(int m) const { return origin_ + m * layout_.component(); }
    /// Component m at the point with local indices; ghosts and points beyond have -1, -2, size, ...
    double& operator()(int m, Index i, Index j, Index k) {
        return component(m)[layout_.at(i, j, k)];
    }
    double operator()(int m, Index i, Index j, Index k) const {
        return component(m)[layout_.at(i, j, k)];
    }
    /// Sets everything, padding included.
    void fill(double value);

  private:
    Layout layout_;
    Array<double> own_;
    double* origin_;
};

}  // namespace heorot::flow
