// The transform of one line along the lanes of vectors.
//
// With j = w b + l and k = c + m d: X_{c + m d} = sum_l w_w^(l d) w_n^(l c) sum_b w_m^(b c) x_{w b
// + l}. Lane l transforms the numbers l, w + l, ... all lanes with the same roots. Then w blocks
// are turned and transposed at a time, so that lanes hold consecutive c, and transformed over l. If
// w does not divide m, the last blocks begin earlier, and some are done twice.
//
// Source: D. H. Bailey, FFTs in external or hierarchical memory, J. Supercomputing 4 (1990).
#include <algorithm>
#include <cstdint>
#include <vector>

#include "harness/record/check.hpp"
#include "numerics/transforms/method.hpp"
#include "numerics/transforms/passes.hpp"

namespace heorot::transforms {

namespace {

template <int w>
class AlongLanes : public Method {
  public:
    explicit AlongLanes(Index n) : m_(n / w), passes_(m_) {
        expects(n % w == 0 && m_ >= w, "lanes have as many numbers as there are lanes at least");
        for (Index c = 0; c < m_; ++c) {
            for (Index l = 0; l < w; ++l) roots_.push_back(root_of_unity(l * c, n).re);
            for (Index l = 0; l < w; ++l) roots_.push_back(root_of_unity(l * c, n).im);
        }
    }

    void transform(const double* from, double* to, Direction direction,
                   double* scratch) const override {
        if (direction == Direction::forward) {
            transform_to<Direction::forward>(from, to, scratch);
        } else {
            transform_to<Direction::inverse>(from, to, scratch);
        }
    }
    std::size_t scratch_length() const override {
        return static_cast<std::size_t>(2 * m_ * block_of<w>);
    }
    double flops() const override {
        const auto m = static_cast<double>(m_);
        return w * passes_.flops() + m * (6.0 * w + flops_of_small(w));
    }

  private:
    template <Direction direction>
    void transform_to(const double* from, double* to, double* scratch) const {
        const FromLines<w, direction> lines = {from, block_of<w>};
        const Blocks<w> blocks = transform_to_blocks<w>(passes_, lines, scratch);
        for (Index c = 0; c + w <= m_; c += w) over_lanes<direction>(blocks, c, to);
        if (m_ % w != 0) over_lanes<direction>(blocks, m_ - w, to);
    }

    /// The last step for c, ..., c + w - 1.
    template <Direction direction>
    [[gnu::always_inline]] void over_lanes(const Blocks<w>& blocks, Index c, double* to) const {
        Vector<w> re[w];  // NOLINT: vectors
        Vector<w> im[w];  // NOLINT
        unrolled<w>([&](auto i) __attribute__((always_inline)) {
            const Numbers<w> root = load_block<w>(roots_.data() + (c + i) * block_of<w>);
            const Numbers<w> z = times(blocks.load(c + i), root.re, root.im);
            re[i] = z.re;
            im[i] = z.im;
        });
        transpose(re);
        transpose(im);
        std::array<Numbers<w>, w> z;
        unrolled<w>([&](auto l) __attribute__((always_inline)) { z[l] = {re[l], im[l]}; });
        small_transform<w>(z);
        unrolled<w>([&](auto d) __attribute__((always_inline)) {
            store_in_turn<w, direction>(to + 2 * (c + m_ * d), z[d]);
        });
    }

    Index m_;
    Passes passes_;
    std::vector<double> roots_;  // exp(-2 pi i l c / n): a block for each c
};

/// None where the build has no vectors of w numbers: there is no code for them.
template <int w>
std::unique_ptr<const Method> by_vectors(Index n) {
    if constexpr (w <= n_lanes) return std::make_unique<AlongLanes<w>>(n);
    return nullptr;
}

}  // namespace

std::unique_ptr<const Method> along_lanes(Index n, int w) {
    if (w == 8) return by_vectors<8>(n);
    return w == 4 ? by_vectors<4>(n) : by_vectors<2>(n);
}

}  // namespace heorot::transforms
