// Sizes and neighbours of the zones.
#include "benchmarks/npb/zones/zone_grid.hpp"

#include <cmath>

namespace heorot::zones {

std::vector<Index> interval_lengths(Index n, int n_parts, double ratio) {
    const double factor = n_parts > 1 ? std::exp(std::log(ratio) / (n_parts - 1)) : 1.0;
    const bool is_even = std::abs(ratio - 1.0) <= 1e-10;
    const auto end = [&](int i) {
        if (is_even) return i * n / n_parts;
        const double share = (std::pow(factor, i) - 1.0) / (std::pow(factor, n_parts) - 1.0);
        return static_cast<Index>(std::floor(static_cast<double>(n) * share + 0.45));
    };
    std::vector<Index> lengths;
    for (int i = 1; i <= n_parts; ++i) lengths.push_back(end(i) - end(i - 1));
    return lengths;
}

ZoneGrid::ZoneGrid(const Shape& shape) : x_zones_(shape.x_zones), y_zones_(shape.y_zones) {
    const auto nx = interval_lengths(shape.nx, x_zones_, shape.ratio);
    const auto ny = interval_lengths(shape.ny, y_zones_, shape.ratio);
    for (const Index y : ny) {
        for (const Index x : nx) zones_.push_back({x, y, shape.nz});
    }
}

int ZoneGrid::neighbour(int id, Border side) const {
    int i = column(id);
    int j = row(id);
    if (side == Border::west) i = (i + x_zones_ - 1) % x_zones_;
    if (side == Border::east) i = (i + 1) % x_zones_;
    if (side == Border::south) j = (j + y_zones_ - 1) % y_zones_;
    if (side == Border::north) j = (j + 1) % y_zones_;
    return i + j * x_zones_;
}

Index ZoneGrid::n_face_points(int id, Border side) const {
    const Zone& z = zone(id);
    return ((is_across_x(side) ? z.ny : z.nx) - 2) * (z.nz - 2);
}

}  // namespace heorot::zones
