// Tests of LU on one rank: the residual, the Jacobians and the triangular solves, by identities.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "benchmarks/npb/flow/exact.hpp"
#include "benchmarks/npb/lu/solver.hpp"
#include "tests/npb/flow/by_definition.hpp"
#include "tests/testing.hpp"

namespace {

using namespace heorot;
using lu::Cell;

/// Something smooth that is no solution of anything, different in all components.
double made_up(int m, int i, int j, int k) {
    const double base = m == 0 ? 3.0 : m == 4 ? 9.0 : 0.5 * m;
    return base + 0.3 * std::sin(1.0 + m + 0.7 * i) * std::cos(2.0 - 0.4 * j) + 0.05 * k * (m + 1);
}

Cell made_up_cell(double phase) {
    Cell cell;
    for (int m = 0; m < 5; ++m) {
        for (int lane = 0; lane < n_lanes; ++lane) {
            cell[m][lane] = made_up(m, lane, 3, 2) + 0.1 * std::cos(phase * (m + 2) + lane);
        }
    }
    return cell;
}

double largest_difference(const Cell& a, const Cell& b) {
    double largest = 0.0;
    for (int m = 0; m < 5; ++m) {
        for (int lane = 0; lane < n_lanes; ++lane) {
            const double scale = std::max(1.0, std::abs(b[m][lane]));
            largest = std::max(largest, std::abs(a[m][lane] - b[m][lane]) / scale);
        }
    }
    return largest;
}

// NOLINTNEXTLINE(bugprone-throwing-static-initialization): arithmetic does not throw
const flow::Coefficients coefficients(flow::Spacing{1.0 / 9, 1.0 / 18, 1.0 / 6}, 0.02);

/// (f(u + e v) - f(u - e v)) / 2 e; f is called with a cell to which it adds.
template <class Function>
Cell derivative(Function f, const Cell& u, const Cell& v) {
    constexpr double e = 1e-5;
    Cell ahead = u;
    Cell behind = u;
    for (int m = 0; m < 5; ++m) {
        ahead[m] += e * v[m];
        behind[m] -= e * v[m];
    }
    Cell upper = {};
    Cell lower = {};
    f(upper, ahead);
    f(lower, behind);
    for (int m = 0; m < 5; ++m) upper[m] = (upper[m] - lower[m]) / (2.0 * e);
    return upper;
}

/// What a point adds to the residual of its neighbour in direction d on that side, dissipation of
/// fourth order left out.
template <int d, int side>
void contribution(Cell& r, const Cell& u) {
    lu::add_neighbour<d, side>(r, u, lu::flow_state(u), coefficients.direction[d],
                               lanes_of(coefficients.direction[d].dxtx1));
}

/// The off-diagonal blocks are the derivatives of the residual with respect to the neighbours.
template <int d, lu::Triangle triangle>
void block_is_derivative() {
    constexpr int side = triangle == lu::Triangle::lower ? -1 : 1;
    const lu::BlockCoefficients blocks(coefficients, lu::omega, triangle);
    const Cell u = made_up_cell(0.3);
    const Cell v = made_up_cell(1.7);
    lu::Contributions contributions;
    lu::multiply_blocks(contributions, v, lu::jacobians(u, blocks), blocks);
    Cell expected = derivative(&contribution<d, side>, u, v);
    for (int m = 0; m < 5; ++m) expected[m] *= lu::omega * coefficients.dt;
    CHECK(largest_difference(contributions.to[d], expected) < 1e-8);
}

/// D = 1 - dt (derivative of the residual with respect to the point itself); D^-1 D v = v.
void diagonal_is_inverted() {
    const lu::BlockCoefficients blocks(coefficients, lu::omega, lu::Triangle::lower);
    const Cell u = made_up_cell(0.9);
    const Cell v = made_up_cell(2.2);
    double weight = 0.0;
    for (const auto& along : coefficients.direction) weight -= 2.0 * along.dxtx1;
    const auto centre = [&](Cell& r, const Cell& at) {
        lu::add_centre(r, at, lu::flow_state(at), coefficients, lanes_of(weight));
    };
    Cell product = derivative(centre, u, v);
    for (int m = 0; m < 5; ++m) product[m] = v[m] - coefficients.dt * product[m];
    lu::solve_diagonal(product, lu::jacobians(u, blocks), blocks);
    CHECK(largest_difference(product, v) < 1e-8);
}

const Extent grid = {10, 19, 7};

/// A solver of the whole grid with the forcing of the benchmark.
struct Whole {
    Phases phases = Phases(Clock(Clock::Kind::monotonic));
    lu::TimedPhases timed_phases = lu::TimedPhases(phases);
    lu::Solver solver = lu::Solver(Box::whole(grid), coefficients, timed_phases);
    lu::Scratch scratch = lu::Scratch(solver.u().layout(), 1);

    Whole() { solver.erhs(scratch); }
};

template <class Visit>
void for_each_solved_point(Visit visit) {
    for (int k = 1; k < grid[2] - 1; ++k) {
        for (int j = 1; j < grid[1] - 1; ++j) {
            for (int i = 1; i < grid[0] - 1; ++i) visit(i, j, k);
        }
    }
}

void exact_solution_is_stationary() {
    Whole whole;
    whole.solver.rhs(whole.scratch);
    for (const double sum : whole.solver.l2norm()) CHECK(sum < 1e-20);
    for (const double sum : whole.solver.error()) CHECK(sum < 1e-20);
}

void residual_follows_the_definition() {
    Whole whole;
    const auto state = [](const Extent& p) {
        flow::Five u;
        for (int m = 0; m < 5; ++m) u[static_cast<std::size_t>(m)] = made_up(m, p[0], p[1], p[2]);
        return u;
    };
    const auto exact = [](const Extent& p) {
        const flow::Spacing& h = coefficients.h;
        return flow::exact_solution(p[0] * h[0], p[1] * h[1], p[2] * h[2]);
    };
    for (int m = 0; m < 5; ++m) {
        for (int k = 0; k < grid[2]; ++k) {
            for (int j = 0; j < grid[1]; ++j) {
                for (int i = 0; i < grid[0]; ++i) {
                    whole.solver.u().at(m, i, j, k) = made_up(m, i, j, k);
                }
            }
        }
    }
    whole.solver.rhs(whole.scratch);
    double largest = 0.0;
    for_each_solved_point([&](int i, int j, int k) {
        const Extent p = {i, j, k};
        const flow::Five of_u = tests::operator_by_definition(state, p, grid, coefficients.h);
        const flow::Five of_exact = tests::operator_by_definition(exact, p, grid, coefficients.h);
        for (std::size_t m = 0; m < 5; ++m) {
            const double expected = of_u[m] - of_exact[m];
            const double residual = whole.solver.residual().at(static_cast<int>(m), i, j, k);
            largest = std::max(largest, std::abs(residual - expected) / (1.0 + std::abs(expected)));
        }
    });
    CHECK(largest < 1e-11 && "residual = K(u) - K(exact) with K term by term as in the equations");
}

Cell point(const lu::Field& field, int i, int j, int k) {
    Cell cell;
    for (int m = 0; m < 5; ++m) cell[m] = lanes_of(field.at(m, i, j, k));
    return cell;
}

/// v is 0 on walls, whose rows and planes are not kept.
Cell solution(const lu::Field& v, int i, int j, int k) {
    const bool is_kept = j > 0 && j < grid[1] - 1 && k > 0 && k < grid[2] - 1;
    return is_kept ? point(v, i, j, k) : Cell{};
}

/// (D + omega L) v or (D + omega U) v at a point, times D^-1: v minus D^-1 of what the neighbours
/// contribute.
Cell multiply(const lu::Field& u, const lu::Field& v, lu::Triangle triangle, int i, int j, int k) {
    const lu::BlockCoefficients blocks(coefficients, lu::omega, triangle);
    const int side = triangle == lu::Triangle::lower ? -1 : 1;
    const Extent next[3] = {{i + side, j, k}, {i, j + side, k}, {i, j, k + side}};
    Cell sum = {};
    for (int d = 0; d < 3; ++d) {
        const auto& at = next[d];
        lu::Contributions contributions;
        lu::multiply_blocks(contributions, solution(v, at[0], at[1], at[2]),
                            lu::jacobians(point(u, at[0], at[1], at[2]), blocks), blocks);
        for (int m = 0; m < 5; ++m) sum[m] += contributions.to[d][m];
    }
    lu::solve_diagonal(sum, lu::jacobians(point(u, i, j, k), blocks), blocks);
    const Cell own = point(v, i, j, k);
    for (int m = 0; m < 5; ++m) sum[m] = own[m] - sum[m];
    return sum;
}

void sweeps_solve_their_systems() {
    Whole before;
    Whole after;
    for (Whole* whole : {&before, &after}) {
        whole->solver.initialise();
        whole->solver.rhs(whole->scratch);
    }
    after.solver.lower(after.scratch);
    const lu::BlockCoefficients blocks(coefficients, lu::omega, lu::Triangle::lower);
    double largest = 0.0;
    for_each_solved_point([&](int i, int j, int k) {
        Cell expected = point(before.solver.residual(), i, j, k);
        for (int m = 0; m < 5; ++m) expected[m] *= coefficients.dt;
        lu::solve_diagonal(expected, lu::jacobians(point(before.solver.u(), i, j, k), blocks),
                           blocks);
        const Cell product =
            multiply(before.solver.u(), after.solver.residual(), lu::Triangle::lower, i, j, k);
        largest = std::max(largest, largest_difference(product, expected));
    });
    CHECK(largest < 1e-13);

    before.solver.lower(before.scratch);
    after.solver.upper(after.scratch);
    largest = 0.0;
    double largest_update = 0.0;
    for_each_solved_point([&](int i, int j, int k) {
        const Cell expected = point(before.solver.residual(), i, j, k);
        const Cell product =
            multiply(before.solver.u(), after.solver.residual(), lu::Triangle::upper, i, j, k);
        largest = std::max(largest, largest_difference(product, expected));
        for (int m = 0; m < 5; ++m) {
            const double v = after.solver.residual().at(m, i, j, k);
            const double updated =
                before.solver.u().at(m, i, j, k) + v / (lu::omega * (2.0 - lu::omega));
            largest_update =
                std::max(largest_update, std::abs(after.solver.u().at(m, i, j, k) / updated - 1.0));
        }
    });
    CHECK(largest < 1e-13);
    CHECK(largest_update < 1e-13);
}

void iterations_converge() {
    Whole whole;
    whole.solver.initialise();
    whole.solver.rhs(whole.scratch);
    flow::Five norm = whole.solver.l2norm();
    flow::Five error = whole.solver.error();
    for (int step = 0; step < 10; ++step) {
        whole.solver.lower(whole.scratch);
        whole.solver.upper(whole.scratch);
        whole.solver.rhs(whole.scratch);
        const flow::Five next = whole.solver.l2norm();
        const flow::Five next_error = whole.solver.error();
        for (std::size_t m = 0; m < 5; ++m) CHECK(next[m] < norm[m] && next_error[m] < error[m]);
        norm = next;
        error = next_error;
    }
}

/// Every point has a place of its own, in a field with all rows and in one with those solved for;
/// and lines of a block share their ends, so that the fields are hardly larger than the grid.
void storage_is_dense() {
    for (const Extent& size : {Extent{16, 15, 6}, Extent{7, 10, 5}, Extent{33, 3, 4}}) {
        const Box box = Box::whole(size);
        for (const auto rows : {lu::Layout::Rows::solved, lu::Layout::Rows::all}) {
            const bool all = rows == lu::Layout::Rows::all;
            lu::Field field(lu::Layout(box, rows));
            std::set<const double*> places;
            for (int k = 0; k < size[2]; ++k) {
                for (int j = all ? 0 : 1; j < size[1] - (all ? 0 : 1); ++j) {
                    for (int i = 0; i < size[0]; ++i) places.insert(&field.at(0, i, j, k));
                }
            }
            const int n_rows = size[1] - (all ? 0 : 2);
            CHECK(places.size() == static_cast<std::size_t>(size[0] * n_rows * size[2]));
            const int n_blocks = (size[1] - 2 + n_lanes - 1) / n_lanes + (all ? 2 : 0);
            const int n_steps = (std::max(size[0], n_lanes) + 1) * size[2] + n_lanes;
            CHECK(static_cast<int>(field.layout().n_cells()) <= n_blocks * n_steps);
            const auto* end =
                reinterpret_cast<const double*>(field.line(0, 0) + field.layout().n_cells());
            CHECK(*places.rbegin() < end);
        }
    }
}

}  // namespace

int main() {
    storage_is_dense();
    block_is_derivative<0, lu::Triangle::lower>();
    block_is_derivative<1, lu::Triangle::lower>();
    block_is_derivative<2, lu::Triangle::lower>();
    block_is_derivative<0, lu::Triangle::upper>();
    block_is_derivative<1, lu::Triangle::upper>();
    block_is_derivative<2, lu::Triangle::upper>();
    diagonal_is_inverted();
    exact_solution_is_stationary();
    residual_follows_the_definition();
    sweeps_solve_their_systems();
    iterations_converge();
    return tests::result();
}
