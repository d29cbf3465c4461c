// The constants of the Jacobians of SSOR's triangular systems.
#include "benchmarks/npb/lu/sweep.hpp"

namespace heorot::lu {

BlockCoefficients::BlockCoefficients(const flow::Coefficients& c, double omega, Triangle triangle) {
    const double sign = triangle == Triangle::lower ? 1.0 : -1.0;
    double all_diffusion = 0.0;
    double all_viscosity = 0.0;
    for (std::size_t d = 0; d < 3; ++d) {
        const auto& along = c.direction[d];
        convection[d] = sign * omega * c.dt * along.tx2;
        viscosity[d] = omega * c.dt * along.xxcon2;
        diffusion[d] = omega * c.dt * along.dxtx1;
        all_diffusion += 2.0 * c.dt * along.dxtx1;
        all_viscosity += 2.0 * c.dt * along.xxcon2;
    }
    diagonal = 1.0 + all_diffusion;
    inverse_diagonal = 1.0 / diagonal;
    conduction = flow::c1 * flow::c5 * all_viscosity;
    for (std::size_t d = 0; d < 3; ++d) {
        const auto& along = c.direction[d];
        shear[d] = all_viscosity + 2.0 * c.dt * (along.xxcon1 - along.xxcon2);
        dissipated[d] = shear[d] - conduction;
    }
}

}  // namespace heorot::lu
