// Tests of the multipartition for 1 to 64 ranks.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "numerics/tiles.hpp"
#include "tests/testing.hpp"

using namespace heorot;

namespace {

constexpr int most_ranks = 64;
const Extent large = {67, 129, 131};  // as uneven as can be, and fits 64 ranks (prime 61 needs 122)

Extent shifted(Extent place, std::size_t d, int by) {
    place[d] += by;
    return place;
}

template <class Action>
void for_places(const Extent& cuts, const Action& action) {
    for (int i = 0; i < cuts[0]; ++i) {
        for (int j = 0; j < cuts[1]; ++j) {
            for (int k = 0; k < cuts[2]; ++k) action(Extent{i, j, k});
        }
    }
}

void every_rank_has_its_share_of_every_slab(int n_ranks) {
    const Extent cuts = Multipartition::cuts(n_ranks);
    CHECK(cuts[1] == cuts[2] && cuts[0] * cuts[1] == n_ranks);
    bool balanced = true;
    for (std::size_t d = 0; d < 3; ++d) {
        std::vector<std::vector<int>> counts(static_cast<std::size_t>(cuts[d]),
                                             std::vector<int>(static_cast<std::size_t>(n_ranks)));
        for_places(cuts, [&](const Extent& place) {
            const int owner = Multipartition::owner(place, n_ranks);
            CHECK(owner >= 0 && owner < n_ranks);
            ++counts[static_cast<std::size_t>(place[d])][static_cast<std::size_t>(owner)];
        });
        const int share = d == 0 ? cuts[1] / cuts[0] : 1;
        for (const auto& slab : counts) {
            for (const int count : slab) balanced = balanced && count == share;
        }
    }
    CHECK(balanced && "in every slab each rank owns equally many tiles");
}

void neighbours_of_all_tiles_are_one_rank(int n_ranks) {
    bool same = true;
    bool other = true;
    for (int rank = 0; rank < n_ranks; ++rank) {
        const Multipartition mine(large, n_ranks, rank);
        for (const auto& tile : mine.tiles()) {
            for (int d = 0; d < 3; ++d) {
                for (const Side side : both_sides) {
                    if (tile.box.has_wall(d, side)) continue;
                    const int by = side == Side::lower ? -1 : 1;
                    const Extent next = shifted(tile.place, static_cast<std::size_t>(d), by);
                    const int there = Multipartition::owner(next, n_ranks);
                    same = same && mine.neighbour(d, side) == there;
                    other = other && rank != there;
                }
            }
        }
    }
    CHECK(same && "what is next to any tile of a rank belongs to its neighbour()");
    CHECK(other && "no rank is its own neighbour");
}

// What crosses a face comes in the order of the tiles on both sides of it.
void slabs_go_on_in_the_same_order(int n_ranks) {
    bool same = true;
    for (int rank = 0; rank < n_ranks; ++rank) {
        const Multipartition mine(large, n_ranks, rank);
        for (int d = 0; d < 3; ++d) {
            const Multipartition next(large, n_ranks, mine.neighbour(d, Side::upper));
            for (int s = 0; s + 1 < mine.n_slabs(d); ++s) {
                const auto here = mine.slab(d, s);
                const auto there = next.slab(d, s + 1);
                same = same && here.size() == there.size();
                for (std::size_t t = 0; t < here.size(); ++t) {
                    const auto& a = mine.tiles()[static_cast<std::size_t>(here[t])];
                    const auto& b = next.tiles()[static_cast<std::size_t>(there[t])];
                    same = same && shifted(a.place, static_cast<std::size_t>(d), 1) == b.place;
                    same = same && Box::at(a.box.end, d) == Box::at(b.box.begin, d);
                }
            }
        }
    }
    CHECK(same && "tiles of adjacent slabs correspond");
}

void tiles_cover_the_grid_once(int n_ranks) {
    std::int64_t n_points = 0;
    int thinnest = large[0];
    for (int rank = 0; rank < n_ranks; ++rank) {
        const Multipartition partition(large, n_ranks, rank);
        for (const auto& tile : partition.tiles()) {
            std::int64_t n = 1;
            for (int d = 0; d < 3; ++d) {
                n *= tile.box.size(d);
                thinnest = std::min(thinnest, tile.box.size(d));
            }
            n_points += n;
        }
    }
    CHECK((n_points == std::int64_t{large[0]} * large[1] * large[2]) && "every point has one tile");
    CHECK(thinnest >= 2);
}

void thin_tiles_are_refused() {
    const Extent cube = {12, 12, 12};
    for (const int n_ranks : {1, 2, 3, 4, 5, 6, 8, 9, 12, 16, 18, 25, 36}) {
        CHECK(Multipartition::fits(cube, n_ranks));
        CHECK(Multipartition::nearest_that_fits(cube, n_ranks) == n_ranks);
    }
    for (const int n_ranks : {7, 10, 11, 13, 20, 24, 27, 49})
        CHECK(!Multipartition::fits(cube, n_ranks));
    CHECK(Multipartition::nearest_that_fits(cube, 7) == 6);
    CHECK(Multipartition::nearest_that_fits(cube, 11) == 12);
    CHECK(Multipartition::nearest_that_fits(cube, 1000) == 36);
}

}  // namespace

int main() {
    for (int n_ranks = 1; n_ranks <= most_ranks; ++n_ranks) {
        every_rank_has_its_share_of_every_slab(n_ranks);
        if (!Multipartition::fits(large, n_ranks)) {
            std::printf("%d ranks do not fit\n", n_ranks);
            CHECK(n_ranks < 0);
            continue;
        }
        neighbours_of_all_tiles_are_one_rank(n_ranks);
        slabs_go_on_in_the_same_order(n_ranks);
        tiles_cover_the_grid_once(n_ranks);
    }
    thin_tiles_are_refused();
    return tests::result();
}
