// Operations on one integer in the memory of another rank: fetch_and_op, compare_and_swap.
#pragma once

#include <cstdint>

#include "benchmarks/messages/one_sided/window.hpp"
#include "harness/program.hpp"

namespace heorot::one_sided {

/// Measures and verifies MPI_Fetch_and_op between the two ends. **Collective** over the job.
void fetch_and_op(Program& program, const Communicator& ends, bool plays, Epoch epoch,
                  Memory memory);
/// The same with MPI_Compare_and_swap.
void compare_and_swap(Program& program, const Communicator& ends, bool plays, Epoch epoch,
                      Memory memory);

/// The operations by which many ranks may add to the same number at once.
enum class Atomic { accumulate, fetch_and_op, compare_and_swap };

/// All ranks, the target too, add to the same numbers at once by this operation; checks the sums.
/// **Collective** over world().
void verify_concurrent(Program& program, Atomic operation, Epoch epoch, Memory memory);

}  // namespace heorot::one_sided
