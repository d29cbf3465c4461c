// Reading memory as fast as a core can.
#pragma once

#include <array>
#include <cstddef>
#include <numeric>

#include "benchmarks/memory/values/known.hpp"

namespace heorot::values {

/// a(0) + ... + a(n-1). The share of a thread is read in several places at once: what fetches ahead
/// keeps only so many lines of a stream outstanding, and one stream alone reaches less than triad
/// does. There are enough partial sums to hide the latency of an addition. Checked against a closed
/// form in every run of memory/stream and memory/numa.
inline double read_share(const double* a, Index n) {
    constexpr Index n_streams = 8;
    constexpr Index width = 32;  // 4 vector registers of 64 bytes
    const Index length = n / (n_streams * width) * width;
    std::array<double, width> partial{};
    for (Index i = 0; i < length; i += width) {
        for (Index stream = 0; stream < n_streams; ++stream) {
            const double* const part = a + stream * length + i;
#pragma omp simd
            for (std::size_t j = 0; j < width; ++j) partial[j] += part[j];
        }
    }
    double sum = std::accumulate(partial.begin(), partial.end(), 0.0);
    for (Index i = n_streams * length; i < n; ++i) sum += a[i];
    return sum;
}

}  // namespace heorot::values
