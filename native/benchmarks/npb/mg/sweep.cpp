// The order of the operators within one pass.
#include "benchmarks/npb/mg/sweep.hpp"

#include <algorithm>

namespace heorot::mg {

namespace {

constexpr Index ring_planes = 3;

// Position of plane k >= -2 ring_planes in a ring.
Index position(Index k) {
    return (k + 2 * ring_planes) % ring_planes;
}

// The fine points 2 J ... 2 J + 2, less shift, around the coarse points of `fine`, and these.
Range around_coarse_points(Range fine, Index shift) {
    const Range coarse = coarse_points(fine, shift);
    return {std::min(fine.first, 2 * coarse.first - shift),
            std::max(fine.last, 2 * coarse.last + 1 - shift)};
}

}  // namespace

Workspace::Workspace(Index plane_size, Index n_row)
    : rows(n_row),
      ends(static_cast<std::size_t>(2 * SlabSweep::reach * plane_size)),
      first_ring(static_cast<std::size_t>(ring_planes * plane_size)),
      last_ring(static_cast<std::size_t>(ring_planes * plane_size)) {}

SlabSweep::SlabSweep(Level& fine, Level& coarse, const Stencil& smoother, const Tasks& tasks,
                     Range slab, Workspace& space, TimedPhases& phases)
    : fine_(fine),
      coarse_(coarse),
      smoother_(smoother),
      tasks_(tasks),
      slab_(slab),
      shift_(shift_between(fine.axes(), coarse.axes())),
      space_(space),
      phases_(phases) {
    const Axes& axes = fine.axes();
    for (std::size_t d = 0; d < 2; ++d) {
        const Range all = {0, axes[d].n};
        last_[d] = tasks.restricts && axes[d].split ? around_coarse_points(all, shift_[d]) : all;
    }
    last_[2] = tasks.restricts ? around_coarse_points(slab, shift_[2]) : slab;
    const auto grow = [&axes](const Box& box) {
        Box grown = box;
        for (std::size_t d = 0; d < 3; ++d) {
            if (d == 2 || axes[d].split) grown[d] = box[d].grown(1, 1);
        }
        return grown;
    };
    smoothed_ = tasks.evaluates ? grow(last_) : last_;
    first_ = grow(smoothed_);
    corrected_ = grow(first_);
}

Patch SlabSweep::patch(const Box& box) const {
    return {box[0], box[1], !fine_.axes()[0].split};
}

double* SlabSweep::end_memory(Index k) {
    const Index number = k < slab_.first ? k - slab_.first + reach : k - slab_.last + reach;
    return space_.ends.data() + number * fine_.u.geometry().plane_size();
}

Plane SlabSweep::u(Index k) {
    return slab_.contains(k) ? fine_.u.plane(k) : fine_.u.geometry().plane_in(end_memory(k));
}

Plane SlabSweep::in_ring(Array<double>& ring, Index k) const {
    const Geometry& geometry = fine_.u.geometry();
    return geometry.plane_in(ring.data() + position(k - slab_.first) * geometry.plane_size());
}

void SlabSweep::copy_ends() {
    if (tasks_.corrects && !tasks_.adds_to_u) return;
    for (Index k = corrected_[2].first; k < corrected_[2].last; ++k) {
        if (slab_.contains(k)) continue;
        std::copy_n(fine_.u.memory(k), fine_.u.geometry().plane_size(), end_memory(k));
    }
}

double SlabSweep::run() {
    for (Index k = corrected_[2].first; k < corrected_[2].last; ++k) {
        if (tasks_.corrects) {
            correct(k);
            if (first_[2].contains(k - 1)) compute_first_residual(k - 1);
            if (smoothed_[2].contains(k - 2)) smooth(k - 2);
        }
        if (tasks_.evaluates && last_[2].contains(k - 3)) compute_last_residual(k - 3);
        if (tasks_.restricts && (k - 3 + shift_[2]) % 2 == 0) restrict_around(k - 4);
    }
    return sum_;
}

// u = u + Q z, or u = Q z
void SlabSweep::correct(Index k) {
    const auto timed = phases_.phases.enter(phases_.interp);
    const Plane below = coarse_.u.plane((k + shift_[2] - 1) >> 1);
    const Plane above = coarse_.u.plane((k + shift_[2]) >> 1);
    interp(patch(corrected_), below, above, shift_, tasks_.adds_to_u, u(k), space_.rows);
}

// r = rhs - A u
void SlabSweep::compute_first_residual(Index k) {
    const auto timed = phases_.phases.enter(phases_.resid);
    resid(patch(first_), {u(k - 1), u(k), u(k + 1)}, fine_.rhs.plane(k), first_residual(k),
          space_.rows);
}

// u = u + S r
void SlabSweep::smooth(Index k) {
    const auto timed = phases_.phases.enter(phases_.psinv);
    psinv(patch(smoothed_), smoother_,
          {first_residual(k - 1), first_residual(k), first_residual(k + 1)}, u(k), space_.rows);
}

// r = rhs - A u, and the sum of its squares
void SlabSweep::compute_last_residual(Index k) {
    {
        const auto timed = phases_.phases.enter(phases_.resid);
        resid(patch(last_), {u(k - 1), u(k), u(k + 1)}, fine_.rhs.plane(k), last_residual(k),
              space_.rows);
    }
    if (!tasks_.squares || !slab_.contains(k)) return;
    const auto timed = phases_.phases.enter(phases_.norm);
    sum_ += sum_of_squares(owned(fine_.axes(), 0), last_residual(k));
}

// s = P r in the coarse plane that lies on the fine plane k
void SlabSweep::restrict_around(Index k) {
    if (!slab_.contains(k)) return;
    const auto timed = phases_.phases.enter(phases_.rprj3);
    rprj3(owned(fine_.axes(), 0), {last_residual(k - 1), last_residual(k), last_residual(k + 1)},
          shift_, coarse_.rhs.plane((k + shift_[2]) >> 1), space_.rows);
}

}  // namespace heorot::mg
