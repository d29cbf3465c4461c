// The fourteen vector operations, as loops over the elements of vectors that lie in memory somehow.
//
// Checked in every run against the same equations, element by element: Sweep::measure_all().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace heorot::vector_kernels {

using Index = std::ptrdiff_t;

// ---- Access: where element i of every vector lies ----

/// Element i lies `distance` doubles behind element i - 1.
template <Index distance>
struct Strided {
    static constexpr bool has_neighbours = true;
    static constexpr Index stride = distance;
    Index operator()(Index i) const { return distance * i; }
};

/// A permutation of 0 ... n-1 gives the position of element i; nothing lies before or behind.
struct Indirect {
    static constexpr bool has_neighbours = false;
    static constexpr Index stride = 1;
    const std::int32_t* permutation;
    Index operator()(Index i) const { return permutation[i]; }
};

// ---- The vectors: x is the result, the others are read ----

struct Vectors {
    double* x;
    const double* y;
    const double* z;
    const double* v;
    const double* w;
    double a;
};

// ---- Operations whose elements do not depend on each other: element i, accessed by `at` ----

inline constexpr auto broadcast = [](const Vectors& u, auto at, Index i) { u.x[at(i)] = u.a; };

inline constexpr auto copy = [](const Vectors& u, auto at, Index i) { u.x[at(i)] = u.y[at(i)]; };

inline constexpr auto add = [](const Vectors& u, auto at, Index i) {
    u.x[at(i)] = u.y[at(i)] + u.z[at(i)];
};

inline constexpr auto subtract = [](const Vectors& u, auto at, Index i) {
    u.x[at(i)] = u.y[at(i)] - u.z[at(i)];
};

inline constexpr auto multiply = [](const Vectors& u, auto at, Index i) {
    u.x[at(i)] = u.y[at(i)] * u.z[at(i)];
};

inline constexpr auto divide = [](const Vectors& u, auto at, Index i) {
    u.x[at(i)] = u.y[at(i)] / u.z[at(i)];
};

inline constexpr auto axpy = [](const Vectors& u, auto at, Index i) {
    u.x[at(i)] = u.x[at(i)] + u.a * u.y[at(i)];
};

inline constexpr auto triad = [](const Vectors& u, auto at, Index i) {
    u.x[at(i)] = u.z[at(i)] + u.a * u.y[at(i)];
};

inline constexpr auto rotation = [](const Vectors& u, auto at, Index i) {
    u.x[at(i)] = u.y[at(i)] * u.z[at(i)] + u.v[at(i)] * u.w[at(i)];
};

inline constexpr auto difference2 = [](const Vectors& u, auto at, Index i) {
    u.x[at(i)] = u.y[at(i - 1)] - 2.0 * u.y[at(i)] + u.y[at(i + 1)];
};

/// Coefficients of the polynomial, c_k = 1 / k!.
inline constexpr std::array<double, 10> c = {1.0,         1.0,         1.0 / 2,   1.0 / 6,
                                             1.0 / 24,    1.0 / 120,   1.0 / 720, 1.0 / 5040,
                                             1.0 / 40320, 1.0 / 362880};

/// x = c0 + y (c1 + y (c2 + ... + y c9))
inline constexpr auto polynomial9 = [](const Vectors& u, auto at, Index i) {
    const double y = u.y[at(i)];
    const double upper = (((c[9] * y + c[8]) * y + c[7]) * y + c[6]) * y + c[5];
    u.x[at(i)] = ((((upper * y + c[4]) * y + c[3]) * y + c[2]) * y + c[1]) * y + c[0];
};

/// One of these for all n elements, in any order. The vectors are a copy, which no x(i) can change.
template <class Element>
constexpr auto for_all(Element element) {
    return [element](const Vectors u, auto at, Index n) {
#pragma omp simd
        for (Index i = 0; i < n; ++i) element(u, at, i);
    };
}

// ---- Operations with an order of their own, on all n elements ----

/// x(0) = sum of y(i) z(i), as the only element
inline constexpr auto dotproduct = [](const Vectors u, auto at, Index n) {
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (Index i = 0; i < n; ++i) sum += u.y[at(i)] * u.z[at(i)];
    u.x[0] = sum;
};

/// x(i) = x(i-1) + y(i)
inline constexpr auto recurrence1 = [](const Vectors u, auto at, Index n) {
    double last = u.x[at(-1)];
    for (Index i = 0; i < n; ++i) {
        last = last + u.y[at(i)];
        u.x[at(i)] = last;
    }
};

/// x(i) = y(i) - x(i-2) - x(i-1), in the order that makes each element wait for one subtraction
/// only
inline constexpr auto recurrence2 = [](const Vectors u, auto at, Index n) {
    double last_but_one = u.x[at(-2)];
    double last = u.x[at(-1)];
    for (Index i = 0; i < n; ++i) {
        const double next = u.y[at(i)] - last_but_one - last;
        last_but_one = last;
        last = next;
        u.x[at(i)] = next;
    }
};

}  // namespace heorot::vector_kernels
