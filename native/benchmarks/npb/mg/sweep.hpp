// One pass over a level that applies several operators in a row while planes are in the cache.
//
// Applied one after the other, the operators of a V-cycle read and write a large level from memory
// a dozen times. Here they follow each other at a distance of one plane: when plane k of u has been
// corrected, plane k-1 of r = v - A u can be computed, then plane k-2 of u + S r, then plane k-3 of
// the new residual, and a coarse plane of P r from three of these. Of the residuals only the last
// three planes are kept, so that u is read and written and v read once each.
//
// Each thread does this with a slab of planes. It copies u next to its slab before any thread
// writes, and repeats the work of its neighbours there. Ranks do likewise with ghost points, which
// are therefore that deep.
//
// Checked against the recursive V-cycle, operator by operator on whole cubes, in
// tests/npb/test_mg.cpp: check_cycles.
#pragma once

#include <array>

#include "benchmarks/npb/mg/operators.hpp"
#include "harness/measure/phases.hpp"

namespace heorot::mg {

/// The phases of the benchmark that are timed each for itself.
struct TimedPhases {
    Phases& phases;
    Phase resid, psinv, rprj3, interp, exchange, norm;
};

/// One level: the solution and the right-hand side, with r = rhs - A u.
struct Level {
    explicit Level(const Axes& axes) : u(axes), rhs(axes) {}
    const Axes& axes() const { return u.axes(); }
    Field u;
    Field rhs;
};

/// Operators of a pass over a level.
struct Tasks {
    bool adds_to_u = false;  ///< u = u + Q z instead of u = Q z
    bool corrects = false;   ///< interpolate the coarse solution and smooth
    bool evaluates = false;  ///< compute the residual of the result
    bool squares = false;    ///< sum up the squares of that residual
    bool restricts = false;  ///< and make the coarser level's right-hand side of it
};

/// Memory of one thread: a few planes and rows of the given sizes.
class Workspace {
  public:
    Workspace(Index plane_size, Index n_row);

    RowBuffers rows;
    Array<double> ends;        ///< planes of u beyond both ends of a slab
    Array<double> first_ring;  ///< planes of the residual that is smoothed
    Array<double> last_ring;   ///< planes of the residual of the result
};

/// One thread's pass over its slab.
class SlabSweep {
  public:
    /// Planes of u beyond the end of a slab that its owner needs.
    static constexpr Index reach = 4;

    SlabSweep(Level& fine, Level& coarse, const Stencil& smoother, const Tasks& tasks, Range slab,
              Workspace& space, TimedPhases& phases);

    /// Copies planes that other threads will write. All threads do this before any calls run().
    void copy_ends();
    /// Returns the sum of squares of the slab, if that is one of the tasks.
    double run();

  private:
    using Box = std::array<Range, 3>;

    Patch patch(const Box& box) const;
    Plane u(Index k);
    double* end_memory(Index k);
    Plane first_residual(Index k) { return in_ring(space_.first_ring, k); }
    Plane last_residual(Index k) { return in_ring(space_.last_ring, k); }
    Plane in_ring(Array<double>& ring, Index k) const;

    void correct(Index k);
    void compute_first_residual(Index k);
    void smooth(Index k);
    void compute_last_residual(Index k);
    void restrict_around(Index k);

    Level& fine_;
    Level& coarse_;
    const Stencil& smoother_;
    Tasks tasks_;
    Range slab_;
    Shift shift_;
    // Output of each operator: its own part, and the points around it that the next ones need.
    Box last_, smoothed_, first_, corrected_;
    Workspace& space_;
    TimedPhases& phases_;
    double sum_ = 0.0;
};

}  // namespace heorot::mg
