// Which points an operator works on, interpolation and full weighting between two levels, and sums.
//
// Checked against their definitions, point by point, in tests/npb/test_mg.cpp: check_cycles,
// check_constants.
#include <array>
#include <numeric>

#include "benchmarks/npb/mg/operators.hpp"

namespace heorot::mg {

namespace {

// u(2 J + 1) = w(J), u(2 J) = (w(J - 1) + w(J)) / 2 for the coarse points J; `u` is fine point 0
// in the numbering that has no shift.
template <bool adds>
void interpolate_row(const double* w, Range coarse, double* u) {
#pragma omp simd
    for (Index i = coarse.first; i < coarse.last; ++i) {
        const double even = 0.5 * (w[i - 1] + w[i]);
        const double odd = w[i];
        u[2 * i] = adds ? u[2 * i] + even : even;
        u[2 * i + 1] = adds ? u[2 * i + 1] + odd : odd;
    }
}

}  // namespace

Patch owned(const Axes& axes, Index ghosts) {
    const auto range = [ghosts](const Axis& axis) {
        return axis.split ? Range{0, axis.n}.grown(ghosts, ghosts) : Range{0, axis.n};
    };
    return {range(axes[0]), range(axes[1]), !axes[0].split};
}

Shift shift_between(const Axes& fine, const Axes& coarse) {
    Shift shift;
    for (std::size_t d = 0; d < 3; ++d) shift[d] = fine[d].first - 2 * coarse[d].first;
    return shift;
}

Range coarse_points(Range fine, Index shift) {
    return {(fine.first + shift) >> 1, (fine.last + shift) >> 1};
}

RowBuffers::RowBuffers(Index n)
    : length_(((n + 5 * line) / line | 1) * line), values_(static_cast<std::size_t>(4 * length_)) {
    for (double& value : values_) value = 0.0;
}

void interp(const Patch& patch, const Plane& z_below, const Plane& z_above, const Shift& shift,
            bool adds, const Plane& u, RowBuffers& rows) {
    const Range coarse = {(patch.x.first + shift[0]) >> 1, (patch.x.last + shift[0] + 1) >> 1};
    // In the buffer the first coarse point is point 0.
    const Range relative = {0, coarse.size()};
    double* const w = rows.row(0);
    for (Index j = patch.y.first; j < patch.y.last; ++j) {
        const Index above = (j + shift[1]) >> 1;
        const Index below = (j + shift[1] - 1) >> 1;  // the same for an odd fine row: it lies on it
        const double* const z0 = z_below.row(below) + coarse.first;
        const double* const z1 = z_below.row(above) + coarse.first;
        const double* const z2 = z_above.row(below) + coarse.first;
        const double* const z3 = z_above.row(above) + coarse.first;
        const Index start = patch.periodic_x ? 0 : -1;
#pragma omp simd
        for (Index i = start; i < relative.last; ++i) {
            w[i] = 0.25 * ((z0[i] + z1[i]) + (z2[i] + z3[i]));
        }
        if (patch.periodic_x) w[-1] = w[relative.last - 1];
        double* const row = u.row(j) + 2 * coarse.first - shift[0];
        if (adds) {
            interpolate_row<true>(w, relative, row);
        } else {
            interpolate_row<false>(w, relative, row);
        }
    }
}

void rprj3(const Patch& patch, const Planes& r, const Shift& shift, const Plane& s,
           RowBuffers& rows) {
    const Range x = coarse_points(patch.x, shift[0]);
    const Range y = coarse_points(patch.y, shift[1]);
    const Index n_fine = 2 * x.size();
    const Index first = 2 * x.first - shift[0];
    double* const t = rows.row(0);
    for (Index coarse = y.first; coarse < y.last; ++coarse) {
        const Index j = 2 * coarse + 1 - shift[1];
        const double* below[3];
        const double* here[3];
        const double* above[3];
        for (Index k = 0; k < 3; ++k) {
            below[k] = r.below.row(j - 1 + k) + first;
            here[k] = r.here.row(j - 1 + k) + first;
            above[k] = r.above.row(j - 1 + k) + first;
        }
        const Index last = patch.periodic_x ? n_fine : n_fine + 1;
#pragma omp simd
        for (Index i = 0; i < last; ++i) {
            const double outer = below[1][i] + above[1][i];
            const double face = here[0][i] + here[2][i] + outer;
            const double edge = below[0][i] + above[0][i] + (below[2][i] + above[2][i]);
            t[i] = 0.25 * here[1][i] + 0.125 * face + 0.0625 * edge;
        }
        if (patch.periodic_x) t[n_fine] = t[0];
        double* const out = s.row(coarse) + x.first;
        // The weights halve from a point to its neighbour along x.
#pragma omp simd
        for (Index i = 0; i < x.size(); ++i) {
            out[i] = 2.0 * t[2 * i + 1] + (t[2 * i] + t[2 * i + 2]);
        }
    }
}

double sum_of_squares(const Patch& patch, const Plane& r) {
    constexpr Index n_lanes = 32;  // independent partial sums, so that they vectorise
    std::array<double, n_lanes> lanes = {};
    for (Index j = patch.y.first; j < patch.y.last; ++j) {
        const double* const row = r.row(j);
        Index i = patch.x.first;
        for (; i + n_lanes <= patch.x.last; i += n_lanes) {
            for (Index lane = 0; lane < n_lanes; ++lane) {
                lanes[static_cast<std::size_t>(lane)] += row[i + lane] * row[i + lane];
            }
        }
        for (; i < patch.x.last; ++i) lanes[0] += row[i] * row[i];
    }
    return std::accumulate(lanes.begin(), lanes.end(), 0.0);
}

}  // namespace heorot::mg
