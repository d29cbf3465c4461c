// Calls of FFTW.
#include "numerics/libraries/fftw.hpp"

namespace heorot::libraries {

namespace {

constexpr const char* usual = "libfftw3.so.3";
constexpr unsigned by_estimate = 1U << 6U;

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
    const Fftw fftw(library);
    if (fftw.plan_complex_ == nullptr || fftw.plan_real_ == nullptr || fftw.execute_ == nullptr ||
        fftw.destroy_ == nullptr) {
        throw UsageError("--fftw: '" + names + "' has no transforms in double precision",
                         "name a library such as libfftw3.so.3, or none");
    }
    const char* const version = library.find<const char>("fftw_version");
    program.note("fftw", version != nullptr ? version : library.origin("fftw_execute"));
    return fftw;
}

Fftw::Fftw(const Library& library)
    : plan_complex_(library.find<PlanComplex>("fftw_plan_dft")),
      plan_real_(library.find<PlanReal>("fftw_plan_dft_r2c")),
      execute_(library.find<Execute>("fftw_execute")),
      destroy_(library.find<Destroy>("fftw_destroy_plan")) {}

Fftw::Plan Fftw::complex_plan(std::span<const int> n, double* from, double* to, int sign) const {
    return owned(plan_complex_(static_cast<int>(n.size()), n.data(), from, to, sign, by_estimate),
                 n);
}

Fftw::Plan Fftw::real_plan(std::span<const int> n, double* from, double* to) const {
    return owned(plan_real_(static_cast<int>(n.size()), n.data(), from, to, by_estimate), n);
}

Fftw::Plan Fftw::owned(void* plan, std::span<const int> n) const {
    if (plan == nullptr) {
        std::string extents;
        for (const int extent : n) {
            if (!extents.empty()) extents += 'x';
            extents += std::to_string(extent);
        }
        throw Refusal("FFTW makes no plan of " + extents + " numbers", Refusal::Scope::this_rank);
    }
    return {plan, destroy_};
}

}  // namespace heorot::libraries
