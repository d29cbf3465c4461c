// algorithms/dense_eigen: how fast is a dense symmetric eigensolver?
//
// Method    A dense symmetric matrix A of n rows is reduced to tridiagonal form, T = Q^T A Q, by
//           blocked Householder reflections: half of the flops are DSYMV, which reads the lower
//           triangle n times, half are DGEMM.
//             values: eigenvalues of T by multisection: Sturm sequences at many points side by
//               side isolate each value, inverse quadratic interpolation finds it
//             vectors: eigenpairs of T by divide and conquer, mostly DGEMM; back transformation by
//               blocked reflections
//             rotations: implicit QL with plane rotations of the columns of Q; up to
//               --rotations-max-n
//             lapack_values, lapack_vectors: dsyevd of a library, if --blas names one
//           Each rank solves its own problem with one thread, except in a library.
// Counts    flops: those performed. Reduction: 2 m^2 for a product with a vector of m elements,
//           what keeps a panel up to date, and 4 k for every element that a panel of k columns
//           changes, 4/3 n^3 + O(n^2) in all; Sturm sequences as many as there were, of 4 n
//           operations; the way back 2 n^3 + O(n^2); rotations as many as there were, of 6 n + 18;
//           divide and conquer the products of all columns that were not deflated, 4/3 n^3 at most,
//           7 for every pole in every evaluation of a secular equation. nominal_flops: 4/3 n^3 for
//           values, 9 n^3 with vectors, as LAPACK's own benchmarks count them, whatever the method.
//           bytes: the triangle read for every column, read and written for every panel; vectors
//           read and written for every block of reflections or rotation; 40 n^2 for divide and
//           conquer. Of the library only the nominal operations are known. All summed over the
//           ranks.
// Comparable  In part: nominal rates and times compare with those of LAPACK's dsyevd for the same
//           n, and with EuroBen's mod2d, whose method and matrix are others; times also with DIAG
//           of A. P. Rendell et al., Workstation clusters for scientific applications,
//           DL/SCI/TM997, Daresbury Laboratory (1994), who give seconds but not n.
// Verified  The matrix has 2 on the diagonal and -1 next to it, reflected three times, so that
//           its eigenvalues are 2 - 2 cos(k pi / (n + 1)), its trace 2 n and the square of its
//           Frobenius norm 6 n - 2. In units of n eps ||A||: the largest deviation of a value,
//           those of the sum of the values and of the root of the sum of their squares, and the
//           largest ||A v - lambda v||; in units of n eps the largest element of V^T V - I.
//           Tolerance 10 each: one rounding of the size of A in every step of the reduction makes
//           1, and LAPACK's own tests allow 30.
// Source    J. J. Dongarra, D. C. Sorensen, S. J. Hammarling, J. Comput. Appl. Math. 27 (1989), for
//           the reduction; S. S. Lo, B. Philippe, A. Sameh, SIAM J. Sci. Stat. Comput. 8 (1987),
//           for multisection; J. J. M. Cuppen, Numer. Math. 36 (1981); M. Gu, S. C. Eisenstat, SIAM
//           J. Matrix Anal. Appl. 16 (1995), for divide and conquer; A. J. van der Steen, The
//           benchmark of the EuroBen Group, Parallel Computing 17 (1991); E. Anderson et al.,
//           LAPACK Users' Guide, 3rd ed. (1999), for the nominal operations.
// Example   heorot run algorithms/dense_eigen --set n=300,1000 --set regions=values,vectors
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "benchmarks/algorithms/dense_eigen/decompositions.hpp"
#include "harness/program.hpp"
#include "harness/sums.hpp"
#include "numerics/libraries/blas.hpp"

namespace {

using heorot::dense_eigen::Decompositions;
using heorot::dense_eigen::Index;
using heorot::dense_eigen::Steps;
using heorot::libraries::Blas;

constexpr std::string_view known_regions = "values,vectors,rotations,lapack_values,lapack_vectors";
// The problem, the working copy, vectors, and the workspace of divide and conquer.
constexpr double held_matrices = 6.0;
constexpr Index largest_n = 30'000;  // so that 32 bits count what LAPACK works in, 2 n^2

/// All decompositions of the listed sizes, as published; rotations have the smaller ones only.
void say_what_is_computed(heorot::Program& program, std::span<const std::int64_t> sizes) {
    using heorot::Amount;
    const Amount values =
        program.has("regions", "values") + program.has("regions", "lapack_values");
    const auto rotations = program.has("regions", "rotations");
    const auto others = program.n_of("regions") - values - rotations;
    const auto all = [&](const Amount& without_vectors, const heorot::Term& with_vectors) {
        return heorot::sum_over("n", sizes, [&](const Amount& n) {
            const Amount is_small = heorot::smaller(
                1.0,
                heorot::rounded_down(program.amount("rotations-max-n") / heorot::larger(n, 1.0)));
            return (values * without_vectors + others + rotations * is_small) * with_vectors(n);
        });
    };
    program.takes("points", all(1.0, [](const Amount&) { return Amount(1.0); }));
    program.takes("nominal_flops", heorot::ranks() * all(4.0 / 27.0, [](const Amount& n) {
                                       return 9.0 * n * n * n;
                                   }));
    program.takes("swept_bytes",
                  heorot::ranks() * all(0.5, [](const Amount& n) { return 16.0 * n * n; }));
}
void dense_eigen(heorot::Program& program) {
    // 1. Options
    const auto regions = program.items("regions", known_regions, "what is computed, and how");
    const auto sizes = program.numbers("n", "100,300", 1, largest_n, "rows of the matrices");
    const auto most_rotated = program.option<std::size_t>(
        "rotations-max-n", 400, "rows of the largest matrix of the region rotations");
    const auto libraries = Blas::option(program);
    const auto matrix = 8.0 * program.largest_of("n") * program.largest_of("n");
    program.takes("memory_bytes",
                  heorot::ranks() * (held_matrices * matrix + 8.0 * heorot::mebibyte));
    program.takes("working_set_bytes", heorot::ranks() * 2.0 * matrix);
    say_what_is_computed(program, sizes);
    program.start();
    program.require_room();
    const auto wanted = [&](std::string_view name) { return heorot::lists(regions, name); };
    const auto blas = Blas::open(program, libraries);

    // 2. Problem, 3. measure, 4. verify: a library first, which has no phases
    for (const Index n : sizes) {
        if (!blas || !blas->has_lapack()) break;
        Decompositions decompositions(program, n);
        if (wanted("lapack_values")) decompositions.measure_lapack(*blas, false);
        if (wanted("lapack_vectors")) decompositions.measure_lapack(*blas, true);
    }
    Steps steps(program);
    for (const Index n : sizes) {
        Decompositions decompositions(program, n);
        if (wanted("values")) decompositions.measure_values(steps);
        if (wanted("vectors")) decompositions.measure_vectors(steps);
        const bool is_small = std::cmp_less_equal(n, most_rotated);
        if (wanted("rotations") && is_small) decompositions.measure_rotations(steps);
    }
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "algorithms/dense_eigen", dense_eigen);
}
