// Fast Fourier transforms: the factors, their roots, and the transform of one line.
#include "numerics/fft.hpp"

#include <bit>
#include <cstddef>

#include "harness/record/check.hpp"
#include "numerics/transforms/passes.hpp"

namespace heorot {

namespace {

using transforms::Root;
using transforms::root_of_unity;

constexpr int log2_radix_max = 4;

}  // namespace

/// Of a product of complex numbers.
constexpr double flops_of_product = 6.0;

LanesFft::LanesFft(int n) : n_(n) {
    expects(n >= 2 && std::has_single_bit(static_cast<unsigned>(n)),
            "a transform has a power of two of points, at least two");
    int log2_left = std::countr_zero(static_cast<unsigned>(n));
    int n_left = (log2_left + log2_radix_max - 1) / log2_radix_max;
    // The passes share the factors evenly, the first ones, which work on most lines, get more.
    for (int length = 1; n_left > 0; --n_left) {
        const int log2_radix = (log2_left + n_left - 1) / n_left;
        const int radix = 1 << log2_radix;
        passes_.push_back({radix, length, {}});
        passes_.back().roots.resize(2 * static_cast<std::size_t>((radix - 1) * length));
        length *= radix;
        log2_left -= log2_radix;
    }
    make_roots();
}

void LanesFft::make_roots() {
    for (Pass& pass : passes_) {
        double* root = pass.roots.data();
        for (int j = 0; j < pass.length; ++j) {
            for (int s = 1; s < pass.radix; ++s) {
                const Root w =
                    root_of_unity(std::int64_t{j} * s, std::int64_t{pass.length} * pass.radix);
                *root++ = w.re;
                *root++ = w.im;
            }
        }
    }
}

double LanesFft::flops_of_point() const {
    double flops = 0.0;
    for (const Pass& pass : passes_) {
        flops += transforms::flops_of_small(pass.radix) / pass.radix;
        if (pass.length > 1) flops += flops_of_product * (pass.radix - 1) / pass.radix;
    }
    return flops;
}

double LineFft::flops_of_point() const {
    return lanes_.flops_of_point() + flops_of_product +
           transforms::flops_of_small(n_lanes) / n_lanes;
}

LineFft::LineFft(int n) : lanes_(n / n_lanes), roots_(static_cast<std::size_t>(2 * n)) {
    expects(n % (n_lanes * n_lanes) == 0,
            "a line that lies in lanes has blocks that can be transposed");
    make_roots();
}

void LineFft::make_roots() {
    lanes_.make_roots();
    for (int c = 0; c < n_blocks(); ++c) {
        double* const block = roots_.data() + c * block_length;
        for (int l = 0; l < n_lanes; ++l) {
            const Root w = root_of_unity(std::int64_t{l} * c, size());
            block[l] = w.re;
            block[l + n_lanes] = w.im;
        }
    }
}

void LineFft::transform(const Points& from, const Points& to, double* scratch) const {
    double* const blocks = scratch + lanes_.scratch_length();
    lanes_.transform(from, internal::TwiddledBuffer{blocks, roots_.data()}, scratch);
    const internal::Buffer buffer = {blocks};
    const std::ptrdiff_t n_groups = n_blocks() / n_lanes;
    for (std::ptrdiff_t group = 0; group < n_groups; ++group) {
        Lanes re[n_lanes];  // NOLINT: vectors
        Lanes im[n_lanes];  // NOLINT
        transforms::unrolled<n_lanes>([&](auto c) __attribute__((always_inline)) {
            const ComplexLanes block = buffer.load(group * n_lanes + c);
            re[c] = block.re;
            im[c] = block.im;
        });
        transpose(re);
        transpose(im);
        std::array<ComplexLanes, n_lanes> z;
        transforms::unrolled<n_lanes>(
            [&](auto l) __attribute__((always_inline)) { z[l] = {re[l], im[l]}; });
        transforms::small_transform<n_lanes>(z);
        transforms::unrolled<n_lanes>(
            [&](auto d) __attribute__((always_inline)) { to.store(group + d * n_groups, z[d]); });
    }
}

}  // namespace heorot
