// compute/intrinsics: how fast and how accurate are elementary functions?
//
// Method    exp, log, sin, cos, tan, atan, sqrt, cbrt, pow, erf and tgamma in double and single
//           precision, 1024 ordinary arguments, one thread per rank:
//             call: scalar calls of the library function by an opaque address, or of an instruction
//               such as sqrt
//             loop: a loop over arrays, which the compiler may vectorise
//             vector: vector math functions (libmvec, where found) that compilers use with relaxed
//               accuracy, and the sqrt instruction; not tgamma
//           Accuracy is measured outside the timer with about 200 arguments per function: ordinary,
//           tiny, huge and subnormal ones, arguments near zeros of the result and next to multiples
//           of pi/2, subnormal results, and hard-to-round cases.
// Counts    evaluations, summed over the ranks. Errors in units in the last place (ulp).
// Comparable  Yes: errors in units in the last place with those of the C library's manual and of
//           Zimmermann's tables, which look for the worst argument there is; rates with those of
//           EuroBen's mod1b and of vector libraries, if the arguments are alike.
// Verified  Every result of the 200 is compared with a reference of 420 digits to 1/65536 ulp;
//           every timed result with the function in long double. An error of ten halves of a unit
//           (one decimal digit lost) fails, of tgamma 20 units. The notes have the largest error of
//           each function and its argument.
// Source    B. Gladman, V. Innocente, J. Mather, P. Zimmermann, Accuracy of mathematical functions
//           (2024); J.-M. Muller, Elementary Functions, 3rd ed. (2016); The GNU C Library Reference
//           Manual, Errors in Math Functions. The values: mpmath, by tools/truth.
// Example   heorot run compute/intrinsics --set functions=exp,sin --set precisions=double
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "benchmarks/compute/intrinsics/functions.hpp"
#include "benchmarks/compute/intrinsics/truth.hpp"
#include "benchmarks/compute/intrinsics/vectors.hpp"
#include "harness/program.hpp"
#include "numerics/random.hpp"

namespace {

using namespace heorot::intrinsics;

constexpr std::string_view known_functions = "exp,log,sin,cos,tan,atan,sqrt,cbrt,pow,erf,tgamma";
constexpr std::string_view known_precisions = "double,single";
constexpr std::size_t n_arguments = 1024;
// Of all doubles the one that lies closest to a multiple of pi/2, where cosine is nearly zero. It
// stands by itself: good libraries lose a digit here and nowhere else.
// Source: J.-M. Muller, Elementary Functions, 3rd ed. (2016), section 11.1.
constexpr double hardest = 0x1.6ac5b262ca1ffp+849;

/// Arguments of a function of two, of which most take the first only.
template <class Real>
struct Arguments {
    std::vector<Real> x;
    std::vector<Real> y;
};

/// f(x(i), y(i)) as the compiler likes it.
template <class Function, class Real>
void loop(std::span<Real> results, const Arguments<Real>& u) {
    const Real* const x = u.x.data();
    const Real* const y = u.y.data();
    Real* const result = results.data();
    const std::size_t n = results.size();
    for (std::size_t i = 0; i < n; ++i) result[i] = Function::template of<Real>(x[i], y[i]);
}

/// The same, call by call.
template <class Function, class Real>
void call(std::span<Real> results, const Arguments<Real>& u) {
    Real (*of)(Real, Real) = Function::template of<Real>;
    for (std::size_t i = 0; i < results.size(); ++i) {
        heorot::keep(of);
        results[i] = of(u.x[i], u.y[i]);
    }
}

/// The same, vector by vector.
template <class Function, class Real>
void vector(std::span<Real> results, const Arguments<Real>& u) {
    evaluate_vectors<Function>(results, u.x.data(), u.y.data());
}

}  // namespace

namespace {

/// Arguments whose results are known.
template <class Function, class Real>
struct Known {
    Arguments<Real> arguments;
    std::vector<Real> values;
    std::vector<std::int32_t> above;

    Known() {
        if constexpr (std::is_same_v<Function, Pow>) {
            for (const auto& row : truth_of_pow<Real>()) add(row.x, row.y, row.value, row.above);
        } else {
            for (const auto& row : truth_of<Real>(Function::name)) {
                add(row.x, Real{1}, row.value, row.above);
            }
        }
    }
    void add(Real x, Real y, Real value, std::int32_t lacks) {
        arguments.x.push_back(x);
        arguments.y.push_back(y);
        values.push_back(value);
        above.push_back(lacks);
    }
};

/// Ordinary arguments.
template <class Function, class Real>
Arguments<Real> ordinary() {
    heorot::Random random(20260103);
    Arguments<Real> u;
    for (std::size_t i = 0; i < n_arguments; ++i) {
        const double share = random.next();
        u.x.push_back(static_cast<Real>(Function::low + (Function::high - Function::low) * share));
        u.y.push_back(static_cast<Real>(10.0 * random.next() - 5.0));
    }
    return u;
}

/// Checks the results of known arguments, and notes the worst.
template <class Function, class Real>
void check_known(heorot::Program& program, const heorot::Region& region, const std::string& suffix,
                 std::span<Real> results, const Known<Function, Real>& known) {
    program.corruptible(results);
    const Arguments<Real>& u = known.arguments;
    double largest = -1.0;
    std::size_t worst = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const double error = error_in_units(results[i], known.values[i], known.above[i]);
        if (u.x[i] == hardest) {
            program.note("hardest_" + suffix, noted_error<Real>(error));
        } else if (error > largest) {
            largest = error;
            worst = i;
        }
    }
    program.check(region, "largest error in units in the last place", largest, Function::tolerance);
    program.note("error_" + suffix, noted_error<Real>(largest));
    program.note("worst_" + suffix, static_cast<double>(u.x[worst]));
    if (std::is_same_v<Function, Pow>) {
        program.note("worst_y_" + suffix, static_cast<double>(u.y[worst]));
    }
}

/// Verifies the timed results.
template <class Function, class Real>
void check_timed(heorot::Program& program, const heorot::Region& region,
                 std::span<const Real> results, const Arguments<Real>& u) {
    double largest = 0.0;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const auto value = Function::template of<long double>(u.x[i], u.y[i]);
        largest = std::max(largest, error_in_units(results[i], value));
    }
    program.check(region, "largest error of what was timed", largest, Function::tolerance);
}

/// One function in one precision, in every way that there is.
template <class Function, class Real>
void measure(heorot::Program& program, const std::string& precision) {
    const Arguments<Real> u = ordinary<Function, Real>();
    const Known<Function, Real> known;
    std::vector<Real> results(n_arguments);
    std::vector<Real> known_results(known.values.size());
    const auto measure_way = [&](const std::string& way, auto evaluate) {
        std::ranges::fill(results, std::numeric_limits<Real>::infinity());
        std::ranges::fill(known_results, std::numeric_limits<Real>::infinity());
        const auto region =
            program.measure({.region = std::string(Function::name),
                             .point = {{"precision", precision}, {"way", way}},
                             .counts = {{"evaluations", static_cast<double>(n_arguments) *
                                                            program.world().size()}}},
                            [&] {
                                evaluate(std::span(results), u);
                                heorot::keep(results.data());
                            });
        evaluate(std::span(known_results), known.arguments);
        const std::string suffix = std::string(Function::name) + "_" + precision + "_" + way;
        check_known<Function, Real>(program, region, suffix, known_results, known);
        check_timed<Function, Real>(program, region, results, u);
    };
    measure_way("call", call<Function, Real>);
    measure_way("loop", loop<Function, Real>);
    if constexpr (Vectorised<Function>) measure_way("vector", vector<Function, Real>);
}

void intrinsics(heorot::Program& program) {
    // 1. Options
    const auto functions = program.items("functions", known_functions, "functions");
    const auto precisions = program.items("precisions", known_precisions, "of arguments");
    program.takes("memory_bytes", 8.0 * heorot::mebibyte);
    // Call and loop, and of some functions a vector.
    program.takes("points", 3.0 * program.n_of("functions") * program.n_of("precisions"));
    program.start();

    // 2. Problem, 3. measure, 4. verify, a function after the other
    const auto measure_all = [&]<class... Function>(const Function&...) {
        const auto one = [&]<class Each>(const Each&) {
            if (!heorot::lists(functions, Each::name)) return;
            if (heorot::lists(precisions, "double")) measure<Each, double>(program, "double");
            if (heorot::lists(precisions, "single")) measure<Each, float>(program, "single");
        };
        (one(Function{}), ...);
    };
    measure_all(Exp{}, Log{}, Sin{}, Cos{}, Tan{}, Atan{}, Sqrt{}, Cbrt{}, Pow{}, Erf{}, Tgamma{});
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "compute/intrinsics", intrinsics);
}
