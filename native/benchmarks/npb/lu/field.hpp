// The local part of a grid in skewed storage: one step of a wavefront reads contiguous memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "harness/array.hpp"
#include "numerics/lanes.hpp"
#include "numerics/tiles.hpp"

namespace heorot::lu {

/// The five dependent variables at as many points as a vector has lanes: density, momentum (three),
/// energy; or anything else that belongs to them.
struct Cell {
    Lanes m[5];
    Lanes& operator[](int component) { return m[component]; }
    const Lanes& operator[](int component) const { return m[component]; }
};

/// Consecutive columns, rows or planes of the grid, [first, end).
struct Range {
    int first, end;
    int size() const { return end - first; }
};

/// The stored points: those of a box and up to two more on each side, as far as the grid goes.
inline Box with_halo(const Box& box) {
    Box stored = box;
    for (std::size_t d = 0; d < 3; ++d) {
        stored.begin[d] = std::max(0, box.begin[d] - 2);
        stored.end[d] = std::min(box.grid[d], box.end[d] + 2);
    }
    return stored;
}

/// The points of a box that are solved for: all but the walls.
inline Range solved_in(const Box& box, int d) {
    const int begin = Box::at(box.begin, d);
    return {begin + box.first(d), begin + box.last(d)};
}

/// As many rows (j) as a vector has lanes make a block, one lane each, and lane l is l points (i)
/// behind lane 0: at step t of block b lane l holds the point i = t - l, j = n_lanes b + l (counted
/// from the first stored column and the first row solved for). The neighbours i +- 1 are then the
/// steps t +- 1, the neighbours j +- 1 the same with lanes shifted by one, and all points of a step
/// are independent in a sweep from small i and j to large ones or back.
///
/// In the first and the last steps of a block only some lanes are points. To save memory, a block's
/// lines in successive planes overlap: beyond the end of one the next begins, and work on a line
/// leaves lanes that are none of its points unchanged. Different blocks share nothing, so that
/// different threads may work on them.
class Layout {
  public:
    /// Rows that are stored: those solved for, or also the two before and the two after them,
    /// which are walls or halo. These have the last two lanes and (if there is no room behind the
    /// last row) the first two of one more block, or of one each where two lanes are all.
    enum class Rows { solved, all };

    /// All of the box in z.
    Layout(const Box& box, Rows rows)
        : first_column_(with_halo(box).begin[0]),
          first_row_(solved_in(box, 1).first),
          n_planes_(box.size(2)),
          n_blocks_((solved_in(box, 1).size() + n_lanes - 1) / n_lanes),
          n_stored_blocks_(n_blocks_ + (rows == Rows::all ? n_blocks_around : 0)),
          n_columns_(with_halo(box).size(0)),
          // Even with few columns rhs, which looks at rows before and after, stays in the block;
          // and the same point of all planes must not meet in the same sets of a cache.
          line_stride_(std::max(n_lanes, n_columns_ % 16 == 0 ? n_columns_ + 1 : n_columns_)) {}

    int n_planes() const { return n_planes_; }
    /// That have rows to be solved for; block -1 and this one have the rows around them.
    int n_blocks() const { return n_blocks_; }
    int n_steps() const { return n_columns_ + n_lanes - 1; }
    int first_column() const { return first_column_; }
    int block_of(int j) const { return (j - first_row_ + n_lanes) / n_lanes - 1; }
    int lane_of(int j) const { return (j - first_row_ + n_lanes) % n_lanes; }
    int step_of(int i, int j) const { return i - first_column_ + lane_of(j); }
    int column_at(int step, int lane) const { return first_column_ + step - lane; }
    int row_at(int block, int lane) const { return first_row_ + block * n_lanes + lane; }
    std::size_t n_cells() const {
        return static_cast<std::size_t>(n_stored_blocks_ * n_in_block());
    }
    /// Of step 0 of a block of a plane.
    std::ptrdiff_t first_cell(int block, int k) const {
        return (block < 0 ? n_stored_blocks_ - 1 : block) * n_in_block() +
               std::ptrdiff_t{line_stride_} * k;
    }
    /// Cells of the lines of a block in n successive planes, which are contiguous.
    std::ptrdiff_t n_in_planes(int n) const {
        return std::ptrdiff_t{line_stride_} * (n - 1) + n_steps();
    }

  private:
    static constexpr int n_blocks_around = n_lanes < 4 ? 2 : 1;
    std::ptrdiff_t n_in_block() const { return n_in_planes(n_planes_); }

    int first_column_, first_row_, n_planes_, n_blocks_, n_stored_blocks_, n_columns_;
    int line_stride_;
};

/// Five variables at every stored point of a box.
class Field {
  public:
    Field() : layout_(Box{}, Layout::Rows::solved) {}
    explicit Field(const Layout& layout) : layout_(layout), cells_(layout.n_cells()) {}

    /// Sets all cells of some planes of a block. The thread that does it is the one near which they
    /// will lie; planes never set take no memory.
    void fill(int block, Range planes, double value) {
        Cell cell;
        for (Lanes& lanes : cell.m) lanes = lanes_of(value);
        std::fill_n(line(block, planes.first), layout_.n_in_planes(planes.size()), cell);
    }

    /// Step 0 of a block of a plane. Steps before it and after the last one belong to the planes
    /// next to it: rhs may read there, other than in the first and the last plane.
    Cell* line(int block, int k) { return cells_.data() + layout_.first_cell(block, k); }
    const Cell* line(int block, int k) const {
        return cells_.data() + layout_.first_cell(block, k);
    }
    /// Variable m at a point of the grid that is stored.
    double& at(int m, int i, int j, int k) {
        return reinterpret_cast<double*>(line(layout_.block_of(j), k) +
                                         layout_.step_of(i, j))[m * n_lanes + layout_.lane_of(j)];
    }
    double at(int m, int i, int j, int k) const { return const_cast<Field*>(this)->at(m, i, j, k); }
    const Layout& layout() const { return layout_; }

  private:
    Layout layout_;
    Array<Cell> cells_;
};

}  // namespace heorot::lu
