// Transforms of grids: lines, and then the other dimensions, or in the reverse order.
#include "numerics/transforms/grid.hpp"

#include <algorithm>

#include "harness/record/check.hpp"

namespace heorot::transforms {

namespace {

constexpr Direction there = Direction::forward;
constexpr Direction back = Direction::inverse;

/// The last extent of a grid that is one.
Index length_of_lines(std::span<const int> extents) {
    expects(!extents.empty() && extents.size() <= 3, "a grid has one to three dimensions");
    expects(*std::min_element(extents.begin(), extents.end()) > 0, "a grid has points");
    return extents.back();
}

/// How many lines lie one behind the other in a plane.
Index lines_of_plane(std::span<const int> extents) {
    return extents.size() > 1 ? extents[extents.size() - 2] : 1;
}

}  // namespace

GridTransform::GridTransform(std::span<const int> extents, int n_threads)
    : n_(length_of_lines(extents)),
      n_rows_(lines_of_plane(extents)),
      lines_(n_, n_rows_),
      sweeps_(extents, n_, lines_.scratch_length(), n_threads) {}

double GridTransform::flops() const {
    const Index n_planes = sweeps_.n_lines() / n_rows_;
    return static_cast<double>(n_planes) * lines_.flops(n_rows_) + sweeps_.flops();
}

void GridTransform::transform(const double* from, double* to, Direction direction,
                              double* scratch) const {
    if (sweeps_.n_lines() == 1) return lines_.line().transform(from, to, direction, scratch);
    sweeps_.lines_first(to, direction, scratch, [=, this](Index first, Index last, double* own) {
        lines_.transform(from, to, first, last, direction, own);
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
    sweeps_.lines_first(to, there, scratch, [=, this](Index first, Index last, double* own) {
        for (Index i = first; i < last; ++i) line_.forward(from + i * n_, to + i * length, own);
    });
}

void RealGridTransform::inverse(double* from, double* to, double* scratch) const {
    const Index length = 2 * (n_ / 2 + 1);
    sweeps_.lines_last(from, back, scratch, [=, this](Index first, Index last, double* own) {
        for (Index i = first; i < last; ++i) line_.inverse(from + i * length, to + i * n_, own);
    });
}

}  // namespace heorot::transforms
