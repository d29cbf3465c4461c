// npb/sp: how fast are scalar pentadiagonal line solves (NPB SP)?
//
// Method    The Scalar Pentadiagonal benchmark, which stands for codes like ARC3D: implicit steps
//           of the compressible Navier-Stokes equations on n^3 points, in diagonalised Beam-Warming
//           approximate factorisation.
//             class: S, W, A, B, C, D, E
//             n: 12, 36, 64, 102, 162, 408, 1020
//             steps: 100 for S, 500 for D, E, else 400
//           A step:
//             r = right-hand side of u (compute_rhs), r = T_x^-1 r (txinvr)
//             r = P_x^-1 r, r = P_y^-1 r, r = P_z^-1 r: along all lines three pentadiagonal systems
//               with five right-hand sides (x_solve, y_solve, z_solve), between products with
//               eigenvectors (ninvr, pinvr, tzetar)
//             u = u + r
//           Timed, as one body: all steps. Untimed: forcing; the initial field before every body;
//           one step at the beginning. p = a^2 b ranks cut the grid into a x ab x ab tiles
//           (generalised multipartitioning), so that all have a share of every slab; any count can
//           run that leaves the tiles two points thick. Sweeps pass two eliminated rows up and two
//           solutions down. Sweeps are split into parts, so that forward results stay in the cache
//           for the backward sweep; one part computes while messages of the other are in flight.
//           Threads share a part's planes or lines. Lines are solved in the lanes of vectors.
//           Matrices are computed where they are needed and never stored for the grid; a plane goes
//           through right-hand side and sweeps in x and y while it is in the cache.
// Counts    operations = steps (881.174 n^3 - 4683.91 n^2 + 11484.5 n - 19272.4) (the benchmark's
//           own definition). flops = 894 steps (n - 2)^3: 412 for the right-hand side, 159, 133 and
//           190 for the sweeps in x, y and z. bytes = 240 steps (n - 2)^3: u and forcing read, r
//           written, u and r read, u written. Limits, at 0.32 of the peak with AVX-512 on Zen 5
//           (class W): 34 points fill 40 lanes; the right-hand side reaches 0.43 of the peak, the
//           sweeps in y and z 0.3, that in x 0.2, with 39 shuffles per vector of points for its
//           transposes. It is not the divisions: with 3 of 7 in the right-hand side the time is 2 %
//           less, and with one for the three pivots of a row it is more.
// Comparable  In part: flops and operations agree within 5 % from class A on; matrices are computed
//           where they are needed and planes stay in the cache, so that less is moved. Compared
//           with published Mop/s the figures are those of the problem, not of that code.
// Verified  Root mean squares of the residual and of the distance from the exact solution equal the
//           published ones in all five components, relative deviation <= 1e-8.
// Source    D. Bailey et al., The NAS Parallel Benchmarks, RNR-94-007 (1994), section 3; classes W,
//           D, E from the NAS Parallel Benchmarks 3.4. T. H. Pulliam, D. S. Chaussee, J. Comp.
//           Phys. 39 (1981). A. Darte et al., JPDC 63 (2003).
// Example   heorot run npb/sp --set class=W --ranks 2
#include <array>
#include <cmath>
#include <span>
#include <string>

#include "benchmarks/npb/flow/coefficients.hpp"
#include "benchmarks/npb/flow/problem.hpp"
#include "benchmarks/npb/flow/time_steps.hpp"
#include "benchmarks/npb/published.hpp"
#include "benchmarks/npb/sp/solver.hpp"
#include "harness/program.hpp"
#include "numerics/tiles.hpp"

namespace {

using heorot::flow::Five;
using heorot::flow::ProblemClass;
using heorot::sp::Solver;
using heorot::sp::StepPhases;

constexpr std::array<ProblemClass, 7> classes = {{
    {"S",
     12,
     100,
     0.015,
     {2.7470315451339479e-02, 1.0360746705285417e-02, 1.6235745065095532e-02,
      1.5840557224455615e-02, 3.4849040609362460e-02},
     {2.7289258557377227e-05, 1.0364446640837285e-05, 1.6154798287166471e-05,
      1.5750704994480102e-05, 3.4177666183390531e-05}},
    {"W",
     36,
     400,
     0.0015,
     {0.1893253733584e-02, 0.1717075447775e-03, 0.2778153350936e-03, 0.2887475409984e-03,
      0.3143611161242e-02},
     {0.7542088599534e-04, 0.6512852253086e-05, 0.1049092285688e-04, 0.1128838671535e-04,
      0.1212845639773e-03}},
    {"A",
     64,
     400,
     0.0015,
     {2.4799822399300195e0, 1.1276337964368832e0, 1.5028977888770491e0, 1.4217816211695179e0,
      2.1292113035138280e0},
     {1.0900140297820550e-04, 3.7343951769282091e-05, 5.0092785406541633e-05,
      4.7671093939528255e-05, 1.3621613399213001e-04}},
    {"B",
     102,
     400,
     0.001,
     {0.6903293579998e+02, 0.3095134488084e+02, 0.4103336647017e+02, 0.3864769009604e+02,
      0.5643482272596e+02},
     {0.9810006190188e-02, 0.1022827905670e-02, 0.1720597911692e-02, 0.1694479428231e-02,
      0.1847456263981e-01}},
    {"C",
     162,
     400,
     0.00067,
     {0.5881691581829e+03, 0.2454417603569e+03, 0.3293829191851e+03, 0.3081924971891e+03,
      0.4597223799176e+03},
     {0.2598120500183e+00, 0.2590888922315e-01, 0.5132886416320e-01, 0.4806073419454e-01,
      0.5483377491301e+00}},
    {"D",
     408,
     500,
     0.00030,
     {0.1044696216887e+05, 0.3204427762578e+04, 0.4648680733032e+04, 0.4238923283697e+04,
      0.7588412036136e+04},
     {0.5089471423669e+01, 0.5323514855894e+00, 0.1187051008971e+01, 0.1083734951938e+01,
      0.1164108338568e+02}},
    {"E",
     1020,
     500,
     0.0001,
     {0.6255387422609e+05, 0.1495317020012e+05, 0.2347595750586e+05, 0.2091099783534e+05,
      0.4770412841218e+05},
     {0.6742735164909e+02, 0.5390656036938e+01, 0.1680647196477e+02, 0.1536963126457e+02,
      0.1575330146156e+03}},
}};

heorot::Work work_of_step(const ProblemClass& problem) {
    const double n = problem.n;
    heorot::Work work = heorot::sp::work_of_step(heorot::flow::Interior::of(n, n, n));
    work.operations = ((881.174 * n - 4683.91) * n + 11484.5) * n - 19272.4;
    return work;
}

void sp(heorot::Program& program) {
    // 1. Options
    // 40 words for each point.
    const auto name = heorot::choose_class(
        program, classes,
        [](const ProblemClass& one) { return 40 * 8.0 * std::pow(static_cast<double>(one.n), 3); },
        [](const ProblemClass& one) { return (one.n_steps * work_of_step(one)).counts(); });
    program.start();

    // 2. Problem
    const ProblemClass& problem = heorot::find_class(classes, name);
    const heorot::Multipartition partition = heorot::flow::cut_into_tiles(
        program, problem.grid(), "tiles would be less than two points thick");
    const heorot::flow::Coefficients coefficients(heorot::flow::unit_spacing(problem.grid()),
                                                  problem.dt);
    StepPhases phases(program.phases());
    Solver solver(partition, coefficients, program.world(), phases, program.n_threads());

    // 3. Measure
    const auto region = heorot::flow::measure_steps(
        program, {"sp", name, problem.n_steps, work_of_step(problem)}, solver);

    // 4. Verify
    Five error = solver.error();
    Five residual = solver.residual();
    program.corruptible(std::span<double>(residual));
    program.check(region, "residual, largest relative deviation",
                  heorot::largest_relative_deviation(residual, problem.residual), 1e-8);
    program.check(region, "error, largest relative deviation",
                  heorot::largest_relative_deviation(error, problem.error), 1e-8);
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "npb/sp", sp);
}
