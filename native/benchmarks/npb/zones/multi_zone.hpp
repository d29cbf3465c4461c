// The frame of the multi-zone benchmarks: classes, zones of this rank, exchange, published norms.
#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/npb/flow/coefficients.hpp"
#include "benchmarks/npb/work.hpp"
#include "benchmarks/npb/zones/face_exchange.hpp"
#include "benchmarks/npb/zones/schedule.hpp"
#include "benchmarks/npb/zones/zone_grid.hpp"
#include "harness/program.hpp"

namespace heorot::zones {

/// One class of a benchmark and what must come out: sums over all zones of the root mean squares
/// of the residual and of the error of the solution, in LU-MZ also of the surface integral.
struct ProblemClass {
    const char* name;
    ZoneGrid::Shape shape;
    double dt;
    int n_steps;
    flow::Five residual, error;
    double surface = 0.0;
};

/// A benchmark's own count of operations of a zone and step: cubic n^3 - square n^2 + linear n -
/// constant, where n^3 = nx ny nz, n^2 = (nx ny + nx nz + ny nz) / 3, n = (nx + ny + nz) / 3.
struct OperationCount {
    double cubic, square, linear, constant;
    double of(const Zone& zone) const;
};

/// The work of a step of all zones, from that of one zone.
Work work_of_step(const ZoneGrid& grid, const OperationCount& operations,
                  Work (*of_zone)(const flow::Interior& interior));

/// The assignment of zones to ranks and threads: the same on every rank.
class Frame {
  public:
    /// Notes what is predicted. Ends the program if there are more ranks than zones.
    /// **Collective.**
    Frame(Program& program, const ProblemClass& problem, const OperationCount& operations,
          ThreadsOver choice);

    const ZoneGrid& grid() const { return grid_; }
    const Schedule& schedule() const { return schedule_; }
    /// One Lane(arguments..., threads) for each lane of the schedule: what the zones that are
    /// worked on one after the other share, and how many threads work on a zone.
    template <class Lane, class... Arguments>
    std::vector<Lane> make_lanes(const Arguments&... arguments) const;
    /// The zones of this rank.
    std::vector<Zone> zones() const;

  private:
    ZoneGrid grid_;
    std::vector<double> costs_;  // operations of a step, by zone
    Schedule schedule_;
    int threads_per_lane_;
};

template <class Lane, class... Arguments>
std::vector<Lane> Frame::make_lanes(const Arguments&... arguments) const {
    std::vector<Lane> lanes;
    lanes.reserve(schedule_.n_lanes());
    for (std::size_t lane = 0; lane < schedule_.n_lanes(); ++lane) {
        lanes.emplace_back(arguments..., threads_per_lane_);
    }
    return lanes;
}

/// The zones of this rank, each with a solver.
template <class Solver>
class Zones {
  public:
    /// make(zone, lane) -> std::unique_ptr<Solver>, called by the thread that will work on it.
    template <class Make>
    Zones(const Frame& frame, int rank, const Make& make);

    Solver& operator[](std::size_t z) { return *solvers_[z]; }
    /// action(z, lane) for every zone z of this rank, see Schedule::for_each_zone.
    template <class Action>
    void for_each(const Action& action) const {
        schedule_.for_each_zone(action);
    }
    /// Takes over what will be boundary values, see FaceExchange; at(solver, i, j, k) returns the
    /// Components of a point. **Collective.**
    template <class At>
    void collect_faces(const Communicator& ranks, const At& at);
    /// Sets the boundary values of zone z.
    template <class At>
    void set_boundary(std::size_t z, const At& at);
    /// Sum over all zones of all ranks of values(solver, lane), an array. **Collective.**
    template <class Array, class Values>
    Array sum(const Communicator& ranks, const Values& values);

  private:
    const Schedule& schedule_;
    FaceExchange faces_;
    std::vector<std::size_t> place_;  // in solvers_, by zone
    std::vector<std::unique_ptr<Solver>> solvers_;
};

template <class Solver>
template <class Make>
Zones<Solver>::Zones(const Frame& frame, int rank, const Make& make)
    : schedule_(frame.schedule()),
      faces_(frame.grid(), schedule_.ranks().bin_of, rank),
      place_(static_cast<std::size_t>(frame.grid().n_zones())),
      solvers_(schedule_.mine().size()) {
    for (std::size_t z = 0; z < solvers_.size(); ++z) {
        place_[static_cast<std::size_t>(schedule_.mine()[z])] = z;
    }
    // An exception for want of memory must not leave a thread.
    std::exception_ptr failure;
    schedule_.for_each_zone([&](std::size_t z, std::size_t lane) {
        try {
            solvers_[z] = make(frame.grid().zone(schedule_.mine()[z]), lane);
        } catch (...) {
#pragma omp critical
            failure = std::current_exception();
        }
    });
    if (failure) std::rethrow_exception(failure);
}

template <class Solver>
template <class At>
void Zones<Solver>::collect_faces(const Communicator& ranks, const At& at) {
    faces_.collect(ranks, [&](int zone) {
        Solver& solver = *solvers_[place_[static_cast<std::size_t>(zone)]];
        return [&solver, &at](Index i, Index j, Index k) { return at(solver, i, j, k); };
    });
}

template <class Solver>
template <class At>
void Zones<Solver>::set_boundary(std::size_t z, const At& at) {
    Solver& solver = *solvers_[z];
    faces_.set_boundary(schedule_.mine()[z],
                        [&](Index i, Index j, Index k) { return at(solver, i, j, k); });
}

template <class Solver>
template <class Array, class Values>
Array Zones<Solver>::sum(const Communicator& ranks, const Values& values) {
    std::vector<Array> of_zone(solvers_.size());
    schedule_.for_each_zone(
        [&](std::size_t z, std::size_t lane) { of_zone[z] = values(*solvers_[z], lane); });
    Array total = {};
    for (const Array& some : of_zone) {
        for (std::size_t m = 0; m < total.size(); ++m) total[m] += some[m];
    }
    ranks.sum(std::span<double>(total));
    return total;
}

/// Checks the norms of the residual and of the solution error, five each, and, if there is a value
/// more, the surface integral, to the published tolerance of 1e-8. **Collective.**
void check_norms(Program& program, const Region& region, std::span<const double> norms,
                 const ProblemClass& problem);

}  // namespace heorot::zones
