// Sorts the points of a grid by wavefront.
#include "numerics/sparse/wavefronts.hpp"

namespace heorot::sparse {

Wavefronts::Wavefronts(const Grid& grid)
    : order(static_cast<std::size_t>(grid.size())),
      places(order.size()),
      fronts(static_cast<std::size_t>(grid.nx + grid.ny + grid.nz - 1)) {
    const auto front_of = [&](std::size_t point) {
        const auto number = static_cast<Index>(point);
        const Index row = number / grid.nx;
        return static_cast<std::size_t>(number % grid.nx + row % grid.ny + row / grid.ny);
    };
    // A counting sort, which leaves points of a wavefront in order.
    for (std::size_t point = 0; point < order.size(); ++point) ++fronts[front_of(point) + 1];
    for (std::size_t f = 1; f < fronts.size(); ++f) fronts[f] += fronts[f - 1];
    std::vector<Index> next(fronts.begin(), fronts.end() - 1);
    for (std::size_t point = 0; point < order.size(); ++point) {
        const auto place = static_cast<std::size_t>(next[front_of(point)]++);
        order[place] = static_cast<Place>(point);
        places[point] = static_cast<Place>(place);
    }
}

}  // namespace heorot::sparse
