// npb/cg: how fast is CG with an irregular sparse matrix (NPB CG)?
//
// Method    The Conjugate Gradient benchmark, the kernel of unstructured-grid codes: an estimate of
//           the largest eigenvalue of a random sparse symmetric matrix A of n rows, by inverse
//           iteration with shift.
//             class: S, W, A, B, C, D, E
//             n: 1400, 7000, 14000, 75000, 150000, 1500000, 9000000
//             elements per row: 56, 73, 132, 183, 241, 463, 703
//             niter: 15, 15, 15, 75, 75, 100, 100
//           Timed, as one body, niter times:
//             A z = x by 25 steps of conjugate gradients from z = 0
//             |x - A z|, zeta = shift + 1 / (x z), x = z / |z|
//           A step of conjugate gradients:
//             q = A p, alpha = rho / (p q)
//             z = z + alpha p, r = r - alpha q, rho' = r r
//             p = r + (rho' / rho) p
//           Ranks form the grid R x C of their number that is closest to a square, R <= C. Each has
//           n / R rows, n / C columns and one piece of each vector; these columns are those of the
//           pieces of its grid column. For a product it gathers p from R ranks and sums its piece
//           of q from the parts of C ranks, (R + C - 2) n / (R C) numbers in all, and transposes
//           nothing. Any number of ranks; a prime number has one grid row. Threads share the rows.
//           The matrix lies in blocks of columns whose part of p fits L1d, a row in every lane of
//           a vector. Not timed: making the matrix, x = 1, and one outer iteration to warm up.
// Counts    operations = 2 niter n (3 + m + 25 (5 + m) + 3) with m = nonzer (nonzer + 1) (the
//           benchmark's own definition, which takes m for the elements of a row). flops = niter (52
//           e + 260 n), e the elements that there are: 26 products, 10 n for the vectors of each of
//           25 steps, 10 n around them. bytes = 260 niter e: a value and a 16-bit place of every
//           element in every product; vectors may stay in a cache. What limits: on a core of Zen
//           5, class B reads its matrix from memory as fast as the core reads anything; class A, in
//           L3, takes 0.94 cycles per element, each x being put into its lane by itself.
// Comparable  In part: flops and operations agree within 1 %, and the method is NASA's; the matrix
//           lies in blocks with places of 16 bits, so that it moves less. Compared with published
//           Mop/s the figures are those of the problem, not of that code.
// Verified  zeta equals the published value, relative deviation <= 1e-10. The last |x - A z| is <=
//           1e-10. The second and third direction p, p' of the conjugate gradient method are
//           conjugate: p' (A p), relative to |p'| |A p|, <= 1e-8. A is symmetric: u (A v) = v (A u)
//           for two other vectors, relative to |u| |A v|, <= 1e-13.
// Source    D. Bailey et al., The NAS Parallel Benchmarks, RNR-94-007 (1994), section 2.2.3;
//           classes W, D, E from the NAS Parallel Benchmarks 3.4. M. R. Hestenes, E. Stiefel, J.
//           Res. NBS 49 (1952). E.-J. Im, K. Yelick, R. Vuduc, SPARSITY, Int. J. HPC Applications
//           18 (2004). M. Kreutzer et al., SIAM J. Sci. Comput. 36 (2014).
// Example   heorot run npb/cg --set class=A --ranks 2
#include <array>
#include <cmath>
#include <cstdint>

#include "benchmarks/npb/cg/inverse_iteration.hpp"
#include "benchmarks/npb/published.hpp"
#include "harness/program.hpp"

namespace {

using namespace heorot::cg;

struct ProblemClass {
    const char* name;
    MatrixKind matrix;
    int row_elements;  // as far as is known before there is the matrix
    int niter;
    double zeta;
};

constexpr std::array<ProblemClass, 7> classes = {{
    {"S", {1400, 7, 10.0}, 56, 15, 8.5971775078648},
    {"W", {7000, 8, 12.0}, 73, 15, 10.362595087124},
    {"A", {14000, 11, 20.0}, 132, 15, 17.130235054029},
    {"B", {75000, 13, 60.0}, 183, 75, 22.712745482631},
    {"C", {150000, 15, 110.0}, 241, 75, 28.973605592845},
    {"D", {1500000, 21, 500.0}, 463, 100, 52.514532105794},
    {"E", {9000000, 26, 1500.0}, 703, 100, 77.522164599383},
}};

/// Given that of an iteration, whose nominal operations are added.
heorot::Work work_of(const ProblemClass& problem, heorot::Work iteration) {
    const double m = problem.matrix.nonzer * (problem.matrix.nonzer + 1.0);
    const auto n = static_cast<double>(problem.matrix.n);
    iteration.operations = 2.0 * n * (3.0 + m + InverseIteration::n_steps * (5.0 + m) + 3.0);
    return problem.niter * iteration;
}

heorot::Work expected_work_of(const ProblemClass& problem) {
    const auto n = static_cast<double>(problem.matrix.n);
    return work_of(problem, InverseIteration::work(n, problem.row_elements * n));
}

void cg(heorot::Program& program) {
    // 1. Options
    // Value and column of every element, with room for the products it is assembled from; vectors.
    const auto name = heorot::choose_class(
        program, classes,
        [](const ProblemClass& one) {
            const double products = std::pow(one.matrix.nonzer + 1.0, 2);
            return (24.0 * products + 20 * 8.0) * static_cast<double>(one.matrix.n);
        },
        [](const ProblemClass& one) { return expected_work_of(one).counts(); });
    program.start();

    // 2. Problem
    const ProblemClass& problem = heorot::find_class(classes, name);
    InverseIteration iteration(program, problem.matrix);

    // 3. Measure
    const auto region = program.measure({.region = "cg",
                                         .point = {{"class", name}},
                                         .counts = work_of(problem, iteration.work()).counts(),
                                         .prepare = [&] { iteration.start(); },
                                         .warm_up = [&] { iteration.iterate(); }},
                                        [&] {
                                            for (int i = 0; i < problem.niter; ++i) {
                                                iteration.iterate();
                                            }
                                        });
    program.corruptible(iteration.zeta());

    // 4. Verify
    program.check(region, "zeta, relative deviation",
                  heorot::relative_deviation(iteration.zeta(), problem.zeta), 1e-10);
    program.check(region, "norm of x - A z", iteration.residual_norm(), 1e-10);
    program.check(region, "conjugacy of two directions", iteration.conjugacy(), 1e-8);
    program.check(region, "asymmetry of the matrix", iteration.asymmetry(), 1e-13);
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "npb/cg", cg);
}
