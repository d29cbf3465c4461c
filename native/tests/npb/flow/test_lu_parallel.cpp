// LU on several threads, and on as many ranks as there are: the same numbers as on one thread.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "benchmarks/npb/lu/solver.hpp"
#include "harness/world/world.hpp"
#include "tests/testing.hpp"

namespace {

using namespace heorot;

constexpr int n_iterations = 4;

flow::Coefficients coefficients_of(const Extent& grid) {
    return {flow::unit_spacing(grid), 0.5};
}

/// Iterations on the whole grid by itself, or on this rank's pencil.
struct Run {
    Phases phases = Phases(Clock(Clock::Kind::monotonic));
    lu::TimedPhases timed_phases = lu::TimedPhases(phases);
    lu::Solver solver;
    lu::Scratch scratch;

    Run(const Box& box, int n_threads, lu::Neighbours* neighbours, bool fused)
        : solver(box, coefficients_of(box.grid), timed_phases),
          scratch(solver.u().layout(), n_threads) {
        solver.erhs(scratch);
        solver.initialise();
        for (int step = 0; step < n_iterations; ++step) {
            if (fused) {
                solver.rhs_and_lower(scratch, neighbours);
            } else {
                solver.rhs(scratch);
                solver.lower(scratch, neighbours);
            }
            solver.upper(scratch, neighbours);
            if (neighbours != nullptr) neighbours->exchange(solver.u());
        }
        solver.rhs(scratch);
    }
};

/// All u, and the residual where it is solved for.
bool same_inside(const lu::Solver& a, const lu::Solver& b) {
    const Box& box = a.box();
    const auto is_solved = [&](int d, int i) {
        return i >= lu::solved_in(box, d).first && i < lu::solved_in(box, d).end;
    };
    bool same = true;
    for (int k = box.begin[2]; k < box.end[2]; ++k) {
        for (int j = box.begin[1]; j < box.end[1]; ++j) {
            for (int i = box.begin[0]; i < box.end[0]; ++i) {
                for (int m = 0; m < 5; ++m) {
                    same = same && a.u().at(m, i, j, k) == b.u().at(m, i, j, k);
                    if (!is_solved(0, i) || !is_solved(1, j) || !is_solved(2, k)) continue;
                    same = same && a.residual().at(m, i, j, k) == b.residual().at(m, i, j, k);
                }
            }
        }
    }
    return same;
}

void threads_change_nothing(const Extent& grid) {
    const Box whole = Box::whole(grid);
    const Run serial(whole, 1, nullptr, false);
    for (const int n_threads : {1, 2, 3, 4, 7}) {
        const Run parallel(whole, n_threads, nullptr, true);
        CHECK(same_inside(parallel.solver, serial.solver));
    }
}

void ranks_change_nothing(const Extent& grid, const World& world) {
    const Run serial(Box::whole(grid), 1, nullptr, false);
    for (int nx = 1; nx <= world.size(); ++nx) {
        const lu::PencilGrid pencils = {nx, world.size() / nx};
        if (pencils.nx * pencils.ny != world.size()) continue;
        if (pencils.nx > grid[0] || pencils.ny > grid[1]) continue;
        lu::Neighbours neighbours(pencils, grid, world);
        for (const int n_threads : {1, 2, 3}) {
            const Run parallel(neighbours.box(), n_threads, &neighbours, n_threads != 2);
            CHECK(same_inside(parallel.solver, serial.solver));
        }
    }
}

void pencils_share_the_grid() {
    const Extent grid = {12, 11, 6};
    for (int n_ranks = 1; n_ranks <= 12; ++n_ranks) {
        const auto pencils = lu::PencilGrid::best(grid, n_ranks);
        CHECK(pencils && pencils->nx * pencils->ny == n_ranks);
        if (!pencils) continue;
        int n_points = 0;
        for (int rank = 0; rank < n_ranks; ++rank) {
            const Box box = pencils->box(grid, rank);
            CHECK(box.size(0) > 0 && box.size(1) > 0);
            n_points += box.size(0) * box.size(1) * box.size(2);
        }
        CHECK(n_points == grid[0] * grid[1] * grid[2]);
    }
    CHECK(!lu::PencilGrid::best(grid, 13));
    CHECK(lu::PencilGrid::nearest_that_fits(grid, 13) == 12);
}

}  // namespace

int main() {
    World world;
    world.start();
    pencils_share_the_grid();
    if (world.size() == 1) {
        threads_change_nothing({12, 12, 12});
        threads_change_nothing({9, 27, 6});
        threads_change_nothing({20, 6, 7});
    }
    ranks_change_nothing({12, 12, 12}, world);
    ranks_change_nothing({9, 21, 7}, world);
    ranks_change_nothing({4, 5, 6}, world);  // pencils of one or two points
    world.finish();
    World::leave();
    return tests::result();
}
