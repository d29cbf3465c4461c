// The BT method: one time step, and the continuation of sweeps from tile to tile.
#include "benchmarks/npb/bt/solver.hpp"

#include <algorithm>

#include "benchmarks/npb/flow/exact.hpp"
#include "benchmarks/npb/flow/rhs.hpp"

namespace heorot::bt {

using flow::Field;
using flow::Five;

namespace {

int longest_line(const Multipartition& partition) {
    int longest = 0;
    for (const auto& tile : partition.tiles()) {
        for (int d = 0; d < 3; ++d) longest = std::max(longest, tile.box.size(d));
    }
    return longest;
}

std::vector<Field> fields_of(const Multipartition& partition) {
    std::vector<Field> fields;
    for (const auto& tile : partition.tiles()) fields.emplace_back(tile.box);
    return fields;
}

std::size_t as_size(int n) {
    return static_cast<std::size_t>(n);
}

/// Norm of a vector that is distributed over the ranks.
Five norm(Five sum, const Extent& grid, const Communicator& world) {
    world.sum(std::span<double>(sum));
    return flow::root_mean_square(sum, grid);
}

void accumulate(Five& sum, const Five& more) {
    for (std::size_t m = 0; m < flow::n_components; ++m) sum[m] += more[m];
}

}  // namespace

Solver::Solver(const Multipartition& partition, double dt, const Communicator& world,
               Phases& phases, int n_threads)
    : partition_(partition),
      world_(world),
      phases_(phases),
      coefficients_(flow::unit_spacing(partition.grid()), dt),
      u_(fields_of(partition)),
      rhs_(fields_of(partition)),
      forcing_(fields_of(partition)),
      exchange_(partition),
      workspace_(longest_line(partition), n_threads),
      sweep_(partition, world) {
    for (std::size_t t = 0; t < u_.size(); ++t) {
        flow::set_forcing(forcing_[t], coefficients_, rhs_[t]);
    }
}

void Solver::initialise() {
    for (Field& u : u_) flow::initialise(u, coefficients_.h);
}

void Solver::compute_rhs() {
    {
        const auto timed = phases_.phases.enter(phases_.exchange);
        exchange_.start(u_, world_);
        exchange_.finish(u_, world_);
    }
    const auto timed = phases_.phases.enter(phases_.compute_rhs);
    for (std::size_t t = 0; t < u_.size(); ++t) {
        flow::compute_rhs(u_[t], forcing_[t], coefficients_, coefficients_.dt, rhs_[t]);
    }
}

void Solver::step() {
    compute_rhs();
    for (int d = 0; d < 3; ++d) {
        const auto timed = phases_.phases.enter(phases_.solve[as_size(d)]);
        solve(d);
    }
    const auto timed = phases_.phases.enter(phases_.add);
    for (std::size_t t = 0; t < u_.size(); ++t) flow::add(rhs_[t], u_[t]);
}

void Solver::solve(int direction) {
    const LineOperator op(coefficients_, direction);
    if (partition_.n_slabs(direction) > 1) {
        sweep_.solve(op, direction, u_, rhs_, workspace_);
        return;
    }
    for (std::size_t t = 0; t < u_.size(); ++t) {
        bt::solve(op, direction, u_[t], rhs_[t], workspace_);
    }
}

Five Solver::error_norm() const {
    Five sum = {};
    for (const Field& u : u_) accumulate(sum, flow::error_squares(u, coefficients_.h));
    return norm(sum, partition_.grid(), world_);
}

Five Solver::rhs_norm() {
    compute_rhs();
    Five sum = {};
    for (const Field& rhs : rhs_) accumulate(sum, flow::squares(rhs));
    Five result = norm(sum, partition_.grid(), world_);
    for (double& value : result) value /= coefficients_.dt;
    return result;
}

}  // namespace heorot::bt
