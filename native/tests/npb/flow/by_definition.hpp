// The operator of the flow equations as the specification writes it, one point and term at a time.
#pragma once

#include <cstddef>

#include "benchmarks/npb/flow/coefficients.hpp"
#include "numerics/tiles.hpp"

namespace heorot::tests {

using flow::Five;

/// Convective flux in direction d at a state.
inline Five convective(const Five& u, std::size_t d) {
    using namespace flow;
    const double velocity = u[1 + d] / u[0];
    const double q = 0.5 * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / u[0];
    Five f = {u[1 + d], u[1] * velocity, u[2] * velocity, u[3] * velocity,
              (c1 * u[4] - c2 * q) * velocity};
    f[1 + d] += c2 * (u[4] - q);
    return f;
}

/// What the second differences of the viscous terms are taken of.
inline Five viscous(const Five& u, std::size_t d) {
    using namespace flow;
    const double k = c3 * c4;
    Five g = {0.0, k * u[1] / u[0], k * u[2] / u[0], k * u[3] / u[0], 0.0};
    g[1 + d] *= 4.0 / 3.0;
    const double normal = u[1 + d] / u[0];
    const double speed2 = (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / (u[0] * u[0]);
    g[4] = k * (0.5 * (1.0 - c1 * c5) * speed2 + normal * normal / 6.0 + c1 * c5 * u[4] / u[0]);
    return g;
}

inline Extent shifted(Extent p, std::size_t d, int by) {
    p[d] += by;
    return p;
}

/// The fourth difference at point i of n of what at(distance) is there, with the forms next to the
/// walls written out.
template <class At>
double fourth_difference(int i, int n, const At& at) {
    if (i == 1) return 5 * at(0) - 4 * at(1) + at(2);
    if (i == 2) return -4 * at(-1) + 6 * at(0) - 4 * at(1) + at(2);
    if (i == n - 3) return at(-2) - 4 * at(-1) + 6 * at(0) - 4 * at(1);
    if (i == n - 2) return at(-2) - 4 * at(-1) + 5 * at(0);
    return at(-2) - 4 * at(-1) + 6 * at(0) - 4 * at(1) + at(2);
}

/// K(u) at point p of a grid with spacing h: differences of convective and viscous fluxes and the
/// dissipation. `state` gives the five components at a point.
template <class State>
Five operator_by_definition(const State& state, const Extent& p, const Extent& grid,
                            const flow::Spacing& h) {
    Five k = {};
    for (std::size_t d = 0; d < 3; ++d) {
        const Five lower = state(shifted(p, d, -1));
        const Five here = state(p);
        const Five upper = state(shifted(p, d, 1));
        for (std::size_t m = 0; m < flow::n_components; ++m) {
            k[m] -= (convective(upper, d)[m] - convective(lower, d)[m]) / (2.0 * h[d]);
            k[m] += (viscous(upper, d)[m] - 2.0 * viscous(here, d)[m] + viscous(lower, d)[m] +
                     flow::diffusion[d] * (upper[m] - 2.0 * here[m] + lower[m])) /
                    (h[d] * h[d]);
            k[m] -= 0.25 * fourth_difference(p[d], grid[d],
                                             [&](int by) { return state(shifted(p, d, by))[m]; });
        }
    }
    return k;
}

}  // namespace heorot::tests
