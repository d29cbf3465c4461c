// Changes to and from the eigenvectors of the flux Jacobians, which make every line solve scalar.
//
// Checked by A T = T Lambda with A as a difference of fluxes in tests/npb/flow/test_sp.cpp:
// columns_are_eigenvectors, changes_of_variables_end_where_they_began.
#pragma once

#include <array>
#include <cstddef>
#include <numbers>

#include "benchmarks/npb/flow/coefficients.hpp"
#include "benchmarks/npb/sp/pentadiagonal.hpp"
#include "numerics/elementary.hpp"
#include "numerics/lanes.hpp"

namespace heorot::sp {

/// The flow at a point in every lane, in primitive variables.
struct Flow {
    Lanes density;
    Lanes inverse_density;
    std::array<Lanes, 3> velocity;
    Lanes kinetic;  ///< |velocity|^2 / 2
    Lanes sound;    ///< speed of sound a
    Lanes inverse_sound;
};

/// u = (rho, rho v, E): a^2 = c1 c2 (E / rho - |v|^2 / 2).
[[gnu::always_inline]] inline Flow flow_of(const State& u) {
    Flow flow;
    flow.density = u[0];
    flow.inverse_density = 1.0 / u[0];
    for (std::size_t d = 0; d < 3; ++d) flow.velocity[d] = u[d + 1] * flow.inverse_density;
    const auto& v = flow.velocity;
    flow.kinetic = 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const Lanes square = (flow::c1 * flow::c2) * (u[4] * flow.inverse_density - flow.kinetic);
    flow.inverse_sound = inverse_square_root(square);
    flow.sound = square * flow.inverse_sound;
    return flow;
}

constexpr double bt = std::numbers::sqrt2 / 2.0;

/// r := T_x^-1 r, where the columns of T_x are the eigenvectors of the Jacobian in x.
[[gnu::always_inline]] inline void txinvr(const Flow& flow, State& r) {
    const auto& [u, v, w] = flow.velocity;
    const Lanes t1 = flow::c2 * flow.inverse_sound * flow.inverse_sound *
                     (flow.kinetic * r[0] - u * r[1] - v * r[2] - w * r[3] + r[4]);
    const Lanes scale = bt * flow.inverse_density;
    const Lanes t2 = scale * (u * r[0] - r[1]);
    const Lanes t3 = scale * flow.sound * t1;
    r = {r[0] - t1, flow.inverse_density * (r[3] - w * r[0]),
         flow.inverse_density * (v * r[0] - r[2]), t3 - t2, t3 + t2};
}

/// r := T_y^-1 T_x r; the product does not depend on the flow.
[[gnu::always_inline]] inline void ninvr(State& r) {
    const Lanes t1 = bt * r[2];
    const Lanes t2 = 0.5 * (r[3] + r[4]);
    r = {-r[1], r[0], bt * (r[3] - r[4]), t2 - t1, t2 + t1};
}

/// r := T_z^-1 T_y r
[[gnu::always_inline]] inline void pinvr(State& r) {
    const Lanes t1 = bt * r[0];
    const Lanes t2 = 0.5 * (r[3] + r[4]);
    r = {bt * (r[3] - r[4]), -r[2], r[1], t2 - t1, t2 + t1};
}

/// r := T_z r
[[gnu::always_inline]] inline void tzetar(const Flow& flow, State& r) {
    const auto& [u, v, w] = flow.velocity;
    const Lanes scale = bt * flow.density;
    const Lanes sum = scale * (r[3] + r[4]);
    const Lanes t2 = r[2] + sum * flow.inverse_sound;
    const Lanes t3 = scale * (r[3] - r[4]);
    const Lanes x = flow.density * r[1];
    const Lanes y = flow.density * r[0];
    r = {t2, u * t2 - x, v * t2 + y, w * t2 + t3,
         v * y - u * x + flow.kinetic * t2 + (1.0 / flow::c2) * flow.sound * sum + w * t3};
}

}  // namespace heorot::sp
