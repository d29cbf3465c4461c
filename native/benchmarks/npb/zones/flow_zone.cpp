// Fields and norms of a zone.
#include "benchmarks/npb/zones/flow_zone.hpp"

#include <algorithm>

#include "benchmarks/npb/flow/exact.hpp"
#include "benchmarks/npb/flow/rhs.hpp"

namespace heorot::zones {

int longest_line(std::span<const Zone> zones) {
    int longest = 0;
    for (const Zone& zone : zones) longest = std::max(longest, std::ranges::max(extent_of(zone)));
    return longest;
}

flow::Spacing mean_spacing(const ZoneGrid::Shape& shape) {
    return {static_cast<double>(shape.x_zones) / static_cast<double>(shape.nx - 1),
            static_cast<double>(shape.y_zones) / static_cast<double>(shape.ny - 1),
            1.0 / static_cast<double>(shape.nz - 1)};
}

ScratchField::ScratchField(std::span<const Zone> zones) {
    std::size_t n_elements = 0;
    for (const Zone& zone : zones) {
        const flow::Layout layout(Box::whole(extent_of(zone)));
        n_elements = std::max(n_elements, layout.n_elements());
    }
    memory_ = Array<double>(n_elements);
}

FlowZone::FlowZone(const Zone& zone, const flow::Coefficients& coefficients, ScratchField& scratch)
    : u(Box::whole(extent_of(zone))), forcing(u.box()) {
    flow::Field exact = scratch.on(u.box());
    exact.fill(1.0);
    flow::set_forcing(forcing, coefficients, exact);
}

FlowZone::Norms FlowZone::norms(const flow::Coefficients& coefficients,
                                ScratchField& scratch) const {
    flow::Field rhs = scratch.on(u.box());
    flow::compute_rhs(u, forcing, coefficients, 1.0, rhs);
    const Extent& grid = u.box().grid;
    const auto residual = flow::root_mean_square(flow::squares(rhs), grid);
    const auto error = flow::root_mean_square(flow::error_squares(u, coefficients.h), grid);
    Norms norms = {};
    std::ranges::copy(residual, norms.begin());
    std::ranges::copy(error, norms.begin() + flow::n_components);
    return norms;
}

}  // namespace heorot::zones
