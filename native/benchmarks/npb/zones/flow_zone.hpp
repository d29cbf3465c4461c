// Common parts of BT-MZ and SP-MZ: the fields of a zone, its mesh, its norms.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "benchmarks/npb/flow/coefficients.hpp"
#include "benchmarks/npb/flow/field.hpp"
#include "benchmarks/npb/zones/face_exchange.hpp"
#include "benchmarks/npb/zones/zone_grid.hpp"
#include "harness/array.hpp"

namespace heorot::zones {

/// Extent of a zone as the solvers of single grids want it.
inline Extent extent_of(const Zone& zone) {
    return {static_cast<int>(zone.nx), static_cast<int>(zone.ny), static_cast<int>(zone.nz)};
}

/// Points of the longest line along any direction.
int longest_line(std::span<const Zone> zones);

/// The width of meshes in all zones of BT-MZ and SP-MZ, whatever their sizes: that of a zone of
/// mean size that fills the unit cube, (number of zones) / (number of points - 1).
flow::Spacing mean_spacing(const ZoneGrid::Shape& shape);

/// Memory for a field that need not outlive the step of a zone, such as rhs: one for each lane.
class ScratchField {
  public:
    /// For any of `zones`.
    explicit ScratchField(std::span<const Zone> zones);
    /// The field for one of them.
    flow::Field on(const Box& box) { return {box, memory_.span()}; }

  private:
    Array<double> memory_;
};

/// The fields of one zone. Its boundaries in x and y are exchanged between steps.
struct FlowZone {
    using Norms = std::array<double, std::size_t{2} * flow::n_components>;

    FlowZone(const Zone& zone, const flow::Coefficients& coefficients, ScratchField& scratch);

    /// Root mean squares of forcing + K(u), then of u - exact solution, five each.
    Norms norms(const flow::Coefficients& coefficients, ScratchField& scratch) const;

    flow::Field u, forcing;
};

/// How FaceExchange gets at u.
inline constexpr auto u_at = [](FlowZone& zone, Index i, Index j, Index k) -> Components {
    return {&zone.u(0, i, j, k), zone.u.layout().component()};
};

}  // namespace heorot::zones
