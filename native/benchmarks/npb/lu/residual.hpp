// The steady-state residual of the flow equations along one line of a block, a point in every lane
// at a time.
//
// With h the spacing and the directions d = x, y, z, the residual at a point p is
//   r = sum_d [ -(F_d(u+) - F_d(u-)) / 2h + (G_d(u+) - 2 G_d(u) + G_d(u-)) / h^2
//               + k_d (u+ - 2 u + u-) / h^2 - (fourth difference of u) / 4 ] - forcing,
// where u+ and u- are u at the neighbours p + d and p - d, F_d is the convective flux,
//   G_d = c3 c4 (0, v and v_d / 3 along d, (1 - c1 c5) |v|^2 / 2 + v_d^2 / 6 + c1 c5 E / rho)
// the flux whose differences are the viscous terms, and k_d the artificial diffusion. Sorted by the
// point of u, so that values derived from a u are computed once, the sum has the terms
//   add_neighbour   -s F_d / 2h + G_d / h^2 + w(s) u   of the neighbours s = +1 and -1,
//   add_centre      -2 sum_d G_d / h^2 + w(0) u        of the point itself,
//   rhs_line        w(s) u                             of the points s = +2 and -2,
// with k_d, the dissipation and its forms next to walls in the weights w, a Stencil.
//
// Source: D. Bailey et al., The NAS Parallel Benchmarks, RNR-94-007 (1994), chapter 3 (boundary
// value problem, spatial discretisation). Checked against the first formula, term by term, in
// tests/npb/flow/test_lu.cpp: residual_follows_the_definition.
#pragma once

#include "benchmarks/npb/flow/coefficients.hpp"
#include "benchmarks/npb/lu/field.hpp"

namespace heorot::lu {

/// Terms of the fluxes at a point besides the variables: velocities, pressure, and the part of the
/// viscous energy flux that is the same in all directions.
struct FlowState {
    Lanes velocity[3];
    Lanes pressure;
    Lanes heat;  ///< (1 - c1 c5) |velocity|^2 / 2 + c1 c5 energy / density
};

[[gnu::always_inline]] inline FlowState flow_state(const Cell& u) {
    using namespace flow;
    const Lanes specific_volume = 1.0 / u[0];
    FlowState s;
    for (int d = 0; d < 3; ++d) s.velocity[d] = u[d + 1] * specific_volume;
    const Lanes twice_kinetic = s.velocity[0] * u[1] + s.velocity[1] * u[2] + s.velocity[2] * u[3];
    s.pressure = c2 * (u[4] - 0.5 * twice_kinetic);
    s.heat = specific_volume * ((0.5 * (1.0 - c1 * c5)) * twice_kinetic + c1 * c5 * u[4]);
    return s;
}

/// Weights of u at the points -2 ... 2 of one direction: its second difference and the fourth-order
/// dissipation, whose stencil is one-sided next to the walls. All zero for points not solved for.
struct Stencil {
    Lanes at[5];
    Lanes& operator[](int distance) { return at[distance + 2]; }
    const Lanes& operator[](int distance) const { return at[distance + 2]; }
};

/// Parameters of rhs for the lines of a block in one plane.
struct ResidualLine {
    const Cell* u[5];           ///< of the planes k - 2 ... k + 2
    const Cell* u_below;        ///< of the block with the next smaller rows
    const Cell* u_above;        ///< of the block with the next larger ones
    const FlowState* state[3];  ///< of the planes k - 1, k, k + 1
    const Cell* forcing;
    Cell* residual;
    const Stencil* x;  ///< of every step
    const Stencil* y;
    const Stencil* z;
    const LaneMask* solved_columns;  ///< of every step
    const LaneMask* solved_rows;
};

/// The contribution of one neighbour to the residual, in direction d at side (+1 or -1).
template <int d, int side>
[[gnu::always_inline]] inline void add_neighbour(Cell& r, const Cell& u, const FlowState& s,
                                                 const flow::DirectionCoefficients& c,
                                                 const Lanes& weight) {
    const double half = -side * c.tx2;
    const Lanes flux = half * s.velocity[d];
    const Lanes flux_and_weight = flux + weight;
    r[0] += half * u[d + 1];
    r[0] += weight * u[0];
    for (int m = 0; m < 3; ++m) {
        r[m + 1] += flux_and_weight * u[m + 1];
        r[m + 1] += (m == d ? c.xxcon1 : c.xxcon2) * s.velocity[m];
    }
    r[d + 1] += half * s.pressure;
    r[4] += flux_and_weight * u[4];
    r[4] += flux * s.pressure;  // c1 = 1 + c2
    r[4] += c.xxcon2 * s.heat;
    r[4] += (c.xxcon4 * s.velocity[d]) * s.velocity[d];
}

/// The contribution of the point itself.
[[gnu::always_inline]] inline void add_centre(Cell& r, const Cell& u, const FlowState& s,
                                              const flow::Coefficients& c, const Lanes& weight) {
    const auto& dir = c.direction;
    const double shear = dir[0].xxcon2 + dir[1].xxcon2 + dir[2].xxcon2;
    Lanes energy = shear * s.heat;
    for (int d = 0; d < 3; ++d) {
        const auto& along = dir[static_cast<std::size_t>(d)];
        r[d + 1] -= (2.0 * (shear + along.xxcon1 - along.xxcon2)) * s.velocity[d];
        energy += along.xxcon4 * (s.velocity[d] * s.velocity[d]);
    }
    r[4] -= 2.0 * energy;
    for (int m = 0; m < 5; ++m) r[m] += weight * u[m];
}

/// The points `distance` rows below (side = -1) or above the rows of a line, as their lanes;
/// the outermost lie in the next block, `beyond`.
template <int side, int distance>
[[gnu::always_inline]] inline Cell shifted_rows(const Cell* line, const Cell* beyond) {
    constexpr int d = side < 0 ? n_lanes - distance : distance;
    Cell u;
    for (int m = 0; m < 5; ++m) {
        const auto& low = side < 0 ? beyond[n_lanes - distance][m] : line[distance][m];
        const auto& high = side < 0 ? line[-distance][m] : beyond[distance - n_lanes][m];
        u[m] = shift<d>(low, high);
    }
    return u;
}

template <int side>
[[gnu::always_inline]] inline void add_row(Cell& r, const ResidualLine& line, int t,
                                           const flow::Coefficients& c) {
    const Cell* beyond = (side < 0 ? line.u_below : line.u_above) + t;
    const Cell u = shifted_rows<side, 1>(line.u[2] + t, beyond);
    add_neighbour<1, side>(r, u, flow_state(u), c.direction[1], (*line.y)[side]);
    const Cell second = shifted_rows<side, 2>(line.u[2] + t, beyond);
    for (int m = 0; m < 5; ++m) r[m] += (*line.y)[2 * side] * second[m];
}

/// residual = operator applied to u - forcing, for all steps of [first, end). Where nothing is
/// solved for it stays: 0 on walls.
inline void rhs_line(const ResidualLine& line, int first, int end, const flow::Coefficients& c) {
    for (int t = first; t < end; ++t) {
        const Stencil& x = line.x[t];
        Cell r;
        for (int m = 0; m < 5; ++m) r[m] = -line.forcing[t][m];
        add_centre(r, line.u[2][t], line.state[1][t], c, x[0] + (*line.y)[0] + (*line.z)[0]);
        add_neighbour<0, -1>(r, line.u[2][t - 1], line.state[1][t - 1], c.direction[0], x[-1]);
        add_neighbour<0, 1>(r, line.u[2][t + 1], line.state[1][t + 1], c.direction[0], x[1]);
        add_neighbour<2, -1>(r, line.u[1][t], line.state[0][t], c.direction[2], (*line.z)[-1]);
        add_neighbour<2, 1>(r, line.u[3][t], line.state[2][t], c.direction[2], (*line.z)[1]);
        for (int m = 0; m < 5; ++m) {
            r[m] += x[-2] * line.u[2][t - 2][m];
            r[m] += x[2] * line.u[2][t + 2][m];
            r[m] += (*line.z)[-2] * line.u[0][t][m];
            r[m] += (*line.z)[2] * line.u[4][t][m];
        }
        add_row<-1>(r, line, t, c);
        add_row<1>(r, line, t, c);
        const LaneMask solved = line.solved_columns[t] & *line.solved_rows;
        for (int m = 0; m < 5; ++m) {
            line.residual[t][m] = select(solved, r[m], line.residual[t][m]);
        }
    }
}

}  // namespace heorot::lu
