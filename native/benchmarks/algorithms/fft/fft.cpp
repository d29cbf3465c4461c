// algorithms/fft: how fast are Fourier transforms of one line, of a plane and of a block?
//
// Method    X_k = sum_j x_j exp(-2 pi i j k / n), double precision, parts of numbers in turn, from
//           one array to another one, unscaled. Lines whose length is a power of two (complex_1d)
//           or has other factors or is a prime (mixed_1d), real lines to half their spectrum
//           (real_1d), squares and cubes (complex_2d, complex_3d). Own transforms by Stockham's
//           algorithm in vectors, radix 2 to 16: along the lanes up to 2^16 numbers, beyond in four
//           steps; primes beyond 13 by Bluestein's convolution. Plans are made before. fftw_*:
//           FFTW by estimate, one thread, if --fftw or the system has it. Threads share lines and
//           planes of squares and cubes; a single line has one thread. Every rank has its own.
// Counts    nominal_flops = 5 n log2 n for n numbers, half of it if real, as is usual; flops =
//           additions and multiplications really done, of own transforms; both summed over the
//           ranks. bytes = 32 n, or 16 n if real: input once, output once. working_set_bytes is
//           that of one rank.
// Comparable  Yes: nominal rates with those of benchFFT and of libraries, out of place, in double
//           precision; not with rates by flops performed. EuroBen's mod2f is of this kind.
// Verified  x is a sum of waves of whole frequencies and of a damped one between two of them: of
// its
//           transform everything is known in closed form. The relative root of the mean square
//           error of X is 4 u sqrt(log2 n) at most, u = 2^-53, where random rounding makes about
//           0.6 u sqrt(log2 n) and the closed form errs as well; Parseval's sum of |X|^2 and the
//           inverse of own X twice that. In every region, at lengths with other factors too.
// Source    J. W. Cooley, J. W. Tukey, An algorithm for the machine calculation of complex Fourier
//           series, Math. Comp. 19 (1965); C. Van Loan, Computational Frameworks for the Fast
//           Fourier Transform (1992); D. H. Bailey, FFTs in external or hierarchical memory, J.
//           Supercomputing 4 (1990); J. C. Schatzman, Accuracy of the discrete Fourier transform
//           and the fast Fourier transform, SIAM J. Sci. Comput. 17 (1996); M. Frigo, S. G.
//           Johnson, The design and implementation of FFTW3, Proc. IEEE 93 (2005), for counts.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/algorithms/fft/known.hpp"
#include "harness/program.hpp"
#include "numerics/libraries/fftw.hpp"
#include "numerics/transforms/grid.hpp"
#include "numerics/transforms/real.hpp"

namespace {

using namespace heorot;
using namespace heorot::fft;

using transforms::Direction;

constexpr std::string_view known_regions =
    "complex_1d,mixed_1d,real_1d,complex_2d,complex_3d,fftw_complex_1d,fftw_mixed_1d,fftw_real_1d,"
    "fftw_complex_2d,fftw_complex_3d";
constexpr std::size_t largest_n = std::size_t{1} << 29U;
constexpr double rounding = 0x1p-53;
constexpr int forward_sign = -1;

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

/// 64x64, say.
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
    void measure_real(int n);
    int n_measured() const { return n_measured_; }

  private:
    bool wants_ours(const std::string& name) const { return lists(regions_, name); }
    bool wants_fftw(const std::string& name) const {
        return fftw_ && program_.n_threads() == 1 && lists(regions_, "fftw_" + name);
    }
    /// `flops` performed by one transform, 0 if nobody knows; `weight` is half for real numbers.
    Measurement what(const std::string& name, std::span<const int> extents, double flops,
                     double weight) const;
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
    int n_measured_ = 0;
};

Measurement Transforms::what(const std::string& name, std::span<const int> extents, double flops,
                             double weight) const {
    const auto n = static_cast<std::int64_t>(n_points(extents));
    const double copies = program_.world().size();
    const double points = weight * static_cast<double>(n);
    Measurement measurement = {
        .region = name,
        .point = {{"n", n}, {"working_set_bytes", static_cast<std::int64_t>(32.0 * points)}},
        .counts = {{"nominal_flops", 5.0 * points * log2_of(n) * copies},
                   {"bytes", 32.0 * points * copies}}};
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
    // All but X_0, and X_{n/2} of even n, stand for two.
    const double once = std::norm(X[0]) + (n % 2 == 0 ? std::norm(X[n / 2]) : 0.0);
    const double all = 2.0 * energy(X.span()) - once;
    const double ratio = all / (static_cast<double>(n) * energy(x.span()));
    check(region, "relative error of the sum of squares", std::abs(ratio - 1.0), n, 2.0);
}

void Transforms::measure_complex(const std::string& name, const std::vector<int>& extents) {
    ++n_measured_;
    const std::size_t n = n_points(extents);
    Array<Number> x(n);
    Array<Number> X(n);
    const KnownGrid known(extents);
    std::fill(X.begin(), X.end(), Number{NAN, NAN});
    known.fill(x.span());
    if (wants_ours(name)) {
        const transforms::GridTransform grid(extents, program_.n_threads());
        Array<double> scratch(grid.scratch_length());
        const auto region = program_.measure(what(name, extents, grid.flops(), 1.0), [&] {
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
        std::fill(X.begin(), X.end(), Number{NAN, NAN});
        const auto region = program_.measure(what("fftw_" + name, extents, 0.0, 1.0),
                                             [&] { fftw_->execute(plan); });
        check_complex(region, known, x, X);
    }
}

void Transforms::measure_real(int n) {
    ++n_measured_;
    const std::vector<int> extents = {n};
    const auto size = static_cast<std::size_t>(n);
    Array<double> x(size);
    Array<Number> X(size / 2 + 1);
    const KnownGrid known(extents);
    std::fill(X.begin(), X.end(), Number{NAN, NAN});
    known.fill_real(x.span());
    if (wants_ours("real_1d")) {
        const transforms::RealTransform line(n);
        Array<double> scratch(line.scratch_length());
        const auto region = program_.measure(what("real_1d", extents, line.flops(), 0.5), [&] {
            line.forward(x.data(), parts(X), scratch.data());
        });
        check_real(region, known, x, X);
        Array<double> back(size);
        line.inverse(parts(X), back.data(), scratch.data());
        const double error =
            deviation(std::span<const double>(back.span()), static_cast<double>(n), x.span());
        check(region, "relative error of the inverse of the transform", error, size, 2.0);
    }
    if (fftw_ && wants_fftw("real_1d")) {
        const libraries::Fftw::Plan plan = fftw_->real_plan(extents, x.data(), parts(X));
        std::fill(X.begin(), X.end(), Number{NAN, NAN});
        const auto region = program_.measure(what("fftw_real_1d", extents, 0.0, 0.5),
                                             [&] { fftw_->execute(plan); });
        check_real(region, known, x, X);
    }
}

/// Lines, squares and cubes whose sides are powers of two.
void measure_powers_of_two(Transforms& each, std::size_t min_n, std::size_t max_n) {
    const std::vector<std::string> by_dimensions = {"complex_1d", "complex_2d", "complex_3d"};
    for (std::size_t dimensions = 1; dimensions <= by_dimensions.size(); ++dimensions) {
        for (int side = 1;; side *= 2) {
            const std::vector<int> extents(dimensions, side);
            const std::size_t n = n_points(extents);
            if (n > max_n) break;
            if (n < min_n) continue;
            const std::string& name = by_dimensions[dimensions - 1];
            if (each.wants(name)) each.measure_complex(name, extents);
            if (dimensions == 1 && each.wants("real_1d")) each.measure_real(side);
        }
    }
}

/// The lengths of a list, such as 60,1000.
std::vector<std::size_t> lengths_of(const std::string& list) {
    std::vector<std::size_t> lengths;
    for (const std::string& item : split_list(list)) {
        const bool is_number = !item.empty() && item.size() < 11 &&
                               item.find_first_not_of("0123456789") == std::string::npos;
        lengths.push_back(is_number ? std::stoull(item) : 0);
        if (lengths.back() < 1 || lengths.back() > largest_n) {
            throw UsageError("--mixed: '" + item + "' is no length from 1 to 2^29",
                             "list whole numbers such as 60,1000");
        }
    }
    return lengths;
}

void transform_all(Program& program) {
    // 1. Options
    auto regions = program.option<std::string>(
        "regions", "all",
        "comma-separated: complex_1d, mixed_1d, real_1d, complex_2d, complex_3d, each with fftw_ "
        "before it for FFTW's");
    const auto min_n = program.option<std::size_t>("min-n", 16, "points of the smallest transform");
    const auto max_n =
        program.option<std::size_t>("max-n", std::size_t{1} << 20U, "of the largest, at most");
    const auto mixed = program.option<std::string>(
        "mixed", "60,1000,1155,1536,10007,100000",
        "comma-separated lengths of mixed_1d; those beyond --max-n are left out");
    const auto libraries = libraries::Fftw::option(program);
    program.start();
    regions = verified_list("regions", regions, known_regions);
    if (min_n < 1 || max_n < min_n || max_n > largest_n) {
        throw UsageError("--min-n and --max-n must ascend from 1 to 2^29",
                         "leave them out for 16 and 1M");
    }
    const std::vector<std::size_t> lengths = lengths_of(mixed);
    Transforms each(program, regions, libraries::Fftw::open(program, libraries));

    // 2. Problem, 3. measure, 4. verify
    measure_powers_of_two(each, min_n, max_n);
    for (const std::size_t n : lengths) {
        if (n <= max_n && each.wants("mixed_1d")) {
            each.measure_complex("mixed_1d", {static_cast<int>(n)});
        }
    }
    if (each.n_measured() == 0) {
        throw UsageError("no transform of these regions has --min-n to --max-n points",
                         "leave them out for 16 and 1M");
    }
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "algorithms/fft", transform_all);
}
