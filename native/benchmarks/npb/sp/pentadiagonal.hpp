// Pentadiagonal lines solved side by side, one in each lane: the three systems of every line.
//
// Checked by A x = f with the elements of A as the specification has them in
// tests/npb/flow/test_sp.cpp: solution_times_matrix_is_right_hand_side,
// cut_lines_have_the_same_solution.
#pragma once

#include <array>
#include <cstddef>

#include "numerics/lanes.hpp"

namespace heorot::sp {

using Index = std::ptrdiff_t;

/// One value per component of the flow, at a point in every lane.
using State = std::array<Lanes, 5>;

/// Contributions of a point to the equations of its neighbours in a line. With time step dt,
/// spacing h and the line's component v of the velocity: dt / 2h v, dt / h^2 times the diffusion
/// coefficient, dt / 2h times the speed of sound.
struct Terms {
    Lanes convection;
    Lanes diffusion;
    Lanes sound;
};

/// One point of the lines. The eigenvalues v, v + a, v - a of the Jacobian give three systems s =
/// 0, 1, 2. Right-hand sides 0, 1, 2 belong to system 0, number 3 to system 1, number 4 to 2.
struct Row {
    /// Before elimination the right-hand sides f; after substitution the solution x.
    State f;
    /// Before elimination the point's terms; after it x(i) = f(i) - p(s) x(i+1) - q(s) x(i+2).
    std::array<Lanes, 3> p;
    std::array<Lanes, 3> q;

    void set_terms(const Terms& terms) { p = {terms.convection, terms.diffusion, terms.sound}; }
    Terms terms() const { return {p[0], p[1], p[2]}; }
};

/// Whether a line begins or ends at a wall, where the solution is zero.
struct Walls {
    bool before;
    bool behind;
};

/// Gaussian elimination without pivoting of rows[0], ..., rows[n - 1]. Row i of system s is
///   e x(i-2) + L(i) x(i-1) + M(i) x(i) + U(i) x(i+1) + e x(i+2) = f(i) with
///   L(i) = -C(i-1) - D(i-1) - 4 e + (0, -S(i-1), S(i-1))(s),
///   U(i) = C(i+1) - D(i+1) - 4 e + (0, S(i+1), -S(i+1))(s),
///   M(i) = 1 + 2 D(i) + 6 e, but 1 + 2 D(i) + 5 e next to a wall;
/// C, D, S are the Terms, e is dt times the dissipation. rows[-2] and rows[-1] are the eliminated
/// rows before, or zero at a wall, and `before` the terms of row -1; rows[n] holds its terms. Terms
/// of walls do not matter if they are finite.
[[gnu::always_inline]] inline void eliminate(Row* rows, Index n, double e, Walls walls,
                                             const Terms& before) {
    Terms lower = before;
    Terms here = rows[0].terms();
    for (Index i = 0; i < n; ++i) {
        const bool at_wall = (walls.before && i == 0) || (walls.behind && i == n - 1);
        const Row& row2 = rows[i - 2];
        const Row& row1 = rows[i - 1];
        Row& row = rows[i];
        const Terms upper = rows[i + 1].terms();
        const Lanes l = -lower.convection - lower.diffusion - 4.0 * e;
        const Lanes m = 2.0 * here.diffusion + (1.0 + (at_wall ? 5.0 : 6.0) * e);
        const Lanes u = upper.convection - upper.diffusion - 4.0 * e;

        const Lanes l0 = l - e * row2.p[0];
        const Lanes l1 = l - lower.sound - e * row2.p[1];
        const Lanes l2 = l + lower.sound - e * row2.p[2];
        const Lanes pivot0 = 1.0 / (m - e * row2.q[0] - l0 * row1.p[0]);
        const Lanes pivot1 = 1.0 / (m - e * row2.q[1] - l1 * row1.p[1]);
        const Lanes pivot2 = 1.0 / (m - e * row2.q[2] - l2 * row1.p[2]);
        row.p[0] = pivot0 * (u - l0 * row1.q[0]);
        row.p[1] = pivot1 * (u + upper.sound - l1 * row1.q[1]);
        row.p[2] = pivot2 * (u - upper.sound - l2 * row1.q[2]);
        row.q = {e * pivot0, e * pivot1, e * pivot2};
        for (std::size_t c = 0; c < 3; ++c) {
            row.f[c] = pivot0 * (row.f[c] - e * row2.f[c] - l0 * row1.f[c]);
        }
        row.f[3] = pivot1 * (row.f[3] - e * row2.f[3] - l1 * row1.f[3]);
        row.f[4] = pivot2 * (row.f[4] - e * row2.f[4] - l2 * row1.f[4]);
        lower = here;
        here = upper;
    }
}

/// Back substitution of the eliminated rows[n - 1], ..., rows[0]: f becomes x. rows[n].f and
/// rows[n + 1].f are the solution behind them, zero at a wall.
[[gnu::always_inline]] inline void substitute(Row* rows, Index n) {
    for (Index i = n - 1; i >= 0; --i) {
        Row& row = rows[i];
        for (std::size_t c = 0; c < row.f.size(); ++c) {
            const std::size_t s = c < 3 ? 0 : c - 2;
            row.f[c] = row.f[c] - row.q[s] * rows[i + 2].f[c] - row.p[s] * rows[i + 1].f[c];
        }
    }
}

}  // namespace heorot::sp
