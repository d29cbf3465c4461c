// The exact solution of the flow benchmarks, the initial field interpolated from it, the error.
#pragma once

#include "benchmarks/npb/flow/coefficients.hpp"
#include "benchmarks/npb/flow/field.hpp"

namespace heorot::flow {

/// The prescribed solution at the point (xi, eta, zeta): per component a polynomial of degree 4 in
/// each coordinate. Source: RNR-94-007, chapter 3, with the coefficients of its table of C.
Five exact_solution(double xi, double eta, double zeta);

/// The initial field at a point (i, j, k) of a grid: transfinite interpolation of the exact values
/// on the walls, P_x + P_y + P_z - P_x P_y - P_x P_z - P_y P_z + P_x P_y P_z with P_x = (1 - xi)
/// u(0, eta, zeta) + xi u(1, eta, zeta) and so on; on the walls themselves the exact values (their
/// normal coordinate is exactly 0 or 1, the others are i h). Source: RNR-94-007, chapter 3 (initial
/// conditions).
Five initial_solution(const Extent& grid, const Spacing& h, const Extent& point);

/// Writes the exact solution to all points of the field's box, and to the ghost layers it has.
void set_exact(Field& u, const Spacing& h);
/// The initial field on all points of the box. Ghost layers are not written.
void initialise(Field& u, const Spacing& h);

/// Sum over the points of the box, walls included, of (u - exact)^2.
Five error_squares(const Field& u, const Spacing& h);
/// Sum over the interior points of the box of r^2.
Five squares(const Field& r);
/// sqrt(sum / ((nx - 2) (ny - 2) (nz - 2))) of each component.
Five root_mean_square(const Five& sum, const Extent& grid);

}  // namespace heorot::flow
