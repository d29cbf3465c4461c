// algorithms/linear_solver: how fast is CG with a dense matrix, over ranks?
//
// Method    A x = b by conjugate gradients from x = 0, until the residual that the method updates
//           is 1e-10 of |b|. A is dense, symmetric and diagonally dominant:
//             a(i,j) = -1 / (i - j)^2, a(i,i) = 0.01 + sum of |a(i,j)| over j != i
//           One step:
//             q = A p, alpha = rho / (p q)
//             x = x + alpha p, r = r - alpha q, rho' = r r
//             p = r + (rho' / rho) p
//           Each of R ranks has n / R rows and that part of the vectors. A step is an allgather of
//           p, a DGEMV and two allreduces. Any number of ranks; threads share the rows of a rank,
//           eight at a time. Timed, as one body: a whole solution.
// Counts    flops = 2 n^2 + 10 n per step and 2 n before them; bytes = 8 n^2 per step: the matrix,
//           read once; vectors may stay in a cache. steps. step_flops, step_bytes: of one of them.
// Comparable  In part: with the parallel iterative solver of Rendell et al. in method and
//           dimension, 1500, not in its matrix; flops per second with any matrix-vector product of
//           this size, as nearly all is that.
// Verified  x(i) is to be 1 + i / n: b is 0.01 x(i) + (H(i) - H(n - 1 - i)) / n with harmonic
//           numbers H, which no element of A has a part in. |b - A x|, recomputed from the
//           definition, is <= 1.01e-10 |b|, with 1 % for rounding of the updated residual. 0.01
//           times the error is no larger: by Gershgorin's theorem that is the smallest eigenvalue,
//           or less.
// Source    M. R. Hestenes, E. Stiefel, J. Res. NBS 49 (1952); A. P. Rendell et al., Workstation
//           clusters for scientific applications, DL/SCI/TM997, Daresbury Laboratory (1994),
//           section 4.
// Example   heorot run algorithms/linear_solver --set n=3000 --ranks 2
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/algorithms/linear_solver/dense_rows.hpp"
#include "harness/program.hpp"
#include "numerics/sparse/vectors.hpp"

namespace {

using namespace heorot::linear_solver;

constexpr double tolerance = 1e-10;
constexpr double verified_tolerance = 1.01 * tolerance;

/// H(0) = 0, H(1) = 1, H(2) = 1 + 1/2 ... H(n)
std::vector<double> harmonic_numbers(Index n) {
    std::vector<double> h = {0.0};
    for (Index k = 1; k <= n; ++k) h.push_back(h.back() + 1.0 / static_cast<double>(k));
    return h;
}

/// Conjugate gradients over the ranks.
class ConjugateGradients {
  public:
    ConjugateGradients(heorot::Program& program, Index n);

    /// Returns the number of steps. **Collective.**
    int solve();
    /// The own part of x.
    std::span<double> solution() { return {x_.data(), to_size(piece_.n_owned)}; }
    /// The residual relative to |b|, and the deviation of x from the solution. **Collective.**
    struct Wrong {
        double residual;
        double error;
    };
    Wrong assess();

  private:
    void multiply();
    double dot(const double* u, const double* v);
    heorot::Array<double> zeros() const;

    static constexpr int most_steps = 100000;

    const heorot::Communicator& world_;
    heorot::Phases& phases_;
    heorot::Phase gathering_, product_, updates_;
    Piece piece_;
    heorot::sparse::Vectors vectors_;
    Index n_columns_;
    DenseRows a_;
    heorot::Array<double> b_, x_, p_, q_, r_;
    heorot::Array<double> gathered_;
};

ConjugateGradients::ConjugateGradients(heorot::Program& program, Index n)
    : world_(program.world()),
      phases_(program.phases()),
      gathering_(phases_.add("gather p")),
      product_(phases_.add("product")),
      updates_(phases_.add("vectors")),
      piece_(Piece::of(n, world_.size(), world_.rank())),
      vectors_(heorot::sparse::Vectors::of_equal_blocks(piece_.n_piece, program.n_threads())),
      n_columns_(rounded_up(piece_.n_piece * world_.size(), heorot::n_lanes)),
      a_(piece_, n_columns_),
      b_(zeros()),
      x_(zeros()),
      p_(zeros()),
      q_(zeros()),
      r_(zeros()),
      gathered_(to_size(n_columns_)) {
    std::fill(gathered_.begin(), gathered_.end(), 0.0);
    const auto h = harmonic_numbers(n);
    const auto length = static_cast<double>(n);
    for (Index row = 0; row < piece_.n_owned; ++row) {
        const Index i = piece_.first + row;
        b_[to_size(row)] = dominance * (1.0 + static_cast<double>(i) / length) +
                           (h[to_size(i)] - h[to_size(n - 1 - i)]) / length;
    }
}

heorot::Array<double> ConjugateGradients::zeros() const {
    heorot::Array<double> u(to_size(std::max(a_.n_rows(), n_columns_)));
    std::fill(u.begin(), u.end(), 0.0);
    return u;
}

// q = A p
void ConjugateGradients::multiply() {
    if (world_.size() > 1) {
        const auto timed = phases_.enter(gathering_);
        const auto n_piece = to_size(piece_.n_piece);
        world_.all_gather(std::span<const double>(p_.data(), n_piece),
                          gathered_.span().first(n_piece * to_size(world_.size())));
    }
    const auto timed = phases_.enter(product_);
    a_.multiply(world_.size() > 1 ? gathered_.data() : p_.data(), q_.data());
}

double ConjugateGradients::dot(const double* u, const double* v) {
    return world_.sum(vectors_.dot(u, v));
}

int ConjugateGradients::solve() {
    const auto timed = phases_.enter(updates_);
    double* const x = x_.data();
    double* const p = p_.data();
    double* const q = q_.data();
    double* const r = r_.data();
    vectors_.fill(x, 0.0);
    vectors_.copy(b_.data(), r);
    vectors_.copy(b_.data(), p);
    double rho = dot(r, r);
    const double goal = tolerance * std::sqrt(rho);
    int n_steps = 0;
    while (std::sqrt(rho) > goal && n_steps < most_steps) {
        multiply();                            // q = A p
        const double alpha = rho / dot(p, q);  // alpha = rho / (p q)
        // x = x + alpha p, r = r - alpha q, rho' = r r
        const double next = world_.sum(vectors_.advance(alpha, p, q, x, r));
        vectors_.update_direction(next / rho, r, p);  // p = r + (rho' / rho) p
        rho = next;
        ++n_steps;
    }
    return n_steps;
}

ConjugateGradients::Wrong ConjugateGradients::assess() {
    world_.all_gather(std::span<const double>(x_.data(), to_size(piece_.n_piece)),
                      gathered_.span().first(to_size(piece_.n_piece * world_.size())));
    double left = 0.0;
    double off = 0.0;
    for (Index row = 0; row < piece_.n_owned; ++row) {
        const Index i = piece_.first + row;
        const double x_i = gathered_[to_size(i)];
        double residual = b_[to_size(row)] - dominance * x_i;
        // Each off-diagonal element contributes to it, too.
        for (Index j = 0; j < piece_.n; ++j) {
            if (j != i) residual -= beside(i, j) * (gathered_[to_size(j)] - x_i);
        }
        const double error = x_i - 1.0 - static_cast<double>(i) / static_cast<double>(piece_.n);
        left += residual * residual;
        off += error * error;
    }
    const double norm = std::sqrt(dot(b_.data(), b_.data()));
    return {std::sqrt(world_.sum(left)) / norm, std::sqrt(world_.sum(off)) / norm};
}

void linear_solver(heorot::Program& program) {
    // 1. Options
    const auto n = program.option<std::int64_t>("n", 1500, "rows of the matrix");
    const auto matrices = heorot::copies() * 8.0 * program.amount("n") * program.amount("n");
    program.takes("memory_bytes", matrices + heorot::ranks() * 8.0 * heorot::mebibyte);
    program.takes("working_set_bytes", matrices);
    program.takes("points", 1.0);
    // How many steps there are is known once they are done.
    program.takes("step_flops", 0.25 * matrices + heorot::copies() * 10.0 * program.amount("n"));
    program.takes("step_bytes", matrices);
    program.start();
    constexpr std::int64_t most = 1000000;
    if (n < 2 || n > most) {
        throw heorot::UsageError("--n is from 2 to " + std::to_string(most),
                                 "leave it out for 1500");
    }
    program.require_room();

    // 2. Problem
    ConjugateGradients gradients(program, n);
    // The first run gives the number of steps, and warms up.
    const int n_steps = gradients.solve();
    program.note("steps", n_steps);

    // 3. Measure
    const auto rows = static_cast<double>(n);
    const auto region = program.measure(
        {.region = "cg",
         .point = {{"unknowns", n}, {"working_set_bytes", 8 * n * n}},
         .counts = {{"flops", n_steps * (2.0 * rows * rows + 10.0 * rows) + 2.0 * rows},
                    {"bytes", n_steps * 8.0 * rows * rows},
                    {"steps", n_steps},
                    {"step_flops", 2.0 * rows * rows + 10.0 * rows},
                    {"step_bytes", 8.0 * rows * rows}},
         .warm_up = [] {}},
        [&] { gradients.solve(); });
    program.corruptible(gradients.solution());

    // 4. Verify
    const auto wrong = gradients.assess();
    program.check(region, "residual", wrong.residual, verified_tolerance);
    program.check(region, "error by the smallest eigenvalue", dominance * wrong.error,
                  verified_tolerance);
}  // 5. Report: what was measured and checked is on record

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "algorithms/linear_solver", linear_solver);
}
