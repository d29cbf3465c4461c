// npb/bt: how fast are block-tridiagonal line solves (NPB BT)?
//
// Method    The Block Tridiagonal benchmark, which stands for ARC3D-like codes of aerodynamics:
//           implicit steps of the compressible flow equations towards a prescribed solution on n^3
//           points, factored into directions (Beam-Warming ADI).
//             class: S, W, A, B, C, D, E
//             n: 12, 24, 64, 102, 162, 408, 1020
//             steps: 60, 200, 200, 200, 200, 250, 250
//           A step:
//             r = right-hand side of u, in central differences
//             r = A_x^-1 r, r = A_y^-1 r, r = A_z^-1 r: block-tridiagonal systems of 5 x 5 blocks
//               along all lines
//             u = u + r
//           Lines are solved side by side in the lanes of vectors; the blocks are computed cell by
//           cell, and only the factors for back substitution are kept. p = a^2 b ranks (a as large
//           as possible) cut the grid into a x ab x ab tiles dealt out by multipartitioning, so
//           that each stage of a sweep keeps all ranks busy; threads share the planes and the
//           groups of lines of each tile. Any rank count can run for which tiles are at least two
//           points thick: 1 to 6, 8, 9, 12, 16, 18, 25 and 36 for class S, all up to 12 and some
//           beyond for W, all up to 32 for A, 51 for B, 81 for C. Timed, as one body: all steps,
//           with all messages; before it the initial field is restored, and the warm-up is one
//           step.
// Counts    operations = steps (3478.8 n^3 - 17655.7 n^2 + 28023.7 n) (the benchmark's own
//           definition). flops = steps (2505 (n - 2)^3 + 366 (n - 2)^2): 412 for the right-hand
//           side, 696 for a cell and 122 for a line in each of three directions, 5 to add. bytes =
//           600 steps (n - 2)^3: three numbers of five components in each of the five parts of a
//           step.
// Comparable  No: the same problems and verification values, so that times to solution are
//           comparable; operations per second do not compare with published Mop/s of NASA's
//           programs, which form all blocks of a line; here 1.4 times fewer operations are done
//           than are counted.
// Verified  The five norms of the right-hand side and the five of the difference from the
//           prescribed solution, after the last step, equal the published ones, relative deviation
//           <= 1e-8.
// Source    D. Bailey et al., The NAS Parallel Benchmarks, RNR-94-007 (1994), chapter 3; classes W,
//           D, E from the NAS Parallel Benchmarks 3.4. R. M. Beam, R. F. Warming, AIAA J. 16
//           (1978). A. Darte et al., Generalized multipartitioning, JPDC 63 (2003).
// Example   heorot run npb/bt --set class=W --ranks 2
#include <array>
#include <cmath>
#include <string>

#include "benchmarks/npb/bt/solver.hpp"
#include "benchmarks/npb/flow/coefficients.hpp"
#include "benchmarks/npb/flow/problem.hpp"
#include "benchmarks/npb/flow/time_steps.hpp"
#include "benchmarks/npb/published.hpp"
#include "harness/program.hpp"
#include "numerics/tiles.hpp"

namespace {

using heorot::flow::Five;
using heorot::flow::ProblemClass;

constexpr std::array<ProblemClass, 7> classes = {{
    {"S",
     12,
     60,
     0.01,
     {1.7034283709541311e-01, 1.2975252070034097e-02, 3.2527926989486055e-02,
      2.6436421275166801e-02, 1.9211784131744430e-01},
     {4.9976913345811579e-04, 4.5195666782961927e-05, 7.3973765172921357e-05,
      7.3821238632439731e-05, 8.9269630987491446e-04}},
    {"W",
     24,
     200,
     0.0008,
     {0.1125590409344e+03, 0.1180007595731e+02, 0.2710329767846e+02, 0.2469174937669e+02,
      0.2638427874317e+03},
     {0.4419655736008e+01, 0.4638531260002e+00, 0.1011551749967e+01, 0.9235878729944e+00,
      0.1018045837718e+02}},
    {"A",
     64,
     200,
     0.0008,
     {1.0806346714637264e+02, 1.1319730901220813e+01, 2.5974354511582465e+01,
      2.3665622544678910e+01, 2.5278963211748344e+02},
     {4.2348416040525025e+00, 4.4390282496995698e-01, 9.6692480136345650e-01,
      8.8302063039765474e-01, 9.7379901770829278e+00}},
    {"B",
     102,
     200,
     0.0003,
     {1.4233597229287254e+03, 9.9330522590150238e+01, 3.5646025644535285e+02,
      3.2485447959084092e+02, 3.2707541254659363e+03},
     {5.2969847140936856e+01, 4.4632896115670668e+00, 1.3122573342210174e+01,
      1.2006925323559144e+01, 1.2459576151035986e+02}},
    {"C",
     162,
     200,
     0.0001,
     {0.62398116551764615e+04, 0.50793239190423964e+03, 0.15423530093013596e+04,
      0.13302387929291190e+04, 0.11604087428436455e+05},
     {0.16462008369091265e+03, 0.11497107903824313e+02, 0.41207446207461508e+02,
      0.37087651059694167e+02, 0.36211053051841265e+03}},
    {"D",
     408,
     250,
     2e-05,
     {0.2533188551738e+05, 0.2346393716980e+04, 0.6294554366904e+04, 0.5352565376030e+04,
      0.3905864038618e+05},
     {0.3100009377557e+03, 0.2424086324913e+02, 0.7782212022645e+02, 0.6835623860116e+02,
      0.6065737200368e+03}},
    {"E",
     1020,
     250,
     4e-06,
     {0.9795372484517e+05, 0.9739814511521e+04, 0.2467606342965e+05, 0.2092419572860e+05,
      0.1392138856939e+06},
     {0.4327562208414e+03, 0.3699051964887e+02, 0.1089845040954e+03, 0.9462517622043e+02,
      0.7765512765309e+03}},
}};

heorot::Work work_of_step(const ProblemClass& problem) {
    const double n = problem.n;
    heorot::Work work = heorot::bt::work_of_step(heorot::flow::Interior::of(n, n, n));
    work.operations = 3478.8 * n * n * n - 17655.7 * n * n + 28023.7 * n;
    return work;
}

void bt(heorot::Program& program) {
    // 1. Options
    // 30 words for each point.
    const auto name = heorot::choose_class(
        program, classes,
        [](const ProblemClass& one) { return 30 * 8.0 * std::pow(static_cast<double>(one.n), 3); },
        [](const ProblemClass& one) { return (one.n_steps * work_of_step(one)).counts(); });
    program.start();

    // 2. Problem
    const ProblemClass& problem = heorot::find_class(classes, name);
    const heorot::Communicator& world = program.world();
    const heorot::Multipartition partition = heorot::flow::cut_into_tiles(
        program, problem.grid(),
        "the tiles of " + std::to_string(world.size()) + " ranks would be thinner than two points");
    heorot::bt::Solver solver(partition, problem.dt, world, program.phases(), program.n_threads());

    // 3. Measure
    const auto region = heorot::flow::measure_steps(
        program, {"bt", name, problem.n_steps, work_of_step(problem)}, solver);

    // 4. Verify
    Five error_norm = solver.error_norm();
    Five rhs_norm = solver.rhs_norm();
    program.corruptible(std::span<double>(error_norm));
    program.check(region, "norms of the error, largest relative deviation",
                  heorot::largest_relative_deviation(error_norm, problem.error), 1e-8);
    program.check(region, "norms of the right-hand side, largest relative deviation",
                  heorot::largest_relative_deviation(rhs_norm, problem.residual), 1e-8);
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "npb/bt", bt);
}
