// SSOR for the flow equations on one box of a grid: fields, sweeps by several threads, norms.
#pragma once

#include <vector>

#include "benchmarks/npb/lu/field.hpp"
#include "benchmarks/npb/lu/pencils.hpp"
#include "benchmarks/npb/lu/residual.hpp"
#include "benchmarks/npb/lu/scratch.hpp"
#include "benchmarks/npb/lu/sweep.hpp"
#include "benchmarks/npb/work.hpp"
#include "harness/measure/phases.hpp"

namespace heorot::lu {

/// The phases of an iteration, for the harness.
struct TimedPhases {
    explicit TimedPhases(Phases& all)
        : phases(all),
          rhs(all.add("rhs")),
          lower(all.add("lower")),
          upper(all.add("upper")),
          exchange(all.add("exchange")),
          norm(all.add("norm")) {}
    Phases& phases;
    Phase rhs, lower, upper, exchange, norm;
};

/// Over-relaxation factor of the benchmark.
constexpr double omega = 1.2;

/// Work of rhs(): 16 flops for values derived from u of a point, 32 for those of two neighbours
/// whose rows are not in the lanes, 265 for the rest.
inline Work work_of_rhs(const flow::Interior& interior) {
    return {.flops = 313.0 * interior.points,
            .bytes = flow::three_fields_bytes * interior.points};  // u, forcing; residual
}
/// Work of an iteration: residual and lower sweep in one pass, then the upper one.
inline Work work_of_step(const flow::Interior& interior) {
    constexpr double lower_flops = 213.0;
    constexpr double upper_flops = 218.0;
    const Work rhs = work_of_rhs(interior);
    return {.flops = rhs.flops + (lower_flops + upper_flops) * interior.points,
            .bytes = rhs.bytes + flow::three_fields_bytes * interior.points};  // u, v; u
}

/// One box of a grid that is whole in z. Points beyond the box and the walls of the grid are given:
/// the box may be the pencil of a rank, whose Neighbours keep the halo, or a whole zone, whose
/// walls are set through u() between iterations. An iteration is rhs(), lower(), upper(), or
/// rhs_and_lower(), upper(), which is the same in less time.
class Solver {
  public:
    /// `phases` must outlive it.
    Solver(const Box& box, const flow::Coefficients& coefficients, TimedPhases& phases);

    /// The forcing under which the exact solution is stationary. Destroys u.
    void erhs(Scratch& scratch);
    /// setbv and setiv: u of all points, halo and walls included.
    void initialise();

    /// residual = operator applied to u - forcing.
    void rhs(Scratch& scratch);
    /// jacld and blts: v with (D + omega L) v = dt residual takes the residual's place.
    void lower(Scratch& scratch, Neighbours* neighbours = nullptr);
    /// Both, some planes at a time, so that the residual stays in the cache. Checked against one
    /// after the other in tests/npb/flow/test_lu_parallel.cpp: threads_change_nothing.
    void rhs_and_lower(Scratch& scratch, Neighbours* neighbours = nullptr);
    /// jacu and buts: v' with (D + omega U) v' = D v takes the place of v, and
    /// u += v' / (omega (2 - omega)).
    void upper(Scratch& scratch, Neighbours* neighbours = nullptr);

    /// Sum of the squares of the residual over the box, after rhs().
    flow::Five l2norm() const;
    /// Sum of the squares of u - exact solution over the box without walls.
    flow::Five error() const;
    /// This box's share of the surface integral of the pressure.
    double pintgr() const;

    const Box& box() const { return box_; }
    Field& u() { return u_; }
    const Field& u() const { return u_; }
    Field& residual() { return residual_; }
    const Field& residual() const { return residual_; }

  private:
    void make_tables();
    template <class Value>
    void set_u(Value value);
    template <Triangle triangle>
    void sweep(Scratch& scratch, Neighbours* neighbours, bool with_rhs);
    template <Triangle triangle>
    void solve_block(Scratch& scratch, const Edges& row_before, int block, Range planes);
    void rhs_block(Scratch& scratch, int block, Range planes);
    int team_size(const Scratch& scratch) const;
    Range share_of_blocks() const;
    double pressure_at(int i, int j, int k) const;

    Box box_;
    Layout layout_;  // of residual and forcing; u also has the rows around
    flow::Coefficients coefficients_;
    TimedPhases& phases_;
    BlockCoefficients lower_, upper_;
    Range columns_, rows_, planes_;  // that are solved for
    Field u_, residual_, forcing_;
    std::vector<Stencil> x_, y_, z_;  // of every step, block, plane
    std::vector<LaneMask> solved_columns_, solved_rows_;
};

}  // namespace heorot::lu
