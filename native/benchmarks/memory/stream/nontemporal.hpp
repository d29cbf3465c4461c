// STREAM's operations with non-temporal stores, and an array filled with them.
//
// Checked in every run of memory/stream, as its other kernels are.
#pragma once

#include "benchmarks/memory/stream/arrays.hpp"
#include "numerics/nontemporal.hpp"

namespace heorot::stream {

/// to(i) = element(at) for i = 0, ..., n - 1, where at(a) is a(i), of one i or of n_lanes of them.
/// Threads have shares of whole cache lines: one that two threads write to would be written twice.
template <class Element>
void store_all_past_caches(double* to, Index n, Index n_threads, Element element) {
    constexpr Index line = 8;
#pragma omp parallel for schedule(static)
    for (Index thread = 0; thread < n_threads; ++thread) {
        const bool is_last = thread + 1 == n_threads;
        Index i = n / line * thread / n_threads * line;
        const Index end = is_last ? n : n / line * (thread + 1) / n_threads * line;
        for (; i + line <= end; i += line) {
#pragma GCC unroll 4
            for (Index j = i; j < i + line; j += n_lanes) {
                store_past_caches(to + j, element([&](const double* a) { return load(a + j); }));
            }
        }
        for (; i < end; ++i) to[i] = element([&](const double* a) { return lanes_of(a[i]); })[0];
        order_nontemporal_stores();
    }
}

/// The operations by kernel(name, bytes, flops, what is left behind, result, body).
template <class Kernel>
void measure_past_caches(const Kernel& kernel, const Arrays& v, Index n_threads) {
    const auto n = static_cast<std::size_t>(v.n);
    const std::span a(v.a, n), b(v.b, n), c(v.c, n);
    kernel("nontemporal_copy", 16, 0, {.c = 1.0}, c,
           [&] { store_all_past_caches(v.c, v.n, n_threads, [&](auto at) { return at(v.a); }); });
    kernel("nontemporal_scale", 16, 1, {.b = 4.0 * s}, b, [&] {
        store_all_past_caches(v.b, v.n, n_threads, [&](auto at) { return s * at(v.c); });
    });
    kernel("nontemporal_add", 24, 1, {.c = 3.0}, c, [&] {
        store_all_past_caches(v.c, v.n, n_threads, [&](auto at) { return at(v.a) + at(v.b); });
    });
    kernel("nontemporal_triad", 24, 2, {.a = 2.0 + 4.0 * s}, a, [&] {
        store_all_past_caches(v.a, v.n, n_threads, [&](auto at) { return at(v.b) + s * at(v.c); });
    });
    kernel("nontemporal_fill", 8, 0, {.filled = s}, a, [&] {
        store_all_past_caches(v.a, v.n, n_threads, [&](auto /*at*/) { return lanes_of(s); });
    });
}

}  // namespace heorot::stream
