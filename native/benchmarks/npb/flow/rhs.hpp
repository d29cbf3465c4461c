// The right-hand side of the flow equations: central differences with fourth-order dissipation.
#pragma once

#include "benchmarks/npb/flow/coefficients.hpp"
#include "benchmarks/npb/flow/field.hpp"

namespace heorot::flow {

/// Flops of compute_rhs (u, forcing; rhs) and of add (r, u; u) of an interior point.
constexpr double rhs_flops = 412.0;
constexpr double add_flops = 5.0;

/// rhs = scale (forcing + K(u)) on the interior points of local planes k_begin <= k < k_end, where
/// K is the spatial operator: convective and viscous fluxes in central differences, minus the
/// fourth-order dissipation with its one-sided forms at the two points next to each wall of the
/// grid. `scale` is dt in SP and BT; in LU, which multiplies by dt later, 1.
///
/// Reads u on the planes, on their neighbours and ghosts (two deep), walls included; no other
/// field. Writes whole groups of 8 points, see Layout: rhs on walls and ghosts in x is garbage
/// afterwards. rhs and forcing may be the same field. One thread; no state: planes may be computed
/// by different threads at the same time. Precondition: box.first(2) <= k_begin, k_end <=
/// box.last(2); all three fields have the same box.
/// Source: RNR-94-007, chapter 3 (spatial discretisation), with the viscous terms as
/// differences of what is evaluated at the points.
void compute_rhs_planes(const Field& u, const Field& forcing, const Coefficients& coefficients,
                        double scale, Field& rhs, int k_begin, int k_end);

/// The same on all interior planes, threads sharing them.
void compute_rhs(const Field& u, const Field& forcing, const Coefficients& coefficients,
                 double scale, Field& rhs);

/// forcing = -K(exact solution) at the interior points, zero elsewhere, so that the exact solution
/// is stationary to rounding. `scratch` is any field of the same box; it holds the exact solution
/// afterwards. Interior points of neighbouring tiles and points outside a zone sit at i h.
void set_forcing(Field& forcing, const Coefficients& coefficients, Field& scratch);

/// u += r on the interior points, threads sharing the planes.
void add(const Field& r, Field& u);

}  // namespace heorot::flow
