// Tests of how errors of functions are counted, and of what the tables catch.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "benchmarks/compute/intrinsics/functions.hpp"
#include "benchmarks/compute/intrinsics/truth.hpp"
#include "benchmarks/compute/intrinsics/vectors.hpp"
#include "tests/testing.hpp"

namespace {

using namespace heorot::intrinsics;

constexpr std::int32_t quarter = 65536 / 4;

template <class Real>
Real up(Real x) {
    return std::nextafter(x, std::numeric_limits<Real>::infinity());
}
template <class Real>
Real down(Real x) {
    return std::nextafter(x, -std::numeric_limits<Real>::infinity());
}

template <class Real>
void errors_are_counted_in_units() {
    const Real x = Real{1.25};
    for (const Real sign : {Real{1}, Real{-1}}) {
        const Real value = sign * x;
        CHECK(error_in_units(value, value, 0) == 0.0);
        CHECK(error_in_units(up(value), value, 0) == 1.0);
        CHECK(error_in_units(down(down(value)), value, 0) == 2.0);
        CHECK(error_in_units(value, value, quarter) == 0.25);
        CHECK(error_in_units(up(value), value, quarter) == 0.75);
        CHECK(error_in_units(down(value), value, quarter) == 1.25);
        CHECK(error_in_units(-value, value, 0) ==
              2.5 * std::exp2(std::numeric_limits<Real>::digits - 1));
    }
}

template <class Real>
void below_a_power_of_two_units_are_halves() {
    const Real one{1};
    CHECK(error_in_units(down(one), one, 0) == 0.5);
    CHECK(error_in_units(down(one), one, quarter) == 0.75);
    CHECK(error_in_units(down(one), one, -quarter) == 0.75);
    CHECK(error_in_units(up(one), one, -quarter) == 2.25);
    CHECK(error_in_units(up(-one), -one, quarter) == 0.75);
    CHECK(error_in_units(down(-one), -one, quarter) == 2.25);
    CHECK(error_in_units(down(-one), -one, -quarter) == 0.75);
}

template <class Real>
void subnormal_numbers_have_one_unit() {
    using Limits = std::numeric_limits<Real>;
    const Real lowest = Limits::denorm_min();
    CHECK(error_in_units(6 * lowest, 5 * lowest, 0) == 1.0);
    CHECK(error_in_units(Real{0}, 5 * lowest, quarter) == 5.25);
    CHECK(error_in_units(down(4 * lowest), 4 * lowest, -quarter) == 0.75);
    CHECK(error_in_units(down(Limits::min()), Limits::min(), -quarter) == 0.75);
    CHECK(error_in_units(up(Limits::min()), Limits::min(), -quarter) == 1.25);
}

template <class Real>
void what_is_no_number_is_infinitely_wrong() {
    using Limits = std::numeric_limits<Real>;
    for (const Real result : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()}) {
        CHECK(error_in_units(result, Real{1}, 0) == HUGE_VAL);
    }
    CHECK(noted_error<Real>(HUGE_VAL) == std::exp2(Limits::digits));
    CHECK(noted_error<Real>(0.75) == 0.75);
}

template <class Real>
void more_digits_tell_what_a_value_lacks() {
    const auto unit = static_cast<long double>(std::numeric_limits<Real>::epsilon());
    // Without further digits only the value itself is compared.
    const bool are_more = std::numeric_limits<long double>::digits > 60;
    const long double value = 1.25L + (are_more ? unit / 4 : 0);
    CHECK(error_in_units(Real{1.25}, value) == (are_more ? 0.25 : 0.0));
    CHECK(error_in_units(up(Real{1.25}), value) == (are_more ? 0.75 : 1.0));
    CHECK(error_in_units(up(Real{-1.25}), -value) == (are_more ? 1.25 : 1.0));
    if (are_more) CHECK(error_in_units(Real{1}, 1.0L - unit / 8) == 0.25);
}

/// The largest error of a given implementation of a function.
template <class Real, class Function>
double largest_error(const char* name, Function function) {
    double largest = 0.0;
    for (const auto& row : truth_of<Real>(name)) {
        largest = std::max(largest, error_in_units(function(row.x), row.value, row.above));
    }
    return largest;
}

/// sin as the instruction of the 8087 and its successors has it: what is left of the argument by a
/// pi/2 of 66 bits, exactly. Source: Intel 64 and IA-32 Architectures Software Developer's Manual
/// 1, section 8.3.8.
double sin_by_66_bits(double x) {
    const double head = 0x1.921fb54442d18p+0;
    const double tail = 0x4698p-68;
    if (std::abs(x) > 0x1p50) return std::sin(x);
    const double k = std::nearbyint(x / head);
    const double rest = std::fma(-k, tail, std::fma(-k, head, x));
    switch (static_cast<std::int64_t>(k) & 3) {
        case 0:
            return std::sin(rest);
        case 1:
            return std::cos(rest);
        case 2:
            return -std::sin(rest);
        default:
            return -std::cos(rest);
    }
}

void bad_functions_are_caught() {
    const auto plain_exp = [](double x) { return std::exp(x); };
    const auto float_exp = [](double x) -> double { return std::exp(static_cast<float>(x)); };
    CHECK(largest_error<double>("exp", plain_exp) <= Exp::tolerance);
    CHECK(largest_error<double>("exp", float_exp) > 1e6);
    CHECK(std::abs(sin_by_66_bits(2.0) - std::sin(2.0)) < 1e-15);
    CHECK(std::abs(sin_by_66_bits(-10.0) - std::sin(-10.0)) < 1e-15);
    CHECK(largest_error<double>("sin", sin_by_66_bits) > 1e6);
    double of_large = 0.0;
    for (const auto& row : truth_of<double>("sin")) {
        if (std::abs(row.x) < 0x1p20 || std::abs(row.value) < 0.5) continue;
        of_large = std::max(of_large, error_in_units(sin_by_66_bits(row.x), row.value, row.above));
    }
    CHECK(of_large > Sin::tolerance);
}

/// Below the normal numbers, one at least of arguments or results.
template <class Real>
void tables_hold_what_is_subnormal() {
    const auto is_below = [](Real number) {
        return number != 0 && std::abs(number) < std::numeric_limits<Real>::min();
    };
    for (const char* name : {"exp", "log", "sin", "cos", "tan", "atan", "sqrt", "cbrt", "erf"}) {
        int n = 0;
        for (const auto& row : truth_of<Real>(name)) n += is_below(row.x) || is_below(row.value);
        CHECK(n >= 10);
    }
    int n_arguments = 0;
    int n_results = 0;
    for (const auto& row : truth_of_pow<Real>()) {
        n_arguments += is_below(row.x);
        n_results += is_below(row.value);
    }
    CHECK(n_arguments >= 8 && n_results >= 8);
}

/// Of lengths with a remainder, too.
template <class Function, class Real>
void vectors_are_evaluated_to_their_end() {
    if constexpr (Vectorised<Function>) {
        constexpr std::size_t n_lanes = register_bytes / sizeof(Real);
        std::vector<Real> x(4 * n_lanes);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<Real>(i + 1) / 8;
        for (std::size_t n = n_lanes; n < x.size(); ++n) {
            std::vector<Real> results(x.size(), Real{-7});
            evaluate_vectors<Function>(std::span(results).first(n), x.data(), x.data());
            for (std::size_t i = 0; i < x.size(); ++i) {
                const auto value = Function::template of<long double>(x[i], x[i]);
                CHECK(i < n ? error_in_units(results[i], value) < Function::tolerance
                            : results[i] == Real{-7});
            }
        }
    }
}

template <class Real>
void all_of() {
    errors_are_counted_in_units<Real>();
    below_a_power_of_two_units_are_halves<Real>();
    subnormal_numbers_have_one_unit<Real>();
    what_is_no_number_is_infinitely_wrong<Real>();
    more_digits_tell_what_a_value_lacks<Real>();
    tables_hold_what_is_subnormal<Real>();
    vectors_are_evaluated_to_their_end<Exp, Real>();
    vectors_are_evaluated_to_their_end<Pow, Real>();
    vectors_are_evaluated_to_their_end<Sqrt, Real>();
}

}  // namespace

int main() {
    all_of<double>();
    all_of<float>();
    bad_functions_are_caught();
    return heorot::tests::result();
}
