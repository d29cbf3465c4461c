// Block elimination along lines, one in each lane; the blocks are made from u cell by cell and
// never stored.
//
// Checked in tests/npb/flow/test_bt.cpp: lines_are_solved: A x = r with the blocks of A made as
// differences of the fluxes.
#include "benchmarks/npb/bt/lines.hpp"

#include <algorithm>
#include <utility>

namespace heorot::bt {

namespace {

using namespace heorot::flow;  // the constants of the gas

// Components in the frame of the line: density, momentum along it, two across it, energy.
enum Component { density = 0, along = 1, across = 2, across2 = 3, energy = 4 };

// Elements of the Jacobians that are not zero everywhere.
constexpr BlockPattern in_flux = {{
    {false, true, false, false, false},
    {true, true, true, true, true},
    {true, true, true, false, false},
    {true, true, false, true, false},
    {true, true, true, true, true},
}};
constexpr BlockPattern in_diffusion = {{
    {true, false, false, false, false},
    {true, true, false, false, false},
    {true, false, true, false, false},
    {true, false, false, true, false},
    {true, true, true, true, true},
}};
constexpr BlockPattern in_either = {{
    {true, true, false, false, false},
    {true, true, true, true, true},
    {true, true, true, false, false},
    {true, true, false, true, false},
    {true, true, true, true, true},
}};

using Rows = BlockVector[block_size];  // [row][column]

/// What a point contributes to the blocks of its cell and of both neighbours: f = dt / (2 h) F and
/// n = dt / h^2 (N + D). There A = -(f + n) of the cell before, B = I + 2 n, C = f - n of the next.
struct Jacobians {
    Rows f;
    Rows n;
};

[[gnu::always_inline]] inline void make_flux(const LineOperator& op, const BlockVector& v,
                                             const Lanes& kinetic, const Lanes& e, Rows& f) {
    const double t = op.convection;
    const Lanes v_along = t * v[along];
    f[density][along] = lanes_of(t);
    f[along][density] = (t * c2) * kinetic - v_along * v[along];
    f[along][along] = (2.0 - c2) * v_along;
    f[along][energy] = lanes_of(t * c2);
    f[energy][density] = (2.0 * c2 * kinetic - c1 * e) * v_along;
    f[energy][along] = t * (c1 * e - c2 * kinetic) - c2 * v_along * v[along];
    f[energy][energy] = c1 * v_along;
    for (int m = across; m <= across2; ++m) {
        f[along][m] = (-t * c2) * v[m];
        f[m][density] = -v_along * v[m];
        f[m][along] = t * v[m];
        f[m][m] = v_along;
        f[energy][m] = -c2 * v_along * v[m];
    }
}

[[gnu::always_inline]] inline void make_diffusion(const LineOperator& op, const BlockVector& v,
                                                  const Lanes& inverse, const Lanes& e, Rows& n) {
    const double heat = op.diffusion * c1 * c3 * c4 * c5;
    n[density][density] = lanes_of(op.artificial);
    n[energy][density] = -heat * e;
    for (int m = along; m <= across2; ++m) {
        const double viscosity = op.diffusion * c3 * c4 * (m == along ? 4.0 / 3.0 : 1.0);
        const Lanes w = inverse * v[m];
        n[m][m] = viscosity * inverse + op.artificial;
        n[m][density] = -viscosity * w;
        n[energy][m] = (viscosity - heat) * w;
        n[energy][density] -= (viscosity - heat) * v[m] * v[m];
    }
    n[energy][density] *= inverse;
    n[energy][energy] = heat * inverse + op.artificial;
}

[[gnu::always_inline]] inline void make_jacobians(const Lines& lines, const LineOperator& op,
                                                  Index cell, Jacobians& jacobians) {
    const double* const u = lines.u + cell * lines.step;
    const Lanes inverse = 1.0 / load(u + op.at[density] * lines.component);
    BlockVector v;  // velocities; [energy] is energy per mass
    for (int m = along; m <= energy; ++m) {
        v[m] = load(u + op.at[static_cast<std::size_t>(m)] * lines.component) * inverse;
    }
    const Lanes kinetic =
        0.5 * (v[along] * v[along] + v[across] * v[across] + v[across2] * v[across2]);
    make_flux(op, v, kinetic, v[energy], jacobians.f);
    make_diffusion(op, v, inverse, v[energy], jacobians.n);
}

[[gnu::always_inline]] inline void prefetch(const Ahead& ahead, Index cell) {
    const Index at = cell % n_lanes * ahead.per_cell + cell / n_lanes * ahead.per_group;
    for (Index m = 0; m < block_size; ++m) {
        __builtin_prefetch(ahead.u + at + m * ahead.component);
        __builtin_prefetch(ahead.r + at + m * ahead.component);
    }
}

[[gnu::always_inline]] inline void load_cell(const Lines& lines, const LineOperator& op, Index cell,
                                             BlockVector& r) {
    for (std::size_t m = 0; m < block_size; ++m) {
        r[m] = load(lines.r + cell * lines.step + op.at[m] * lines.component);
    }
}

[[gnu::always_inline]] inline void store_cell(const Lines& lines, const LineOperator& op,
                                              Index cell, const BlockVector& r) {
    for (std::size_t m = 0; m < block_size; ++m) {
        store(lines.r + cell * lines.step + op.at[m] * lines.component, r[m]);
    }
}

[[gnu::always_inline]] inline void load_vector(const double* from, BlockVector& x) {
    for (Index m = 0; m < block_size; ++m) x[m] = load(from + m * n_lanes);
}

[[gnu::always_inline]] inline void store_vector(double* to, const BlockVector& x) {
    for (Index m = 0; m < block_size; ++m) store(to + m * n_lanes, x[m]);
}

/// f + n
[[gnu::always_inline]] inline void add_jacobians(const Jacobians& of, Rows& sum) {
#pragma GCC unroll 5
    for (int row = 0; row < block_size; ++row) {
#pragma GCC unroll 5
        for (int column = 0; column < block_size; ++column) {
            if (!in_either.at[row][column]) continue;
            sum[row][column] = lanes_of(0.0);
            if (in_flux.at[row][column]) sum[row][column] = of.f[row][column];
            if (in_diffusion.at[row][column]) sum[row][column] += of.n[row][column];
        }
    }
}

/// B' of a cell, factored: I + 2 n - A C', column by column; `minus_a` = f + n of the cell before.
[[gnu::always_inline]] inline void make_pivot_block(const Jacobians& here, const Rows& minus_a,
                                                    const double* previous_c, Block& b) {
#pragma GCC unroll 5
    for (Index column = 0; column < block_size; ++column) {
        BlockVector c;
        load_vector(previous_c + column * doubles_per_vector, c);
#pragma GCC unroll 5
        for (int row = 0; row < block_size; ++row) {
            b.of[column][row] = lanes_of(row == column ? 1.0 : 0.0);
            if (in_diffusion.at[row][column]) b.of[column][row] += 2.0 * here.n[row][column];
        }
        add_product<in_either>(minus_a, c, b.of[column]);
    }
    factor(b);
}

/// Column `column` of C' = B'^-1 C with C = f - n of the next cell.
template <int column>
[[gnu::always_inline]] inline void make_c_column(const Block& b, const Jacobians& next, double* c) {
    BlockVector x;
#pragma GCC unroll 5
    for (int row = 0; row < block_size; ++row) {
        x[row] = lanes_of(0.0);
        if (in_flux.at[row][column]) x[row] = next.f[row][column];
        if (in_diffusion.at[row][column]) x[row] -= next.n[row][column];
    }
    solve<(column > along ? 1 : 0)>(b, x);  // density depends on the first two components only
    store_vector(c + column * doubles_per_vector, x);
}

[[gnu::always_inline]] inline void make_c(const Block& b, const Jacobians& next, double* c) {
    make_c_column<0>(b, next, c);
    make_c_column<1>(b, next, c);
    make_c_column<2>(b, next, c);
    make_c_column<3>(b, next, c);
    make_c_column<4>(b, next, c);
}

}  // namespace

LineOperator::LineOperator(const flow::Coefficients& coefficients, int direction)
    : convection(coefficients.dt * coefficients.direction[static_cast<std::size_t>(direction)].tx2),
      diffusion(coefficients.dt * coefficients.direction[static_cast<std::size_t>(direction)].tx1),
      artificial(diffusion * flow::diffusion[static_cast<std::size_t>(direction)]),
      at{0, 1, 2, 3, 4} {
    std::iter_swap(at.begin() + along, at.begin() + along + direction);
}

void eliminate(const Lines& lines, const LineOperator& op, const double* entry, double* c_prime,
               double* exit) {
    alignas(64) static constexpr double at_wall[doubles_per_exit] = {};  // NOLINT
    const double* previous_c = entry == nullptr ? at_wall : entry;
    BlockVector r;  // r' of the cell before
    load_vector(previous_c + doubles_per_block, r);
    Jacobians ring[3];  // NOLINT: of the cell before, the cell, the next one
    Jacobians* before = &ring[0];
    Jacobians* here = &ring[1];
    Jacobians* next = &ring[2];
    make_jacobians(lines, op, -1, *before);
    make_jacobians(lines, op, 0, *here);
    for (Index cell = 0; cell < lines.n_cells; ++cell) {
        prefetch(lines.ahead, cell);
        Rows minus_a;  // NOLINT
        add_jacobians(*before, minus_a);
        BlockVector previous_r;
        std::copy_n(r, block_size, previous_r);
        load_cell(lines, op, cell, r);
        add_product<in_either>(minus_a, previous_r, r);
        Block b;
        make_pivot_block(*here, minus_a, previous_c, b);
        // Only now: this has work for the processor while the pivots wait for each other.
        make_jacobians(lines, op, cell + 1, *next);
        double* const c = c_prime + cell * doubles_per_block;
        make_c(b, *next, c);
        solve(b, r);
        store_cell(lines, op, cell, r);
        previous_c = c;
        std::swap(before, here);
        std::swap(here, next);
    }
    if (exit == nullptr) return;
    std::copy_n(previous_c, doubles_per_block, exit);
    store_vector(exit + doubles_per_block, r);
}

void substitute(const Lines& lines, const LineOperator& op, const double* entry,
                const double* c_prime, double* exit) {
    BlockVector x = {};
    if (entry != nullptr) load_vector(entry, x);
    for (Index cell = lines.n_cells - 1; cell >= 0; --cell) {
        const double* const c = c_prime + cell * doubles_per_block;
        BlockVector r;
        load_cell(lines, op, cell, r);
#pragma GCC unroll 5
        for (Index column = 0; column < block_size; ++column) {
#pragma GCC unroll 5
            for (Index row = 0; row < block_size; ++row) {
                r[row] -= load(c + column * doubles_per_vector + row * n_lanes) * x[column];
            }
        }
        store_cell(lines, op, cell, r);
        std::copy_n(r, block_size, x);
    }
    if (exit != nullptr) store_vector(exit, x);
}

}  // namespace heorot::bt
