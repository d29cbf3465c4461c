// algorithms/sparse_solve: how fast are preconditioned CG and BiCGSTAB on sparse systems?
//
// Method    A x = b on a grid of n x n x n points, in double precision, from x = 0 until the
//           residual that the method updates is 1e-8 of |b|. The 7-point Laplacian by conjugate
//           gradients, a step of which is
//             q = A p, alpha = rho / (p q)
//             x = x + alpha p, r = r - alpha q
//             z = M^-1 r, rho' = r z, p = z + (rho' / rho) p
//             cg_jacobi: M is the diagonal
//             cg_sgs: M is a symmetric Gauss-Seidel sweep
//             cg_ic0: M is the product of incomplete Cholesky factors
//           Convection and diffusion, central differences with cell Peclet numbers 0.9, 0.6 and
//           0.3, by stabilised biconjugate gradients:
//             bicgstab_jacobi: M is the diagonal
//             bicgstab_ilu0: M is the product of incomplete factors
//           CSR with 32-bit column indices. Unknowns are numbered by wavefronts, which is
//           equivalent to the natural order: threads share products, vectors, and each wavefront of
//           the triangular solves. Sums, and so the number of steps, do not depend on the number of
//           threads. Each rank solves its own system. Timed, as one body: a whole solution without
//           the setup of A and M.
// Counts    flops performed in all steps: 2 per element of A in a product and of M in its solves
//           (not its unit diagonal), and those of the vectors. bytes = minimum traffic of these
//           passes: 12 per element, 4 for where a row begins, 8 per element of a vector. steps.
//           step_flops, step_bytes: of one of them.
// Comparable  In part: steps and flops with other solvers that have this residual reduction and
//           natural order; HPCG sweeps likewise but on 27 points, with a multigrid cycle.
// Verified  x is to be a known vector of random numbers. The residual, recomputed matrix-free, is
//           <= 1.01e-8 |b|, with 1 % for rounding of the updated residual. The error times the
//           smallest eigenvalue of the symmetric part of A, 12 sin^2 (pi / 2 (n + 1)), is no larger
//           than this residual may be: |A^-1| is at most its reciprocal.
// Source    M. R. Hestenes, E. Stiefel, J. Res. NBS 49 (1952); H. A. van der Vorst, SIAM J. Sci.
//           Stat. Comput. 13 (1992); J. A. Meijerink, H. A. van der Vorst, Math. Comp. 31 (1977);
//           Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed. (2003).
// Example   heorot run algorithms/sparse_solve --set n=64 --set methods=cg_ic0 --threads 2
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <string>
#include <string_view>

#include "harness/program.hpp"
#include "harness/sums.hpp"
#include "numerics/sparse/csr.hpp"
#include "numerics/sparse/grids.hpp"
#include "numerics/sparse/krylov.hpp"
#include "numerics/sparse/preconditioners.hpp"
#include "numerics/sparse/random_rows.hpp"
#include "numerics/sparse/wavefronts.hpp"

namespace {

using heorot::sparse::Csr;
using heorot::sparse::Factors;
using heorot::sparse::Grid;
using heorot::sparse::Index;
using heorot::sparse::Jacobi;
using heorot::sparse::Preconditioner;
using heorot::sparse::SevenPoint;
using heorot::sparse::Vectors;
using heorot::sparse::Wavefronts;

constexpr std::string_view known_methods = "cg_jacobi,cg_sgs,cg_ic0,bicgstab_jacobi,bicgstab_ilu0";
constexpr heorot::sparse::Limits limits = {.tolerance = 1e-8, .most_steps = 10000};
constexpr double verified_tolerance = 1.01 * limits.tolerance;

/// A system with a known solution.
class System {
  public:
    System(const SevenPoint& equation, const Wavefronts& fronts, int n_threads);

    const Csr& matrix() const { return a_; }
    const double* right_hand_side() const { return b_.data(); }
    std::span<double> solution() { return x_.span(); }

    /// The residual and the deviation of x from the known solution, relative to |b|.
    struct Wrong {
        double residual;
        double error;
    };
    Wrong assess();

  private:
    double equation_at(const double* u, Index point) const;

    const SevenPoint& equation_;
    const Wavefronts& fronts_;
    Csr a_;
    Vectors vectors_;
    heorot::Array<double> known_;  // in the order of the grid
    heorot::Array<double> b_, x_;  // by wavefronts
};

System::System(const SevenPoint& equation, const Wavefronts& fronts, int n_threads)
    : equation_(equation),
      fronts_(fronts),
      a_(heorot::sparse::make_csr(equation.grid.size(),
                                  heorot::sparse::Placed<SevenPoint>{equation, fronts}, n_threads)),
      vectors_(equation.grid.size()),
      known_(vectors_.zeros()),
      b_(vectors_.zeros()),
      x_(vectors_.zeros()) {
    vectors_.each([&](Index first, Index last) {
        for (Index i = first; i < last; ++i) {
            known_[static_cast<std::size_t>(i)] = heorot::sparse::exact_value(i);
        }
    });
    vectors_.each([&](Index first, Index last) {
        for (Index i = first; i < last; ++i) {
            const auto place = static_cast<std::size_t>(i);
            b_[place] = equation_at(known_.data(), fronts_.order[place]);
        }
    });
}

double System::equation_at(const double* u, Index point) const {
    const Grid& grid = equation_.grid;
    return equation_.without_matrix(u, point % grid.nx, point / grid.nx % grid.ny,
                                    point / (grid.nx * grid.ny));
}

System::Wrong System::assess() {
    const auto n = equation_.grid.size();
    heorot::Array<double> u(static_cast<std::size_t>(n));
    for (std::size_t place = 0; place < u.size(); ++place) u[fronts_.order[place]] = x_[place];
    const auto over_points = [&](const auto& term) {
        return std::sqrt(vectors_.sum([&](Index first, Index last) {
            double sum = 0.0;
            for (Index i = first; i < last; ++i) {
                const double value = term(static_cast<std::size_t>(i));
                sum += value * value;
            }
            return sum;
        }));
    };
    const double norm = over_points([&](std::size_t place) { return b_[place]; });
    const double residual = over_points(
        [&](std::size_t place) { return b_[place] - equation_at(u.data(), fronts_.order[place]); });
    const double error = over_points([&](std::size_t i) { return u[i] - known_[i]; });
    return {residual / norm, error / norm};
}

/// The systems of one grid, and how their solutions are measured.
class Systems {
  public:
    Systems(heorot::Program& program, Index n)
        : program_(program),
          n_(n),
          fronts_({n, n, n}),
          laplace_({{n, n, n}}),
          convection_({{n, n, n}, 0.9, 0.6, 0.3}) {}

    void measure(const std::string& method);

  private:
    template <class Method>
    void measure(const std::string& name, System& system, const Preconditioner& m);

    heorot::Program& program_;
    Index n_;
    Wavefronts fronts_;
    SevenPoint laplace_;
    SevenPoint convection_;
};

void Systems::measure(const std::string& method) {
    using heorot::sparse::ConjugateGradients;
    using heorot::sparse::StabilisedBiconjugateGradients;
    const int n_threads = program_.n_threads();
    const bool is_symmetric = method.starts_with("cg");
    System system(is_symmetric ? laplace_ : convection_, fronts_, n_threads);
    const auto run = [&](const Preconditioner& m) {
        if (is_symmetric) {
            measure<ConjugateGradients>(method, system, m);
        } else {
            measure<StabilisedBiconjugateGradients>(method, system, m);
        }
    };
    if (method.ends_with("jacobi")) {
        run(Jacobi(system.matrix()));
    } else {
        const auto kind = method.ends_with("sgs") ? Factors::Kind::symmetric_gauss_seidel
                                                  : Factors::Kind::incomplete;
        run(Factors(system.matrix(), fronts_.fronts, kind, n_threads));
    }
}

template <class Method>
void Systems::measure(const std::string& name, System& system, const Preconditioner& m) {
    Method solver(system.matrix(), m);
    double* const x = system.solution().data();
    const auto solve = [&] { return solver.solve(system.right_hand_side(), x, limits); };
    // The first run gives the number of steps, and warms up.
    const heorot::sparse::Solved solved = solve();
    const double copies = program_.world().size();
    const Csr& a = system.matrix();
    const auto region =
        program_.measure({.region = name,
                          .point = {{"unknowns", a.n_rows},
                                    {"nonzeros", a.n_nonzeros()},
                                    {"working_set_bytes", solver.working_set_bytes()}},
                          .counts = {{"flops", copies * solved.work.flops},
                                     {"bytes", copies * solved.work.bytes},
                                     {"steps", copies * solved.n_steps},
                                     {"step_flops", copies * solved.step.flops},
                                     {"step_bytes", copies * solved.step.bytes}},
                          .warm_up = [] {}},
                         [&] { solve(); });
    program_.corruptible(system.solution());
    const System::Wrong wrong = system.assess();
    const double sine = std::sin(std::numbers::pi / (2.0 * static_cast<double>(n_ + 1)));
    program_.check(region, "residual", wrong.residual, verified_tolerance);
    program_.check(region, "error by the smallest eigenvalue", wrong.error * 12.0 * sine * sine,
                   verified_tolerance);
}

/// Flops or bytes of the parts of a step: a product, M, and the vectors of a method.
struct StepParts {
    heorot::Amount product, diagonal, factors, conjugate_gradients, biconjugate_gradients;
};

heorot::Amount step_of_all_methods(const heorot::Program& program, const StepParts& parts) {
    const auto has = [&](const char* method) { return program.has("methods", method); };
    const auto one = parts.product + parts.conjugate_gradients;
    return has("cg_jacobi") * (one + parts.diagonal) +
           (has("cg_sgs") + has("cg_ic0")) * (one + parts.factors) +
           has("bicgstab_jacobi") *
               (2.0 * (parts.product + parts.diagonal) + parts.biconjugate_gradients) +
           has("bicgstab_ilu0") *
               (2.0 * (parts.product + parts.factors) + parts.biconjugate_gradients);
}

/// Costs of one step of every method on every grid: the number of steps is unknown beforehand.
void say_what_a_step_takes(heorot::Program& program, std::span<const std::int64_t> sides) {
    using heorot::Amount;
    const auto all = [&](const auto& parts) {
        return heorot::ranks() * heorot::sum_over("n", sides, [&](const Amount& n) {
                   const auto elements = 7.0 * n * n * n - 6.0 * n * n;
                   return step_of_all_methods(program, parts(elements, n * n * n));
               });
    };
    program.takes("points", program.n_of("methods") * program.n_of("n"));
    program.takes("step_flops", all([](const Amount& elements, const Amount& rows) -> StepParts {
                      return {2.0 * elements, rows, 2.0 * elements - rows, 12.0 * rows,
                              22.0 * rows};
                  }));
    program.takes("step_bytes", all([](const Amount& elements, const Amount& rows) -> StepParts {
                      return {12.0 * elements + 20.0 * rows, 24.0 * rows,
                              12.0 * elements + 36.0 * rows, 104.0 * rows, 168.0 * rows};
                  }));
}

void sparse_solve(heorot::Program& program) {
    // 1. Options
    constexpr std::int64_t most = 840;  // the number of an element has 32 bits
    const auto sides = program.numbers("n", "40", 2, most, "points in each direction of the grid");
    const auto methods = program.items("methods", known_methods, "methods");
    const auto side = program.largest_of("n");
    const auto unknowns = heorot::ranks() * side * side * side;
    // Matrix, factors, their workspace, vectors, and the order of the unknowns.
    program.takes("memory_bytes", 600.0 * unknowns + 4.0 * heorot::mebibyte);
    program.takes("working_set_bytes", 240.0 * unknowns);
    say_what_a_step_takes(program, sides);
    program.start();
    program.require_room();

    // 2. Problem, 3. measure, 4. verify: one grid and one method after the other
    for (const Index n : sides) {
        Systems systems(program, n);
        for (const std::string& method : heorot::split_list(methods)) systems.measure(method);
    }
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "algorithms/sparse_solve", sparse_solve);
}
