// algorithms/matrix_vector: how fast is DGEMV, by variant and matrix size?
//
// Method    DGEMV, y = A x, for n x n doubles, repeated with the same A, from L1d to memory.
//             dot_rows: y(i) = a(i,:) x, A stored by rows
//             dot_strided: the same, A stored by columns (stride n)
//             axpy: y = y + a(:,j) x(j), column by column (DAXPY)
//             blocked: eight columns at a time, which divides the traffic of y by eight
//             blas: dgemv of a library, by columns, if --blas names one
//           The compiler vectorises the loops. Threads share the rows; each rank has its own
//           problem.
// Counts    flops = 2 n^2; bytes = 8 n^2 + 16 n, every element of A, x and y once: axpy moves y n
//           times, but not from beyond a cache that holds it. Summed over the ranks.
//           working_set_bytes is 8 n^2 + 16 n of one rank, too.
// Comparable  In part: dot_strided and axpy are the forms of EuroBen's mod2a; its sizes and the
//           compiled loops differ. The nearest elementary operations are those of
//           compute/vector_kernels: a row of dot_rows is a dotproduct, of dot_strided one with a
//           large stride, a column of axpy an axpy, of which two operands stay in a cache.
// Verified  a(i, j) = i - 3 j and x(j) = j, counted from 1: all products and sums are whole numbers
//           below 2^53, and y(i) = -(2 n + 1 - i) n (n + 1) / 2 to the last bit, for all i, behind
//           every region; y holds -1e300 before it. Tolerance 0.
// Source    A. J. van der Steen, The benchmark of the EuroBen Group, Parallel Computing 17 (1991)
//           1211-1221; J. J. Dongarra, F. G. Gustavson, A. Karp, Implementing linear algebra
//           algorithms for dense matrices on a vector pipeline machine, SIAM Review 26 (1984).
// Example   heorot run algorithms/matrix_vector --set regions=axpy,blocked --set max-n=1000
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "harness/program.hpp"
#include "harness/sums.hpp"
#include "numerics/libraries/blas.hpp"

namespace {

using Index = std::ptrdiff_t;

constexpr std::string_view known_regions = "dot_strided,dot_rows,axpy,blocked,blas";
// As long as sums are exact.
constexpr std::size_t largest_n = 100'000;
// Rows of a thread begin where vectors do.
constexpr Index granule = 8;
constexpr Index width = 8;  // columns at once

/// Operands of a kernel: a is stored by rows or by columns, n apart.
struct Operands {
    const double* a;
    const double* x;
    double* y;
    Index n;
};

/// Sum of a(j stride) x(j). By itself, so that no compiler exchanges its loop with the one over the
/// rows.
[[gnu::noinline]] double dot(const double* a, Index stride, const double* x, Index n) {
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (Index j = 0; j < n; ++j) sum += a[j * stride] * x[j];
    return sum;
}
[[gnu::noinline]] double dot(const double* a, const double* x, Index n) {
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (Index j = 0; j < n; ++j) sum += a[j] * x[j];
    return sum;
}

/// y(i) = sum of a(i, j) x(j), for the rows begin ... end - 1. Checked in every run, as the others
/// are: Products::measure().
void dot_strided(const Operands& u, Index begin, Index end) {
    for (Index i = begin; i < end; ++i) u.y[i] = dot(u.a + i, u.n, u.x, u.n);
}
void dot_rows(const Operands& u, Index begin, Index end) {
    for (Index i = begin; i < end; ++i) u.y[i] = dot(u.a + i * u.n, u.x, u.n);
}

/// y(i) += sum of a(i, j + k) x(j + k) over k = 0 ... w - 1
template <Index w>
void add_columns(const Operands& u, Index j, Index begin, Index end) {
    const double* const a = u.a + j * u.n;
    const Index n = u.n;
    double* const y = u.y;
    double x[w];
    for (Index k = 0; k < w; ++k) x[k] = u.x[j + k];
#pragma omp simd
    for (Index i = begin; i < end; ++i) {
        double sum = y[i];
#pragma GCC unroll 8
        for (Index k = 0; k < w; ++k) sum += x[k] * a[i + k * n];
        y[i] = sum;
    }
}

/// y = 0, and then y := y + x(j) a(:, j) for every column
void axpy(const Operands& u, Index begin, Index end) {
    std::fill(u.y + begin, u.y + end, 0.0);
    for (Index j = 0; j < u.n; ++j) add_columns<1>(u, j, begin, end);
}
/// The same for several columns at once
void blocked(const Operands& u, Index begin, Index end) {
    std::fill(u.y + begin, u.y + end, 0.0);
    Index j = 0;
    for (; j + width <= u.n; j += width) add_columns<width>(u, j, begin, end);
    for (; j + 2 <= u.n; j += 2) add_columns<2>(u, j, begin, end);
    for (; j < u.n; ++j) add_columns<1>(u, j, begin, end);
}

/// action(begin, end) for the rows of every thread.
template <class Action>
void over_rows(Index n, int n_threads, Action action) {
    if (n_threads == 1) {
        action(Index{0}, n);
        return;
    }
    const Index each = ((n + n_threads - 1) / n_threads + granule - 1) / granule * granule;
#pragma omp parallel for schedule(static)
    for (int thread = 0; thread < n_threads; ++thread) {
        const Index begin = std::min(n, thread * each);
        action(begin, std::min(n, begin + each));
    }
}

/// The products with a matrix of one size.
class Products {
  public:
    /// Rows are touched first by the threads that will work on them.
    Products(heorot::Program& program, Index n)
        : program_(program),
          n_(n),
          by_columns_(square(n)),
          by_rows_(square(n)),
          x_(line(n)),
          y_(line(n)) {
        over_rows(n, program.n_threads(), [&](Index begin, Index end) {
            for (Index j = 0; j < n; ++j) {
                for (Index i = begin; i < end; ++i) by_columns_.data()[i + j * n] = element(i, j);
            }
            for (Index i = begin; i < end; ++i) {
                for (Index j = 0; j < n; ++j) by_rows_.data()[i * n + j] = element(i, j);
                x_.data()[i] = static_cast<double>(i + 1);
            }
        });
    }

    using Kernel = void (*)(const Operands&, Index, Index);
    void measure_columns(const std::string& name, Kernel kernel) {
        measure_kernel(name, by_columns_.data(), kernel);
    }
    void measure_rows(const std::string& name, Kernel kernel) {
        measure_kernel(name, by_rows_.data(), kernel);
    }
    void measure_blas(const heorot::libraries::Blas& blas) {
        const int n = static_cast<int>(n_);
        measure("blas", [&, n] {
            blas.matrix_vector(false, n, n, by_columns_.data(), x_.data(), y_.data());
        });
    }

  private:
    static std::size_t line(Index n) { return static_cast<std::size_t>(n); }
    static std::size_t square(Index n) { return line(n) * line(n); }
    static double element(Index i, Index j) { return static_cast<double>(i + 1 - 3 * (j + 1)); }

    void measure_kernel(const std::string& name, const double* a, Kernel kernel) {
        const Operands u{a, x_.data(), y_.data(), n_};
        const int n_threads = program_.n_threads();
        measure(name, [u, n_threads, kernel] {
            over_rows(u.n, n_threads, [&](Index begin, Index end) { kernel(u, begin, end); });
        });
    }
    template <class Body>
    void measure(const std::string& name, Body body);
    double deviation() const;

    heorot::Program& program_;
    Index n_;
    heorot::Array<double> by_columns_;
    heorot::Array<double> by_rows_;
    heorot::Array<double> x_;
    heorot::Array<double> y_;
};

template <class Body>
void Products::measure(const std::string& name, Body body) {
    std::fill(y_.begin(), y_.end(), heorot::no_result);
    const auto n = static_cast<double>(n_);
    const double bytes = 8.0 * n * n + 16.0 * n;
    const double copies = program_.world().size();
    const auto region = program_.measure(
        {.region = name,
         .point = {{"n", n_}, {"working_set_bytes", static_cast<std::int64_t>(bytes)}},
         .counts = {{"flops", 2.0 * n * n * copies}, {"bytes", bytes * copies}}},
        body);
    program_.corruptible(y_.span());
    program_.check(region, "largest relative deviation", deviation(), 0.0);
}

double Products::deviation() const {
    const auto n = static_cast<double>(n_);
    double largest = 0.0;
    for (Index i = 0; i < n_; ++i) {
        const double expected = -(2.0 * n - static_cast<double>(i)) * (n * (n + 1.0) / 2.0);
        largest = heorot::larger(largest, std::abs(y_.data()[i] / expected - 1.0));
    }
    return largest;
}

void measure_all(Products& products, const std::string& regions,
                 const std::optional<heorot::libraries::Blas>& blas) {
    const auto wanted = [&](std::string_view name) { return heorot::lists(regions, name); };
    if (wanted("dot_strided")) products.measure_columns("dot_strided", dot_strided);
    if (wanted("dot_rows")) products.measure_rows("dot_rows", dot_rows);
    if (wanted("axpy")) products.measure_columns("axpy", axpy);
    if (wanted("blocked")) products.measure_columns("blocked", blocked);
    if (blas && wanted("blas")) products.measure_blas(*blas);
}

void matrix_vector(heorot::Program& program) {
    // 1. Options
    const auto regions = program.items("regions", known_regions, "ways to multiply");
    const auto min_n = program.option<std::size_t>("min-n", 25, "rows of the smallest matrix");
    const auto max_n = program.option<std::size_t>("max-n", 2000, "rows of the largest, at most");
    const auto per_octave =
        program.option<double>("points-per-octave", 1.0, "matrices per doubling of n");
    const auto libraries = heorot::libraries::Blas::option(program);
    const auto matrix = heorot::ranks() * 8.0 * program.amount("max-n") * program.amount("max-n");
    // The matrix by columns and by rows.
    program.takes("memory_bytes", 2.0 * matrix + heorot::ranks() * 2.0 * heorot::mebibyte);
    program.takes("working_set_bytes", matrix);
    const heorot::Sizes sizes{program.amount("min-n"), program.amount("max-n"),
                              program.amount("points-per-octave")};
    program.takes("points", program.n_of("regions") * heorot::n_of(sizes));
    program.takes("bytes",
                  heorot::ranks() * program.n_of("regions") *
                      sum_over(sizes, [](const auto& n) { return 8.0 * n * n + 16.0 * n; }));
    program.start();
    if (min_n < 1 || max_n < min_n || max_n > largest_n) {
        throw heorot::UsageError("--min-n and --max-n must ascend from 1 to 100000",
                                 "leave them out for 25 and 2000");
    }
    if (per_octave <= 0.0 || per_octave > 64.0) {
        throw heorot::UsageError("--points-per-octave must be between 0 and 64",
                                 "leave it out for 1");
    }
    program.require_room();
    const auto blas = heorot::libraries::Blas::open(program, libraries);

    for (int step = 0;; ++step) {
        const double size = static_cast<double>(min_n) * std::exp2(step / per_octave);
        if (size > static_cast<double>(max_n)) break;
        // 2. Problem
        Products products(program, static_cast<Index>(size));
        // 3. Measure, 4. verify
        measure_all(products, regions, blas);
    }
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "algorithms/matrix_vector", matrix_vector);
}
