// The transform of one line along the lanes of vectors.
//
// With j = w b + l and k = c + m d: X_{c + m d} = sum_l w_w^(l d) w_n^(l c) sum_b w_m^(b c) x_{w b
// + l}. Lane l transforms the numbers l, w + l, ... in one pass. Then w vectors are turned and
// transposed at a time, so that lanes hold consecutive c, and transformed over l: all in registers.
// If w does not divide m, the last vectors begin earlier, and some are done twice; or they are not
// full.
//
// Source: D. H. Bailey, FFTs in external or hierarchical memory, J. Supercomputing 4 (1990).
#include <vector>

#include "harness/record/check.hpp"
#include "numerics/transforms/method.hpp"
#include "numerics/transforms/passes.hpp"

namespace heorot::transforms {

namespace {

template <int w>
class AlongLanes : public Method {
  public:
    explicit AlongLanes(Index n) : m_(n / w) {
        expects(n % w == 0 && m_ > 1 && radices_of(m_).size() == 1,
                "lanes have two numbers at least, and one pass");
        std::vector<double> roots;
        for (Index c = 1; c < m_; ++c) {
            add_block<w>(roots, [&](Index l) { return root_of_unity(l * c, n); });
        }
        roots_ = aligned(roots);
        forward_ = Kernels<w>::line(static_cast<int>(m_), Direction::forward);
        inverse_ = Kernels<w>::line(static_cast<int>(m_), Direction::inverse);
    }

    void transform(const double* from, double* to, Direction direction,
                   double* scratch) const override {
        static_cast<void>(scratch);
        (direction == Direction::forward ? forward_ : inverse_)(from, roots_.data(), to);
    }
    std::size_t scratch_length() const override { return 0; }
    double flops() const override {
        const auto m = static_cast<double>(m_);
        const double turns = 6.0 * w * (m - 1.0);
        return w * flops_of_small(static_cast<int>(m_)) + turns + m * flops_of_small(w);
    }

  private:
    Index m_;
    LineOfOnePass* forward_;
    LineOfOnePass* inverse_;
    Array<double> roots_;  // exp(-2 pi i l c / n): a block for each c > 0
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
