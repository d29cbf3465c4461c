// Calls of BLAS and LAPACK.
#include "numerics/libraries/blas.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace heorot::libraries {

namespace {

constexpr std::int32_t one = 1;
constexpr double unit = 1.0;
constexpr double zero = 0.0;

// Names of most libraries; those of OpenBLAS's wheel, which may be loaded together with others.
constexpr std::array<std::string_view, 2> prefixes = {"", "scipy_"};
// Has OpenBLAS take other kernels than those of the processor.
constexpr const char* kernels_of_openblas = "OPENBLAS_CORETYPE";

}  // namespace

std::string Blas::option(Program& program) {
    return program.option<std::string>(
        "blas", environment("HEOROT_BLAS", "none"),
        "library to measure, too: files or names such as libblas.so.3, with : between; or none");
}

std::optional<Blas> Blas::open(Program& program, const std::string& names) {
    if (names == "none") {
        program.note("blas", "none");
        return std::nullopt;
    }
    const Library library("blas", names);
    Blas blas(library);
    if (blas.dot_ == nullptr || blas.axpy_ == nullptr || blas.gemv_ == nullptr ||
        blas.gemm_ == nullptr) {
        throw UsageError("--blas: '" + names + "' is no BLAS: ddot, daxpy, dgemv or dgemm lacks",
                         "name a shared library with them, or none");
    }
    program.note("blas", blas.version(library));
    program.note("blas_effort", blas.effort(library));
    return blas;
}

Blas::Blas(const Library& library) {
    for (const std::string_view prefix : prefixes) {
        if (library.find<Dot>(std::string(prefix) + "ddot_") != nullptr) prefix_ = prefix;
    }
    dot_ = routine<Dot>(library, "ddot");
    axpy_ = routine<Axpy>(library, "daxpy");
    gemv_ = routine<Gemv>(library, "dgemv");
    gemm_ = routine<Gemm>(library, "dgemm");
    getrf_ = routine<Getrf>(library, "dgetrf");
    getrs_ = routine<Getrs>(library, "dgetrs");
    syevd_ = routine<Syevd>(library, "dsyevd");
}

template <class Function>
Function* Blas::routine(const Library& library, const std::string& name) const {
    return library.find<Function>(prefix_ + name + "_");
}

std::string Blas::version(const Library& library) const {
    std::string file = library.origin(prefix_ + "dgemm_");
    if (auto* const configuration = library.find<const char*()>(prefix_ + "openblas_get_config")) {
        return std::string(configuration()) + " (" + file + ")";
    }
    if (auto* const blis = library.find<const char*()>("bli_info_get_version_str")) {
        return "BLIS " + std::string(blis()) + " (" + file + ")";
    }
    if (auto* const mkl = library.find<void(char*, int)>("mkl_get_version_string")) {
        std::array<char, 200> text{};
        mkl(text.data(), static_cast<int>(text.size()) - 1);
        return std::string(text.data()) + " (" + file + ")";
    }
    return file;
}

std::string Blas::effort(const Library& library) const {
    const auto threads = [](std::int64_t n) {
        return std::to_string(n) + (n == 1 ? " thread" : " threads");
    };
    auto* const core = library.find<const char*()>(prefix_ + "openblas_get_corename");
    auto* const n = library.find<int()>(prefix_ + "openblas_get_num_threads");
    if (core != nullptr && n != nullptr) {
        const std::string chosen = environment(kernels_of_openblas, "");
        const std::string by = chosen.empty() ? "" : " (OPENBLAS_CORETYPE=" + chosen + ")";
        return std::string(core()) + " kernels" + by + ", " + threads(n());
    }
    if (auto* const mkl = library.find<int()>("mkl_get_max_threads")) return threads(mkl());
    if (auto* const blis = library.find<std::int64_t()>("bli_thread_get_num_threads")) {
        return threads(blis());
    }
    return "kernels and threads unknown";
}

double Blas::dot(int n, const double* x, const double* y) const {
    return dot_(&n, x, &one, y, &one);
}

void Blas::axpy(int n, double alpha, const double* x, double* y) const {
    axpy_(&n, &alpha, x, &one, y, &one);
}

void Blas::matrix_vector(bool transposed, int m, int n, const double* a, const double* x,
                         double* y) const {
    gemv_(transposed ? "T" : "N", &m, &n, &unit, a, &m, x, &one, &zero, y, &one, 1);
}

void Blas::multiply(int m, int n, int k, const double* a, const double* b, double* c) const {
    gemm_("N", "N", &m, &n, &k, &unit, a, &m, b, &k, &zero, c, &m, 1, 1);
}

bool Blas::factorise(int n, double* a, int* pivots) const {
    Int info = 0;
    getrf_(&n, &n, a, &n, pivots, &info);
    return info == 0;
}

void Blas::solve(int n, const double* lu, const int* pivots, double* x) const {
    Int info = 0;
    getrs_("N", &n, &one, lu, &n, pivots, x, &n, &info, 1);
}

bool Blas::eigen(int n, bool vectors, double* a, double* values, Work& work) const {
    const char* const job = vectors ? "V" : "N";
    Int info = 0;
    if (work.n != n || work.vectors != vectors) {
        const Int ask = -1;
        double reals = 0.0;
        Int integers = 0;
        syevd_(job, "L", &n, a, &n, values, &reals, &ask, &integers, &ask, &info, 1, 1);
        work.reals.resize(static_cast<std::size_t>(reals));
        work.integers.resize(static_cast<std::size_t>(integers));
        work.n = n;
        work.vectors = vectors;
    }
    const auto n_reals = static_cast<Int>(work.reals.size());
    const auto n_integers = static_cast<Int>(work.integers.size());
    syevd_(job, "L", &n, a, &n, values, work.reals.data(), &n_reals, work.integers.data(),
           &n_integers, &info, 1, 1);
    return info == 0;
}

}  // namespace heorot::libraries
