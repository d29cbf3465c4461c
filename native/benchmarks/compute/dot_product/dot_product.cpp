// compute/dot_product: how fast is DDOT, by vector length and implementation?
//
// Method    One thread per rank, with its own vectors:
//             s = x(0) y(0) + ... + x(n-1) y(n-1)
//             simple: one accumulator (naive); bound by the latency of an addition or FMA per
//               element, unless the compiler may reorder sums
//             unrolled: eight vector accumulators
//             fortran: dot_product of Fortran, if a Fortran compiler was found
//             blas: ddot of the library given by --blas
//           n grows from 100 to beyond the caches. A body computes the sum k(n) times, with k(n) n
//           constant up to rounding. Every sum loads all elements again.
// Counts    flops = 2 n k(n), bytes = 16 n k(n), over the ranks. working_set_bytes = 16 n.
// Comparable  Yes: with other dot products in double precision by their flops, if n and the flags
//           of the compiler are the same.
// Verified  x(i) and y(i) are multiples of 1/64 below one that repeat after 61 and 53 elements, so
//           that sums in any order are free of rounding. The total of the k(n) sums of a body must
//           equal k(n) times the sum that integer arithmetic yields, to the last bit.
// Source    C. L. Lawson, R. J. Hanson, D. R. Kincaid, F. T. Krogh, Basic Linear Algebra
//           Subprograms for Fortran usage, ACM TOMS 5 (1979), for the operation and its unrolling.
// Example   heorot run compute/dot_product --set kernels=simple,unrolled --set max-bytes=1M
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "benchmarks/compute/dot_product/fortran.hpp"
#include "harness/program.hpp"
#include "harness/sums.hpp"
#include "numerics/lanes.hpp"
#include "numerics/libraries/blas.hpp"

namespace {

using namespace heorot;
using namespace heorot::dot_product;

using Index = std::int64_t;

constexpr std::string_view known_kernels = "simple,unrolled,fortran,blas";
constexpr Index n_sums = 8;
constexpr std::size_t shortest = 100;
constexpr double scale = 64.0;

/// s = x(0) y(0) + ... + x(n-1) y(n-1)
double simple(const double* x, const double* y, Index n) {
    double s = 0.0;
    for (Index i = 0; i < n; ++i) s += x[i] * y[i];
    return s;
}

/// The same in partial sums. Checked in every run, as the others are.
double unrolled(const double* x, const double* y, Index n) {
    constexpr Index step = n_sums * n_lanes;
    Lanes sums[n_sums] = {};  // NOLINT: vectors
    Index i = 0;
    for (; i + step <= n; i += step) {
#pragma GCC unroll 8
        for (Index j = 0; j < n_sums; ++j) {
            sums[j] += load(x + i + j * n_lanes) * load(y + i + j * n_lanes);
        }
    }
    for (; i + n_lanes <= n; i += n_lanes) sums[0] += load(x + i) * load(y + i);
    for (Index half = n_sums / 2; half > 0; half /= 2) {
        for (Index j = 0; j < half; ++j) sums[j] += sums[j + half];
    }
    for (int half = n_lanes / 2; half > 0; half /= 2) {
        for (int lane = 0; lane < half; ++lane) sums[0][lane] += sums[0][lane + half];
    }
    return sums[0][0] + simple(x + i, y + i, n - i);
}

/// 64 x(i) and 64 y(i), which are integers.
Index scaled_x(Index i) {
    return 1 + i % 61;
}
Index scaled_y(Index i) {
    return 1 + i % 53;
}

/// The sum of x(i) y(i), in integers: exact for n < 2^50.
double expected_sum(Index n) {
    Index sum = 0;
    for (Index i = 0; i < n; ++i) sum += scaled_x(i) * scaled_y(i);
    return static_cast<double>(sum) / (scale * scale);
}

}  // namespace

namespace {

/// The kernels on vectors of all lengths.
class Sweep {
  public:
    Sweep(Program& program, std::size_t n_most, double products);

    /// Measures sums of n products by `dot`, and verifies them.
    template <class Dot>
    void measure(const std::string& name, std::size_t n, Dot dot);

  private:
    Program& program_;
    Array<double> x_;
    Array<double> y_;
    double products_;  // of a body
};

Sweep::Sweep(Program& program, std::size_t n_most, double products)
    : program_(program), x_(n_most), y_(n_most), products_(products) {
    for (std::size_t i = 0; i < n_most; ++i) {
        x_[i] = static_cast<double>(scaled_x(static_cast<Index>(i))) / scale;
        y_[i] = static_cast<double>(scaled_y(static_cast<Index>(i))) / scale;
    }
}

template <class Dot>
void Sweep::measure(const std::string& name, std::size_t n, Dot dot) {
    const double k = std::max(1.0, std::floor(products_ / static_cast<double>(n)));
    const auto length = static_cast<Index>(n);
    const auto n_repeats = static_cast<Index>(k);
    const double n_total = k * static_cast<double>(n) * program_.world().size();
    double total = 0.0;
    const auto region =
        program_.measure({.region = name,
                          .point = {{"n", n}, {"working_set_bytes", 2 * sizeof(double) * n}},
                          .counts = {{"flops", 2.0 * n_total}, {"bytes", 16.0 * n_total}}},
                         [&, x = x_.data(), y = y_.data()] {
                             double sums = 0.0;
                             for (Index repeat = 0; repeat < n_repeats; ++repeat) {
                                 clobber();  // the vectors might be others now
                                 double s = dot(x, y, length);
                                 keep(s);
                                 sums += s;
                             }
                             total = sums;
                         });
    program_.corruptible(total);
    program_.check(region, "deviation of the sums", std::abs(total - k * expected_sum(length)),
                   0.0);
}

/// The requested kernels; for `all` the available ones. Ends the program if a requested one is
/// missing.
std::string available_kernels(Program& program, const std::string& wanted, bool has_blas) {
    std::string there = "simple,unrolled";
    if (heorot_dot_product_is_built()) there += ",fortran";
    if (has_blas) there += ",blas";
    if (wanted == known_kernels) return there;
    if (lists(wanted, "fortran") && !lists(there, "fortran")) {
        program.cannot_run("built without a Fortran compiler, it has no fortran");
    }
    if (lists(wanted, "blas") && !lists(there, "blas")) {
        throw UsageError("--kernels asks for blas, and --blas names no library",
                         "name one: --blas FILE");
    }
    return wanted;
}

/// Throws UsageError if an option of the sizes is out of range.
void verify_sizes(std::size_t max_bytes, double per_octave, double products) {
    if (max_bytes < 16 * shortest || max_bytes > std::size_t{1} << 34U) {
        throw UsageError("--max-bytes must be between 1600 and 16G", "leave it out for 64M");
    }
    if (per_octave <= 0.0 || per_octave > 64.0) {
        throw UsageError("--points-per-octave must be between 0 and 64", "leave it out for 2");
    }
    if (products < 1.0 || products > 0x1p40) {
        throw UsageError("--products must be between 1 and 2^40", "leave it out for 262144");
    }
}

void run_sweep(Program& program) {
    // 1. Options
    const auto wanted = program.items("kernels", known_kernels, "loops, and a library");
    const auto max_bytes = program.option<std::size_t>("max-bytes", std::size_t{64} << 20U,
                                                       "most that both vectors of a rank take");
    const auto per_octave =
        program.option<double>("points-per-octave", 2.0, "lengths per doubling");
    const auto products =
        program.option<double>("products", 262144, "of a body: k(n) n; at least one sum");
    const auto library = libraries::Blas::option(program);
    program.takes("memory_bytes", ranks() * program.amount("max-bytes") + mebibyte);
    const Sizes sizes{16.0 * shortest, program.amount("max-bytes"),
                      program.amount("points-per-octave")};
    program.takes("points", program.n_of("kernels") * n_of(sizes));
    program.takes("swept_bytes", ranks() * program.n_of("kernels") * total(sizes));
    program.start();
    verify_sizes(max_bytes, per_octave, products);
    const auto blas = libraries::Blas::open(program, library);
    program.note("fortran", fortran_compiler());
    const auto kernels = available_kernels(program, wanted, blas.has_value());

    // 2. Problem
    const std::size_t n_most = max_bytes / (2 * sizeof(double));
    Sweep sweep(program, n_most, products);

    // 3. Measure, 4. verify, one length after the other
    for (int step = 0;; ++step) {
        const double length = std::round(double{shortest} * std::exp2(step / per_octave));
        if (length > static_cast<double>(n_most)) break;
        const auto n = static_cast<std::size_t>(length);
        if (lists(kernels, "simple")) sweep.measure("simple", n, simple);
        if (lists(kernels, "unrolled")) sweep.measure("unrolled", n, unrolled);
        if (lists(kernels, "fortran")) sweep.measure("fortran", n, heorot_dot_product);
        if (!lists(kernels, "blas")) continue;
        sweep.measure("blas", n, [&](const double* x, const double* y, Index n_elements) {
            return blas->dot(static_cast<int>(n_elements), x, y);
        });
    }
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "compute/dot_product", run_sweep);
}
