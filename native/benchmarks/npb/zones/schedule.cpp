// Zones to ranks, then to threads, or threads to the points of each zone.
#include "benchmarks/npb/zones/schedule.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "harness/record/check.hpp"

namespace heorot::zones {

namespace {

std::vector<double> pick(std::span<const double> costs, std::span<const int> items) {
    std::vector<double> picked;
    for (const int item : items) picked.push_back(costs[static_cast<std::size_t>(item)]);
    return picked;
}

}  // namespace

ThreadsOver threads_over(std::string_view text) {
    if (text == "zones") return ThreadsOver::zones;
    if (text == "points") return ThreadsOver::points;
    if (text == "auto") return ThreadsOver::automatic;
    throw UsageError("threads cannot work over '" + std::string(text) + "'",
                     "--threads-over auto, zones or points");
}

Schedule::Schedule(const ZoneGrid& grid, std::span<const double> costs, const Team& team,
                   ThreadsOver choice)
    : ranks_(pack_zones(grid, costs, team.n_ranks)), mine_(ranks_.items(team.rank)) {
    const double over_zones = largest_over_zones(costs, team.n_threads);
    const double over_points = std::ranges::max(ranks_.loads) / team.n_threads;
    is_over_zones_ =
        team.n_threads > 1 &&
        (choice == ThreadsOver::zones ||
         (choice == ThreadsOver::automatic && over_zones <= over_points / efficiency_over_points));
    const double total = std::accumulate(costs.begin(), costs.end(), 0.0);
    thread_imbalance_ =
        (is_over_zones_ ? over_zones : over_points) * team.n_ranks * team.n_threads / total;

    const Packing threads = pack(pick(costs, mine_), is_over_zones_ ? team.n_threads : 1);
    lanes_.resize(threads.loads.size());
    for (std::size_t z = 0; z < mine_.size(); ++z) {
        lanes_[static_cast<std::size_t>(threads.bin_of[z])].push_back(z);
    }
}

double Schedule::largest_over_zones(std::span<const double> costs, int n_threads) const {
    double largest = 0.0;
    for (int rank = 0; static_cast<std::size_t>(rank) < ranks_.loads.size(); ++rank) {
        const Packing threads = pack(pick(costs, ranks_.items(rank)), n_threads);
        largest = std::max(largest, std::ranges::max(threads.loads));
    }
    return largest;
}

}  // namespace heorot::zones
