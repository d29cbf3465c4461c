// A multi-zone benchmark from its options to its checks: the same five steps for all solvers.
#pragma once

#include <span>
#include <string>

#include "benchmarks/npb/flow/time_steps.hpp"
#include "benchmarks/npb/published.hpp"
#include "benchmarks/npb/zones/multi_zone.hpp"
#include "harness/program.hpp"

namespace heorot::zones {

/// Published facts of a program.
struct Benchmark {
    const char* name;  ///< such as "bt_mz", also of the region
    std::span<const ProblemClass> classes;
    double words;                                          ///< held for each point
    OperationCount operations;                             ///< of one zone and step
    Work (*work_of_step)(const flow::Interior& interior);  ///< what is really done there
};

/// Runs a Solver(frame, problem, program) of the zones of this rank. It has initialise(), step()
/// and norms(), an array that check_norms() takes; the latter two are collective.
/// **Collective.**
template <class Solver>
void run_benchmark(Program& program, const Benchmark& benchmark) {
    // 1. Options
    const auto name = choose_class(
        program, benchmark.classes,
        [&](const ProblemClass& one) {
            return 8.0 * benchmark.words *
                   static_cast<double>(one.shape.nx * one.shape.ny * one.shape.nz);
        },
        [&](const ProblemClass& one) {
            const Work step =
                work_of_step(ZoneGrid(one.shape), benchmark.operations, benchmark.work_of_step);
            return (one.n_steps * step).counts();
        });
    const auto sharing =
        program.option("threads_over", "auto", "what threads share: zones, points or auto");
    program.start();

    // 2. Problem
    const ProblemClass& problem = find_class(benchmark.classes, name);
    const Frame frame(program, problem, benchmark.operations, threads_over(sharing));
    Solver solver(frame, problem, program);

    // 3. Measure
    const auto region = flow::measure_steps(
        program,
        {benchmark.name, name, problem.n_steps,
         work_of_step(frame.grid(), benchmark.operations, benchmark.work_of_step)},
        solver);
    auto norms = solver.norms();
    program.corruptible(std::span<double>(norms));

    // 4. Verify
    check_norms(program, region, norms, problem);
}  // 5. Report: what was measured and checked is on record

}  // namespace heorot::zones
