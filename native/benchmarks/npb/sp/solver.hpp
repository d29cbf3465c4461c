// The SP solver on one grid, cut into tiles over the ranks.
#pragma once

#include <span>
#include <vector>

#include "benchmarks/npb/flow/coefficients.hpp"
#include "benchmarks/npb/flow/exchange.hpp"
#include "benchmarks/npb/flow/field.hpp"
#include "benchmarks/npb/sp/pipeline.hpp"
#include "benchmarks/npb/sp/step.hpp"
#include "harness/array.hpp"
#include "harness/measure/phases.hpp"
#include "harness/world/communicator.hpp"
#include "numerics/tiles.hpp"

namespace heorot::sp {

/// Beam-Warming approximate factorisation in diagonalised form:
///   T_x P_x (T_x^-1 T_y) P_y (T_y^-1 T_z) P_z T_z^-1 (u(n+1) - u(n)) = dt (forcing + K(u(n))),
/// where each P is pentadiagonal for every eigenvalue of the Jacobian.
/// Source: T. H. Pulliam, D. S. Chaussee, A diagonal form of an implicit approximate-factorization
/// algorithm, J. Comp. Phys. 39 (1981); RNR-94-007, section 3.5.
class Solver {
  public:
    /// The arguments must outlive the solver. **Collective.**
    Solver(const Multipartition& partition, const flow::Coefficients& coefficients,
           const Communicator& communicator, StepPhases& phases, int n_threads);

    /// The initial field.
    void initialise();
    /// One time step. **Collective.**
    void step();
    /// Root mean squares of forcing + K(u) over the interior points. **Collective.**
    flow::Five residual();
    /// Root mean squares of the distance from the exact solution. **Collective.**
    flow::Five error() const;

    /// The tiles' fields: u.
    std::span<flow::Field> fields() { return u_; }

  private:
    void exchange();
    void sweep_tiles();

    const Multipartition& partition_;
    const flow::Coefficients& c_;
    const Communicator& communicator_;
    StepPhases& phases_;
    std::vector<flow::Field> u_;
    std::vector<flow::Field> r_;
    std::vector<flow::Field> forcing_;
    flow::GhostExchange ghosts_;
    LineBuffers buffers_;
    Parts planes_;    // of constant z
    Parts y_layers_;  // planes of constant y
    PipelineBuffers under_way_;
    Pipeline<0> x_;
    Pipeline<1> y_;
    Pipeline<2> z_;
};

}  // namespace heorot::sp
