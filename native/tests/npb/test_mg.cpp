// The multigrid benchmark: its operators' identities, its layout, and its fused, parallel cycles
// against the same written down point by point. Runs on any number of ranks.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "benchmarks/npb/mg/charges.hpp"
#include "benchmarks/npb/mg/multigrid.hpp"
#include "harness/world/world.hpp"
#include "numerics/random.hpp"
#include "tests/testing.hpp"

namespace {

namespace mg = heorot::mg;
using mg::Index;

constexpr mg::Stencil smoother = {-3.0 / 8.0, 1.0 / 32.0, -1.0 / 64.0, 0.0};
constexpr mg::Stencil full_weighting = {1.0 / 2.0, 1.0 / 4.0, 1.0 / 8.0, 1.0 / 16.0};

/// A periodic cube of n^3 numbers.
struct Cube {
    explicit Cube(Index n_points) : n(n_points), values(static_cast<std::size_t>(n * n * n)) {}
    double& at(Index x, Index y, Index z) {
        const auto wrap = [this](Index i) { return (i + n) % n; };
        return values[static_cast<std::size_t>((wrap(z) * n + wrap(y)) * n + wrap(x))];
    }
    Index n;
    std::vector<double> values;
};

template <class Action>
void for_each_point(Index n, const Action& action) {
    for (Index z = 0; z < n; ++z) {
        for (Index y = 0; y < n; ++y) {
            for (Index x = 0; x < n; ++x) action(x, y, z);
        }
    }
}

/// (C a)(x, y, z) by the definition.
double apply(const mg::Stencil& c, Cube& a, Index x, Index y, Index z) {
    const double weights[] = {c.centre, c.face, c.edge, c.corner};
    double sum = 0.0;
    for (int k = 0; k < 27; ++k) {
        const int dx = k % 3 - 1;
        const int dy = k / 3 % 3 - 1;
        const int dz = k / 9 - 1;
        sum += weights[dx * dx + dy * dy + dz * dz] * a.at(x + dx, y + dy, z + dz);
    }
    return sum;
}

Cube residual(Cube& v, Cube& u) {
    Cube r(v.n);
    for_each_point(v.n, [&](Index x, Index y, Index z) {
        r.at(x, y, z) = v.at(x, y, z) - apply(mg::laplacian, u, x, y, z);
    });
    return r;
}

void smooth(Cube& u, Cube& r) {
    for_each_point(
        u.n, [&](Index x, Index y, Index z) { u.at(x, y, z) += apply(smoother, r, x, y, z); });
}

/// u += M r by the recursive definition of the V-cycle.
void correct(Cube& u, Cube& v) {
    Cube r = residual(v, u);
    if (u.n == 2) return smooth(u, r);
    Cube coarse_r(u.n / 2);
    for_each_point(coarse_r.n, [&](Index x, Index y, Index z) {
        coarse_r.at(x, y, z) = apply(full_weighting, r, 2 * x + 1, 2 * y + 1, 2 * z + 1);
    });
    Cube coarse_u(u.n / 2);
    correct(coarse_u, coarse_r);
    // Trilinear: the mean of the 8 coarse points around, some of which coincide.
    for_each_point(u.n, [&](Index x, Index y, Index z) {
        for (Index k = 0; k < 8; ++k) {
            const auto coarse = [](Index i, Index side) { return (i + 1 + side) / 2 - 1; };
            u.at(x, y, z) +=
                coarse_u.at(coarse(x, k & 1), coarse(y, k >> 1 & 1), coarse(z, k >> 2)) / 8.0;
        }
    });
    r = residual(v, u);
    smooth(u, r);
}

/// Some right-hand side without symmetry.
double input(Index x, Index y, Index z) {
    return std::sin(static_cast<double>(1 + 3 * x + 5 * y * y + 7 * z * x)) * (y < 9 ? 2.0 : 1.0);
}

/// Sets v at all points that this rank stores.
void set_input(mg::Field& v, Index n) {
    std::array<mg::Range, 3> stored;
    for (std::size_t d = 0; d < 3; ++d) {
        const Index ghosts = v.axes()[d].split ? mg::ghost_depth : 0;
        stored[d] = mg::Range{0, v.axes()[d].n}.grown(ghosts, ghosts);
    }
    const auto place = [&](std::size_t d, Index i) { return (v.axes()[d].first + i + n) % n; };
    for (Index z = stored[2].first; z < stored[2].last; ++z) {
        for (Index y = stored[1].first; y < stored[1].last; ++y) {
            for (Index x = stored[0].first; x < stored[0].last; ++x) {
                v.at(x, y, z) = input(place(0, x), place(1, y), place(2, z));
            }
        }
    }
}

/// Fused cycles in parallel give what the definition gives.
void check_cycles(const heorot::World& world, Index n, int n_threads) {
    constexpr int n_cycles = 2;
    Cube u(n);
    Cube v(n);
    for_each_point(n, [&](Index x, Index y, Index z) { v.at(x, y, z) = input(x, y, z); });
    for (int cycle = 0; cycle < n_cycles; ++cycle) correct(u, v);
    Cube r = residual(v, u);
    double sum = 0.0;
    for (const double value : r.values) sum += value * value;
    const double norm = std::sqrt(sum / static_cast<double>(n * n * n));

    heorot::Phases phases{heorot::Clock(heorot::Clock::Kind::monotonic)};
    mg::Multigrid multigrid(n, smoother, world, phases, n_threads);
    set_input(multigrid.finest().rhs, n);
    for (int turn = 0; turn < 2; ++turn) {  // the second time it is not the first use of its memory
        multigrid.reset();
        const auto norms = multigrid.solve(n_cycles);
        CHECK((std::abs(norms.last - norm) <= 1e-12 * norm) &&
              "the norm is that of the definition");
        mg::Field& result = multigrid.finest().u;
        const auto& [x0, y0, z0] = result.axes();
        double deviation = 0.0;
        for (Index z = 0; z < z0.n; ++z) {
            for (Index y = 0; y < y0.n; ++y) {
                for (Index x = 0; x < x0.n; ++x) {
                    const double expected = u.at(x0.first + x, y0.first + y, z0.first + z);
                    deviation = std::max(deviation, std::abs(result.at(x, y, z) - expected));
                }
            }
        }
        CHECK((deviation <= 1e-12) && "u is that of the definition at every point");
    }
}

/// Each cycle reduces the residual of class S by its factor. The factors are those of a V-cycle
/// written from the definition with whole-array operations in another language.
void check_reduction(const heorot::World& world) {
    constexpr Index n = 32;
    constexpr std::array<double, 6> factors = {8.42, 4.65, 3.64, 3.27, 3.11, 3.02};
    heorot::Phases phases{heorot::Clock(heorot::Clock::Kind::monotonic)};
    mg::Multigrid multigrid(n, smoother, world, phases, 1);
    mg::place_charges(mg::find_charges(n, world), n, multigrid.finest().rhs);
    double last = std::sqrt(20.0 / (n * n * n));
    int n_cycles = 0;
    for (const double factor : factors) {
        multigrid.reset();
        const auto norms = multigrid.solve(++n_cycles);
        CHECK((norms.first == std::sqrt(20.0 / (n * n * n))) && "the residual of u = 0 is v");
        CHECK((std::abs(last / norms.last - factor) <= 0.005) && "the cycle's reduction");
        last = norms.last;
    }
}

/// On one rank: constants, which every operator maps to a multiple of themselves.
void check_constants() {
    for (const Index n : {2, 4, 10, 32}) {
        const mg::Axes fine = mg::make_levels({}, 0, 2 * n).back();
        mg::Axes coarse = fine;
        for (mg::Axis& axis : coarse) axis.n = n;
        mg::Field a(fine);
        mg::Field b(fine);
        mg::Field c(coarse);
        a.clear(1);
        b.clear(1);
        c.clear(1);
        mg::RowBuffers rows(2 * n);
        for_each_point(2 * n, [&](Index x, Index y, Index z) { a.at(x, y, z) = 1.0; });
        const mg::Patch all = mg::owned(fine, 0);
        const mg::Planes ones = {a.plane(0), a.plane(1), a.plane(2)};
        mg::resid(all, ones, b.plane(1), b.plane(2), rows);
        mg::rprj3(all, ones, {0, 0, 0}, c.plane(0), rows);
        for (Index y = 0; y < 2 * n; ++y) {
            for (Index x = 0; x < 2 * n; ++x) {
                CHECK((std::abs(b.at(x, y, 2)) <= 1e-15) && "A 1 = 0");
            }
        }
        for (Index y = 0; y < n; ++y) {
            for (Index x = 0; x < n; ++x) CHECK((c.at(x, y, 0) == 4.0) && "P 1 = 4");
        }
        mg::interp(all, c.plane(0), c.plane(0), {0, 0, 0}, true, a.plane(0), rows);
        mg::interp(all, c.plane(0), c.plane(0), {0, 0, 0}, false, a.plane(1), rows);
        for (Index y = 0; y < 2 * n; ++y) {
            for (Index x = 0; x < 2 * n; ++x) {
                CHECK((a.at(x, y, 0) == 5.0 && a.at(x, y, 1) == 4.0) && "Q 4 = 4");
            }
        }
        CHECK((mg::sum_of_squares(all, a.plane(1)) == 64.0 * static_cast<double>(n * n)) &&
              "the sum of squares of a constant");
    }
}

/// Every point belongs to one rank, and coarse points to the owner of the fine point they lie on.
void check_layout() {
    for (int n_ranks = 1; n_ranks <= 64; ++n_ranks) {
        for (const Index n : {32, 256}) {
            if (!mg::can_split(n_ranks, n)) continue;
            const mg::ProcessGrid grid = mg::choose_grid(n_ranks, n);
            std::vector<Index> n_points(20, 0);
            for (int rank = 0; rank < n_ranks; ++rank) {
                CHECK(grid.rank(grid.coordinates(rank)) == rank);
                const auto levels = mg::make_levels(grid, rank, n);
                for (std::size_t k = 0; k < levels.size(); ++k) {
                    Index points = 1;
                    for (std::size_t d = 0; d < 3; ++d) {
                        const mg::Axis& axis = levels[k][d];
                        points *= axis.n;
                        const bool is_finest = k + 1 == levels.size();
                        CHECK(axis.n >= (axis.split ? (is_finest ? mg::least_points : 2) : 2));
                        if (k == 0 || !levels[k - 1][d].split) continue;
                        const mg::Range coarse = mg::coarse_points({0, axis.n}, axis.first);
                        CHECK(coarse.first == levels[k - 1][d].first);
                        CHECK(coarse.size() == levels[k - 1][d].n);
                    }
                    n_points[k] += points;
                }
            }
            const Index per_level = n_points[mg::make_levels(grid, 0, n).size() - 1];
            CHECK((per_level == n * n * n) && "the blocks of the finest level fill it");
        }
    }
    CHECK(!mg::can_split(11, 32) && mg::can_split(512, 32) && !mg::can_split(513, 32));
    CHECK((mg::choose_grid(2, 256).n == std::array{1, 1, 2}) && "slabs of planes for few ranks");
    CHECK((mg::choose_grid(512, 256).n == std::array{8, 8, 8}) && "cubes for many");
}

/// The charges are where a search through all numbers, kept and sorted, finds them.
void check_charges(const heorot::World& world) {
    constexpr Index n = 32;
    const mg::Charges charges = mg::find_charges(n, world);
    std::vector<double> u(n * n * n);
    heorot::Random(314159265).fill(u);
    std::vector<Index> order(u.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
    std::sort(order.begin(), order.end(), [&](Index a, Index b) {
        return u[static_cast<std::size_t>(a)] < u[static_cast<std::size_t>(b)];
    });
    CHECK(std::equal(charges.negative.begin(), charges.negative.end(), order.begin()));
    CHECK(std::equal(charges.positive.begin(), charges.positive.end(), order.rbegin()));
}

}  // namespace

int main() {
    heorot::World world;
    world.start();
    check_layout();
    check_constants();
    check_charges(world);
    check_reduction(world);
    check_cycles(world, 32, 1);
    check_cycles(world, 64, 1);
    check_cycles(world, 64, 3);
    world.barrier();
    world.finish();
    heorot::World::leave();
    return heorot::tests::result();
}
