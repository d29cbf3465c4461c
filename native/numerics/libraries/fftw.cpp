// Calls of FFTW.
#include "numerics/libraries/fftw.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace heorot::libraries {

namespace {

constexpr const char* usual = "libfftw3.so.3";
constexpr unsigned by_measure = 0;
// The longest planning of a transform, over the time in which it is measured.
constexpr double planning_of_budget = 10.0;

/// For example 64x64.
std::string name_of(std::span<const int> extents) {
    std::string name;
    for (const int extent : extents) {
        if (!name.empty()) name += 'x';
        name += std::to_string(extent);
    }
    return name;
}

std::size_t n_points(std::span<const int> extents) {
    std::size_t n = 1;
    for (const int extent : extents) n *= static_cast<std::size_t>(extent);
    return n;
}

}  // namespace

std::string Fftw::option(Program& program) {
    const std::string found = is_there(usual) ? usual : "none";
    return program.option<std::string>("fftw", environment("HEOROT_FFTW", found.c_str()),
                                       "library to measure, too: a file or a name; or none");
}

std::optional<Fftw> Fftw::open(Program& program, const std::string& names) {
    if (names == "none") {
        program.note("fftw", "none");
        return std::nullopt;
    }
    const Library library("fftw", names);
    const Fftw fftw(program, library);
    if (fftw.plan_complex_ == nullptr || fftw.plan_real_ == nullptr || fftw.execute_ == nullptr ||
        fftw.destroy_ == nullptr) {
        throw UsageError("--fftw: '" + names + "' has no transforms in double precision",
                         "name a library such as libfftw3.so.3, or none");
    }
    const char* const version = library.find<const char>("fftw_version");
    program.note("fftw", version != nullptr ? version : library.origin("fftw_execute"));
    program.note("fftw_effort", fftw.effort());
    return fftw;
}

Fftw::Fftw(Program& program, const Library& library)
    : program_(&program),
      limit_seconds_(planning_of_budget * program.budget_seconds()),
      limit_(library.find<Limit>("fftw_set_timelimit")),
      plan_complex_(library.find<PlanComplex>("fftw_plan_dft")),
      plan_real_(library.find<PlanReal>("fftw_plan_dft_r2c")),
      execute_(library.find<Execute>("fftw_execute")),
      destroy_(library.find<Destroy>("fftw_destroy_plan")) {}

std::string Fftw::effort() const {
    if (limit_ == nullptr) return "FFTW_MEASURE, one thread";
    std::array<char, 120> text{};
    std::snprintf(text.data(), text.size(),
                  "FFTW_MEASURE, FFTW_ESTIMATE where planning takes over %.3g s, one thread",
                  limit_seconds_);
    return text.data();
}

Fftw::Plan Fftw::complex_plan(std::span<const int> n, double* from, double* to, int sign) const {
    return plan_by(n, std::span(from, 2 * n_points(n)), [&] {
        return plan_complex_(static_cast<int>(n.size()), n.data(), from, to, sign, by_measure);
    });
}

Fftw::Plan Fftw::real_plan(std::span<const int> n, double* from, double* to) const {
    return plan_by(n, std::span(from, n_points(n)), [&] {
        return plan_real_(static_cast<int>(n.size()), n.data(), from, to, by_measure);
    });
}

template <class Make>
Fftw::Plan Fftw::plan_by(std::span<const int> n, std::span<double> input, const Make& make) const {
    // Planning by measurement overwrites input and output.
    const std::vector<double> before(input.begin(), input.end());
    if (limit_ != nullptr) limit_(limit_seconds_);
    const auto start = std::chrono::steady_clock::now();
    void* const plan = make();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::copy(before.begin(), before.end(), input.begin());
    if (plan == nullptr) {
        throw Refusal("FFTW makes no plan of " + name_of(n) + " numbers",
                      Refusal::Scope::this_rank);
    }
    if (limit_ != nullptr && taken.count() >= limit_seconds_) {
        const char* const kind = input.size() == n_points(n) ? "real" : "complex";
        // FFTW keeps the plan that it made first, by estimate.
        program_->note("fftw_estimated, " + name_of(n) + " " + kind, taken.count());
    }
    return {plan, destroy_};
}

}  // namespace heorot::libraries
