// The local part of a grid in skewed storage: what one step of a wavefront needs lies side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "harness/array.hpp"
#include "numerics/lanes.hpp"
#include "numerics/tiles.hpp"

namespace heorot::lu {

/// The five dependent variables at eight points: density, momentum (three), energy; or anything
/// else that belongs to them.
struct Cell {
    Lanes m[5];
    Lanes& operator[](int component) { return m[component]; }
    const Lanes& operator[](int component) const { return m[component]; }
};

/// The points of a box and up to two more on each side, as far as the grid goes: what is stored.
inline Box with_halo(const Box& box) {
    Box stored = box;
    for (std::size_t d = 0; d < 3; ++d) {
        stored.begin[d] = std::max(0, box.begin[d] - 2);
        stored.end[d] = std::min(box.grid[d], box.end[d] + 2);
    }
    return stored;
}

/// Eight rows (j) at a time make a block, one lane each, and lane l is l points (i) behind lane 0:
/// at step t of block b lane l holds the point i = t - l, j = 8 b + l (counted from the first
/// stored ones). The neighbours i +- 1 are then the steps t +- 1, the neighbours j +- 1 the same
/// with lanes shifted by one, and all eight points of a step are independent in a sweep from small
/// i and j to large ones or back. The corners where i is outside the grid are padding.
class Layout {
  public:
    /// `stored` is all of the grid in z.
    explicit Layout(const Box& stored)
        : first_column_(stored.begin[0]),
          first_row_(stored.begin[1]),
          n_planes_(stored.size(2)),
          n_blocks_((stored.size(1) + n_lanes - 1) / n_lanes),
          n_steps_(stored.size(0) + n_lanes - 1) {}

    int n_planes() const { return n_planes_; }
    int n_blocks() const { return n_blocks_; }
    int n_steps() const { return n_steps_; }
    int block_of(int j) const { return (j - first_row_) / n_lanes; }
    int lane_of(int j) const { return (j - first_row_) % n_lanes; }
    int step_of(int i, int j) const { return i - first_column_ + lane_of(j); }
    int column_at(int step, int lane) const { return first_column_ + step - lane; }
    int row_at(int block, int lane) const { return first_row_ + block * n_lanes + lane; }
    std::size_t n_cells() const {
        return static_cast<std::size_t>(n_planes_) * static_cast<std::size_t>(n_blocks_) *
               static_cast<std::size_t>(n_steps_);
    }
    /// Of step 0 of a block of a plane.
    std::ptrdiff_t first_cell(int block, int k) const {
        return (static_cast<std::ptrdiff_t>(k) * n_blocks_ + block) * n_steps_;
    }

  private:
    int first_column_, first_row_, n_planes_, n_blocks_, n_steps_;
};

/// Five variables at every point of a box. Lines may be read up to n_guards steps beyond their
/// ends; what stands there is some other point or padding.
class Field {
  public:
    static constexpr int n_guards = 16;

    Field() : layout_(Box{}) {}
    explicit Field(const Layout& layout)
        : layout_(layout), cells_(layout.n_cells() + 2 * std::size_t{n_guards}) {}

    /// Sets all cells of some blocks, the guards with the first and the last one. The thread that
    /// does it is the one near which they will lie.
    void fill(int first_block, int end_block, double value) {
        Cell cell;
        for (Lanes& lanes : cell.m) lanes = lanes_of(value);
        for (int k = 0; k < layout_.n_planes(); ++k) {
            for (int block = first_block; block < end_block; ++block) {
                std::fill_n(line(block, k), layout_.n_steps(), cell);
            }
        }
        if (first_block == 0) std::fill_n(cells_.data(), n_guards, cell);
        if (end_block == layout_.n_blocks()) std::fill_n(cells_.end() - n_guards, n_guards, cell);
    }

    Cell* line(int block, int k) { return cells_.data() + n_guards + layout_.first_cell(block, k); }
    const Cell* line(int block, int k) const {
        return cells_.data() + n_guards + layout_.first_cell(block, k);
    }
    /// Variable m at a point of the grid.
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
