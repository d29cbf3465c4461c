// BT's block-tridiagonal lines: the solution times the matrix by its definition is the right-hand
// side, and tiles of any number of ranks go the way of the whole grid.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "benchmarks/npb/bt/solver.hpp"
#include "harness/world/world.hpp"
#include "tests/npb/flow/by_definition.hpp"
#include "tests/testing.hpp"

namespace {

using namespace heorot;
using flow::Five;

// Odd lengths, and few enough points for one thread.
const Extent grid = {11, 9, 14};
// NOLINTNEXTLINE(bugprone-throwing-static-initialization): arithmetic does not throw
const flow::Coefficients c(flow::unit_spacing(grid), 0.02);

/// Some flow, different in all components.
double made_up(int m, const Extent& p) {
    const double base = m == 0 ? 3.0 : m == 4 ? 9.0 : 0.5 * m;
    return base + 0.3 * std::sin(1.0 + m + 0.7 * p[0]) * std::cos(2.0 - 0.4 * p[1]) +
           0.05 * p[2] * (m + 1);
}

Five state(const flow::Field& field, const Extent& p) {
    Five s;
    for (int m = 0; m < 5; ++m) s[static_cast<std::size_t>(m)] = field(m, p[0], p[1], p[2]);
    return s;
}

template <class Action>
void for_each_point(const Extent& first, const Extent& last, const Action& action) {
    for (int k = first[2]; k < last[2]; ++k) {
        for (int j = first[1]; j < last[1]; ++j) {
            for (int i = first[0]; i < last[0]; ++i) action(Extent{i, j, k});
        }
    }
}

template <class Action>
void for_interior(const Action& action) {
    for_each_point({1, 1, 1}, {grid[0] - 1, grid[1] - 1, grid[2] - 1}, action);
}

/// f'(u) v as a difference.
template <class Flux>
Five derivative(const Flux& f, Five u, const Five& v, std::size_t d) {
    constexpr double e = 1e-5;
    Five behind = u;
    for (std::size_t m = 0; m < 5; ++m) {
        u[m] += e * v[m];
        behind[m] -= e * v[m];
    }
    Five result = f(u, d);
    const Five lower = f(behind, d);
    for (std::size_t m = 0; m < 5; ++m) result[m] = (result[m] - lower[m]) / (2.0 * e);
    return result;
}

/// (I + dt d/dx (F' - N' d/dx - D d/dx)) x at a point, x being zero on walls.
Five multiply(const flow::Field& u, const flow::Field& x, const Extent& p, std::size_t d) {
    Five result = state(x, p);
    for (const int by : {-1, 0, 1}) {
        const Extent at = tests::shifted(p, d, by);
        if (at[d] == 0 || at[d] == grid[d] - 1) continue;
        const Five v = state(x, at);
        const Five f = derivative(tests::convective, state(u, at), v, d);
        const Five n = derivative(tests::viscous, state(u, at), v, d);
        const double second_difference = by == 0 ? -2.0 : 1.0;
        for (std::size_t m = 0; m < 5; ++m) {
            result[m] += c.dt * by * f[m] / (2.0 * c.h[d]);
            result[m] -=
                c.dt * second_difference * (n[m] + flow::diffusion[d] * v[m]) / (c.h[d] * c.h[d]);
        }
    }
    return result;
}

void lines_are_solved(int direction) {
    const Box box = Box::whole(grid);
    flow::Field u(box);
    flow::Field x(box);
    flow::Field given(box);
    for_each_point({0, 0, 0}, grid, [&](const Extent& p) {
        for (int m = 0; m < 5; ++m) {
            u(m, p[0], p[1], p[2]) = made_up(m, p);
            x(m, p[0], p[1], p[2]) = given(m, p[0], p[1], p[2]) = std::cos(p[0] + 2.0 * p[1] * m);
        }
    });
    bt::Workspace workspace(14, 1);
    bt::solve(bt::LineOperator(c, direction), direction, u, x, workspace);
    double worst = 0.0;
    double change = 0.0;
    for_interior([&](const Extent& p) {
        const Five product = multiply(u, x, p, static_cast<std::size_t>(direction));
        for (std::size_t m = 0; m < 5; ++m) {
            worst = std::max(worst, std::abs(product[m] - state(given, p)[m]));
            change = std::max(change, std::abs(state(x, p)[m] - state(given, p)[m]));
        }
    });
    CHECK(worst < 1e-8 && "A x = r with the blocks of A as derivatives of the fluxes");
    CHECK(change > 0.1 && "the matrix is not that of the identity");
}

bool are_close(const Five& a, const Five& b) {
    for (std::size_t m = 0; m < 5; ++m) {
        if (!(std::abs(a[m] - b[m]) <= 1e-12 * std::abs(b[m]))) return false;
    }
    return true;
}

void tiles_go_the_way_of_the_whole(const World& world) {
    const Communicator alone;
    const Clock clock;
    Phases phases(clock);
    const Multipartition tiles(grid, world.size(), world.rank());
    const Multipartition one_tile(grid, 1, 0);
    bt::Solver parallel(tiles, c.dt, world, phases, 1);
    bt::Solver serial(one_tile, c.dt, alone, phases, 1);
    for (bt::Solver* solver : {&parallel, &serial}) {
        solver->initialise();
        for (int step = 0; step < 3; ++step) solver->step();
    }
    CHECK(are_close(parallel.error_norm(), serial.error_norm()));
    CHECK(are_close(parallel.rhs_norm(), serial.rhs_norm()));
}

}  // namespace

int main() {
    World world;
    world.start();
    for (int direction = 0; direction < 3; ++direction) lines_are_solved(direction);
    tiles_go_the_way_of_the_whole(world);
    world.finish();
    World::leave();
    return tests::result();
}
