// Measures the time steps of an implicit flow solver, without its setup.
#pragma once

#include <string>

#include "benchmarks/npb/work.hpp"
#include "harness/program.hpp"

namespace heorot::flow {

/// The timed part.
struct TimeSteps {
    std::string region;      ///< such as "bt"
    std::string class_name;  ///< of the problem
    int n_steps;
    Work work_of_step;
};

/// Times all steps of a solver as one body; before it, untimed, solver.initialise() restores the
/// fields, and one solver.step() warms up. **Collective.**
template <class Solver>
Region measure_steps(Program& program, const TimeSteps& what, Solver& solver) {
    return program.measure({.region = what.region,
                            .point = {{"class", what.class_name}},
                            .counts = (what.n_steps * what.work_of_step).counts(),
                            .prepare = [&] { solver.initialise(); },
                            .warm_up = [&] { solver.step(); }},
                           [&] {
                               for (int n = 0; n < what.n_steps; ++n) solver.step();
                           });
}

}  // namespace heorot::flow
