// The tiles of a rank and its neighbours.
#include "numerics/tiles.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "harness/record/check.hpp"
#include "numerics/nearest_count.hpp"

namespace heorot {

namespace {

constexpr int n_ghosts_from_neighbour = 2;

// n_ranks = a^2 b
struct Factors {
    int a, b;
};

Factors factors(int n_ranks) {
    int a = 1;
    for (int candidate = 2; candidate * candidate <= n_ranks; ++candidate) {
        if (n_ranks % (candidate * candidate) == 0) a = candidate;
    }
    return {a, n_ranks / (a * a)};
}

int modulo(int value, int n) {
    return ((value % n) + n) % n;
}

// First point of part `part` of n points in n_parts.
int start_of(int part, int n_parts, int n) {
    return static_cast<int>(static_cast<long long>(n) * part / n_parts);
}

Box box_of(const Extent& place, const Extent& cuts, const Extent& grid) {
    Box box = Box::whole(grid);
    for (std::size_t d = 0; d < 3; ++d) {
        box.begin[d] = start_of(place[d], cuts[d], grid[d]);
        box.end[d] = start_of(place[d] + 1, cuts[d], grid[d]);
    }
    return box;
}

}  // namespace

Extent Multipartition::cuts(int n_ranks) {
    const auto [a, b] = factors(n_ranks);
    return {a, a * b, a * b};
}

int Multipartition::owner(const Extent& place, int n_ranks) {
    const auto [a, b] = factors(n_ranks);
    const auto [i, j, k] = place;
    return modulo(j - k, a * b) * a + modulo(i + k, a);
}

bool Multipartition::fits(const Extent& grid, int n_ranks) {
    const Extent n_tiles = cuts(n_ranks);
    for (std::size_t d = 0; d < 3; ++d) {
        if (n_tiles[d] > 1 && grid[d] / n_tiles[d] < n_ghosts_from_neighbour) return false;
    }
    return true;
}

int Multipartition::nearest_that_fits(const Extent& grid, int n_ranks) {
    return nearest_count(n_ranks, [&](int n) { return fits(grid, n); });
}

Multipartition::Multipartition(const Extent& grid, int n_ranks, int rank)
    : grid_(grid), cuts_(cuts(n_ranks)), neighbours_{} {
    expects(fits(grid, n_ranks), "the tiles must be at least two points thick");
    for (std::size_t d = 0; d < 3; ++d) slabs_[d].resize(static_cast<std::size_t>(cuts_[d]));
    for (int i = 0; i < cuts_[0]; ++i) {
        for (int j = 0; j < cuts_[1]; ++j) {
            for (int k = 0; k < cuts_[2]; ++k) {
                const Extent place = {i, j, k};
                if (owner(place, n_ranks) != rank) continue;
                for (std::size_t d = 0; d < 3; ++d) {
                    slabs_[d][static_cast<std::size_t>(place[d])].push_back(
                        static_cast<int>(tiles_.size()));
                }
                tiles_.push_back({box_of(place, cuts_, grid), place});
            }
        }
    }
    for (std::size_t d = 0; d < 3; ++d) {
        for (const Side side : both_sides) {
            Extent place = tiles_.front().place;  // owner() is periodic, so any tile will do
            place[d] += side == Side::lower ? -1 : 1;
            neighbours_[d][static_cast<std::size_t>(side)] = owner(place, n_ranks);
        }
    }
}

std::span<const int> Multipartition::slab(int d, int s) const {
    return slabs_[static_cast<std::size_t>(d)][static_cast<std::size_t>(s)];
}

int Multipartition::neighbour(int d, Side side) const {
    return neighbours_[static_cast<std::size_t>(d)][static_cast<std::size_t>(side)];
}

}  // namespace heorot
