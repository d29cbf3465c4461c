// The library FFTW 3: complex and real transforms in one to three dimensions.
//
// Source: M. Frigo, S. G. Johnson, The design and implementation of FFTW3, Proc. IEEE 93 (2005).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "harness/program.hpp"
#include "numerics/libraries/library.hpp"

namespace heorot::libraries {

/// The functions that make and run plans.
class Fftw {
  public:
    /// Declares --fftw, by default HEOROT_FFTW or else the system's; before program.start().
    static std::string option(Program& program);
    /// Opens the library of --fftw, notes its version and effort; empty for `none`. After
    /// program.start(), and not beyond the life of `program`.
    /// Throws UsageError if it does not open, or is no FFTW.
    static std::optional<Fftw> open(Program& program, const std::string& names);

    using Plan = std::unique_ptr<void, void (*)(void*)>;

    /// A plan by measurement (FFTW_MEASURE), or by estimate if that takes over 10 times the budget
    /// of a region, which is noted; `to` is overwritten. Of n complex numbers, real and imaginary
    /// part in turn, from `from` to `to`, unscaled; the sign of the exponent is -1 for forward. `n`
    /// has one to three dimensions, the last one contiguous.
    /// Throws Refusal if there is no such plan.
    Plan complex_plan(std::span<const int> n, double* from, double* to, int sign) const;
    /// Of real numbers to the first half of their complex transform (n/2 + 1 of the last
    /// dimension). Throws likewise.
    Plan real_plan(std::span<const int> n, double* from, double* to) const;
    void execute(const Plan& plan) const { execute_(plan.get()); }

  private:
    using PlanComplex = void*(int, const int*, double*, double*, int, unsigned);
    using PlanReal = void*(int, const int*, double*, double*, unsigned);
    using Execute = void(void*);
    using Destroy = void(void*);
    using Limit = void(double);

    Fftw(Program& program, const Library& library);
    /// How plans are made, in words.
    std::string effort() const;
    /// Owns a plan that `make` returns for a grid of these extents, and restores the input.
    template <class Make>
    Plan plan_by(std::span<const int> n, std::span<double> input, const Make& make) const;

    Program* program_;
    double limit_seconds_;
    Limit* limit_;
    PlanComplex* plan_complex_;
    PlanReal* plan_real_;
    Execute* execute_;
    Destroy* destroy_;
};

}  // namespace heorot::libraries
