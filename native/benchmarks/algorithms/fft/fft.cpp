// algorithms/fft: how fast are FFTs in one, two and three dimensions?
//
// Method    Unscaled, out of place, in double precision, real and imaginary parts interleaved:
//             X_k = sum_j x_j exp(-2 pi i j k / n)
//             complex_1d, _2d, _3d: lines, squares and cubes whose sides are powers of two
//             mixed_1d, _2d, _3d: the same with other factors, or primes, as sides
//             real_1d, mixed_real_1d, ...: real numbers, to the half of their spectrum that has all
//               of it
//             fftw_...: each of these by FFTW (FFTW_MEASURE unless noted, one thread), if --fftw or
//               the system has it
//           Own transforms: Stockham's algorithm in vectors, radix 2 to 16, along the lanes up to
//           16 numbers in each, longer lines as columns and rows of a matrix, short lines of
//           squares and cubes each in a lane; primes beyond 13 by Bluestein's convolution; real
//           lines of even length as complex ones of half of it. Planning is not timed. Threads
//           share lines and planes of squares and cubes; a single line has one thread. Each rank
//           has its own transform.
// Counts    nominal_flops = 5 n log2 n for n numbers, half of it if real, as is usual; flops =
//           additions and multiplications that own transforms need, without idle or redundant
//           vector lanes; both summed over the ranks. bytes = input once, output once: 32 n, about
//           16 n if real. working_set_bytes is that of one rank.
// Comparable  Yes: nominal rates with those of benchFFT and of libraries, out of place, in double
//           precision; not with rates by flops performed. EuroBen's mod2f is of this kind.
// Verified  x is a sum of waves of whole frequencies and of a damped one between two of them, in
//           more dimensions a product of such: its transform has a closed form, and that of its
//           real part (F_k + conj F_{-k}) / 2, all indices mirrored. The relative root of the mean
//           square error of X is 4 u sqrt(log2 n) at most, u = 2^-53, where random rounding makes
//           about 0.6 u sqrt(log2 n) and the closed form errs as well; Parseval's sum of |X|^2 and
//           the inverse of own X twice that. In every region.
// Source    J. W. Cooley, J. W. Tukey, An algorithm for the machine calculation of complex Fourier
//           series, Math. Comp. 19 (1965); C. Van Loan, Computational Frameworks for the Fast
//           Fourier Transform (1992); D. H. Bailey, FFTs in external or hierarchical memory, J.
//           Supercomputing 4 (1990); J. C. Schatzman, Accuracy of the discrete Fourier transform
//           and the fast Fourier transform, SIAM J. Sci. Comput. 17 (1996); M. Frigo, S. G.
//           Johnson, The design and implementation of FFTW3, Proc. IEEE 93 (2005), for counts.
// Example   heorot run algorithms/fft --set regions=complex_1d,complex_2d --set max-n=64k
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmarks/algorithms/fft/counts.hpp"
#include "benchmarks/algorithms/fft/known.hpp"
#include "harness/program.hpp"
#include "numerics/libraries/fftw.hpp"
#include "numerics/transforms/grid.hpp"

namespace {

using namespace heorot;
using namespace heorot::fft;

using transforms::Direction;

constexpr std::string_view known_regions =
    "complex_1d,complex_2d,complex_3d,real_1d,real_2d,real_3d,mixed_1d,mixed_2d,mixed_3d,"
    "mixed_real_1d,mixed_real_2d,mixed_real_3d,fftw_complex_1d,fftw_complex_2d,fftw_complex_3d,"
    "fftw_real_1d,fftw_real_2d,fftw_real_3d,fftw_mixed_1d,fftw_mixed_2d,fftw_mixed_3d,"
    "fftw_mixed_real_1d,fftw_mixed_real_2d,fftw_mixed_real_3d";
constexpr std::size_t largest_n = std::size_t{1} << 29U;
constexpr std::size_t most_dimensions = 3;
constexpr double rounding = 0x1p-53;
constexpr int forward_sign = -1;
constexpr Number poison = {no_result, no_result};

enum class Kind { complex, real };

double log2_of(std::int64_t n) {
    return std::log2(static_cast<double>(std::max<std::int64_t>(n, 2)));
}

double* parts(Array<Number>& numbers) {
    return reinterpret_cast<double*>(numbers.data());
}

std::size_t n_points(std::span<const int> extents) {
    std::size_t n = 1;
    for (const int extent : extents) n *= static_cast<std::size_t>(extent);
    return n;
}

/// Of a real grid's transform.
std::size_t n_results(std::span<const int> extents) {
    const auto last = static_cast<std::size_t>(extents.back());
    return n_points(extents) / last * (last / 2 + 1);
}

/// For example 64x64.
std::string name_of(std::span<const int> extents) {
    std::string name;
    for (const int extent : extents) {
        if (!name.empty()) name += 'x';
        name += std::to_string(extent);
    }
    return name;
}

/// Measures transforms, ours and FFTW's.
class Transforms {
  public:
    Transforms(Program& program, std::string regions, std::optional<libraries::Fftw> fftw)
        : program_(program), regions_(std::move(regions)), fftw_(fftw) {}

    bool wants(const std::string& name) const { return wants_ours(name) || wants_fftw(name); }
    void measure_complex(const std::string& name, const std::vector<int>& extents);
    void measure_real(const std::string& name, const std::vector<int>& extents);

  private:
    bool wants_ours(const std::string& name) const { return lists(regions_, name); }
    bool wants_fftw(const std::string& name) const {
        return fftw_ && program_.n_threads() == 1 && lists(regions_, "fftw_" + name);
    }
    /// `flops` performed by one transform, 0 if unknown.
    Measurement what(const std::string& name, std::span<const int> extents, Kind kind,
                     double flops) const;
    void check(const Region& region, std::string_view name, double value, std::size_t n,
               double times) {
        const double tolerance = 4.0 * rounding * std::sqrt(log2_of(static_cast<std::int64_t>(n)));
        program_.check(region, name, value, times * tolerance);
    }
    void check_complex(const Region& region, const KnownGrid& known, Array<Number>& x,
                       Array<Number>& X);
    void check_real(const Region& region, const KnownGrid& known, const Array<double>& x,
                    Array<Number>& X);

    Program& program_;
    std::string regions_;
    std::optional<libraries::Fftw> fftw_;
};

Measurement Transforms::what(const std::string& name, std::span<const int> extents, Kind kind,
                             double flops) const {
    const auto n = static_cast<std::int64_t>(n_points(extents));
    const bool is_real = kind == Kind::real;
    const std::int64_t bytes =
        is_real ? 8 * n + 16 * static_cast<std::int64_t>(n_results(extents)) : 32 * n;
    const double nominal = (is_real ? 2.5 : 5.0) * static_cast<double>(n) * log2_of(n);
    const double copies = program_.world().size();
    Measurement measurement = {.region = name,
                               .point = {{"n", n}, {"working_set_bytes", bytes}},
                               .counts = {{"nominal_flops", nominal * copies},
                                          {"bytes", static_cast<double>(bytes) * copies}}};
    if (extents.size() > 1) measurement.point.push_back({"extents", name_of(extents)});
    if (flops > 0.0) measurement.counts.emplace_back("flops", flops * copies);
    return measurement;
}

void Transforms::check_complex(const Region& region, const KnownGrid& known, Array<Number>& x,
                               Array<Number>& X) {
    const std::size_t n = X.size();
    program_.corruptible(std::span(parts(X), 2 * n));
    check(region, "relative error of the transform", known.deviation(X.span()), n, 1.0);
    const double ratio = energy(X.span()) / (static_cast<double>(n) * energy(x.span()));
    check(region, "relative error of the sum of squares", std::abs(ratio - 1.0), n, 2.0);
}

void Transforms::check_real(const Region& region, const KnownGrid& known, const Array<double>& x,
                            Array<Number>& X) {
    const std::size_t n = x.size();
    program_.corruptible(std::span(parts(X), 2 * X.size()));
    check(region, "relative error of the transform", known.deviation_of_real(X.span()), n, 1.0);
    const double ratio = energy_of_real(X.span(), known.length_of_lines()) /
                         (static_cast<double>(n) * energy(x.span()));
    check(region, "relative error of the sum of squares", std::abs(ratio - 1.0), n, 2.0);
}

void Transforms::measure_complex(const std::string& name, const std::vector<int>& extents) {
    const std::size_t n = n_points(extents);
    Array<Number> x(n);
    Array<Number> X(n);
    const KnownGrid known(extents);
    std::fill(X.begin(), X.end(), poison);
    known.fill(x.span());
    if (wants_ours(name)) {
        const transforms::GridTransform grid(extents, program_.n_threads());
        Array<double> scratch(grid.scratch_length());
        const auto region = program_.measure(what(name, extents, Kind::complex, grid.flops()), [&] {
            grid.transform(parts(x), parts(X), Direction::forward, scratch.data());
        });
        check_complex(region, known, x, X);
        grid.transform(parts(X), parts(X), Direction::inverse, scratch.data());
        const double error = deviation(X.span(), static_cast<double>(n), x.span());
        check(region, "relative error of the inverse of the transform", error, n, 2.0);
    }
    if (fftw_ && wants_fftw(name)) {
        const libraries::Fftw::Plan plan =
            fftw_->complex_plan(extents, parts(x), parts(X), forward_sign);
        std::fill(X.begin(), X.end(), poison);
        const auto region = program_.measure(what("fftw_" + name, extents, Kind::complex, 0.0),
                                             [&] { fftw_->execute(plan); });
        check_complex(region, known, x, X);
    }
}

void Transforms::measure_real(const std::string& name, const std::vector<int>& extents) {
    const std::size_t n = n_points(extents);
    Array<double> x(n);
    Array<Number> X(n_results(extents));
    const KnownGrid known(extents);
    std::fill(X.begin(), X.end(), poison);
    known.fill_real(x.span());
    if (wants_ours(name)) {
        const transforms::RealGridTransform grid(extents, program_.n_threads());
        Array<double> scratch(grid.scratch_length());
        const auto region = program_.measure(what(name, extents, Kind::real, grid.flops()), [&] {
            grid.forward(x.data(), parts(X), scratch.data());
        });
        check_real(region, known, x, X);
        Array<double> back(n);
        std::fill(back.begin(), back.end(), no_result);
        grid.inverse(parts(X), back.data(), scratch.data());
        const double error =
            deviation(std::span<const double>(back.span()), static_cast<double>(n), x.span());
        check(region, "relative error of the inverse of the transform", error, n, 2.0);
    }
    if (fftw_ && wants_fftw(name)) {
        const libraries::Fftw::Plan plan = fftw_->real_plan(extents, x.data(), parts(X));
        std::fill(X.begin(), X.end(), poison);
        const auto region = program_.measure(what("fftw_" + name, extents, Kind::real, 0.0),
                                             [&] { fftw_->execute(plan); });
        check_real(region, known, x, X);
    }
}

/// Lines, squares and cubes of these sides that have min_n to max_n points. The names of their
/// regions begin with `complex` and `real`.
void measure_sides(Transforms& transforms, const std::vector<std::int64_t>& sides,
                   std::size_t min_n, std::size_t max_n, const std::string& complex,
                   const std::string& real) {
    for (std::size_t dimensions = 1; dimensions <= most_dimensions; ++dimensions) {
        const std::string size = std::to_string(dimensions) + "d";
        for (const std::int64_t side : sides) {
            const double n = std::pow(static_cast<double>(side), static_cast<double>(dimensions));
            if (n < static_cast<double>(min_n) || n > static_cast<double>(max_n)) continue;
            const std::vector<int> extents(dimensions, static_cast<int>(side));
            if (transforms.wants(complex + size))
                transforms.measure_complex(complex + size, extents);
            if (transforms.wants(real + size)) transforms.measure_real(real + size, extents);
        }
    }
}

void transform_all(Program& program) {
    // 1. Options
    const auto regions = program.items("regions", known_regions, "transforms; FFTW's by fftw_");
    const auto min_n = program.option<std::size_t>("min-n", 16, "points of the smallest transform");
    const auto max_n =
        program.option<std::size_t>("max-n", std::size_t{1} << 20U, "of the largest, at most");
    const std::vector<std::int64_t> sides = program.numbers(
        "mixed", "60,1000,1155,1536,10007,100000", 1, static_cast<std::int64_t>(largest_n),
        "sides of mixed_*; those with more than --max-n points are omitted");
    const auto libraries = libraries::Fftw::option(program);
    // x, X, tables and scratch; of lines whose length is a prime two more of twice that at least.
    const auto points = ranks() * program.amount("max-n");
    program.takes("memory_bytes", 160.0 * points + ranks() * threads() * 8.0 * mebibyte);
    program.takes("working_set_bytes", 32.0 * points);
    say_what_is_counted(program, sides, libraries);
    program.start();
    if (min_n < 1 || max_n < min_n || max_n > largest_n) {
        throw UsageError("--min-n and --max-n must ascend from 1 to 2^29",
                         "leave them out for 16 and 1M");
    }
    program.require_room();
    std::vector<std::int64_t> powers_of_two;
    for (std::size_t side = 1; side <= max_n; side *= 2) {
        powers_of_two.push_back(static_cast<std::int64_t>(side));
    }
    Transforms transforms(program, regions, libraries::Fftw::open(program, libraries));

    // 2. Problem, 3. measure, 4. verify
    measure_sides(transforms, powers_of_two, min_n, max_n, "complex_", "real_");
    measure_sides(transforms, sides, 1, max_n, "mixed_", "mixed_real_");
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "algorithms/fft", transform_all);
}
