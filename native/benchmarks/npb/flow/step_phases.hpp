// The phases of a time step of BT and SP.
#pragma once

#include <array>

#include "harness/measure/phases.hpp"

namespace heorot::flow {

/// The parts of a time step, named as in the specification.
struct StepPhases {
    /// `all` must outlive it.
    explicit StepPhases(Phases& all)
        : phases(all),
          exchange(all.add("exchange")),
          compute_rhs(all.add("compute_rhs")),
          solve{all.add("x_solve"), all.add("y_solve"), all.add("z_solve")} {}

    Phases& phases;
    Phase exchange, compute_rhs;
    std::array<Phase, 3> solve;  ///< by direction
};

}  // namespace heorot::flow
