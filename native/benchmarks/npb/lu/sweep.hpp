// One line of a triangular sweep of SSOR: Jacobians and solve, a point in every lane at a time.
//
// An iteration of SSOR for (D + L + U) du = dt r, where D has the blocks of the points and L and U
// those that couple them to their lower and upper neighbours, is
//   (D + omega L) v = dt r,   (D + omega U) v' = D v,   u := u + v' / (omega (2 - omega)).
// In row p of the first system the block of the neighbour q = p - d is
//   L(p, q) = -dt (A_d / 2h + (N_d + k_d) / h^2),
// where A_d and N_d, the Jacobians of F_d and G_d of residual.hpp, are those at u(q), not at u(p).
// So a point that is solved knows all that its neighbours need of it. Instead of
//   D v(p) = dt r(p) - omega sum_d L(p, p - d) v(p - d),
// for which every point would form three Jacobians, it hands finished products on:
//   solve_diagonal    v(p) = D^-1 (dt r(p) + the contributions that have come),
//   multiply_blocks   -omega L(p + d, p) v(p) for d = x, y, z, the contributions that go.
// Those along x go to the next step, along y to the next lane or over an edge, along z to the next
// plane. The second system is the same from above, with the other sign of A_d; its D v costs
// nothing: v' = v + D^-1 (the contributions that have come).
//
// Source: D. Bailey et al., The NAS Parallel Benchmarks, RNR-94-007 (1994), chapter 3 (SSOR);
// S. Yoon, A. Jameson, Lower-upper symmetric-Gauss-Seidel method for the Euler and Navier-Stokes
// equations, AIAA J. 26 (1988); for wavefronts through pencils E. Barszcz, R. Fatoohi,
// V. Venkatakrishnan, S. Weeratunga, Solution of regular, sparse triangular linear systems on
// vector and distributed-memory multiprocessors, RNR-93-007 (1993), and D. Bailey et al., The NAS
// Parallel Benchmarks 2.0, NAS-95-020 (1995). Checked in tests/npb/flow/test_lu.cpp:
// block_is_derivative (of the residual), diagonal_is_inverted, sweeps_solve_their_systems.
#pragma once

#include "benchmarks/npb/lu/residual.hpp"
#include "benchmarks/npb/lu/scratch.hpp"

namespace heorot::lu {

/// Which triangle: the lower one couples a point to the neighbours i - 1, j - 1, k - 1.
enum class Triangle { lower, upper };

/// The constants of the blocks of one triangle. With A and N the Jacobians of the convective and
/// of the viscous flux of a direction, an off-diagonal block contributes
/// omega dt (+- tx2 A + N + dxtx1) v to the right-hand side of a neighbour's equations.
struct BlockCoefficients {
    double convection[3];  ///< omega dt tx2, negative in the upper triangle
    double viscosity[3];   ///< omega dt c3 c4 tx1
    double diffusion[3];   ///< omega dt dxtx1
    double diagonal;       ///< 1 + 2 dt (sum of dxtx1)
    double inverse_diagonal;
    double shear[3];       ///< diagonal block: viscous part of the momentum of one direction,
    double conduction;     ///< of the energy by itself,
    double dissipated[3];  ///< of the energy by the velocities

    BlockCoefficients(const flow::Coefficients& c, double omega, Triangle triangle);
};

/// Values of u at a point from which its blocks are formed.
struct JacobianState {
    Lanes density, specific_volume;
    Lanes velocity[3];
    Lanes energy;               ///< per mass
    Lanes kinetic;              ///< |velocity|^2 / 2
    Lanes enthalpy;             ///< (energy + pressure / density)
    Lanes inverse_momentum[3];  ///< 1 / (diagonal density + shear)
    Lanes inverse_energy;       ///< 1 / (diagonal density + conduction)
};

/// The Jacobians at u, kept as what their product with a vector needs: jacld and jacu of the
/// specification. Five reciprocals cost one division.
[[gnu::always_inline]] inline JacobianState jacobians(const Cell& u, const BlockCoefficients& c) {
    JacobianState s;
    s.density = u[0];
    const Lanes scaled = c.diagonal * u[0];
    const Lanes x = scaled + c.shear[0];
    const Lanes y = scaled + c.shear[1];
    const Lanes z = scaled + c.shear[2];
    const Lanes e = scaled + c.conduction;
    const Lanes density_x = u[0] * x;
    const Lanes yz = y * z;
    const Lanes all_but_e = density_x * yz;
    const Lanes inverse = 1.0 / (all_but_e * e);
    s.inverse_energy = inverse * all_but_e;
    const Lanes inverse_all_but_e = inverse * e;
    const Lanes inverse_density_x = inverse_all_but_e * yz;
    const Lanes inverse_yz = inverse_all_but_e * density_x;
    s.specific_volume = inverse_density_x * x;
    s.inverse_momentum[0] = inverse_density_x * u[0];
    s.inverse_momentum[1] = inverse_yz * z;
    s.inverse_momentum[2] = inverse_yz * y;
    for (int d = 0; d < 3; ++d) s.velocity[d] = u[d + 1] * s.specific_volume;
    s.energy = u[4] * s.specific_volume;
    s.kinetic = 0.5 * (s.velocity[0] * s.velocity[0] + s.velocity[1] * s.velocity[1] +
                       s.velocity[2] * s.velocity[2]);
    s.enthalpy = s.energy + flow::c2 * (s.energy - s.kinetic);
    return s;
}

/// Solves D v = b with the diagonal block D, in place. D couples a momentum to the density and the
/// energy to all others only, so that nothing is to be eliminated: with w = v_m - velocity_m v_0
/// and q = v_4 - energy v_0 (density times the changes of velocity and of energy per mass)
///   diagonal v_0 = b_0,    (diagonal + shear_m / density) w_m = b_m - velocity_m b_0,
///   (diagonal + conduction / density) q
///       = b_4 - energy b_0 - (sum of dissipated_m velocity_m w_m) / density.
[[gnu::always_inline]] inline void solve_diagonal(Cell& v, const JacobianState& s,
                                                  const BlockCoefficients& c) {
    const Lanes b0 = v[0];
    v[0] = c.inverse_diagonal * b0;
    Lanes q = v[4] - s.energy * b0;
    for (int m = 0; m < 3; ++m) {
        const Lanes change = (v[m + 1] - s.velocity[m] * b0) * s.inverse_momentum[m];
        q -= (c.dissipated[m] * s.velocity[m]) * change;
        v[m + 1] = s.density * change + s.velocity[m] * v[0];
    }
    v[4] = s.density * (q * s.inverse_energy) + s.energy * v[0];
}

/// Contributions of v at a point to the right-hand sides of its neighbours in x, y, z.
struct Contributions {
    Cell to[3];
};

/// The off-diagonal blocks in the column of a point, times its v. They depend on u of this point
/// only: its neighbours receive three finished vectors, and no Jacobian is formed.
[[gnu::always_inline]] inline void multiply_blocks(Contributions& contributions, const Cell& v,
                                                   const JacobianState& s,
                                                   const BlockCoefficients& c) {
    using namespace flow;
    Lanes w[3];
    Lanes work[3];
    for (int m = 0; m < 3; ++m) {
        w[m] = v[m + 1] - s.velocity[m] * v[0];
        work[m] = s.velocity[m] * w[m];
    }
    const Lanes all_work = work[0] + work[1] + work[2];
    const Lanes q = v[4] - s.energy * v[0];
    const Lanes pressure = c2 * (v[4] - all_work - s.kinetic * v[0]);
    const Lanes heat = all_work + (c1 * c5) * (q - all_work);
    for (int d = 0; d < 3; ++d) {
        Cell& next = contributions.to[d];
        const Lanes advection = c.convection[d] * s.velocity[d];
        const Lanes carry = advection + c.diffusion[d];
        const Lanes flux = c.convection[d] * w[d];
        const Lanes viscosity = c.viscosity[d] * s.specific_volume;
        next[0] = c.diffusion[d] * v[0] + c.convection[d] * v[d + 1];
        for (int m = 0; m < 3; ++m) {
            next[m + 1] = carry * v[m + 1] + s.velocity[m] * flux + viscosity * w[m];
        }
        next[d + 1] += c.convection[d] * pressure;
        next[d + 1] += (1.0 / 3.0 * viscosity) * w[d];
        next[4] = carry * v[4] + advection * pressure;
        next[4] += s.enthalpy * flux;
        next[4] += viscosity * (heat + (1.0 / 3.0) * work[d]);
    }
}

/// Parameters of a sweep for the lines of a block in one plane.
struct SweepLine {
    Cell* u;
    Cell* v;  ///< in: the residual (lower), the lower solution (upper); out: the solution
    Cell* plane_contributions;  ///< contributions; in: from the plane before, out: to the next one
    const double* edge_in;      ///< contributions from the row before the block: Edges::step
    double* edge_out;           ///< to the row after the block; may be the same memory
    const LaneMask* solved_columns;
    const LaneMask* solved_rows;
    /// Rows of the block that are not solved for pass on the contributions of the row before: they
    /// lie between the last one solved for and the edge, behind which a neighbour's row follows.
    bool hands_on;
};

/// A cell with all lanes moved on by one row; the first one comes from the edge.
template <Triangle triangle>
[[gnu::always_inline]] inline Lanes move_row(const Lanes& from, double edge) {
    if constexpr (triangle == Triangle::lower) {
        return shift<n_lanes - 1>(lanes_of(edge), from);
    } else {
        return shift<1>(from, lanes_of(edge));
    }
}

/// One step of a sweep: contributions come from the step before and go to the next. Lanes not
/// solved for keep what they have; it need not belong to this line.
template <Triangle triangle, bool hands_on>
[[gnu::always_inline]] inline void sweep_step(const SweepLine& line, int t,
                                              Contributions& contributions,
                                              const BlockCoefficients& c, double factor) {
    constexpr bool lower = triangle == Triangle::lower;
    const Cell u = line.u[t];
    const Cell before = line.v[t];
    const JacobianState state = jacobians(u, c);
    const double* edge_in = line.edge_in + Edges::stride * (lower ? t + n_lanes : t + 1);
    Cell from_row;
    Cell v;
    for (int m = 0; m < 5; ++m) {
        from_row[m] = move_row<triangle>(contributions.to[1][m], edge_in[m]);
        v[m] = contributions.to[0][m] + line.plane_contributions[t][m] + from_row[m];
        if constexpr (lower) v[m] += factor * before[m];
    }
    solve_diagonal(v, state, c);
    const LaneMask solved = line.solved_columns[t] & *line.solved_rows;
    for (int m = 0; m < 5; ++m) {
        if constexpr (!lower) v[m] += before[m];
        v[m] = select(solved, v[m], before[m]);
        if constexpr (!lower) line.u[t][m] = select(solved, u[m] + factor * v[m], u[m]);
        line.v[t][m] = v[m];
    }
    multiply_blocks(contributions, v, state, c);
    if constexpr (hands_on) {
        for (int m = 0; m < 5; ++m) {
            auto& next = contributions.to[1][m];
            next = select(*line.solved_rows, next, from_row[m]);
        }
    }
    line.plane_contributions[t] = contributions.to[2];
    double* edge_out = line.edge_out + Edges::stride * (lower ? t + 1 : t + n_lanes);
    for (int m = 0; m < 5; ++m) edge_out[m] = contributions.to[1][m][lower ? n_lanes - 1 : 0];
}

template <Triangle triangle, bool hands_on>
inline void sweep_steps(const SweepLine& line, int first, int end, const BlockCoefficients& c,
                        double factor) {
    Contributions contributions = {};
    for (int n = 0; n < end - first; ++n) {
        const int t = triangle == Triangle::lower ? first + n : end - 1 - n;
        sweep_step<triangle, hands_on>(line, t, contributions, c, factor);
    }
}

/// blts: (D + omega L) v = dt r along one line, factor = dt; or buts: (D + omega U) v = D v, and at
/// once u += factor v. Points not solved for keep the v they have, which is 0 on walls and the
/// neighbouring rank's solution in the column next to its pencil.
template <Triangle triangle>
void sweep_line(const SweepLine& line, int first, int end, const BlockCoefficients& c,
                double factor) {
    if (line.hands_on) {
        sweep_steps<triangle, true>(line, first, end, c, factor);
    } else {
        sweep_steps<triangle, false>(line, first, end, c, factor);
    }
}

}  // namespace heorot::lu
