// Memory of grid functions.
#include "benchmarks/npb/mg/field.hpp"

#include <algorithm>

namespace heorot::mg {

namespace {

// The next size that is 19 lines above a multiple of 64: the operators use twelve rows of three
// planes at a time, which then fall on different places of a cache whose ways are 4 KiB. Small
// planes fit in any case.
Index spread(Index size) {
    constexpr Index way = 64 * line;
    constexpr Index offset = 19 * line;
    if (size < 8 * way) return size;
    return (size - offset + way - 1) / way * way + offset;
}

}  // namespace

Geometry::Geometry(const Axes& axes) : axes_(axes) {
    const auto& [x, y, z] = axes_;
    const Index padding = x.padded ? line : 0;
    const Index ghosts_y = y.split ? ghost_depth : 0;
    const Index lines = (x.n + 2 * padding + line - 1) / line;
    pitch_ = (lines | 1) * line;
    plane_size_ = spread((y.n + 2 * ghosts_y) * pitch_);
    origin_ = ghosts_y * pitch_ + padding;
    ghosts_z_ = z.split ? ghost_depth : 0;
}

Plane Geometry::plane_in(double* memory) const {
    const Axis& y = axes_[1];
    return {memory + origin_, pitch_, y.n, y.split ? 0 : y.n};
}

Index Geometry::plane_offset(Index k) const {
    const Axis& z = axes_[2];
    if (!z.split) k = k < 0 ? k + z.n : (k >= z.n ? k - z.n : k);
    return (k + ghosts_z_) * plane_size_;
}

Field::Field(const Axes& axes)
    : geometry_(axes),
      values_(static_cast<std::size_t>(geometry_.n_planes() * geometry_.plane_size())) {}

void Field::clear(int n_threads) {
    const Index ghosts = axes()[2].split ? ghost_depth : 0;
#pragma omp parallel for num_threads(n_threads) schedule(static, 1)
    for (int thread = 0; thread < n_threads; ++thread) {
        Range planes = slab(axes(), thread, n_threads);
        if (thread == 0) planes.first -= ghosts;
        if (thread == n_threads - 1) planes.last += ghosts;
        std::fill_n(memory(planes.first), planes.size() * geometry_.plane_size(), 0.0);
    }
}

}  // namespace heorot::mg
