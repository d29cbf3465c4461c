// How the parts of a sweep take turns.
#include "benchmarks/npb/bt/sweep.hpp"

#include <algorithm>

namespace heorot::bt {

using flow::Field;

namespace {

constexpr int most_under_way = 2;

std::size_t as_size(Index n) {
    return static_cast<std::size_t>(n);
}

}  // namespace

int Sweep::n_parts(const Extent& grid, int n_ranks) {
    constexpr double few_bytes = 0.5e6;  // not worth several messages
    constexpr double many_bytes = 8e6;   // to be kept by one rank: its share of a large cache
    const double n_points = 1.0 * grid[0] * grid[1] * grid[2] / n_ranks;
    const double bytes = n_points * block_size * block_size * sizeof(double);
    if (bytes < few_bytes) return 1;
    return most_under_way * (1 + static_cast<int>(bytes / many_bytes));
}

Sweep::Sweep(const Multipartition& partition, const Communicator& world)
    : partition_(partition), world_(world), n_parts_(n_parts(partition.grid(), world.size())) {
    if (world.size() > 1) allocate();
}

void Sweep::allocate() {
    Index n_kept = 0;
    Index n_crossing = 0;
    const int n_tiles = static_cast<int>(partition_.tiles().size());
    for (int d = 0; d < 3; ++d) {
        Index n = 0;
        for (int t = 0; t < n_tiles; ++t) {
            c_prime_starts_[as_size(d)].push_back(n);
            const Groups all = groups(d, t);
            const Index most = (all.n() + n_parts_ - 1) / n_parts_;
            n += most * all.n_cells * doubles_per_block;
        }
        if (partition_.n_slabs(d) == 1) continue;
        n_kept = std::max(n_kept, n);
        for (int s = 0; s < partition_.n_slabs(d); ++s) {
            for (int part = 0; part < n_parts_; ++part) {
                n_crossing = std::max(n_crossing, n_groups(d, s, part) * doubles_per_exit);
            }
        }
    }
    under_way_.resize(static_cast<std::size_t>(std::min(n_parts_, most_under_way)));
    for (UnderWay& part : under_way_) {
        part.entries = Array<double>(as_size(n_crossing));
        part.exits = Array<double>(as_size(n_crossing));
        part.c_prime = Array<double>(as_size(n_kept));
    }
}

Groups Sweep::groups(int direction, int tile) const {
    return {partition_.tiles()[as_size(tile)].box, direction};
}

Range Sweep::range(int direction, int tile, int part) const {
    const int n = groups(direction, tile).n();
    return {static_cast<int>(Index{n} * part / n_parts_),
            static_cast<int>(Index{n} * (part + 1) / n_parts_)};
}

Index Sweep::n_groups(int direction, int s, int part) const {
    Index n = 0;
    for (const int t : partition_.slab(direction, s)) n += range(direction, t, part).size();
    return n;
}

Index Sweep::Pass::doubles_per_crossing() const {
    return towards == Side::upper ? doubles_per_exit : doubles_per_vector;
}

void Sweep::solve(const LineOperator& op, int direction, std::span<const Field> u,
                  std::span<Field> rhs, Workspace& workspace) {
    for (int part = 0; part < n_parts_; part += most_under_way) {
        run({op, direction, Side::upper, u, rhs, workspace}, part);
        run({op, direction, Side::lower, u, rhs, workspace}, part);
    }
}

void Sweep::run(const Pass& pass, int first_part) {
    const int n_slabs = partition_.n_slabs(pass.direction);
    for (int stage = 0; stage < n_slabs; ++stage) {
        const int s = pass.towards == Side::upper ? stage : n_slabs - 1 - stage;
        int part = first_part;
        for (UnderWay& under_way : under_way_) {
            world_.wait(under_way.coming);
            world_.wait(under_way.going);
            compute(pass, s, part, under_way);
            if (stage + 1 < n_slabs) pass_on(pass, s, part, under_way);
            ++part;
        }
    }
}

void Sweep::compute(const Pass& pass, int s, int part, UnderWay& under_way) {
    const int d = pass.direction;
    Index crossed = 0;
    for (const int t : partition_.slab(d, s)) {
        const auto tile = as_size(t);
        const Box& box = partition_.tiles()[tile].box;
        const Range part_of_tile = range(d, t, part);
        double* const c_prime = under_way.c_prime.data() + c_prime_starts_[as_size(d)][tile];
        double* const below = pass.towards == Side::upper ? under_way.entries.data() + crossed
                                                          : under_way.exits.data() + crossed;
        double* const above = pass.towards == Side::upper ? under_way.exits.data() + crossed
                                                          : under_way.entries.data() + crossed;
        const Faces faces = {.lower = box.has_wall(d, Side::lower) ? nullptr : below,
                             .upper = box.has_wall(d, Side::upper) ? nullptr : above,
                             .c_prime = c_prime};
        const auto work = pass.towards == Side::upper ? eliminate_tile : substitute_tile;
        work(pass.op, d, part_of_tile, pass.u[tile], pass.rhs[tile], faces, pass.workspace);
        crossed += part_of_tile.size() * pass.doubles_per_crossing();
    }
}

// Received values are for this rank's tiles in the next slab, which may have other sizes.
void Sweep::pass_on(const Pass& pass, int s, int part, UnderWay& under_way) const {
    constexpr int tag = 100;  // the ghost exchange has the small ones
    const bool up = pass.towards == Side::upper;
    const int d = pass.direction;
    const Index n_out = n_groups(d, s, part) * pass.doubles_per_crossing();
    const Index n_in = n_groups(d, up ? s + 1 : s - 1, part) * pass.doubles_per_crossing();
    under_way.coming =
        world_.start_receive(under_way.entries.span().first(as_size(n_in)),
                             partition_.neighbour(d, up ? Side::lower : Side::upper), tag);
    under_way.going =
        world_.start_send(std::span<const double>(under_way.exits.span().first(as_size(n_out))),
                          partition_.neighbour(d, pass.towards), tag);
}

}  // namespace heorot::bt
