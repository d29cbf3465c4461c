// The zones of a rank in BT-MZ and SP-MZ: all but how one zone advances.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "benchmarks/npb/flow/coefficients.hpp"
#include "benchmarks/npb/flow/exact.hpp"
#include "benchmarks/npb/zones/flow_zone.hpp"
#include "benchmarks/npb/zones/multi_zone.hpp"
#include "harness/program.hpp"

namespace heorot::zones {

/// The argument of run_benchmark(), for a method that has
///   StepPhases(Phases&), flow::StepPhases or more;
///   Lines(longest, n_threads), the memory for the lines that a team of threads is working on;
///   advance(zone, rhs, coefficients, lines, phases), one time step of a FlowZone, rhs being
///   scratch.
template <class StepPhases, class Lines, auto advance>
class FlowZones {
  public:
    FlowZones(const Frame& frame, const ProblemClass& problem, Program& program)
        : world_(program.world()),
          phases_(program.phases()),
          coefficients_(mean_spacing(problem.shape), problem.dt),
          lanes_(frame.make_lanes<Lane>(frame.zones())),
          zones_(frame, world_.rank(), [this](const Zone& zone, std::size_t lane) {
              return std::make_unique<FlowZone>(zone, coefficients_, lanes_[lane].rhs);
          }) {}

    void initialise() {
        zones_.for_each(
            [this](std::size_t z, std::size_t) { flow::initialise(zones_[z].u, coefficients_.h); });
    }
    /// One time step of all zones. **Collective.**
    void step();
    /// Sums over all zones of the norms of the residual and of the solution error. **Collective.**
    FlowZone::Norms norms() {
        return zones_.sum<FlowZone::Norms>(world_, [this](FlowZone& zone, std::size_t lane) {
            return zone.norms(coefficients_, lanes_[lane].rhs);
        });
    }

  private:
    // Shared by zones that are worked on one after the other.
    struct Lane {
        Lane(std::span<const Zone> zones, int n_threads)
            : rhs(zones), lines(longest_line(zones), n_threads) {}
        ScratchField rhs;
        Lines lines;
    };

    const Communicator& world_;
    StepPhases phases_;
    flow::Coefficients coefficients_;
    std::vector<Lane> lanes_;
    Zones<FlowZone> zones_;
};

template <class StepPhases, class Lines, auto advance>
void FlowZones<StepPhases, Lines, advance>::step() {
    {
        const auto timed = phases_.phases.enter(phases_.exchange);
        zones_.collect_faces(world_, u_at);
    }
    zones_.for_each([this](std::size_t z, std::size_t lane) {
        {
            const auto timed = phases_.phases.enter(phases_.exchange);
            zones_.set_boundary(z, u_at);
        }
        FlowZone& zone = zones_[z];
        flow::Field rhs = lanes_[lane].rhs.on(zone.u.box());
        advance(zone, rhs, coefficients_, lanes_[lane].lines, phases_);
    });
}

}  // namespace heorot::zones
