// Block-tridiagonal systems along lines of the grid, one in each lane, eliminated side by side.
#pragma once

#include <array>

#include "benchmarks/npb/flow/coefficients.hpp"
#include "benchmarks/npb/flow/field.hpp"
#include "numerics/blocks.hpp"

namespace heorot::bt {

using flow::Index;

/// What the elimination fetches into the cache while it computes: at cell c, all components of u
/// and r at [(c mod n_lanes) per_cell + (c / n_lanes) per_group].
struct Ahead {
    const double* u;
    const double* r;
    Index per_cell;
    Index per_group;
    Index component;
};

/// Flops of eliminate() and substitute() together (u, r; r), of a cell and, for the Jacobians
/// beyond its two ends, of a line.
constexpr double solve_flops_of_cell = 646.0 + 50.0;
constexpr double solve_flops_of_line = 122.0;

/// Where the cells of the lines are: lane l of cell c, component m is at [c step + m component +
/// l], for u also at c = -1 and c = n_cells.
struct Lines {
    const double* u;
    double* r;
    Index step;
    Index component;
    int n_cells;
    Ahead ahead;
};

/// Doubles of the block C' of a cell, from eliminate() for substitute(); and of the values that a
/// cell passes to the next tile, C' and r'.
constexpr Index doubles_per_vector = Index{block_size} * n_lanes;
constexpr Index doubles_per_block = block_size * doubles_per_vector;
constexpr Index doubles_per_exit = doubles_per_block + doubles_per_vector;

/// The systems of one direction: (I + dt d/dx (F - N d/dx - D d/dx)) x = r, linearised about u,
/// with central differences. F and N are the Jacobians of the convective and the viscous flux.
struct LineOperator {
    LineOperator(const flow::Coefficients& coefficients, int direction);

    double convection;               // dt / (2 h)
    double diffusion;                // dt / h^2
    double artificial;               // diffusion times dx
    std::array<int, block_size> at;  // which component is rho, normal momentum, the others, E
};

/// Forward elimination: with A, B, C the blocks of a cell and of its neighbours,
///   B' = B - A C'(c - 1),  C' = B'^-1 C,  r' = B'^-1 (r - A r'(c - 1)),
/// r' replacing r. `entry` holds C' and r' of the cell before the first one (null at a wall, where
/// both are zero), `exit` receives those of the last cell unless null. `c_prime` receives
/// n_cells doubles_per_block. Source: RNR-94-007, chapter 3 (block tridiagonal systems).
void eliminate(const Lines& lines, const LineOperator& op, const double* entry, double* c_prime,
               double* exit);

/// Back substitution: x(c) = r'(c) - C'(c) x(c + 1), in place. `entry` is x of the cell after the
/// last one (null at a wall, where it is zero), `exit` receives x of the first cell (may be null).
void substitute(const Lines& lines, const LineOperator& op, const double* entry,
                const double* c_prime, double* exit);

}  // namespace heorot::bt
