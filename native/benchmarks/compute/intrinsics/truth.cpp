// The tables of tools/truth, and how far results are from them.
#include "benchmarks/compute/intrinsics/truth.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

namespace heorot::intrinsics {

namespace {

constexpr Truth<double> exp_double[] = {
#include "benchmarks/compute/intrinsics/truth/double/exp.inc"
};
constexpr Truth<double> log_double[] = {
#include "benchmarks/compute/intrinsics/truth/double/log.inc"
};
constexpr Truth<double> sin_double[] = {
#include "benchmarks/compute/intrinsics/truth/double/sin.inc"
};
constexpr Truth<double> cos_double[] = {
#include "benchmarks/compute/intrinsics/truth/double/cos.inc"
};
constexpr Truth<double> tan_double[] = {
#include "benchmarks/compute/intrinsics/truth/double/tan.inc"
};
constexpr Truth<double> atan_double[] = {
#include "benchmarks/compute/intrinsics/truth/double/atan.inc"
};
constexpr Truth<double> sqrt_double[] = {
#include "benchmarks/compute/intrinsics/truth/double/sqrt.inc"
};
constexpr Truth<double> cbrt_double[] = {
#include "benchmarks/compute/intrinsics/truth/double/cbrt.inc"
};
constexpr Truth<double> erf_double[] = {
#include "benchmarks/compute/intrinsics/truth/double/erf.inc"
};
constexpr Truth<double> tgamma_double[] = {
#include "benchmarks/compute/intrinsics/truth/double/tgamma.inc"
};
constexpr Truth2<double> pow_double[] = {
#include "benchmarks/compute/intrinsics/truth/double/pow.inc"
};
constexpr Truth<float> exp_single[] = {
#include "benchmarks/compute/intrinsics/truth/single/exp.inc"
};
constexpr Truth<float> log_single[] = {
#include "benchmarks/compute/intrinsics/truth/single/log.inc"
};
constexpr Truth<float> sin_single[] = {
#include "benchmarks/compute/intrinsics/truth/single/sin.inc"
};
constexpr Truth<float> cos_single[] = {
#include "benchmarks/compute/intrinsics/truth/single/cos.inc"
};
constexpr Truth<float> tan_single[] = {
#include "benchmarks/compute/intrinsics/truth/single/tan.inc"
};
constexpr Truth<float> atan_single[] = {
#include "benchmarks/compute/intrinsics/truth/single/atan.inc"
};
constexpr Truth<float> sqrt_single[] = {
#include "benchmarks/compute/intrinsics/truth/single/sqrt.inc"
};
constexpr Truth<float> cbrt_single[] = {
#include "benchmarks/compute/intrinsics/truth/single/cbrt.inc"
};
constexpr Truth<float> erf_single[] = {
#include "benchmarks/compute/intrinsics/truth/single/erf.inc"
};
constexpr Truth<float> tgamma_single[] = {
#include "benchmarks/compute/intrinsics/truth/single/tgamma.inc"
};
constexpr Truth2<float> pow_single[] = {
#include "benchmarks/compute/intrinsics/truth/single/pow.inc"
};

template <class Real>
struct Table {
    std::string_view name;
    std::span<const Truth<Real>> rows;
};
template <class Real>
constexpr Table<Real> tables[] = {};
template <>
constexpr Table<double> tables<double>[] = {
    {"exp", exp_double}, {"log", log_double},      {"sin", sin_double},   {"cos", cos_double},
    {"tan", tan_double}, {"atan", atan_double},    {"sqrt", sqrt_double}, {"cbrt", cbrt_double},
    {"erf", erf_double}, {"tgamma", tgamma_double}};
template <>
constexpr Table<float> tables<float>[] = {
    {"exp", exp_single}, {"log", log_single},      {"sin", sin_single},   {"cos", cos_single},
    {"tan", tan_single}, {"atan", atan_single},    {"sqrt", sqrt_single}, {"cbrt", cbrt_single},
    {"erf", erf_single}, {"tgamma", tgamma_single}};

template <class Real>
constexpr int digits = std::numeric_limits<Real>::digits;
constexpr int parts_exponent = 16;  // 65536 parts of a unit

/// A number is significand 2^exponent.
struct Parts {
    std::int64_t significand;
    int exponent;
    bool is_special;  ///< infinite, or none
    bool is_lowest;   ///< its exponent is the smallest there is
};

/// By its bits: a program that was built for speed may take numbers below the normal ones for zero.
/// Source: IEEE 754-2019, section 3.4.
template <class Real>
Parts parts_of(Real number) {
    using Bits = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
    constexpr int n_bits = static_cast<int>(sizeof(Real)) * 8;
    constexpr int n_stored = digits<Real> - 1;
    constexpr int largest = (1 << (n_bits - 1 - n_stored)) - 1;
    const auto bits = std::bit_cast<Bits>(number);
    const int field = static_cast<int>(bits >> n_stored) & largest;
    auto significand = static_cast<std::int64_t>(bits & ((Bits{1} << n_stored) - 1));
    if (field > 0) significand |= std::int64_t{1} << n_stored;
    if ((bits >> (n_bits - 1)) != 0) significand = -significand;
    return {significand, std::max(field, 1) - largest / 2 - n_stored, field == largest, field <= 1};
}

/// Exponent of the unit in the last place of what lies `above` a number.
template <class Real>
int unit_of(const Parts& number, double above) {
    // Just below a power of two the unit is half of that above it.
    const bool is_below = above != 0.0 && (above < 0.0) == (number.significand > 0);
    const bool is_power = std::abs(number.significand) == std::int64_t{1} << (digits<Real> - 1);
    return number.exponent - (is_below && is_power && !number.is_lowest ? 1 : 0);
}

}  // namespace

template <class Real>
std::span<const Truth<Real>> truth_of(std::string_view name) {
    for (const auto& table : tables<Real>) {
        if (table.name == name) return table.rows;
    }
    return {};
}
template std::span<const Truth<double>> truth_of(std::string_view name);
template std::span<const Truth<float>> truth_of(std::string_view name);

template <>
std::span<const Truth2<double>> truth_of_pow() {
    return pow_double;
}
template <>
std::span<const Truth2<float>> truth_of_pow() {
    return pow_single;
}

template <class Real>
double error_in_units(Real result, Real value, std::int32_t above) {
    const Parts one = parts_of(result);
    const Parts other = parts_of(value);
    if (one.is_special) return HUGE_VAL;
    const int unit = unit_of<Real>(other, above);
    const double away = std::ldexp(static_cast<double>(one.significand), one.exponent - unit) -
                        std::ldexp(static_cast<double>(other.significand), other.exponent - unit);
    return std::abs(away - std::ldexp(above, -parts_exponent));
}
template double error_in_units(double result, double value, std::int32_t above);
template double error_in_units(float result, float value, std::int32_t above);

template <class Real>
double error_in_units(Real result, long double value) {
    const auto nearest = static_cast<Real>(value);
    const auto lacks = static_cast<double>(value - static_cast<long double>(nearest));
    const int unit = unit_of<Real>(parts_of(nearest), lacks);
    const double above = std::ldexp(lacks, parts_exponent - unit);
    return error_in_units(result, nearest, static_cast<std::int32_t>(std::nearbyint(above)));
}
template double error_in_units(double result, long double value);
template double error_in_units(float result, long double value);

}  // namespace heorot::intrinsics
