// SP's time step: multiplied by its three factors, written point by point, it is the right-hand
// side; and tiles of any number of ranks go the way of the whole grid.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "benchmarks/npb/sp/solver.hpp"
#include "harness/world/world.hpp"
#include "tests/npb/flow/by_definition.hpp"
#include "tests/testing.hpp"

namespace {

using namespace heorot;  // NOLINT: a test of one family
using flow::Five;

const Extent grid = {11, 9, 14};
// NOLINTNEXTLINE(bugprone-throwing-static-initialization): arithmetic does not throw
const flow::Coefficients c(flow::unit_spacing(grid), 0.02);

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

void set(flow::Field& field, const Extent& p, const Five& values) {
    for (int m = 0; m < 5; ++m) field(m, p[0], p[1], p[2]) = values[static_cast<std::size_t>(m)];
}

template <class Action>
void for_each_point(const Extent& first, const Extent& last, const Action& action) {
    for (int k = first[2]; k < last[2]; ++k) {
        for (int j = first[1]; j < last[1]; ++j) {
            for (int i = first[0]; i < last[0]; ++i) action(Extent{i, j, k});
        }
    }
}

sp::State in_all_lanes(const Five& values) {
    sp::State s;
    for (std::size_t m = 0; m < 5; ++m) s[m] = lanes_of(values[m]);
    return s;
}

Five in_one_lane(const sp::State& s) {
    return {s[0][0], s[1][0], s[2][0], s[3][0], s[4][0]};
}

/// T^-1 x, where the columns of T are the eigenvectors of the Jacobian in direction d at u.
Five to_eigenvectors(const Five& u, const Five& x, std::size_t d) {
    sp::State s = in_all_lanes(x);
    txinvr(sp::flow_of(in_all_lanes(u)), s);
    if (d > 0) sp::ninvr(s);
    if (d > 1) sp::pinvr(s);
    return in_one_lane(s);
}

/// T x
Five from_eigenvectors(const Five& u, const Five& x, std::size_t d) {
    sp::State s = in_all_lanes(x);
    if (d < 1) sp::ninvr(s);
    if (d < 2) sp::pinvr(s);
    tzetar(sp::flow_of(in_all_lanes(u)), s);
    return in_one_lane(s);
}

/// The eigenvalues of the Jacobian: v three times, v + a, v - a.
Five eigenvalues(const Five& u, std::size_t d) {
    const double v = u[1 + d] / u[0];
    const double kinetic = 0.5 * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / (u[0] * u[0]);
    const double a = std::sqrt(flow::c1 * flow::c2 * (u[4] / u[0] - kinetic));
    return {v, v, v, v + a, v - a};
}

/// x becomes T (I + dt d/dx (Lambda - N d/dx) + dt dissipation) T^-1 x.
void multiply_by_factor(const flow::Field& u, flow::Field& x, std::size_t d) {
    flow::Field w(u.box());
    w.fill(0.0);
    const auto for_interior = [](const auto& action) {
        for_each_point({1, 1, 1}, {grid[0] - 1, grid[1] - 1, grid[2] - 1}, action);
    };
    for_interior([&](const Extent& p) { set(w, p, to_eigenvectors(state(u, p), state(x, p), d)); });
    for_interior([&](const Extent& p) {
        Five sum = state(w, p);
        for (std::size_t m = 0; m < 5; ++m) {
            for (const int by : {-1, 0, 1}) {
                const Extent at = tests::shifted(p, d, by);
                const Five there = state(u, at);
                const double diffusion =
                    flow::diffusion[d] + flow::c1 * flow::c5 * flow::c3 * flow::c4 / there[0];
                const double factor = by * eigenvalues(there, d)[m] / (2.0 * c.h[d]) -
                                      (by == 0 ? -2.0 : 1.0) * diffusion / (c.h[d] * c.h[d]);
                sum[m] += c.dt * factor * state(w, at)[m];
            }
            sum[m] += 0.25 * c.dt * tests::fourth_difference(p[d], grid[d], [&](int by) {
                          return state(w, tests::shifted(p, d, by))[m];
                      });
        }
        set(x, p, from_eigenvectors(state(u, p), sum, d));
    });
}

void factors_times_step_is_right_hand_side(int n_threads) {
    const Box box = Box::whole(grid);
    flow::Field before(box);
    flow::Field u(box);
    flow::Field step(box);
    flow::Field r(box);
    const flow::Field forcing(box);  // ones
    for_each_point({0, 0, 0}, grid, [&](const Extent& p) {
        for (int m = 0; m < 5; ++m) {
            before(m, p[0], p[1], p[2]) = u(m, p[0], p[1], p[2]) = made_up(m, p);
        }
    });
    const Clock clock;
    Phases phases(clock);
    sp::StepPhases step_phases(phases);
    sp::LineBuffers buffers(14, n_threads);
    sp::step({u, forcing, r}, c, buffers, step_phases);
    for_each_point({0, 0, 0}, grid, [&](const Extent& p) {
        Five change = state(u, p);
        for (std::size_t m = 0; m < 5; ++m) change[m] -= state(before, p)[m];
        set(step, p, change);
    });
    for (std::size_t d = 3; d-- > 0;) multiply_by_factor(before, step, d);
    double worst = 0.0;
    double largest = 0.0;
    const auto state_before = [&](const Extent& p) { return state(before, p); };
    for_each_point({1, 1, 1}, {grid[0] - 1, grid[1] - 1, grid[2] - 1}, [&](const Extent& p) {
        const Five k = tests::operator_by_definition(state_before, p, grid, c.h);
        for (std::size_t m = 0; m < 5; ++m) {
            const double expected = c.dt * (1.0 + k[m]);
            worst = std::max(worst, std::abs(state(step, p)[m] - expected));
            largest = std::max(largest, std::abs(expected));
        }
    });
    CHECK(largest > 0.1 && "there is something to solve for");
    CHECK(worst < 1e-12 * largest && "the factors times the step are dt (forcing + K(u))");
}

void tiles_go_the_way_of_the_whole(const World& world, int n_threads) {
    const Communicator alone;
    const Clock clock;
    Phases phases(clock);
    sp::StepPhases step_phases(phases);
    const Multipartition tiles(grid, world.size(), world.rank());
    const Multipartition one_tile(grid, 1, 0);
    sp::Solver parallel(tiles, c, world, step_phases, n_threads);
    sp::Solver serial(one_tile, c, alone, step_phases, 1);
    for (sp::Solver* solver : {&parallel, &serial}) {
        solver->initialise();
        for (int step = 0; step < 3; ++step) solver->step();
    }
    double worst = 0.0;
    for (const flow::Field& field : parallel.fields()) {
        const Box& box = field.box();
        for_each_point({0, 0, 0}, {box.size(0), box.size(1), box.size(2)}, [&](const Extent& p) {
            const Extent q = {box.begin[0] + p[0], box.begin[1] + p[1], box.begin[2] + p[2]};
            for (std::size_t m = 0; m < 5; ++m) {
                const double expected = state(serial.fields()[0], q)[m];
                const double difference = std::abs(state(field, p)[m] - expected);
                worst = std::max(worst, difference / (1.0 + std::abs(expected)));
            }
        });
    }
    CHECK(worst < 1e-13 && "tiles have the field of the whole grid");
}

}  // namespace

int main() {
    World world;
    world.start();
    for (const int n_threads : {1, 3}) {
        factors_times_step_is_right_hand_side(n_threads);
        tiles_go_the_way_of_the_whole(world, n_threads);
    }
    world.finish();
    World::leave();
    return tests::result();
}
