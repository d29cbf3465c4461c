// npb/mg: how fast does a code run whose grids are large, are read a few times and thrown away?
//
// Method    The Multigrid benchmark, which stands for multigrid solvers: V-cycles for the Poisson
//           problem A u = v on n^3 points of a periodic cube (n = 32, 128, 256, 256, 512, 1024,
//           2048, 4096 for class S, W, A, B, C, D, E, F; 4 cycles for S, W, A, 20 for B, C, else
//           50), v being 10 charges +1 and 10 of -1 where random numbers are extreme. Timed, as one
//           body: the residual of u = 0 and its norm, the cycles, each followed by the residual,
//           and the last norm. A cycle's interp, resid, psinv, the residual after it and rprj3 go
//           through the finest level as one pass, plane behind plane, so that u is read and written
//           and v read once. Ranks form a grid of up to three dimensions with the least halo, faces
//           normal to x and y made 1.5 and 1.1 times as dear; points are dealt out evenly, and any
//           number of ranks will do that leaves each 4 points along a direction that is split.
//           Levels with less than 32 points along a direction, or 2 per rank, are computed by every
//           rank. u's halo is 4 points deep, which takes one exchange per level and way. Threads
//           share a rank's planes, no fewer than 8 each.
// Counts    flops = 58 n^3 per cycle (the benchmark's own definition).
// Verified  The norm of the last residual equals the published one, relative deviation <= 1e-8; the
//           norm of the first, that of v, is sqrt(20 / n^3), relative deviation <= 1e-14.
// Source    D. Bailey et al., The NAS Parallel Benchmarks, RNR-94-007 (1994), section 2.2; classes
//           W, D, E, F from the NAS Parallel Benchmarks 3.4.
#include <array>
#include <cmath>
#include <string>

#include "benchmarks/npb/mg/charges.hpp"
#include "benchmarks/npb/mg/multigrid.hpp"
#include "benchmarks/npb/published.hpp"
#include "harness/program.hpp"
#include "numerics/nearest_count.hpp"

namespace {

namespace mg = heorot::mg;

// Smoothers S(a) and S(b).
constexpr mg::Stencil smoother_a = {-3.0 / 8.0, 1.0 / 32.0, -1.0 / 64.0, 0.0};
constexpr mg::Stencil smoother_b = {-3.0 / 17.0, 1.0 / 33.0, -1.0 / 61.0, 0.0};

struct ProblemClass {
    const char* name;
    mg::Index n;
    int n_cycles;
    mg::Stencil smoother;
    double norm;
};

constexpr std::array<ProblemClass, 8> classes = {{
    {"S", 32, 4, smoother_a, 0.5307707005734e-04},
    {"W", 128, 4, smoother_a, 0.6467329375339e-05},
    {"A", 256, 4, smoother_a, 0.2433365309069e-05},
    {"B", 256, 20, smoother_b, 0.1800564401355e-05},
    {"C", 512, 20, smoother_b, 0.5706732285740e-06},
    {"D", 1024, 50, smoother_b, 0.1583275060440e-09},
    {"E", 2048, 50, smoother_b, 0.5630442584711e-10},
    {"F", 4096, 50, smoother_b, 0.1889225697989e-10},
}};

void run_mg(heorot::Program& program) {
    // 1. Options
    const auto name = program.option("class", "S", "problem class: " + heorot::names_of(classes));
    program.start();

    // 2. Problem
    const ProblemClass& problem = heorot::find_class(classes, name);
    const auto& world = program.world();
    const auto can_split = [&](int n_ranks) { return mg::can_split(n_ranks, problem.n); };
    if (!can_split(world.size())) {
        program.cannot_run("a rank needs at least " + std::to_string(mg::least_points) +
                           " points along each direction that is split; the nearest count that "
                           "can is " +
                           std::to_string(heorot::nearest_count(world.size(), can_split)));
    }
    mg::Multigrid multigrid(problem.n, problem.smoother, world, program.phases(),
                            program.n_threads());
    const auto& ranks = multigrid.process_grid().n;
    program.note("process_grid", std::to_string(ranks[0]) + " x " + std::to_string(ranks[1]) +
                                     " x " + std::to_string(ranks[2]));
    mg::place_charges(mg::find_charges(problem.n, world), problem.n, multigrid.finest().rhs);

    // 3. Measure
    const double n_points = std::pow(static_cast<double>(problem.n), 3);
    mg::Multigrid::Norms norms = {};
    const auto region = program.measure({.region = "mg",
                                         .point = {{"class", name}},
                                         .counts = {{"flops", 58.0 * problem.n_cycles * n_points}},
                                         .prepare = [&] { multigrid.reset(); },
                                         .warm_up = [&] { multigrid.solve(1); }},
                                        [&] { norms = multigrid.solve(problem.n_cycles); });
    program.corruptible(norms.last);

    // 4. Verify
    program.check(region, "norm of the last residual, relative deviation",
                  heorot::relative_deviation(norms.last, problem.norm), 1e-8);
    // The residual of u = 0 is v, whose values are 0 but for twenty of 1 or -1.
    program.check(region, "norm of the first residual, relative deviation",
                  heorot::relative_deviation(norms.first, std::sqrt(20.0 / n_points)), 1e-14);
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "npb/mg", run_mg);
}
