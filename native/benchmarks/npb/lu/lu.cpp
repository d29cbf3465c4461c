// npb/lu: how fast is SSOR with wavefront dependencies (NPB LU)?
//
// Method    The LU benchmark, which stands for implicit solvers of the INS3D kind, whose sweeps
//           have to wait for their neighbours: SSOR for the steady state of a synthetic form of the
//           Navier-Stokes equations on n^3 points.
//             class: S, W, A, B, C, D, E
//             n: 12, 33, 64, 102, 162, 408, 1020
//             iterations: 50, 300, 250, 250, 250, 300, 300
//           An iteration, omega = 1.2:
//             r = residual of u (rhs)
//             (D + omega L) v = dt r, a block lower triangular system (jacld, blts)
//             (D + omega U) v' = D v, a block upper triangular one (jacu, buts)
//             u = u + v' / (omega (2 - omega))
//           Timed, as one body: all iterations, the first and the last residual and their norms
//           included; before it the fields are restored, and the warm-up is one iteration. The grid
//           is cut into pencils along z, one per rank: any rank count can run that leaves every
//           pencil a point (for a prime number p, p <= n). The sweeps go through the pencils as
//           wavefronts, two planes per message, and in the same way through the rows of a rank's
//           threads. Rows are computed side by side in lanes, each one point behind the one before,
//           in fields stored so that this is contiguous. Jacobians are never formed: every point
//           hands its neighbours the products with its own part of the solution.
// Counts    operations = iterations (1984.77 n^3 - 10923.3 n^2 + 27770.9 n - 144010) (the
//           benchmark's own definition, for Jacobians that are formed and stored). flops = (n -
//           2)^3 (744 iterations + 313): 313 for the residual, 213 for the lower sweep, 218 for the
//           upper one. bytes = 240 (n - 2)^3 per iteration: u and forcing read, v written, u and v
//           read, u written. Limits, at 0.42 of the peak with AVX-512 on Zen 5 (class W): 39
//           steps of 32 lanes for 31 x 31 points of a plane; at 0.27 (class A), where the fields
//           pass through L3, a point of the residual takes twice as long. It is not the chain of
//           operations of a step: two planes at once, one step apart, are no faster.
// Comparable  No: the same problems and verification values, so that times to solution are
//           comparable; operations per second do not compare with published Mop/s of NASA's
//           programs, which form Jacobians; here 2.7 times fewer operations are done than are
//           counted.
// Verified  Root mean squares of the five components of the residual and of the error against the
//           exact solution, and the surface integral of the pressure, equal the published ones,
//           relative deviation <= 1e-8.
// Source    D. Bailey et al., The NAS Parallel Benchmarks, RNR-94-007 (1994), sections 3 and 4;
//           classes W, D, E from the NAS Parallel Benchmarks 3.4. S. Yoon, A. Jameson, Lower-upper
//           symmetric-Gauss-Seidel method for the Euler and Navier-Stokes equations, AIAA J. 26
//           (1988). L. Lamport, The parallel execution of DO loops, Comm. ACM 17 (1974):
//           wavefronts.
// Example   heorot run npb/lu --set class=W --ranks 2
#include <array>
#include <cmath>
#include <span>
#include <string>

#include "benchmarks/npb/flow/exact.hpp"
#include "benchmarks/npb/flow/problem.hpp"
#include "benchmarks/npb/lu/pencils.hpp"
#include "benchmarks/npb/lu/solver.hpp"
#include "benchmarks/npb/published.hpp"
#include "harness/program.hpp"

namespace {

using heorot::flow::Five;
using heorot::flow::ProblemClass;

constexpr std::array<ProblemClass, 7> classes = {{
    {"S",
     12,
     50,
     0.5,
     {1.6196343210976702e-2, 2.1976745164821318e-3, 1.5179927653399185e-3, 1.5029584435994323e-3,
      3.4264073155896461e-2},
     {6.4223319957960924e-4, 8.4144342047347926e-5, 5.8588269616485186e-5, 5.847422259515735e-5,
      1.3103347914111294e-3},
     7.8418928865937083e+0},
    {"W",
     33,
     300,
     1.5e-3,
     {1.236511638192e+1, 1.317228477799e+0, 2.550120713095e+0, 2.326187750252e+0,
      2.826799444189e+1},
     {4.867877144216e-1, 5.064652880982e-2, 9.28181810196e-2, 8.570126542733e-2, 1.084277417792e+0},
     1.161399311023e+1},
    {"A",
     64,
     250,
     2.0,
     {7.7902107606689367e+2, 6.340276525969287e+1, 1.9499249727292479e+2, 1.7845301160418537e+2,
      1.8384760349464247e+3},
     {2.9964085685471943e+1, 2.8194576365003349e+0, 7.3473412698774742e+0, 6.7139225687777051e+0,
      7.0715315688392578e+1},
     2.6030925604886277e+1},
    {"B",
     102,
     250,
     2.0,
     {3.5532672969982736e+3, 2.6214750795310692e+2, 8.833372185095219e+2, 7.7812774739425265e+2,
      7.3087969592545314e+3},
     {1.1401176380212709e+2, 8.1098963655421574e+0, 2.8480597317698308e+1, 2.5905394567832939e+1,
      2.6054907504857413e+2},
     4.7887162703308227e+1},
    {"C",
     162,
     250,
     2.0,
     {1.03766980323537846e+4, 8.92212458801008552e+2, 2.56238814582660871e+3,
      2.19194343857831427e+3, 1.78078057261061185e+4},
     {2.15986399716949279e+2, 1.557895592398636e+1, 5.41318863077207766e+1, 4.82262643154045421e+1,
      4.55902910043250358e+2},
     6.664045535721813e+1},
    {"D",
     408,
     300,
     1.0,
     {4.868417937025e+4, 4.696371050071e+3, 1.218114549776e+4, 1.033801493461e+4,
      7.142398413817e+4},
     {3.752393004482e+2, 3.084128893659e+1, 9.434276905469e+1, 8.230686681928e+1, 7.00262063621e+2},
     8.334101392503e+1},
    {"E",
     1020,
     300,
     0.5,
     {2.099641687874e+5, 2.130403143165e+4, 5.319228789371e+4, 4.509761639833e+4, 2.93236000659e+5},
     {4.800572578333e+2, 4.221993400184e+1, 1.210851906824e+2, 1.04788898677e+2, 8.363028257389e+2},
     9.512163272273e+1},
}};

/// Includes the last residual besides those of the iterations.
heorot::Work work_of(const ProblemClass& problem) {
    const double n = problem.n;
    const auto interior = heorot::flow::Interior::of(n, n, n);
    heorot::Work step = heorot::lu::work_of_step(interior);
    step.operations = ((1984.77 * n - 10923.3) * n + 27770.9) * n - 144010.0;
    heorot::Work work = problem.n_steps * step;
    const heorot::Work last = heorot::lu::work_of_rhs(interior);
    work.flops += last.flops;
    work.bytes += last.bytes;
    return work;
}

/// The solver of this rank, its neighbours, and the sums over all ranks.
class Lu {
  public:
    Lu(const ProblemClass& problem, const heorot::lu::PencilGrid& pencils, heorot::Program& program)
        : n_(problem.n),
          world_(program.world()),
          phases_(program.phases()),
          neighbours_(pencils, {n_, n_, n_}, world_),
          solver_(neighbours_.box(),
                  heorot::flow::Coefficients(heorot::flow::unit_spacing({n_, n_, n_}), problem.dt),
                  phases_),
          scratch_(solver_.u().layout(), program.n_threads()) {
        solver_.erhs(scratch_);
    }

    void setiv() { solver_.initialise(); }

    /// Iterations of SSOR, and the norms of the residual before and after.
    void ssor(int n_iterations) {
        auto* neighbours = neighbours_.exist() ? &neighbours_ : nullptr;
        solver_.rhs(scratch_);
        residual_ = l2norm();
        for (int step = 0; step < n_iterations; ++step) {
            if (step == 0) {
                solver_.lower(scratch_, neighbours);
            } else {
                solver_.rhs_and_lower(scratch_, neighbours);
            }
            solver_.upper(scratch_, neighbours);
            exchange();
        }
        solver_.rhs(scratch_);
        residual_ = l2norm();
    }

    std::span<double> residual() { return residual_; }
    Five error() const { return mean(solver_.error()); }
    double surface_integral() const { return world_.sum(solver_.pintgr()); }

  private:
    void exchange() {
        const auto timed = phases_.phases.enter(phases_.exchange);
        neighbours_.exchange(solver_.u());
    }
    Five l2norm() {
        const auto timed = phases_.phases.enter(phases_.norm);
        return mean(solver_.l2norm());
    }
    Five mean(Five sum) const {
        world_.sum(std::span<double>(sum));
        return heorot::flow::root_mean_square(sum, {n_, n_, n_});
    }

    int n_;
    const heorot::Communicator& world_;
    heorot::lu::TimedPhases phases_;
    heorot::lu::Neighbours neighbours_;
    heorot::lu::Solver solver_;
    heorot::lu::Scratch scratch_;
    Five residual_ = {};
};

void lu(heorot::Program& program) {
    // 1. Options
    // 30 words for each point.
    const auto name = heorot::choose_class(
        program, classes,
        [](const ProblemClass& one) { return 30 * 8.0 * std::pow(static_cast<double>(one.n), 3); },
        [](const ProblemClass& one) { return work_of(one).counts(); });
    program.start();

    // 2. Problem
    const ProblemClass& problem = heorot::find_class(classes, name);
    const heorot::Extent grid = problem.grid();
    const int n_ranks = program.world().size();
    const auto pencils = heorot::lu::PencilGrid::best(grid, n_ranks);
    if (!pencils) {
        program.cannot_run(
            "class " + name + " cannot be cut into " + std::to_string(n_ranks) +
            " pencils; the nearest count that can is " +
            std::to_string(heorot::lu::PencilGrid::nearest_that_fits(grid, n_ranks)));
    }
    program.note("pencils", std::to_string(pencils->nx) + " x " + std::to_string(pencils->ny));
    Lu solver(problem, *pencils, program);

    // 3. Measure
    const auto region = program.measure({.region = "lu",
                                         .point = {{"class", name}},
                                         .counts = work_of(problem).counts(),
                                         .prepare = [&] { solver.setiv(); },
                                         .warm_up = [&] { solver.ssor(1); }},
                                        [&] { solver.ssor(problem.n_steps); });
    program.corruptible(solver.residual());

    // 4. Verify
    program.check(region, "residual norms, relative deviation",
                  heorot::largest_relative_deviation(solver.residual(), problem.residual), 1e-8);
    program.check(region, "error norms, relative deviation",
                  heorot::largest_relative_deviation(solver.error(), problem.error), 1e-8);
    program.check(region, "surface integral, relative deviation",
                  std::abs(solver.surface_integral() / problem.surface_integral - 1.0), 1e-8);
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "npb/lu", lu);
}
