// Filling arrays with random numbers: one sequence dealt out to interleaved lanes, which vectorise.
#include "numerics/random.hpp"

#include <array>
#include <cstddef>

namespace heorot {

void Random::fill(std::span<double> u) {
    // Lane j holds x_{k+1+j} and steps by a^n_lanes (leapfrog). Enough lanes to hide the latency
    // of a multiplication with any vector length. Checked against next(), one number after the
    // other, in tests/numerics/test_random.cpp: fill_equals_next.
    constexpr std::size_t n_lanes = 64;
    std::array<std::uint64_t, n_lanes> lanes;
    lanes[0] = scaled_ * multiplier_;
    std::uint64_t stride = multiplier_;  // a^width
    for (std::size_t width = 1; width < n_lanes; width *= 2) {
        for (std::size_t j = 0; j < width; ++j) lanes[width + j] = lanes[j] * stride;
        stride *= stride;
    }

    std::size_t i = 0;
    for (; i + n_lanes <= u.size(); i += n_lanes) {
        scaled_ = lanes.back();
        double* const block = u.data() + i;
        for (std::size_t j = 0; j < n_lanes; ++j) {
            block[j] = uniform(lanes[j]);
            lanes[j] *= stride;  // x_{k+n} = a^n x_k
        }
    }
    for (; i < u.size(); ++i) u[i] = next();
}

}  // namespace heorot
