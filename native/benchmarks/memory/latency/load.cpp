// Sums up ones, block by block, each thread its own.
#include "benchmarks/memory/latency/load.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "harness/record/check.hpp"
#include "harness/world/threads.hpp"

namespace heorot::latency {

Load::Load(int n_streams, std::size_t n_bytes) : readers_(static_cast<std::size_t>(n_streams)) {
    if (readers_.empty()) return;
    const std::size_t share = n_bytes / readers_.size() / sizeof(double) / block;
    const std::size_t n = std::max<std::size_t>(2, share) * block;
    for (Reader& reader : readers_) reader.ones = Array<double>(n);
#pragma omp parallel num_threads(1 + n_streams)
    if (const int thread = thread_number(); thread > 0) {
        auto& ones = readers_[static_cast<std::size_t>(thread - 1)].ones;
        std::fill(ones.begin(), ones.end(), 1.0);
    }
}

std::size_t Load::n_bytes() const {
    return std::accumulate(readers_.begin(), readers_.end(), std::size_t{0},
                           [](std::size_t sum, const Reader& each) {
                               return sum + each.ones.size() * sizeof(double);
                           });
}

/// Enough partial sums to hide the latency of additions.
void Load::read_block(int thread) {
    constexpr std::int64_t width = 32;
    Reader& reader = readers_[static_cast<std::size_t>(thread - 1)];
    const double* const from = reader.ones.data() + reader.next;
    std::array<double, width> partial{};
    for (std::int64_t i = 0; i < block; i += width) {
#pragma omp simd
        for (std::int64_t j = 0; j < width; ++j)
            partial[static_cast<std::size_t>(j)] += from[i + j];
    }
    reader.sum += std::accumulate(partial.begin(), partial.end(), 0.0);
    reader.next += block;
    if (std::cmp_equal(reader.next, reader.ones.size())) reader.next = 0;
}

void Load::forget() {
    for (Reader& reader : readers_) reader.sum = 0.0;
}

double Load::deviation(std::int64_t n_bodies) const {
    const auto expected = static_cast<double>(n_bodies * n_blocks_per_body * block);
    double largest = 0.0;
    for (const Reader& reader : readers_) {
        largest = larger(largest, std::abs(reader.sum / expected - 1.0));
    }
    return largest;
}

}  // namespace heorot::latency
