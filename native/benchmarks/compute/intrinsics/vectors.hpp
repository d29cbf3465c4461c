// Functions of whole vectors: libmvec of the GNU C library, by the names that compilers give them.
//
// A compiler takes them in loops, if it may trade accuracy for speed; here they are called as it
// would. Square roots are instructions. Checked in every run: check_known(), check_timed().
// Source: Vector Function ABI of x86-64 (Intel, 2015) and of aarch64 (Arm, 2023), for the names:
// _ZGV, a letter for the instruction set, N for no mask, the lanes, a v for each argument.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

#include "benchmarks/compute/intrinsics/functions.hpp"
#include "harness/keep.hpp"

namespace heorot::intrinsics {

#if defined(__AVX512F__)
#define HEOROT_DOUBLES "_ZGVeN8"
#define HEOROT_SINGLES "_ZGVeN16"
#define HEOROT_ROOT_OF_DOUBLES "vsqrtpd %0, %0"
#define HEOROT_ROOT_OF_SINGLES "vsqrtps %0, %0"
constexpr std::size_t register_bytes = 64;
#elif defined(__AVX2__)
#define HEOROT_DOUBLES "_ZGVdN4"
#define HEOROT_SINGLES "_ZGVdN8"
#define HEOROT_ROOT_OF_DOUBLES "vsqrtpd %0, %0"
#define HEOROT_ROOT_OF_SINGLES "vsqrtps %0, %0"
constexpr std::size_t register_bytes = 32;
#elif defined(__AVX__)
#define HEOROT_DOUBLES "_ZGVcN4"
#define HEOROT_SINGLES "_ZGVcN8"
#define HEOROT_ROOT_OF_DOUBLES "vsqrtpd %0, %0"
#define HEOROT_ROOT_OF_SINGLES "vsqrtps %0, %0"
constexpr std::size_t register_bytes = 32;
#elif defined(__x86_64__)
#define HEOROT_DOUBLES "_ZGVbN2"
#define HEOROT_SINGLES "_ZGVbN4"
#define HEOROT_ROOT_OF_DOUBLES "sqrtpd %0, %0"
#define HEOROT_ROOT_OF_SINGLES "sqrtps %0, %0"
constexpr std::size_t register_bytes = 16;
#elif defined(__aarch64__)
#define HEOROT_DOUBLES "_ZGVnN2"
#define HEOROT_SINGLES "_ZGVnN4"
#define HEOROT_ROOT_OF_DOUBLES "fsqrt %0.2d, %0.2d"
#define HEOROT_ROOT_OF_SINGLES "fsqrt %0.4s, %0.4s"
constexpr std::size_t register_bytes = 16;
#else
constexpr std::size_t register_bytes = 16;
#endif

using Doubles = double __attribute__((vector_size(register_bytes)));
using Singles = float __attribute__((vector_size(register_bytes)));
/// Zeros, in the type that holds vectors of numbers.
inline Doubles vector_of(double /*number*/) {
    return Doubles{};
}
inline Singles vector_of(float /*number*/) {
    return Singles{};
}

/// A function of whole vectors; `of` is missing where the library has none.
template <class Function>
struct OfVectors {};

#if defined(HEOROT_ROOT_OF_DOUBLES)
/// The instruction of the processor; compilers leave it alone where negative numbers have to set
/// errno.
template <>
struct OfVectors<Sqrt> {
    static Doubles of(Doubles x) {
        asm(HEOROT_ROOT_OF_DOUBLES : "+" HEOROT_VECTOR_REGISTER(x));
        return x;
    }
    static Singles of(Singles x) {
        asm(HEOROT_ROOT_OF_SINGLES : "+" HEOROT_VECTOR_REGISTER(x));
        return x;
    }
};
#endif
#if HEOROT_VECTOR_FUNCTIONS >= 1
template <>
struct OfVectors<Exp> {
    static Doubles of(Doubles x) __asm__(HEOROT_DOUBLES "v_exp");
    static Singles of(Singles x) __asm__(HEOROT_SINGLES "v_expf");
};
template <>
struct OfVectors<Log> {
    static Doubles of(Doubles x) __asm__(HEOROT_DOUBLES "v_log");
    static Singles of(Singles x) __asm__(HEOROT_SINGLES "v_logf");
};
template <>
struct OfVectors<Sin> {
    static Doubles of(Doubles x) __asm__(HEOROT_DOUBLES "v_sin");
    static Singles of(Singles x) __asm__(HEOROT_SINGLES "v_sinf");
};
template <>
struct OfVectors<Cos> {
    static Doubles of(Doubles x) __asm__(HEOROT_DOUBLES "v_cos");
    static Singles of(Singles x) __asm__(HEOROT_SINGLES "v_cosf");
};
template <>
struct OfVectors<Pow> {
    static Doubles of(Doubles x, Doubles y) __asm__(HEOROT_DOUBLES "vv_pow");
    static Singles of(Singles x, Singles y) __asm__(HEOROT_SINGLES "vv_powf");
};
#endif
#if HEOROT_VECTOR_FUNCTIONS >= 2
template <>
struct OfVectors<Tan> {
    static Doubles of(Doubles x) __asm__(HEOROT_DOUBLES "v_tan");
    static Singles of(Singles x) __asm__(HEOROT_SINGLES "v_tanf");
};
template <>
struct OfVectors<Atan> {
    static Doubles of(Doubles x) __asm__(HEOROT_DOUBLES "v_atan");
    static Singles of(Singles x) __asm__(HEOROT_SINGLES "v_atanf");
};
template <>
struct OfVectors<Cbrt> {
    static Doubles of(Doubles x) __asm__(HEOROT_DOUBLES "v_cbrt");
    static Singles of(Singles x) __asm__(HEOROT_SINGLES "v_cbrtf");
};
template <>
struct OfVectors<Erf> {
    static Doubles of(Doubles x) __asm__(HEOROT_DOUBLES "v_erf");
    static Singles of(Singles x) __asm__(HEOROT_SINGLES "v_erff");
};
#endif

template <class Function>
concept Vectorised = requires(Doubles x) { OfVectors<Function>::of(x); } ||
                     requires(Doubles x) { OfVectors<Function>::of(x, x); };

/// f(x(i), y(i)), as many at once as a register holds, which must be there; the last vector may
/// overlap the one before.
template <Vectorised Function, class Real>
void evaluate_vectors(std::span<Real> results, const Real* x, const Real* y) {
    const std::size_t n = results.size();
    constexpr std::size_t n_lanes = register_bytes / sizeof(Real);
    const auto evaluate_at = [=](std::size_t i) {
        auto u = vector_of(Real{});
        auto v = u;
        std::memcpy(&u, x + i, sizeof u);
        std::memcpy(&v, y + i, sizeof v);
        if constexpr (requires { OfVectors<Function>::of(u); }) {
            v = OfVectors<Function>::of(u);
        } else {
            v = OfVectors<Function>::of(u, v);
        }
        std::memcpy(results.data() + i, &v, sizeof v);
    };
    for (std::size_t i = 0; i + n_lanes <= n; i += n_lanes) evaluate_at(i);
    if (n % n_lanes != 0) evaluate_at(n - n_lanes);
}

}  // namespace heorot::intrinsics
