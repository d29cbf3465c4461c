// Choosing a process grid and dealing out the levels.
#include "benchmarks/npb/mg/layout.hpp"

#include <algorithm>
#include <limits>

namespace heorot::mg {

namespace {

// Halo of a block relative to n^2, with the weights of the three kinds of faces.
double halo(const std::array<int, 3>& n) {
    constexpr std::array<double, 3> weights = {1.5, 1.1, 1.0};
    double sum = 0.0;
    for (std::size_t d = 0; d < 3; ++d) {
        if (n[d] == 1) continue;
        sum += weights[d] / (static_cast<double>(n[(d + 1) % 3]) * n[(d + 2) % 3]);
    }
    return sum;
}

bool fits(const ProcessGrid& grid, Index n) {
    return std::all_of(grid.n.begin(), grid.n.end(),
                       [n](int ranks) { return ranks == 1 || least_points * ranks <= n; });
}

// The best of all factorisations; {0, 0, 0} if none fits.
ProcessGrid search(int n_ranks, Index n) {
    ProcessGrid best = {{0, 0, 0}};
    double least = std::numeric_limits<double>::infinity();
    for (int x = 1; x <= n_ranks; ++x) {
        if (n_ranks % x != 0) continue;
        for (int y = 1; y <= n_ranks / x; ++y) {
            if (n_ranks / x % y != 0) continue;
            const ProcessGrid grid = {{x, y, n_ranks / x / y}};
            if (!fits(grid, n) || halo(grid.n) >= least) continue;
            least = halo(grid.n);
            best = grid;
        }
    }
    return best;
}

}  // namespace

std::array<int, 3> ProcessGrid::coordinates(int rank) const {
    return {rank % n[0], rank / n[0] % n[1], rank / n[0] / n[1]};
}

int ProcessGrid::rank(std::array<int, 3> coordinates) const {
    for (std::size_t d = 0; d < 3; ++d) coordinates[d] = (coordinates[d] + n[d]) % n[d];
    return (coordinates[2] * n[1] + coordinates[1]) * n[0] + coordinates[0];
}

bool can_split(int n_ranks, Index n) {
    return n_ranks == 1 || search(n_ranks, n).n[0] > 0;
}

ProcessGrid choose_grid(int n_ranks, Index n) {
    return search(n_ranks, n);
}

bool is_replicated(const ProcessGrid& grid, Index n) {
    const int most = *std::max_element(grid.n.begin(), grid.n.end());
    return most > 1 && n < std::max(Index{32}, Index{2} * most);
}

std::vector<Axes> make_levels(const ProcessGrid& grid, int rank, Index n) {
    const auto place = grid.coordinates(rank);
    std::vector<Axes> levels;
    // Halving the bounds of the blocks, rounded down, keeps 2 J + 1 and J on the same rank.
    for (int halvings = 0; n >> halvings >= 2; ++halvings) {
        Axes axes;
        for (std::size_t d = 0; d < 3; ++d) {
            Axis& axis = axes[d];
            if (is_replicated(grid, n >> halvings)) {
                axis = {.n = n >> halvings, .padded = grid.n[d] > 1};
                continue;
            }
            auto below = place;
            auto above = place;
            --below[d];
            ++above[d];
            axis.first = (n * place[d] / grid.n[d]) >> halvings;
            axis.n = ((n * (place[d] + 1) / grid.n[d]) >> halvings) - axis.first;
            axis.split = axis.padded = grid.n[d] > 1;
            axis.lower = grid.rank(below);
            axis.upper = grid.rank(above);
        }
        levels.insert(levels.begin(), axes);
    }
    return levels;
}

}  // namespace heorot::mg
