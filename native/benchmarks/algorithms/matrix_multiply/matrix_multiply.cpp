// algorithms/matrix_multiply: how fast is DGEMM, by loop order, blocked, and by BLAS?
//
// Method    DGEMM, C = A B, for n x n doubles stored by columns, repeated with the same A and B,
//           from L1d to memory. Loop orders are named from the outer to the inner loop; the other
//           three have the same innermost loops: jik that of ijk, kji that of jki, kij that of ikj.
//             ijk: c(i,j) = a(i,:) b(:,j), DDOT with one operand of stride n
//             jki: c(:,j) += a(:,k) b(k,j), DAXPY with unit stride
//             ikj: c(i,:) += a(i,k) b(k,:), DAXPY with stride n
//             blocked: register tiles of C of any shape; blocks of A are packed where they exceed
//               the caches near the core, B never is; small products consist of their tiles only
//             blas: dgemm of a library, if --blas names one
//           Loop orders run up to --textbook-max-n only, as two of the three soon load a cache line
//           per operation. --block-rows and --block-depth are the fastest of those tried; the
//           record has them. Threads share C: by rows (ijk, ikj), columns (jki) or rectangles
//           (blocked); a library decides by itself. Each rank has its own problem.
// Counts    flops = 2 n^3, as C = 0 at first; bytes = 24 n^2, every element of the three matrices
//           once, the least that any order moves. Summed over the ranks. working_set_bytes is 24
//           n^2 of one rank, too.
// Comparable  Yes: blocked and blas with rates of dgemm for the same n, as LINPACK's parts or
//           vendors quote them. In part: the loop orders with textbooks, as compiled code differs;
//           times with MMO of A. P. Rendell et al., Workstation clusters for scientific
//           applications, DL/SCI/TM997, Daresbury Laboratory (1994), who give seconds but not n.
// Verified  The elements of A and B are random in (-0.5, 0.5). Freivalds: C x = A (B x) for four
//           vectors x of random signs, element by element, in units of 2 n eps |A| |B| e, the
//           maximum rounding error of all four products (gamma_n of each); tolerance 1. An element
//           that is wrong by more shows with every x, several in a row stay hidden from all four
//           with a probability of 1/16 at most. For n <= 160 also every element of C against a sum
//           by plain loops, in units of n eps |A| |B|, tolerance 1. C holds -1e300 before a region.
// Source    G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed. (2013), section 1.1; K. Goto,
//           R. A. van de Geijn, ACM TOMS 34 (2008); R. Freivalds, Probabilistic machines can use
//           less running time, IFIP Congress 77; N. J. Higham, Accuracy and Stability of Numerical
//           Algorithms, 2nd ed. (2002), section 3.5.
// Example   heorot run algorithms/matrix_multiply --set regions=blocked --set n=500,1000 --threads
//           2
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "benchmarks/algorithms/matrix_multiply/tuning.hpp"
#include "benchmarks/algorithms/matrix_multiply/verifier.hpp"
#include "harness/program.hpp"
#include "harness/sums.hpp"
#include "numerics/dense/multiply.hpp"
#include "numerics/libraries/blas.hpp"
#include "numerics/random.hpp"

namespace {

using heorot::dense::Blocking;
using heorot::dense::Index;
using heorot::dense::Multiplier;
using heorot::libraries::Blas;
using heorot::matrix_multiply::Operands;
using heorot::matrix_multiply::Verifier;

constexpr std::string_view known_regions = "ijk,jki,ikj,blocked,blas";
constexpr Index most_fully_verified = 160;
constexpr Index largest_block = 1 << 14;

/// Sum of x(k stride) y(k). By itself, as the loops below, so that no compiler exchanges it with
/// those around it.
[[gnu::noinline]] double dot(Index n, const double* x, Index stride, const double* y) {
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (Index k = 0; k < n; ++k) sum += x[k * stride] * y[k];
    return sum;
}
/// y(i) += alpha x(i)
[[gnu::noinline]] void add(Index n, double alpha, const double* x, double* y) {
#pragma omp simd
    for (Index i = 0; i < n; ++i) y[i] += alpha * x[i];
}
/// y(j stride) += alpha x(j stride)
[[gnu::noinline]] void add_strided(Index n, double alpha, const double* x, double* y,
                                   Index stride) {
#pragma omp simd
    for (Index j = 0; j < n; ++j) y[j * stride] += alpha * x[j * stride];
}

/// c(i, j) = sum of a(i, k) b(k, j). Checked in every run, as the others are: Products::measure().
void ijk(const Operands& u) {
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < u.n; ++i) {
        for (Index j = 0; j < u.n; ++j) {
            u.c(i, j) = dot(u.n, u.a.part(i, 0).elements, u.a.stride, u.b.column(j));
        }
    }
}

/// Column by column: c(:, j) = 0, and then c(:, j) += b(k, j) a(:, k) for every k
void jki(const Operands& u) {
#pragma omp parallel for schedule(static)
    for (Index j = 0; j < u.n; ++j) {
        std::fill_n(u.c.column(j), u.n, 0.0);
        for (Index k = 0; k < u.n; ++k) add(u.n, u.b(k, j), u.a.column(k), u.c.column(j));
    }
}

/// Row by row: c(i, :) = 0, and then c(i, :) += a(i, k) b(k, :) for every k
void ikj(const Operands& u) {
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < u.n; ++i) {
        for (Index j = 0; j < u.n; ++j) u.c(i, j) = 0.0;
        for (Index k = 0; k < u.n; ++k) {
            add_strided(u.n, u.a(i, k), u.b.part(k, 0).elements, u.c.part(i, 0).elements,
                        u.c.stride);
        }
    }
}

/// The products of matrices of one size.
class Products {
  public:
    /// Columns are first touched by the threads that will write them in jki, and A and B alike.
    Products(heorot::Program& program, Index n)
        : program_(program),
          n_(n),
          a_(size()),
          b_(size()),
          c_(size()),
          u_{n, {a_.data(), n}, {b_.data(), n}, {c_.data(), n}} {
#pragma omp parallel for schedule(static)
        for (Index j = 0; j < n; ++j) {
            fill_column(a_.data() + j * n, j);
            fill_column(b_.data() + j * n, n + j);
            std::fill_n(c_.data() + j * n, n, 0.0);
        }
        verifier_ = std::make_unique<Verifier>(u_);
    }

    const Operands& operands() const { return u_; }

    /// Measures `body`, which makes C, and verifies it.
    template <class Body>
    void measure(const std::string& name, Body body) {
        std::fill(c_.begin(), c_.end(), heorot::no_result);
        const auto n = static_cast<double>(n_);
        const double copies = program_.world().size();
        const auto region = program_.measure(
            {.region = name,
             .point = {{"n", n_}, {"working_set_bytes", 24 * n_ * n_}},
             .counts = {{"flops", 2.0 * n * n * n * copies}, {"bytes", 24.0 * n * n * copies}}},
            body);
        program_.corruptible(c_.span());
        program_.check(region, "products with vectors", verifier_->deviation_of_products(), 1.0);
        if (n_ > most_fully_verified) return;
        program_.check(region, "elements", verifier_->deviation_of_elements(), 1.0);
    }

  private:
    std::size_t size() const { return static_cast<std::size_t>(n_ * n_); }
    void fill_column(double* column, Index number) const {
        constexpr std::uint64_t seed = 314159265;
        heorot::Random random(seed);
        random.skip(static_cast<std::uint64_t>(number * n_));
        for (Index i = 0; i < n_; ++i) column[i] = random.next() - 0.5;
    }

    heorot::Program& program_;
    Index n_;
    heorot::Array<double> a_;
    heorot::Array<double> b_;
    heorot::Array<double> c_;
    Operands u_;
    std::unique_ptr<Verifier> verifier_;
};

Blocking read_blocking(heorot::Program& program) {
    const auto option = [&](const char* name, Index fallback, const char* help) {
        const auto size =
            program.option<std::size_t>(name, static_cast<std::size_t>(fallback), help);
        return static_cast<Index>(size);
    };
    return {.rows = option("block-rows", 0, "rows of a packed block of A; 0: tried"),
            .depth = option("block-depth", 0, "columns of it, and rows of one of B; 0: tried"),
            .columns = option("block-columns", Blocking{}.columns, "columns of a block of B")};
}

void expect_valid(const Blocking& blocking) {
    const auto [least, most] = std::minmax({blocking.rows, blocking.depth, blocking.columns});
    if (least < 0 || blocking.columns == 0 || most > largest_block) {
        throw heorot::UsageError(
            "--block-rows, --block-depth and --block-columns must be 1 to 16384",
            "leave them out for blocks that are tried");
    }
}

/// The fastest blocks for the largest of the products, on record.
Blocking choose_blocking(heorot::Program& program, std::span<const std::int64_t> sizes,
                         const Blocking& given) {
    const Blocking chosen = heorot::matrix_multiply::fastest_blocks(
        *std::max_element(sizes.begin(), sizes.end()), program.n_threads(), given,
        [&](auto body) { return program.trial(body); });
    program.note("blocks", std::to_string(chosen.rows) + " rows, " + std::to_string(chosen.depth) +
                               " deep, " + std::to_string(chosen.columns) + " columns");
    return chosen;
}

/// All products of the listed sizes, of which the textbook's ways have the smaller ones only.
void say_what_it_takes(heorot::Program& program, std::span<const std::int64_t> sizes) {
    const auto matrices = 24.0 * program.largest_of("n") * program.largest_of("n");
    program.takes("memory_bytes", heorot::ranks() * (matrices + (1.0 + heorot::threads()) * 4.0 *
                                                                    heorot::mebibyte));
    program.takes("working_set_bytes", heorot::ranks() * matrices);
    using heorot::Amount;
    const Amount textbook = program.has("regions", "ijk") + program.has("regions", "jki") +
                            program.has("regions", "ikj");
    const auto others = program.n_of("regions") - textbook;
    const auto most = program.amount("textbook-max-n");
    const auto all = [&](const heorot::Term& of_product) {
        return heorot::sum_over("n", sizes, [&](const Amount& n) {
            const Amount is_small =
                heorot::smaller(1.0, heorot::rounded_down(most / heorot::larger(n, 1.0)));
            return (others + textbook * is_small) * of_product(n);
        });
    };
    program.takes("points", all([](const Amount&) { return Amount(1.0); }));
    program.takes("flops", heorot::ranks() * all([](const Amount& n) { return 2.0 * n * n * n; }));
    program.takes("bytes", heorot::ranks() * all([](const Amount& n) { return 24.0 * n * n; }));
}

void matrix_multiply(heorot::Program& program) {
    // 1. Options
    const auto regions = program.items("regions", known_regions, "orders of loops, and others");
    const auto sizes = program.numbers("n", "16,33,64,125,250,500,1000", 1,
                                       heorot::dense::most_rows, "rows of the matrices");
    const auto most_by_textbook = program.option<std::size_t>(
        "textbook-max-n", 250, "rows of the largest matrices for ijk, jki, ikj");
    const Blocking given = read_blocking(program);
    const auto libraries = Blas::option(program);
    say_what_it_takes(program, sizes);
    program.start();
    expect_valid(given);
    program.require_room();
    const auto wanted = [&](std::string_view name) { return heorot::lists(regions, name); };
    const auto blas = Blas::open(program, libraries);

    std::optional<Multiplier> multiplier;
    if (wanted("blocked")) {
        multiplier.emplace(program.n_threads(), choose_blocking(program, sizes, given));
    }
    for (const Index n : sizes) {
        // 2. Problem
        Products products(program, n);
        const Operands u = products.operands();
        // 3. Measure, 4. verify
        if (std::cmp_less_equal(n, most_by_textbook)) {
            if (wanted("ijk")) products.measure("ijk", [&] { ijk(u); });
            if (wanted("jki")) products.measure("jki", [&] { jki(u); });
            if (wanted("ikj")) products.measure("ikj", [&] { ikj(u); });
        }
        if (multiplier) {
            products.measure("blocked", [&] { multiplier->multiply(n, n, n, u.a, u.b, u.c); });
        }
        if (blas && wanted("blas")) {
            const int rows = static_cast<int>(n);
            products.measure("blas", [&] {
                blas->multiply(rows, rows, rows, u.a.elements, u.b.elements, u.c.elements);
            });
        }
    }
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "algorithms/matrix_multiply", matrix_multiply);
}
