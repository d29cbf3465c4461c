// How the points of a box are laid out in memory.
#include "benchmarks/npb/flow/field.hpp"

#include <algorithm>

#include "harness/record/check.hpp"

namespace heorot::flow {

namespace {

constexpr Index line = 8;  // doubles in 64 bytes

Index round_up(Index n, Index unit) {
    return (n + unit - 1) / unit * unit;
}

// Rows of a multiple of 256 bytes would leave most sets of a cache unused by a line along y.
Index row_stride(Index n_points) {
    const Index stride = round_up(n_points, line);
    return stride % (4 * line) == 0 ? stride + line : stride;
}

// Planes an odd number of cache lines apart: a line along z visits all sets of a cache.
Index plane_stride(Index row, Index n_rows) {
    const Index stride = row * n_rows;
    return (stride / line) % 2 == 0 ? stride + line : stride;
}

// The components of a point fall into distant sets.
Index component_stride(Index plane, Index n_planes) {
    constexpr Index n_sets = 64;
    constexpr Index shift = 13;
    return round_up(plane * n_planes, n_sets * line) + shift * line;
}

}  // namespace

Layout::Layout(const Box& box) : box_(box) {
    std::array<Index, 3> n = {};  // points with ghosts
    for (int d = 0; d < 3; ++d) {
        n[static_cast<std::size_t>(d)] =
            ghosts(d, Side::lower) + box.size(d) + ghosts(d, Side::upper);
    }
    const Index row = row_stride(n[0]);
    const Index plane = plane_stride(row, n[1]);
    strides_ = {1, row, plane};
    component_ = component_stride(plane, n[2]);
    // Before (0, 0, 0): ghost planes and rows, and as much as puts first(0) on a multiple of 8.
    origin_ = ghosts(2, Side::lower) * plane + ghosts(1, Side::lower) * row + line - box.first(0);
    constexpr Index overhang = 2 * line;
    n_elements_ = static_cast<std::size_t>(line + n_components * component_ + overhang);
}

Field::Field(const Box& box) : layout_(box), own_(layout_.n_elements()), origin_(nullptr) {
    origin_ = own_.data() + layout_.origin();
    fill(1.0);
}

Field::Field(const Box& box, std::span<double> memory)
    : layout_(box), origin_(memory.data() + layout_.origin()) {
    expects(memory.size() >= layout_.n_elements(), "the memory must hold the field");
}

void Field::fill(double value) {
    double* const start = origin_ - layout_.origin();
    const auto n_elements = static_cast<Index>(layout_.n_elements());
    const Index n_planes = layout_.box().size(2);
    // What lies before the first plane of a component belongs to that plane, what lies after its
    // last plane to the next component.
    std::fill(start, origin_, value);
#pragma omp parallel for schedule(static)
    for (Index k = 0; k < n_planes; ++k) {
        for (int m = 0; m < n_components; ++m) {
            const Index first = layout_.origin() + m * layout_.component() + k * layout_.plane();
            const Index next =
                first +
                (k + 1 < n_planes ? layout_.plane() : layout_.component() - k * layout_.plane());
            std::fill(start + first, start + std::min(next, n_elements), value);
        }
    }
}

}  // namespace heorot::flow
