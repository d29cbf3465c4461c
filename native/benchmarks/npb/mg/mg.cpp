// npb/mg: how fast are multigrid V-cycles on large grids (NPB MG)?
//
// Method    The Multigrid benchmark, which stands for multigrid solvers: V-cycles for the Poisson
//           problem A u = v on n^3 points of a periodic cube, v being 10 charges +1 and 10 of -1
//           where random numbers are extreme.
//             class: S, W, A, B, C, D, E, F
//             n: 32, 128, 256, 256, 512, 1024, 2048, 4096
//             cycles: 4 for S, W, A, 20 for B, C, else 50
//           A cycle, from r = v - A u, level by level:
//             downwards r = P r (rprj3) of the finer level; on the coarsest z = S r (psinv)
//             upwards z = Q z (interp) of the coarser level, r = r - A z (resid), z = z + S r
//             on the finest u = u + Q z, r = v - A u, u = u + S r
//           Timed, as one body: the residual of u = 0 and its norm, the cycles, each followed by
//           the residual, and the last norm. On the finest level interp, resid, psinv, the residual
//           after it and rprj3 are one pass, plane behind plane, so that u is read and written and
//           v read once. Ranks form a grid of up to three dimensions with the least halo, faces
//           normal to x and y made 1.5 and 1.1 times as dear; points are dealt out evenly, and any
//           number of ranks will do that leaves each 4 points along a direction that is split.
//           Levels with less than 32 points along a direction, or 2 per rank, are computed by every
//           rank. u's halo is 4 points deep, which takes one exchange per level and way. Threads
//           share a rank's planes, no fewer than 8 each.
// Counts    operations = 58 n^3 per cycle (the benchmark's own definition). flops per point: 14
//           resid, 16 psinv, 3 interp and 1 more where it adds, 3.125 rprj3 (of the finer level), 2
//           norm; on all levels 56.3 n^3 per cycle. bytes = 26 n^3 per cycle and 17 n^3 before: u
//           and v of the finest level once a pass, an eighth of a word to the coarser one and back.
// Comparable  In part: flops and operations agree within 5 %, and the operators are NASA's; a cycle
//           goes through memory once where NASA's code does many times. Compared with published
//           Mop/s the figures are those of the problem, not of that code.
// Verified  The norm of the last residual equals the published one, relative deviation <= 1e-8; the
//           norm of the first, that of v, is sqrt(20 / n^3), relative deviation <= 1e-14.
// Source    D. Bailey et al., The NAS Parallel Benchmarks, RNR-94-007 (1994), section 2.2; classes
//           W, D, E, F from the NAS Parallel Benchmarks 3.4.
// Example   heorot run npb/mg --set class=W --ranks 2
#include <array>
#include <cmath>
#include <string>

#include "benchmarks/npb/mg/charges.hpp"
#include "benchmarks/npb/mg/multigrid.hpp"
#include "benchmarks/npb/published.hpp"
#include "benchmarks/npb/work.hpp"
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

    double n_points() const { return std::pow(static_cast<double>(n), 3); }
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

// Flops of a point: rprj3 works on the finer of its levels, interp adds on the finest one only.
heorot::Work work_of(const ProblemClass& problem) {
    constexpr double resid = 14.0;
    constexpr double psinv = 16.0;
    constexpr double rprj3 = 11.0 / 4.0 + 3.0 / 8.0;
    constexpr double interp = 3.0;
    constexpr double adding = 1.0;
    constexpr double square = 2.0;
    const double finest = problem.n_points();
    double flops = finest * (resid + square + rprj3);  // of u = 0
    double cycle = finest * (interp + adding + resid + psinv + resid + rprj3);
    double points = finest / 8.0;
    for (mg::Index side = problem.n / 2; side > 2; side /= 2) {
        cycle += points * (rprj3 + interp + resid + psinv);
        points /= 8.0;
    }
    cycle += points * psinv;
    flops +=
        problem.n_cycles * cycle + finest * (square - rprj3);  // the last one is not restricted
    // The finest level alone, as all others may stay in a cache: u and v, an eighth to the coarser
    // one and back; u.
    const double first_bytes = (2.0 + 1.0 / 8.0) * sizeof(double) * finest;
    const double cycle_bytes = (3.0 + 2.0 / 8.0) * sizeof(double) * finest;
    return {.operations = 58.0 * problem.n_cycles * finest,
            .flops = flops,
            .bytes = first_bytes + problem.n_cycles * cycle_bytes};
}

void run_mg(heorot::Program& program) {
    // 1. Options
    // Right-hand side, solution and residual; coarse grids add a seventh to two of them.
    const auto name = heorot::choose_class(
        program, classes,
        [](const ProblemClass& one) {
            return 4 * 8.0 * std::pow(static_cast<double>(one.n + 2), 3);
        },
        [](const ProblemClass& one) { return work_of(one).counts(); });
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
    mg::Multigrid::Norms norms = {};
    const auto region = program.measure({.region = "mg",
                                         .point = {{"class", name}},
                                         .counts = work_of(problem).counts(),
                                         .prepare = [&] { multigrid.reset(); },
                                         .warm_up = [&] { multigrid.solve(1); }},
                                        [&] { norms = multigrid.solve(problem.n_cycles); });
    program.corruptible(norms.last);

    // 4. Verify
    program.check(region, "norm of the last residual, relative deviation",
                  heorot::relative_deviation(norms.last, problem.norm), 1e-8);
    // The residual of u = 0 is v, whose values are 0 but for twenty of 1 or -1.
    program.check(region, "norm of the first residual, relative deviation",
                  heorot::relative_deviation(norms.first, std::sqrt(20.0 / problem.n_points())),
                  1e-14);
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "npb/mg", run_mg);
}
