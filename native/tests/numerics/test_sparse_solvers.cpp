// Tests of sparse solvers: preconditioners against the matrices they stand for, methods against
// what they are known to do.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "numerics/sparse/grids.hpp"
#include "numerics/sparse/krylov.hpp"
#include "numerics/sparse/preconditioners.hpp"
#include "numerics/sparse/random_rows.hpp"
#include "numerics/sparse/wavefronts.hpp"
#include "tests/testing.hpp"

namespace {

using namespace heorot::sparse;

using Column = std::vector<double>;
/// Dense, by rows.
using Dense = std::vector<Column>;

std::size_t to_size(Index n) {
    return static_cast<std::size_t>(n);
}

Dense dense(const Csr& a) {
    Dense full(to_size(a.n_rows), Column(to_size(a.n_rows)));
    for (std::size_t i = 0; i < full.size(); ++i) {
        for (Place e = a.starts[i]; e < a.starts[i + 1]; ++e) full[i][a.columns[e]] = a.values[e];
    }
    return full;
}

/// A small problem, numbered by wavefronts.
struct Problem {
    SevenPoint equation;
    Wavefronts fronts{equation.grid};
    Csr a = make_csr(equation.grid.size(), Placed<SevenPoint>{equation, fronts}, 2);
};

/// (I + L) (D + U) from a dense matrix that holds L, D and U.
Dense product_of_factors(const Dense& f) {
    const std::size_t n = f.size();
    Dense m(n, Column(n));
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t k = 0; k <= std::min(i, j); ++k) {
                m[i][j] += (k == i ? 1.0 : f[i][k]) * f[k][j];
            }
        }
    }
    return m;
}

/// The largest element of r - M z, for z = M^-1 r.
double left_of(const Dense& m, const Factors& factors) {
    Column r(m.size());
    Column z(m.size());
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = exact_value(static_cast<Index>(i));
    factors.apply(r.data(), z.data());
    double largest = 0.0;
    for (std::size_t i = 0; i < r.size(); ++i) {
        double left = r[i];
        for (std::size_t j = 0; j < r.size(); ++j) left -= m[i][j] * z[j];
        largest = std::max(largest, std::abs(left));
    }
    return largest;
}

void factors_are_those_of_the_matrix() {
    constexpr double tolerance = 1e-13;
    for (const double peclet : {0.0, 0.7}) {
        const Problem problem{{{4, 3, 5}, peclet, 0.5 * peclet, -peclet}};
        const Dense a = dense(problem.a);
        // L and U of a sweep are those of the matrix, L by columns over the diagonal.
        Dense sweep = a;
        for (std::size_t i = 0; i < a.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) sweep[i][j] /= a[j][j];
        }
        const Factors gauss_seidel(problem.a, problem.fronts.fronts,
                                   Factors::Kind::symmetric_gauss_seidel, 2);
        CHECK(left_of(product_of_factors(sweep), gauss_seidel) <= tolerance);

        // Elimination by definition, where A has elements.
        Dense f = a;
        for (std::size_t i = 0; i < a.size(); ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                if (a[i][k] == 0.0) continue;
                f[i][k] /= f[k][k];
                for (std::size_t j = k + 1; j < a.size(); ++j) {
                    if (a[i][j] != 0.0) f[i][j] -= f[i][k] * f[k][j];
                }
            }
        }
        const Factors incomplete(problem.a, problem.fronts.fronts, Factors::Kind::incomplete, 2);
        const Dense m = product_of_factors(f);
        CHECK(left_of(m, incomplete) <= tolerance);
        // What defines it: M is A where A has elements.
        for (std::size_t i = 0; i < a.size(); ++i) {
            for (std::size_t j = 0; j < a.size(); ++j) {
                if (a[i][j] != 0.0) CHECK(std::abs(m[i][j] - a[i][j]) <= tolerance);
            }
        }
    }
}

/// Solves a problem with the solution 1; returns the largest error.
template <class Method>
double error_of(const Problem& problem, const Preconditioner& m, Solved& solved) {
    const std::size_t n = to_size(problem.a.n_rows);
    const Column ones(n, 1.0);
    Column b(n);
    Column x(n, 5.0);
    problem.a.multiply(ones.data(), b.data());
    Method method(problem.a, m);
    solved = method.solve(b.data(), x.data(), {.tolerance = 1e-12, .most_steps = 200});
    double largest = 0.0;
    for (const double each : x) largest = std::max(largest, std::abs(each - 1.0));
    return largest;
}

void conjugate_gradients_end_after_as_many_steps_as_unknowns() {
    const Problem problem{{{3, 2, 2}}};
    Solved solved;
    CHECK(error_of<ConjugateGradients>(problem, Jacobi(problem.a), solved) <= 1e-10);
    CHECK(solved.has_converged && solved.n_steps <= 12);
}

void better_preconditioners_need_fewer_steps() {
    const Problem laplace{{{9, 8, 7}}};
    const Problem mixed{{{9, 8, 7}, 0.9, 0.6, 0.3}};
    const auto factors = [](const Problem& problem, Factors::Kind kind) {
        return Factors(problem.a, problem.fronts.fronts, kind, 3);
    };
    constexpr double tolerance = 1e-9;
    Solved diagonal;
    Solved sweep;
    Solved factored;
    CHECK(error_of<ConjugateGradients>(laplace, Jacobi(laplace.a), diagonal) <= tolerance);
    CHECK(error_of<ConjugateGradients>(laplace,
                                       factors(laplace, Factors::Kind::symmetric_gauss_seidel),
                                       sweep) <= tolerance);
    CHECK(error_of<ConjugateGradients>(laplace, factors(laplace, Factors::Kind::incomplete),
                                       factored) <= tolerance);
    CHECK(factored.n_steps <= sweep.n_steps && 3 * sweep.n_steps < 2 * diagonal.n_steps);
    using Stabilised = StabilisedBiconjugateGradients;
    CHECK(error_of<Stabilised>(mixed, Jacobi(mixed.a), diagonal) <= tolerance);
    CHECK(error_of<Stabilised>(mixed, factors(mixed, Factors::Kind::incomplete), factored) <=
          tolerance);
    CHECK(2 * factored.n_steps < diagonal.n_steps);
}

/// Wide wavefronts, which threads share, between narrow ones.
void wide_wavefronts_are_shared() {
    const Problem problem{{{40, 30, 25}, 0.5, 0.25, 0.125}};
    const Factors alone(problem.a, problem.fronts.fronts, Factors::Kind::incomplete, 1);
    Solved solved;
    CHECK(error_of<StabilisedBiconjugateGradients>(problem, alone, solved) <= 1e-9);
    // One front after the other is what one row after the other is.
    std::vector<Index> rows;
    for (Index i = 0; i <= problem.a.n_rows; ++i) rows.push_back(i);
    const Factors by_rows(problem.a, rows, Factors::Kind::incomplete, 3);
    Column r(to_size(problem.a.n_rows));
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = exact_value(static_cast<Index>(i));
    Column z(r.size());
    Column z_by_rows(r.size());
    alone.apply(r.data(), z.data());
    by_rows.apply(r.data(), z_by_rows.data());
    CHECK(z == z_by_rows);
}

void too_few_steps_are_reported() {
    const Problem problem{{{9, 8, 7}}};
    Column x(to_size(problem.a.n_rows));
    const Column b(x.size(), 1.0);
    const Jacobi m(problem.a);
    ConjugateGradients method(problem.a, m);
    const Solved solved = method.solve(b.data(), x.data(), {.tolerance = 1e-12, .most_steps = 3});
    CHECK(!solved.has_converged && solved.n_steps == 3);
}

}  // namespace

int main() {
    factors_are_those_of_the_matrix();
    conjugate_gradients_end_after_as_many_steps_as_unknowns();
    better_preconditioners_need_fewer_steps();
    wide_wavefronts_are_shared();
    too_few_steps_are_reported();
    return heorot::tests::result();
}
