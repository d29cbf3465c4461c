// algorithms/dense_solve: how fast is dense LU (HPL-like) on one node?
//
// Method    A x = b for a random matrix of n rows, in double precision, restored before every body,
//           outside the timer.
//             blocked: P A = L U by Gaussian elimination with partial pivoting, right-looking by
//               panels of --panel-columns columns; then L y = P b, U x = y
//             lapack: dgetrf and dgetrs of a library, if --blas names one
//           Panels are factorised recursively; row swaps, triangular solve (DTRSM) and update
//           (DGEMM of algorithms/matrix_multiply) follow. Threads share the update, the columns
//           right of a panel and the substitutions. A library decides by itself. Each rank solves
//           its own problem.
// Counts    flops = 2/3 n^3 + 3/2 n^2, as HPL counts them; 7/6 n of these need not be performed.
//           bytes = 24 n^2 + 16 n, the least that any order moves: A read, its factors written and
//           read, b and x. Summed over the ranks. working_set_bytes is 8 n^2 + 8 n of one rank.
// Comparable  Yes: with HPL and LINPACK on one node or core for the same n, whose operations,
//           matrix and test these are, and with rates of dgetrf, which the solution lowers little;
//           in part with EuroBen's mod2b, which solves such systems by routines of LAPACK.
// Verified  ||A x - b|| / (eps (||A|| ||x|| + ||b||) n) by plain loops with the matrix as it was,
//           norms of largest elements and row sums, eps = 2^-53, as in HPL and with its tolerance
//           of 16, behind every region. x holds b before it.
// Source    J. J. Dongarra, P. Luszczek, A. Petitet, The LINPACK Benchmark: past, present and
//           future, Concurrency and Computation 15 (2003); S. Toledo, SIAM J. Matrix Anal. Appl. 18
//           (1997); E. Anderson et al., LAPACK Users' Guide, 3rd ed. (1999).
// Example   heorot run algorithms/dense_solve --set n=1000,2000 --threads 2
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/program.hpp"
#include "harness/sums.hpp"
#include "numerics/dense/lu.hpp"
#include "numerics/dense/view.hpp"
#include "numerics/libraries/blas.hpp"
#include "numerics/random.hpp"

namespace {

using heorot::dense::Factorisation;
using heorot::dense::Index;
using heorot::dense::Matrix;
using heorot::libraries::Blas;

constexpr std::string_view known_regions = "blocked,lapack";
constexpr double eps = 0x1p-53;
constexpr double tolerance = 16.0;
constexpr std::size_t widest_panel = 4096;

/// The phases of our own way.
struct Steps {
    explicit Steps(heorot::Program& program)
        : phases(program.phases()),
          panel(phases.add("panel")),
          rows(phases.add("rows")),
          update(phases.add("update")),
          solution(phases.add("solution")) {}
    heorot::Phases& phases;
    heorot::Phase panel;
    heorot::Phase rows;
    heorot::Phase update;
    heorot::Phase solution;
};

/// A := L U, panel by panel, and x := A^-1 x. Checked in every run: Systems::residual().
void solve(Steps& steps, Factorisation& lu, Matrix a, double* x) {
    for (Index panel = 0; panel < lu.n_panels(); ++panel) {
        {
            const auto timed = steps.phases.enter(steps.panel);
            lu.factorise_panel(panel, a);
        }
        {
            const auto timed = steps.phases.enter(steps.rows);
            lu.finish_rows(panel, a);
        }
        const auto timed = steps.phases.enter(steps.update);
        lu.update_rest(panel, a);
    }
    const auto timed = steps.phases.enter(steps.solution);
    lu.solve({a.elements, a.stride}, x);
}

/// The largest magnitude of an element.
double norm(const std::vector<double>& x) {
    double largest = 0.0;
    for (const double each : x) largest = heorot::larger(largest, std::abs(each));
    return largest;
}

/// Systems of one size.
class Systems {
  public:
    /// Columns are first touched by several threads, so that they lie near all of them.
    Systems(heorot::Program& program, Index n)
        : program_(program), n_(n), a_(square()), work_(square()), b_(line()), x_(line()) {
#pragma omp parallel for schedule(static)
        for (Index j = 0; j < n; ++j) {
            fill_column(a_.data() + j * n, j);
            fill_column(work_.data() + j * n, j);
        }
        fill_column(b_.data(), n);
    }

    void measure_blocked(Steps& steps, Index panel_columns) {
        Factorisation lu(n_, program_.n_threads(), panel_columns);
        measure("blocked", [&] { solve(steps, lu, {work_.data(), n_}, x_.data()); });
    }

    void measure_lapack(const Blas& blas) {
        std::vector<int> pivots(line());
        const int n = static_cast<int>(n_);
        measure("lapack", [&] {
            blas.factorise(n, work_.data(), pivots.data());
            blas.solve(n, work_.data(), pivots.data(), x_.data());
        });
    }

  private:
    std::size_t line() const { return static_cast<std::size_t>(n_); }
    std::size_t square() const { return line() * line(); }
    void fill_column(double* column, Index number) const {
        heorot::Random random(271828183);
        random.skip(static_cast<std::uint64_t>(number * n_));
        for (Index i = 0; i < n_; ++i) column[i] = random.next() - 0.5;
    }
    /// By one thread: others would still wait, busily, when a library's begin to work.
    void restore() {
        std::copy(a_.begin(), a_.end(), work_.begin());
        std::copy(b_.begin(), b_.end(), x_.begin());
    }
    template <class Body>
    void measure(const std::string& name, Body body);
    double residual() const;

    heorot::Program& program_;
    Index n_;
    heorot::Array<double> a_;
    heorot::Array<double> work_;
    std::vector<double> b_;
    std::vector<double> x_;
};

template <class Body>
void Systems::measure(const std::string& name, Body body) {
    const auto n = static_cast<double>(n_);
    const double copies = program_.world().size();
    const double flops = 2.0 / 3.0 * n * n * n + 1.5 * n * n;
    const double bytes = 24.0 * n * n + 16.0 * n;
    const auto region =
        program_.measure({.region = name,
                          .point = {{"n", n_}, {"working_set_bytes", 8 * n_ * n_ + 8 * n_}},
                          .counts = {{"flops", flops * copies}, {"bytes", bytes * copies}},
                          .prepare = [this] { restore(); }},
                         body);
    program_.corruptible(std::span(x_));
    program_.check(region, "scaled residual", residual(), tolerance);
}

double Systems::residual() const {
    std::vector<double> rest(b_);
    std::vector<double> row_sums(line(), 0.0);
    for (Index j = 0; j < n_; ++j) {
        const double* const column = a_.data() + j * n_;
        const double x = x_[static_cast<std::size_t>(j)];
        for (std::size_t i = 0; i < line(); ++i) {
            rest[i] -= column[i] * x;
            row_sums[i] += std::abs(column[i]);
        }
    }
    const double scale = norm(row_sums) * norm(x_) + norm(b_);
    return norm(rest) / (eps * scale * static_cast<double>(n_));
}

/// Of systems of some sizes.
void say_what_it_takes(heorot::Program& program, std::span<const std::int64_t> sizes) {
    const auto matrix = 8.0 * program.largest_of("n") * program.largest_of("n");
    // The matrix as it was, its factors, and tiles.
    program.takes("memory_bytes",
                  heorot::ranks() * (2.0 * matrix + heorot::threads() * 5.0 * heorot::mebibyte +
                                     4.0 * heorot::mebibyte));
    program.takes("working_set_bytes", heorot::ranks() * matrix);
    const auto all = [&](const heorot::Term& term) {
        return program.n_of("regions") * heorot::sum_over("n", sizes, term);
    };
    using heorot::Amount;
    program.takes("points", all([](const Amount&) { return Amount(1.0); }));
    program.takes("flops", heorot::ranks() * all([](const Amount& n) {
                               return 2.0 / 3.0 * n * n * n + 1.5 * n * n;
                           }));
    program.takes("bytes",
                  heorot::ranks() * all([](const Amount& n) { return 24.0 * n * n + 16.0 * n; }));
}

void dense_solve(heorot::Program& program) {
    // 1. Options
    const auto regions = program.items("regions", known_regions, "ours, and a library's");
    const auto sizes =
        program.numbers("n", "33,100,250,500,1000", 1, heorot::dense::most_rows, "rows");
    const auto panel_columns =
        program.option<std::size_t>("panel-columns", 128, "columns of a panel");
    const auto libraries = Blas::option(program);
    say_what_it_takes(program, sizes);
    program.start();
    if (panel_columns < 1 || panel_columns > widest_panel) {
        throw heorot::UsageError("--panel-columns must be 1 to 4096", "leave it out for 128");
    }
    program.require_room();
    const auto blas = Blas::open(program, libraries);

    // 2. Problem, 3. measure, 4. verify: a library first, which has no phases
    for (const Index n : sizes) {
        if (!blas || !blas->has_lapack() || !heorot::lists(regions, "lapack")) break;
        Systems(program, n).measure_lapack(*blas);
    }
    if (!heorot::lists(regions, "blocked")) return;
    Steps steps(program);
    for (const Index n : sizes) {
        Systems(program, n).measure_blocked(steps, static_cast<Index>(panel_columns));
    }
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "algorithms/dense_solve", dense_solve);
}
