// Transforms of grids: lines, and then the other dimensions, or in the reverse order.
#include "numerics/transforms/grid.hpp"

#include <algorithm>

#include "harness/record/check.hpp"

namespace heorot::transforms {

namespace {

/// The last extent of a grid that is one.
Index length_of_lines(std::span<const int> extents) {
    expects(!extents.empty() && extents.size() <= 3, "a grid has one to three dimensions");
    expects(*std::min_element(extents.begin(), extents.end()) > 0, "a grid has points");
    return extents.back();
}

}  // namespace

GridTransform::GridTransform(std::span<const int> extents, int n_threads)
    : n_(length_of_lines(extents)),
      line_(method_for(n_)),
      sweeps_(extents, n_, line_->scratch_length(), n_threads) {}

double GridTransform::flops() const {
    return static_cast<double>(sweeps_.n_lines()) * line_->flops() + sweeps_.flops();
}

void GridTransform::transform(const double* from, double* to, Direction direction,
                              double* scratch) const {
    const Index length = 2 * n_;
    sweeps_.lines_first(to, direction, scratch, [=, this](Index i, double* own) {
        line_->transform(from + i * length, to + i * length, direction, own);
    });
}

RealGridTransform::RealGridTransform(std::span<const int> extents, int n_threads)
    : n_(length_of_lines(extents)),
      line_(n_),
      sweeps_(extents, n_ / 2 + 1, line_.scratch_length(), n_threads) {}

double RealGridTransform::flops() const {
    return static_cast<double>(sweeps_.n_lines()) * line_.flops() + sweeps_.flops();
}

void RealGridTransform::forward(const double* from, double* to, double* scratch) const {
    const Index length = 2 * (n_ / 2 + 1);
    sweeps_.lines_first(to, Direction::forward, scratch, [=, this](Index i, double* own) {
        line_.forward(from + i * n_, to + i * length, own);
    });
}

void RealGridTransform::inverse(double* from, double* to, double* scratch) const {
    const Index length = 2 * (n_ / 2 + 1);
    sweeps_.lines_last(from, Direction::inverse, scratch, [=, this](Index i, double* own) {
        line_.inverse(from + i * length, to + i * n_, own);
    });
}

}  // namespace heorot::transforms
