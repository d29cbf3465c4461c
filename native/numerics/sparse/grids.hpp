// Matrices of difference equations on grids, by their definition: row by row, and without a matrix.
//
// A grid has nx x ny x nz points, i fastest; values outside are zero. A definition passes the
// elements of a row to element(column, value), in order of the columns. without_matrix() is the
// same equation on a vector, derived from the grid and not from the rows: for checks.
#pragma once

#include "numerics/sparse/csr.hpp"

namespace heorot::sparse {

/// The points of a grid.
struct Grid {
    Index nx;
    Index ny;
    Index nz = 1;

    Index size() const { return nx * ny * nz; }
    Index number(Index i, Index j, Index k) const { return (k * ny + j) * nx + i; }
    bool has(Index i, Index j, Index k) const {
        return i >= 0 && i < nx && j >= 0 && j < ny && k >= 0 && k < nz;
    }
    /// u at a point, zero outside.
    double at(const double* u, Index i, Index j, Index k) const {
        return has(i, j, k) ? u[number(i, j, k)] : 0.0;
    }
};

/// 4 u(i,j) minus the four neighbours.
struct FivePoint {
    Grid grid;

    template <class Element>
    void operator()(Index row, const Element& element) const {
        const Index i = row % grid.nx;
        const Index j = row / grid.nx;
        if (j > 0) element(row - grid.nx, -1.0);
        if (i > 0) element(row - 1, -1.0);
        element(row, 4.0);
        if (i < grid.nx - 1) element(row + 1, -1.0);
        if (j < grid.ny - 1) element(row + grid.nx, -1.0);
    }
    double without_matrix(const double* u, Index i, Index j, Index) const {
        return 4.0 * grid.at(u, i, j, 0) - grid.at(u, i - 1, j, 0) - grid.at(u, i + 1, j, 0) -
               grid.at(u, i, j - 1, 0) - grid.at(u, i, j + 1, 0);
    }
};

/// Diffusion and convection: 6 u(i,j,k) minus (1 + p) times the neighbour before and (1 - p) times
/// the one behind, in each direction, p the cell Peclet number of that direction: central
/// differences of -div grad u + v grad u, times the square of the mesh width. Without convection
/// the 7-point Laplacian.
struct SevenPoint {
    Grid grid;
    double px = 0.0;
    double py = 0.0;
    double pz = 0.0;

    template <class Element>
    void operator()(Index row, const Element& element) const {
        const Index plane = grid.nx * grid.ny;
        const Index i = row % grid.nx;
        const Index j = row / grid.nx % grid.ny;
        const Index k = row / plane;
        if (k > 0) element(row - plane, -1.0 - pz);
        if (j > 0) element(row - grid.nx, -1.0 - py);
        if (i > 0) element(row - 1, -1.0 - px);
        element(row, 6.0);
        if (i < grid.nx - 1) element(row + 1, -1.0 + px);
        if (j < grid.ny - 1) element(row + grid.nx, -1.0 + py);
        if (k < grid.nz - 1) element(row + plane, -1.0 + pz);
    }
    double without_matrix(const double* u, Index i, Index j, Index k) const {
        const double x =
            (1.0 + px) * grid.at(u, i - 1, j, k) + (1.0 - px) * grid.at(u, i + 1, j, k);
        const double y =
            (1.0 + py) * grid.at(u, i, j - 1, k) + (1.0 - py) * grid.at(u, i, j + 1, k);
        const double z =
            (1.0 + pz) * grid.at(u, i, j, k - 1) + (1.0 - pz) * grid.at(u, i, j, k + 1);
        return 6.0 * grid.at(u, i, j, k) - x - y - z;
    }
};

/// 26 u(i,j,k) minus all its neighbours, those across edges and corners, too.
struct TwentySevenPoint {
    Grid grid;

    template <class Element>
    void operator()(Index row, const Element& element) const {
        const Index i = row % grid.nx;
        const Index j = row / grid.nx % grid.ny;
        const Index k = row / (grid.nx * grid.ny);
        for (Index dk = k > 0 ? -1 : 0; dk <= (k < grid.nz - 1 ? 1 : 0); ++dk) {
            for (Index dj = j > 0 ? -1 : 0; dj <= (j < grid.ny - 1 ? 1 : 0); ++dj) {
                for (Index di = i > 0 ? -1 : 0; di <= (i < grid.nx - 1 ? 1 : 0); ++di) {
                    const Index column = row + (dk * grid.ny + dj) * grid.nx + di;
                    element(column, column == row ? 26.0 : -1.0);
                }
            }
        }
    }
    /// 27 u(i,j,k) minus the sum over the cube around it.
    double without_matrix(const double* u, Index i, Index j, Index k) const {
        double cube = 0.0;
        for (int point = 0; point < 27; ++point) {
            cube += grid.at(u, i + point % 3 - 1, j + point / 3 % 3 - 1, k + point / 9 - 1);
        }
        return 27.0 * grid.at(u, i, j, k) - cube;
    }
};

}  // namespace heorot::sparse
