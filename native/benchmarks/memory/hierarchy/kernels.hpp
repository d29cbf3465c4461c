// What the kernels of memory/hierarchy do to their arrays.
#pragma once

#include <cstddef>
#include <utility>

#include "benchmarks/memory/values/known.hpp"
#include "harness/keep.hpp"
#include "numerics/lanes.hpp"

// A name of their own, as the C library has a read and a write.
namespace heorot::hierarchy {

using values::Index;

constexpr std::size_t n_read_places = 8;
constexpr Index lanes = n_lanes;
constexpr Index n_vectors = 2;
// Every array is a multiple of this, so that no loop has a remainder.
constexpr std::size_t granule_bytes = 1024;
constexpr Index granule = granule_bytes / sizeof(double);
static_assert(granule % (static_cast<Index>(n_read_places) * n_vectors * lanes) == 0);

/// n_repeats (a(0) + ... + a(n-1)), in two sums for every place: enough to hide the latency of an
/// addition. Checked in every run against a closed form: Kernels::read().
template <std::size_t... place>
double read(const double* a, Index n, Index n_repeats, std::index_sequence<place...>) {
    const Index length = n / static_cast<Index>(n_read_places);
    Lanes sums[] = {(Lanes{} + 0.0 * place)...};
    Lanes others[] = {(Lanes{} + 0.0 * place)...};
    for (Index repeat = 0; repeat < n_repeats; ++repeat) {
        clobber();
        for (const double* from = a; from < a + length; from += n_vectors * lanes) {
            ((sums[place] += load(from + static_cast<Index>(place) * length),
              others[place] += load(from + static_cast<Index>(place) * length + lanes)),
             ...);
        }
    }
    Lanes total{};
    ((total += sums[place] + others[place]), ...);
    double sum = 0.0;
    for (int lane = 0; lane < lanes; ++lane) sum += total[lane];
    return sum;
}

/// Does element(i, s) for vectors that begin at i = 0, lanes, ..., n - lanes, at so many places of
/// the array at once, and all of it for s = first, ..., last. Checked in every run, as what it is
/// used for: Kernels.
template <Index places, class Element>
[[gnu::always_inline]] inline void for_all(Index n, Index first, Index last, Element element) {
    constexpr Index together = 8 / places;  // vectors at a place
    for (Index time = first; time <= last; ++time) {
        clobber();
        const Lanes s = lanes_of(static_cast<double>(time));
        for (Index i = 0; i < n / places; i += together * lanes) {
#pragma GCC unroll 8
            for (Index j = 0; j < 8; ++j) {
                element(j / together * (n / places) + i + j % together * lanes, s);
            }
        }
    }
}

/// a(i) = s
template <Index places>
void write(double* a, Index n, Index first, Index last) {
    for_all<places>(n, first, last, [=](Index i, Lanes s) { store(a + i, s); });
}

/// b(i) = a(i), where a ends with s
template <Index places>
void copy(double* b, double* a, Index n, Index first, Index last) {
    for (Index time = first; time <= last; ++time) {
        store(a + n - lanes, lanes_of(static_cast<double>(time)));
        for_all<places>(n, time, time, [=](Index i, Lanes) { store(b + i, load(a + i)); });
    }
}

/// a(i) = b(i) + s c(i)
template <Index places>
void triad(double* a, const double* b, const double* c, Index n, Index first, Index last) {
    for_all<places>(n, first, last,
                    [=](Index i, Lanes s) { store(a + i, load(b + i) + s * load(c + i)); });
}

}  // namespace heorot::hierarchy
