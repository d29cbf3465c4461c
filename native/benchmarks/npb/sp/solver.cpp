// The SP solver on one grid: exchange of ghosts, right-hand side, three sweeps.
#include "benchmarks/npb/sp/solver.hpp"

#include <algorithm>

#include "benchmarks/npb/flow/exact.hpp"
#include "benchmarks/npb/flow/rhs.hpp"

namespace heorot::sp {

namespace {

std::vector<flow::Field> make_fields(const Multipartition& partition) {
    std::vector<flow::Field> fields;
    for (const auto& tile : partition.tiles()) fields.emplace_back(tile.box);
    return fields;
}

/// Every rank has to divide the lines in the same way, also with other numbers of threads.
int most_threads(int n_threads, const Communicator& communicator) {
    return static_cast<int>(communicator.maximum(static_cast<double>(n_threads)));
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
      planes_(partition, 2, most_threads(n_threads, communicator)),
      y_layers_(partition, 1, most_threads(n_threads, communicator)),
      x_(partition, u_, r_, coefficients, planes_, under_way_, buffers_),
      y_(partition, u_, r_, coefficients, planes_, under_way_, buffers_),
      z_(partition, u_, r_, coefficients, y_layers_, under_way_, buffers_) {
    for (std::size_t t = 0; t < forcing_.size(); ++t) {
        flow::set_forcing(forcing_[t], coefficients, r_[t]);
    }
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
    if (communicator_.size() == 1) {
        sp::step({u_[0], forcing_[0], r_[0]}, c_, buffers_, phases_);
    } else {
        sweep_tiles();
    }
}

// A part of the planes passes through all of it before z while it is in the cache.
void Solver::sweep_tiles() {
    const bool x_is_whole = partition_.n_slabs(0) == 1;
    const auto nothing = [](int /*t*/, const Layers& /*layers*/) {};
    const auto explicit_part = [&](int t, const Layers& layers) {
        const auto tile = static_cast<std::size_t>(t);
        sp::explicit_part({u_[tile], forcing_[tile], r_[tile]}, c_,
                          x_is_whole ? Whole::x : Whole::none, layers, buffers_, phases_);
    };
    for (int part = 0; part < planes_.n; part += n_under_way) {
        if (!x_is_whole) {
            const auto timed = phases_.phases.enter(phases_.solve[0]);
            x_.run(part, communicator_, explicit_part);
        }
        const auto timed = phases_.phases.enter(phases_.solve[1]);
        if (x_is_whole) {
            y_.run(part, communicator_, explicit_part);
        } else {
            y_.run(part, communicator_, nothing);
        }
    }
    const auto timed = phases_.phases.enter(phases_.solve[2]);
    for (int part = 0; part < y_layers_.n; part += n_under_way) {
        z_.run(part, communicator_, nothing);
    }
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
