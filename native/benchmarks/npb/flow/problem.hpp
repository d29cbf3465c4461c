// Published values of the programs LU, SP and BT, and the division of SP and BT into tiles.
#pragma once

#include <string>

#include "benchmarks/npb/flow/coefficients.hpp"
#include "harness/program.hpp"
#include "numerics/tiles.hpp"

namespace heorot::flow {

/// One class of a benchmark on n^3 points, and what must come out: root mean squares of the
/// residual and of the error of the solution, in LU also the surface integral of the pressure.
struct ProblemClass {
    const char* name;
    int n;
    int n_steps;
    double dt;
    Five residual, error;
    double surface_integral = 0.0;

    Extent grid() const { return {n, n, n}; }
};

/// Distributes tiles of a grid to the ranks. Ends the program, with `reason`, if they would be less
/// than two points thick. **Collective.**
inline Multipartition cut_into_tiles(Program& program, const Extent& grid,
                                     const std::string& reason) {
    const Communicator& world = program.world();
    if (!Multipartition::fits(grid, world.size())) {
        program.cannot_run(reason + "; the nearest count that can is " +
                           std::to_string(Multipartition::nearest_that_fits(grid, world.size())));
    }
    return {grid, world.size(), world.rank()};
}

}  // namespace heorot::flow
