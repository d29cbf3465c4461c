// The frame of the multi-zone benchmarks: layout, predictions, checks.
#include "benchmarks/npb/zones/multi_zone.hpp"

#include "benchmarks/npb/published.hpp"

namespace heorot::zones {

namespace {

std::vector<double> costs_of(const ZoneGrid& grid, const OperationCount& operations) {
    std::vector<double> costs;
    costs.reserve(static_cast<std::size_t>(grid.n_zones()));
    for (int id = 0; id < grid.n_zones(); ++id) costs.push_back(operations.of(grid.zone(id)));
    return costs;
}

Schedule::Team team_of(Program& program, const ProblemClass& problem) {
    const int n_ranks = program.world().size();
    const int n_zones = problem.shape.x_zones * problem.shape.y_zones;
    if (n_ranks > n_zones) {
        const std::string count = std::to_string(n_zones);
        program.cannot_run("class " + std::string(problem.name) + " has " + count +
                           " zones, too few for " + std::to_string(n_ranks) +
                           " ranks; the nearest count that can is " + count);
    }
    return {n_ranks, program.world().rank(), program.n_threads()};
}

void check(Program& program, const Region& region, const std::string& what,
           std::span<const double> norms, std::span<const double> published) {
    constexpr double tolerance = 1e-8;
    for (std::size_t m = 0; m < published.size(); ++m) {
        std::string name = what;
        if (published.size() > 1) name.append(1, ' ').append(std::to_string(m + 1));
        program.check(region, name + ", relative deviation",
                      relative_deviation(norms[m], published[m]), tolerance);
    }
}

}  // namespace

double OperationCount::of(const Zone& zone) const {
    const auto x = static_cast<double>(zone.nx);
    const auto y = static_cast<double>(zone.ny);
    const auto z = static_cast<double>(zone.nz);
    return cubic * x * y * z - square * (x * y + x * z + y * z) / 3.0 + linear * (x + y + z) / 3.0 -
           constant;
}

Frame::Frame(Program& program, const ProblemClass& problem, const OperationCount& operations,
             ThreadsOver choice)
    : grid_(problem.shape),
      costs_(costs_of(grid_, operations)),
      schedule_(grid_, costs_, team_of(program, problem), choice),
      threads_per_lane_(schedule_.is_over_zones() ? 1 : program.n_threads()) {
    program.note("zones", grid_.n_zones());
    program.note("zones_per_rank_max", schedule_.ranks().largest_bin());
    // Mean / largest load, of ranks and of all cores.
    program.note("predicted_rank_balance", 1.0 / schedule_.rank_imbalance());
    program.note("predicted_balance", 1.0 / schedule_.thread_imbalance());
    program.note("threads_over", schedule_.is_over_zones() ? "zones" : "points");
    program.note("exchanged_bytes_per_step",
                 Index{8} * flow::n_components * n_cut_points(grid_, schedule_.ranks()));
}

Work work_of_step(const ZoneGrid& grid, const OperationCount& operations,
                  Work (*of_zone)(const flow::Interior& interior)) {
    Work work;
    for (int id = 0; id < grid.n_zones(); ++id) {
        const Zone& zone = grid.zone(id);
        const auto interior =
            flow::Interior::of(static_cast<double>(zone.nx), static_cast<double>(zone.ny),
                               static_cast<double>(zone.nz));
        work.operations += operations.of(zone);
        work.flops += of_zone(interior).flops;
        // A zone has its fields in the cache from the beginning of a step to its end: u, forcing;
        // u.
        work.bytes += flow::three_fields_bytes * interior.points;
    }
    return work;
}

std::vector<Zone> Frame::zones() const {
    std::vector<Zone> zones;
    zones.reserve(schedule_.mine().size());
    for (const int id : schedule_.mine()) zones.push_back(grid_.zone(id));
    return zones;
}

void check_norms(Program& program, const Region& region, std::span<const double> norms,
                 const ProblemClass& problem) {
    const std::size_t n = problem.residual.size();
    check(program, region, "residual", norms.first(n), problem.residual);
    check(program, region, "solution error", norms.subspan(n, n), problem.error);
    if (norms.size() > 2 * n) {
        check(program, region, "surface integral", norms.last(1), std::span(&problem.surface, 1));
    }
}

}  // namespace heorot::zones
