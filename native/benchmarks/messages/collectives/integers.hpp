// Sums of every element type that computers have: whether a library adds right.
#pragma once

#include "benchmarks/messages/collectives/trial.hpp"
#include "harness/program.hpp"

namespace heorot::collectives {

/// Measures and verifies MPI_Allreduce of sums of every type. **Collective.**
void measure_types(Program& program, const Group& group);

}  // namespace heorot::collectives
