// Finding the extreme random numbers in parallel.
#include "benchmarks/npb/mg/charges.hpp"

#include <algorithm>

#include "numerics/random.hpp"

namespace heorot::mg {

namespace {

constexpr std::uint64_t seed = 314159265;
constexpr Index block_size = 4096;

struct Candidate {
    double value;
    Index point;
};

// The ten largest values seen so far, in descending order.
class Largest {
  public:
    Largest() { best_.fill({-2.0, 0}); }  // less than any number that is offered

    double least() const { return best_.back().value; }
    void offer(const Candidate& candidate) {
        if (candidate.value <= least()) return;
        best_.back() = candidate;
        std::inplace_merge(
            best_.begin(), best_.end() - 1, best_.end(),
            [](const Candidate& a, const Candidate& b) { return a.value > b.value; });
    }
    void offer(const Largest& other) {
        for (const Candidate& candidate : other.best_) offer(candidate);
    }
    const std::array<Candidate, Charges::n_each>& best() const { return best_; }

  private:
    std::array<Candidate, Charges::n_each> best_;
};

// Offers all of sign * u; few blocks have candidates.
void offer_block(std::span<const double> u, Index first, double sign, Largest& largest) {
    double most = -2.0;
    for (const double value : u) most = std::max(most, sign * value);
    if (most <= largest.least()) return;
    Index point = first;
    for (const double value : u) largest.offer({sign * value, point++});
}

// The extremes of the numbers of a range of points; the smallest are the largest of -u.
struct Extremes {
    Largest largest, smallest;
};

Extremes search(Range points) {
    Extremes all;
#pragma omp parallel
    {
        Extremes mine;
        std::array<double, block_size> u;
#pragma omp for schedule(static)
        for (Index first = points.first; first < points.last; first += block_size) {
            const Index n = std::min(block_size, points.last - first);
            const std::span<double> block(u.data(), static_cast<std::size_t>(n));
            Random random(seed);
            random.skip(static_cast<std::uint64_t>(first));
            random.fill(block);
            offer_block(block, first, 1.0, mine.largest);
            offer_block(block, first, -1.0, mine.smallest);
        }
#pragma omp critical
        {
            all.largest.offer(mine.largest);
            all.smallest.offer(mine.smallest);
        }
    }
    return all;
}

// The ten best of all ranks. **Collective.**
std::array<Index, Charges::n_each> select(const Largest& mine, const Communicator& world) {
    std::array<double, Charges::n_each> values;
    std::array<Index, Charges::n_each> points;
    for (std::size_t i = 0; i < Charges::n_each; ++i) {
        values[i] = mine.best()[i].value;
        points[i] = mine.best()[i].point;
    }
    const std::size_t n_all = Charges::n_each * static_cast<std::size_t>(world.size());
    std::vector<double> all_values(n_all);
    std::vector<Index> all_points(n_all);
    world.all_gather(std::span<const double>(values), std::span<double>(all_values));
    world.all_gather(std::span<const Index>(points), std::span<Index>(all_points));
    Largest best;
    for (std::size_t i = 0; i < n_all; ++i) best.offer({all_values[i], all_points[i]});
    std::array<Index, Charges::n_each> chosen;
    std::transform(best.best().begin(), best.best().end(), chosen.begin(),
                   [](const Candidate& candidate) { return candidate.point; });
    return chosen;
}

// Sets the point with global coordinates `point`, and its periodic images, where they are stored.
void set(Field& v, Index n, const std::array<Index, 3>& point, double value) {
    const Axes& axes = v.axes();
    std::array<Index, 3> local;
    const auto is_stored = [&](std::size_t d, Index image) {
        local[d] = point[d] + image * n - axes[d].first;
        const Index ghosts = axes[d].split ? ghost_depth : 0;
        return Range{0, axes[d].n}.grown(ghosts, ghosts).contains(local[d]);
    };
    for (Index z = -1; z <= 1; ++z) {
        if (!is_stored(2, z)) continue;
        for (Index y = -1; y <= 1; ++y) {
            if (!is_stored(1, y)) continue;
            for (Index x = -1; x <= 1; ++x) {
                if (is_stored(0, x)) v.at(local[0], local[1], local[2]) = value;
            }
        }
    }
}

}  // namespace

Charges find_charges(Index n, const Communicator& world) {
    // Ranks take whole planes, so that products stay small.
    const Index points = n * n;
    const Extremes mine = search(
        {n * world.rank() / world.size() * points, n * (world.rank() + 1) / world.size() * points});
    return {.positive = select(mine.largest, world), .negative = select(mine.smallest, world)};
}

void place_charges(const Charges& charges, Index n, Field& v) {
    for (std::size_t i = 0; i < Charges::n_each; ++i) {
        for (const auto& [number, value] :
             {std::pair{charges.positive[i], 1.0}, std::pair{charges.negative[i], -1.0}}) {
            set(v, n, {number % n, number / n % n, number / n / n}, value);
        }
    }
}

}  // namespace heorot::mg
