// What elementary functions are worth to far more digits than a processor has, and how far off a
// result is.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace heorot::intrinsics {

/// f(x) = value + above / 65536 units in the last place of the value.
template <class Real>
struct Truth {
    Real x;
    Real value;
    std::int32_t above;
};
/// f(x, y), likewise.
template <class Real>
struct Truth2 {
    Real x;
    Real y;
    Real value;
    std::int32_t above;
};

/// What is known of a function of one argument, by its name in C; empty if it is none. Source:
/// tools/truth, which computes it by mpmath.
template <class Real>
std::span<const Truth<Real>> truth_of(std::string_view name);
/// Of pow.
template <class Real>
std::span<const Truth2<Real>> truth_of_pow();

/// The distance of `result` from value + above / 65536 units, in units in the last place of the
/// value; infinite for NaN. Source: W. Kahan's definition of the unit, as in J.-M. Muller et al.,
/// Handbook of Floating-Point Arithmetic, 2nd ed. (2018), section 2.3.
template <class Real>
double error_in_units(Real result, Real value, std::int32_t above);
/// The same, where the value is a normal number of more digits than `result` has.
template <class Real>
double error_in_units(Real result, long double value);

/// An error as readers of records can take it: at most that of a result without a right digit.
template <class Real>
double noted_error(double error_in_units) {
    return std::min(error_in_units, std::exp2(std::numeric_limits<Real>::digits));
}

}  // namespace heorot::intrinsics
