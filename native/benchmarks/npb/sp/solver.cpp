// The SP solver on one grid: exchange of ghosts, right-hand side, three sweeps.
#include "benchmarks/npb/sp/solver.hpp"

#include <algorithm>

#include "numerics/flow/exact.hpp"
#include "numerics/flow/rhs.hpp"

namespace heorot::sp {

namespace {

std::vector<flow::Field> make_fields(const Multipartition& partition) {
    std::vector<flow::Field> fields;
    for (const auto& tile : partition.tiles()) fields.emplace_back(tile.box);
    return fields;
}

Index longest(const Extent& grid) {
    return *std::max_element(grid.begin(), grid.end());
}

}  // namespace

Solver::Solver(const Multipartition& partition, const flow::Coefficients& coefficients,
               const Communicator& communicator, StepPhases& phases, int n_threads)
    : partition_(partition),
      c_(coefficients),
      communicator_(communicator),
      phases_(phases),
      u_(make_fields(partition)),
      r_(make_fields(partition)),
      forcing_(make_fields(partition)),
      ghosts_(partition),
      buffers_(longest(partition.grid()), n_threads),
      x_(partition, u_, r_, coefficients),
      y_(partition, u_, r_, coefficients),
      z_(partition, u_, r_, coefficients) {
    for (std::size_t t = 0; t < forcing_.size(); ++t) {
        flow::set_forcing(forcing_[t], coefficients, r_[t]);
    }
    std::size_t n_rows = 0;
    if (partition.n_slabs(0) > 1) n_rows = std::max(n_rows, x_.n_rows());
    if (partition.n_slabs(1) > 1) n_rows = std::max(n_rows, y_.n_rows());
    if (partition.n_slabs(2) > 1) n_rows = std::max(n_rows, z_.n_rows());
    rows_ = Array<Row>(n_rows);
}

void Solver::initialise() {
    for (auto& u : u_) flow::initialise(u, c_.h);
}

void Solver::exchange() {
    const auto timed = phases_.phases.enter(phases_.exchange);
    ghosts_.start(u_, communicator_);
    ghosts_.finish(u_, communicator_);
}

void Solver::step() {
    exchange();
    const bool x_is_whole = partition_.n_slabs(0) == 1;
    const bool y_is_whole = partition_.n_slabs(1) == 1;
    const Whole whole = !x_is_whole ? Whole::none : !y_is_whole ? Whole::x : Whole::xy;
    for (std::size_t t = 0; t < u_.size(); ++t) {
        explicit_part({u_[t], forcing_[t], r_[t]}, c_, whole, buffers_, phases_);
    }
    if (!x_is_whole) {
        const auto timed = phases_.phases.enter(phases_.solve[0]);
        x_.run(rows_.span(), communicator_);
    }
    if (y_is_whole) {
        z_solve({u_[0], forcing_[0], r_[0]}, c_, buffers_, phases_);
        return;
    }
    {
        const auto timed = phases_.phases.enter(phases_.solve[1]);
        y_.run(rows_.span(), communicator_);
    }
    const auto timed = phases_.phases.enter(phases_.solve[2]);
    z_.run(rows_.span(), communicator_);
}

flow::Five Solver::residual() {
    exchange();
    flow::Five sum = {};
    for (std::size_t t = 0; t < u_.size(); ++t) {
        flow::compute_rhs(u_[t], forcing_[t], c_, 1.0, r_[t]);
        const auto squares = flow::squares(r_[t]);
        for (std::size_t m = 0; m < sum.size(); ++m) sum[m] += squares[m];
    }
    communicator_.sum(std::span<double>(sum));
    return flow::root_mean_square(sum, partition_.grid());
}

flow::Five Solver::error() const {
    flow::Five sum = {};
    for (const auto& u : u_) {
        const auto squares = flow::error_squares(u, c_.h);
        for (std::size_t m = 0; m < sum.size(); ++m) sum[m] += squares[m];
    }
    communicator_.sum(std::span<double>(sum));
    return flow::root_mean_square(sum, partition_.grid());
}

}  // namespace heorot::sp
