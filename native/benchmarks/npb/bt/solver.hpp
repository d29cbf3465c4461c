// The BT method on the tiles of a rank: fields, time step, sweeps from tile to tile, norms.
#pragma once

#include <span>
#include <vector>

#include "benchmarks/npb/bt/sweep.hpp"
#include "benchmarks/npb/bt/tile_lines.hpp"
#include "benchmarks/npb/flow/coefficients.hpp"
#include "benchmarks/npb/flow/exchange.hpp"
#include "benchmarks/npb/flow/field.hpp"
#include "benchmarks/npb/flow/rhs.hpp"
#include "benchmarks/npb/flow/step_phases.hpp"
#include "benchmarks/npb/work.hpp"
#include "harness/measure/phases.hpp"
#include "harness/world/communicator.hpp"
#include "numerics/tiles.hpp"

namespace heorot::bt {

/// As in the specification, the solution is added to the field in a part of its own.
struct StepPhases : flow::StepPhases {
    explicit StepPhases(Phases& all) : flow::StepPhases(all), add(all.add("add")) {}
    Phase add;
};

/// Work of a time step: compute_rhs, three solves, add.
inline Work work_of_step(const flow::Interior& interior) {
    const double of_point = flow::rhs_flops + 3.0 * solve_flops_of_cell + flow::add_flops;
    return {.flops = of_point * interior.points + solve_flops_of_line * interior.lines,
            .bytes = 5.0 * flow::three_fields_bytes * interior.points};
}

/// All tiles of a rank.
class Solver {
  public:
    /// **Collective.** `world` and `phases` must outlive it.
    Solver(const Multipartition& partition, double dt, const Communicator& world, Phases& phases,
           int n_threads);

    /// u = initial field on all tiles.
    void initialise();
    /// One time step. **Collective.**
    void step();
    /// Root mean square of u - exact solution, of each component. **Collective.**
    flow::Five error_norm() const;
    /// Root mean square of the rhs of the present u, divided by dt. **Collective.**
    flow::Five rhs_norm();

  private:
    void compute_rhs();
    void solve(int direction);

    const Multipartition& partition_;
    const Communicator& world_;
    StepPhases phases_;
    flow::Coefficients coefficients_;
    std::vector<flow::Field> u_, rhs_, forcing_;
    flow::GhostExchange exchange_;
    Workspace workspace_;
    Sweep sweep_;
};

}  // namespace heorot::bt
