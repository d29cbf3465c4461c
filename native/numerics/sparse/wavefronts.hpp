// Numbers the points of a grid wavefront by wavefront.
#pragma once

#include <cstddef>
#include <vector>

#include "numerics/sparse/csr.hpp"
#include "numerics/sparse/grids.hpp"

namespace heorot::sparse {

/// Points with the same i + j + k, which triangular solves of equations between neighbours can do
/// at once, follow each other, in the order of their numbers. Each comes behind the same neighbours
/// as in the order of the grid: incomplete factors and sweeps are the same as there. Source: E.
/// Anderson, Y. Saad, Solving sparse triangular linear systems on parallel computers, Int. J. High
/// Speed Computing 1 (1989).
struct Wavefronts {
    explicit Wavefronts(const Grid& grid);

    std::vector<Place> order;   ///< the point at each place
    std::vector<Place> places;  ///< the place of each point
    std::vector<Index> fronts;  ///< where each wavefront begins, and where the last one ends
};

/// The rows of a definition at their places.
template <class Definition>
struct Placed {
    const Definition& definition;
    const Wavefronts& fronts;

    template <class Element>
    void operator()(Index place, const Element& element) const {
        definition(fronts.order[static_cast<std::size_t>(place)], [&](Index column, double value) {
            element(fronts.places[static_cast<std::size_t>(column)], value);
        });
    }
};

}  // namespace heorot::sparse
