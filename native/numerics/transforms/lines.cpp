// Lines in lanes.
#include "numerics/transforms/lines.hpp"

#include <algorithm>

namespace heorot::transforms {

namespace {

constexpr int w = n_lanes;
// So long are lines whose vectors and buffers stay in L1d, about.
constexpr Index longest_in_lanes = 256;

/// Whether lines are transformed in lanes: there are enough, they fill no vectors by themselves.
bool are_in_lanes(Index n, Index n_lines) {
    const bool fills_vectors = n % w == 0 && n >= Index{w} * w;
    return n_lines >= w && n >= w && n <= longest_in_lanes && has_passes(n) && !fills_vectors;
}

}  // namespace

Lines::Lines(Index n, Index n_lines) : n_(n), line_(method_for(n)) {
    if (are_in_lanes(n, n_lines)) lanes_ = std::make_unique<const Passes>(n);
}

std::size_t Lines::scratch_length() const {
    const std::size_t of_lanes = lanes_ ? static_cast<std::size_t>(3 * n_ * block_of<w>) : 0;
    return std::max(of_lanes, line_->scratch_length());
}

double Lines::flops(Index n_lines) const {
    const Index n_in_lanes = lanes_ ? n_lines / w * w : 0;
    const double in_lanes = lanes_ ? static_cast<double>(n_in_lanes) * lanes_->flops() : 0.0;
    return in_lanes + static_cast<double>(n_lines - n_in_lanes) * line_->flops();
}

void Lines::transform(const double* from, double* to, Index first, Index last, Direction direction,
                      double* scratch) const {
    const Index length = 2 * n_;
    for (; lanes_ && first + w <= last; first += w) {
        if (direction == Direction::forward) {
            in_lanes<Direction::forward>(from + first * length, to + first * length, scratch);
        } else {
            in_lanes<Direction::inverse>(from + first * length, to + first * length, scratch);
        }
    }
    for (; first < last; ++first) {
        line_->transform(from + first * length, to + first * length, direction, scratch);
    }
}

template <Direction direction>
void Lines::in_lanes(const double* from, double* to, double* scratch) const {
    const Index length = 2 * n_;
    const Blocks<w> lines = {scratch + 2 * n_ * block_of<w>};
    for (Index group = 0; group < n_groups<w>(n_); ++group) {
        const Index j = first_of<w>(group, n_);
        transpose_to<w>(
            [&](auto l) __attribute__((always_inline)) {
                return load_in_turn<w, direction>(from + l * length + 2 * j);
            },
            lines.at + j * block_of<w>);
    }
    const Blocks<w> result = transform_to_blocks<w>(*lanes_, lines, scratch);
    for (Index group = 0; group < n_groups<w>(n_); ++group) {
        const Index k = first_of<w>(group, n_);
        const std::array<Numbers<w>, w> numbers = transposed<w>(
            [&](auto i) __attribute__((always_inline)) { return result.load(k + i); });
        unrolled<w>([&](auto l) __attribute__((always_inline)) {
            store_in_turn<w, direction>(to + l * length + 2 * k, numbers[l]);
        });
    }
}

}  // namespace heorot::transforms
