// npb/ft: which rank holds which part of the grid, and where the points are in its arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "numerics/fft.hpp"

namespace heorot::ft {

/// A range [first, last) of indices.
struct Range {
    int first, last;
    int size() const { return last - first; }
    bool contains(int i) const { return first <= i && i < last; }
};

/// Numbers of points along x, y, z.
struct Grid {
    int nx, ny, nz;
};

/// Ranks in rows and columns. Each row has a part of the planes z = const; columns, which cut the
/// planes along x, are for ranks beyond the number of planes.
struct RankGrid {
    int n_rows, n_columns;

    int size() const { return n_rows * n_columns; }
    int row(int rank) const { return rank / n_columns; }
    int column(int rank) const { return rank % n_columns; }
    /// Whether every rank has something to do at every stage.
    bool fits(const Grid& grid) const;
    /// The grid of n_ranks ranks with as few columns as fit, or with n_columns unless that is 0.
    /// Without rows and columns if there is none.
    static RankGrid of(int n_ranks, int n_columns, const Grid& grid);
    /// The count nearest to n_ranks for which there is a grid; the smaller one of two.
    static int nearest(int n_ranks, int n_columns, const Grid& grid);
};

/// Where the blocks of a line are: block i begins at base[i] + line * step[i] [double].
struct Addresses {
    std::vector<std::int64_t> base, step;

    void fill(std::int64_t line, std::int64_t* at) const {
        for (std::size_t i = 0; i < base.size(); ++i) at[i] = base[i] + line * step[i];
    }
    std::int64_t of(std::int64_t line, int i) const {
        return base[static_cast<std::size_t>(i)] + line * step[static_cast<std::size_t>(i)];
    }
};

/// Lengths of messages to, or from, each rank of a row or column [double].
using Lengths = std::vector<std::int64_t>;

/// How one rank's part of the field lies in memory while it is transformed along z, y and x. A
/// prime marks an index that is cut; x counts blocks of points.
///
///     along z   [z][y'][x']               y cut into rows, x into columns
///     along y   [row of y][z'][y'][x']    the parts of the rows as they are received
///     turned    [y][z'][x']               the same in another order, if there are columns
///     along x   [column of x][y'][z'][x'] the parts of the columns as they are received
///
/// In each layout the data for one rank of the next exchange are contiguous, and those received
/// from one rank stay so: exchanges, in both directions, need no packing.
struct Layout {
    Layout(const Grid& grid, const RankGrid& ranks, int rank);

    const Grid grid;
    const bool has_columns;
    const Range z;            ///< of this row, in all layouts but the first
    const Range y_of_row;     ///< in the first
    const Range y_of_column;  ///< in the last
    const Range x;            ///< of this column, in all but the last [block]

    std::int64_t row_pitch;  ///< from one y to the next along z and along y [block]
    Addresses along_z;       ///< of a line along z; the others' follow at distances of a block
    Addresses along_y;  ///< of line z of the first x; the others' follow at distances of a block
    Addresses turned;   ///< likewise
    /// Of a line along x; lines are ordered by z, then y, or with columns by y, then z.
    Addresses along_x;

    /// Exchanges within a column: z for y; within a row: y for x.
    Lengths lengths_along_z, lengths_along_y, lengths_turned, lengths_along_x;

    std::size_t array_length;  ///< of an array that can hold each layout [double]

    /// Where lines along z begin that are at y and block x, counted from this rank's first.
    std::int64_t first_along_z(int y, int b) const { return (y * row_pitch + b) * block_length; }
    /// Lines along x.
    std::int64_t n_lines() const { return std::int64_t{y_of_column.size()} * z.size(); }
    /// The line along x that has these y and z, which must be in y_of_column and z.
    std::int64_t line(int y, int z) const;
    /// y and z of a line along x.
    int y_of(std::int64_t line) const;
    int z_of(std::int64_t line) const;
    /// Where block b of a line along x begins.
    std::int64_t address(std::int64_t line, int b) const;
    /// Where all of them begin.
    void fill(std::int64_t line, std::int64_t* at) const;
};

}  // namespace heorot::ft
