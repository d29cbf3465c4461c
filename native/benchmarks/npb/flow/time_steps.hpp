// Measuring the time steps of an implicit flow solver: what is timed, and what is not.
#pragma once

#include <string>

#include "harness/program.hpp"

namespace heorot::flow {

/// The work that a benchmark publishes for all its time steps together.
struct TimeSteps {
    std::string region;      ///< such as "bt"
    std::string class_name;  ///< of the problem
    int n_steps;
    double n_operations;  ///< flops of all steps
};

/// Times all steps of a solver as one body; before it, untimed, solver.initialise() restores the
/// fields, and one solver.step() warms up. **Collective.**
template <class Solver>
Region measure_steps(Program& program, const TimeSteps& what, Solver& solver) {
    return program.measure({.region = what.region,
                            .point = {{"class", what.class_name}},
                            .counts = {{"flops", what.n_operations}},
                            .prepare = [&] { solver.initialise(); },
                            .warm_up = [&] { solver.step(); }},
                           [&] {
                               for (int n = 0; n < what.n_steps; ++n) solver.step();
                           });
}

}  // namespace heorot::flow
