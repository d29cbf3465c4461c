// Tests of the ghost layers of a rank's tiles, with any number of ranks.
#include <vector>

#include "benchmarks/npb/flow/exchange.hpp"
#include "benchmarks/npb/flow/field.hpp"
#include "harness/world/world.hpp"
#include "numerics/tiles.hpp"
#include "tests/testing.hpp"

using namespace heorot;

namespace {

template <class Action>
void for_places(const Extent& cuts, const Action& action) {
    for (int i = 0; i < cuts[0]; ++i) {
        for (int j = 0; j < cuts[1]; ++j) {
            for (int k = 0; k < cuts[2]; ++k) action(Extent{i, j, k});
        }
    }
}

/// A number unique to point and component.
double mark(const Box& box, int m, int i, int j, int k) {
    return m + 10.0 * (box.begin[0] + i) + 1e3 * (box.begin[1] + j) + 1e6 * (box.begin[2] + k);
}

// Outside the box in one direction only: edges and corners are left out.
bool is_ghost_of_a_face(const Box& box, const Extent& p) {
    int n_outside = 0;
    for (int d = 0; d < 3; ++d) {
        if (Box::at(p, d) < 0 || Box::at(p, d) >= box.size(d)) ++n_outside;
    }
    return n_outside == 1;
}

void ghosts_are_the_neighbours_points(const World& world) {
    const Extent grid = {23, 19, 17};
    const Multipartition partition(grid, world.size(), world.rank());
    std::vector<flow::Field> fields;
    for (const auto& tile : partition.tiles()) {
        flow::Field& field = fields.emplace_back(tile.box);
        for_places({tile.box.size(0), tile.box.size(1), tile.box.size(2)}, [&](const Extent& p) {
            for (int m = 0; m < 5; ++m)
                field(m, p[0], p[1], p[2]) = mark(tile.box, m, p[0], p[1], p[2]);
        });
    }
    flow::GhostExchange exchange(partition);
    exchange.start(fields, world);
    exchange.finish(fields, world);
    bool right = true;
    for (const auto& field : fields) {
        const Box& box = field.box();
        Extent from = {};
        Extent size = {};
        for (std::size_t d = 0; d < 3; ++d) {
            from[d] = -field.layout().ghosts(static_cast<int>(d), Side::lower);
            size[d] = box.size(static_cast<int>(d)) - from[d] +
                      field.layout().ghosts(static_cast<int>(d), Side::upper);
        }
        for_places(size, [&](const Extent& q) {
            const Extent p = {from[0] + q[0], from[1] + q[1], from[2] + q[2]};
            if (!is_ghost_of_a_face(box, p)) return;
            for (int m = 0; m < 5; ++m) {
                right = right && field(m, p[0], p[1], p[2]) == mark(box, m, p[0], p[1], p[2]);
            }
        });
    }
    CHECK(right && "ghost layers hold the neighbours' points");
}

}  // namespace

int main() {
    World world;
    world.start();
    ghosts_are_the_neighbours_points(world);
    world.finish();
    World::leave();
    return tests::result();
}
