// The constants of the discretised flow equations that LU, SP, BT and their multi-zone forms share.
#pragma once

#include <algorithm>
#include <array>

#include "numerics/tiles.hpp"

namespace heorot::flow {

/// Number of equations: conservation of mass, three momenta, energy.
constexpr int n_components = 5;
using Five = std::array<double, n_components>;
/// Bytes per point of a pass that reads and writes three fields together [B].
constexpr double three_fields_bytes = 3.0 * n_components * sizeof(double);

/// Distances of neighbouring points in x, y, z. In a multi-zone grid they are not 1 / (n - 1).
using Spacing = std::array<double, 3>;

/// h = 1 / (n - 1): n points fill the unit cube.
inline Spacing unit_spacing(const Extent& grid) {
    return {1.0 / (grid[0] - 1), 1.0 / (grid[1] - 1), 1.0 / (grid[2] - 1)};
}

/// Physical constants of the gas and of the artificial dissipation.
/// Source: D. Bailey et al., The NAS Parallel Benchmarks, RNR-94-007 (1994), chapter 3.
constexpr double c1 = 1.4;
constexpr double c2 = 0.4;
constexpr double c3 = 0.1;
constexpr double c4 = 1.0;
constexpr double c5 = 1.4;
constexpr std::array<double, 3> diffusion = {0.75, 0.75, 1.0};  ///< dx, dy, dz of all components
constexpr double dissipation = 0.25;                            ///< max(dx, dy, dz) / 4

/// The constants of one direction of the operator, h its spacing: names as in the specification
/// with x standing for the direction.
struct DirectionCoefficients {
    double tx1;     ///< 1 / h^2
    double tx2;     ///< 1 / (2 h)
    double dxtx1;   ///< second difference of every component: dx1tx1 = ... = dx5tx1
    double xxcon1;  ///< viscous terms: normal velocity,
    double xxcon2;  ///< tangential velocities,
    double xxcon3;  ///< kinetic energy per mass,
    double xxcon4;  ///< square of the normal velocity,
    double xxcon5;  ///< energy per mass

    DirectionCoefficients(int d, double h)
        : tx1(1.0 / (h * h)),
          tx2(1.0 / (2.0 * h)),
          dxtx1(diffusion[static_cast<std::size_t>(d)] * tx1),
          xxcon1(c3 * c4 * 4.0 / 3.0 * tx1),
          xxcon2(c3 * c4 * tx1),
          xxcon3(c3 * c4 * (1.0 - c1 * c5) * tx1),
          xxcon4(c3 * c4 / 6.0 * tx1),
          xxcon5(c3 * c4 * c1 * c5 * tx1) {}
};

/// All constants of a grid (or zone) and a time step.
struct Coefficients {
    Spacing h;
    double dt;
    std::array<DirectionCoefficients, 3> direction;  ///< of x, y, z

    Coefficients(const Spacing& spacing, double time_step)
        : h(spacing),
          dt(time_step),
          direction{DirectionCoefficients(0, h[0]), DirectionCoefficients(1, h[1]),
                    DirectionCoefficients(2, h[2])} {}
};

/// Numbers of points of a grid that are solved for, and of lines of them in all three directions.
struct Interior {
    double points;
    double lines;
    static Interior of(double nx, double ny, double nz) {
        const double x = nx - 2.0;
        const double y = ny - 2.0;
        const double z = nz - 2.0;
        return {x * y * z, y * z + x * z + x * y};
    }
};

}  // namespace heorot::flow
