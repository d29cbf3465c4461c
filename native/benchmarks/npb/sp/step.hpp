// One time step on a box that this rank has to itself: a whole grid, a zone, or a tile in part.
#pragma once

#include <algorithm>

#include "benchmarks/npb/flow/coefficients.hpp"
#include "benchmarks/npb/flow/field.hpp"
#include "benchmarks/npb/flow/rhs.hpp"
#include "benchmarks/npb/flow/step_phases.hpp"
#include "benchmarks/npb/sp/sweep.hpp"
#include "benchmarks/npb/work.hpp"
#include "harness/array.hpp"

namespace heorot::sp {

using flow::StepPhases;

/// Work of a time step. A sweep is a multiplication with eigenvectors, three pentadiagonal systems
/// with five right-hand sides, and another multiplication; the last one adds to u. A plane passes
/// through all but the sweep in z while it is in the cache.
inline Work work_of_step(const flow::Interior& interior) {
    constexpr double x_flops = 64.0 + 88.0 + 7.0;
    constexpr double y_flops = 38.0 + 88.0 + 7.0;
    constexpr double z_flops = 38.0 + 88.0 + 64.0;
    return {.flops = (flow::rhs_flops + x_flops + y_flops + z_flops) * interior.points,
            .bytes = 2.0 * flow::three_fields_bytes * interior.points};  // u, forcing; r; u, r; u
}

/// Workspace of the sweeps: for each thread a group of lines.
class LineBuffers {
  public:
    /// For lines of up to n points and up to `n_threads` threads.
    LineBuffers(Index n, int n_threads);

    int n_threads() const { return n_threads_; }
    /// Row 0 of the calling thread's group. Called within a team of n_threads() threads at most.
    Row* mine();

  private:
    Index stride_;
    int n_threads_;
    Array<Row> rows_;
};

/// The fields of one box. `u` is advanced, `r` is scratch.
struct Fields {
    flow::Field& u;
    const flow::Field& forcing;
    flow::Field& r;
};

/// How many of the directions x, y, z have lines from wall to wall in a box.
enum class Whole { none = 0, x = 1, xy = 2 };

/// The planes begin <= k < end of a box, counted from the first interior one.
struct Layers {
    Index begin;
    Index end;
};

/// r = dt (forcing + K(u)) on some planes of constant z and the sweeps in the directions whose
/// lines are whole, plane by plane, so that each passes through all of it while it is in the cache.
void explicit_part(const Fields& fields, const flow::Coefficients& c, Whole whole,
                   const Layers& layers, LineBuffers& buffers, StepPhases& phases);
/// A time step of a box whose lines are whole in all directions.
void step(const Fields& fields, const flow::Coefficients& c, LineBuffers& buffers,
          StepPhases& phases);

}  // namespace heorot::sp
