// Largest first onto the least loaded bin, then improvement by moves and swaps.
#include "benchmarks/npb/zones/packing.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace heorot::zones {

namespace {

// A change must gain more than rounding, or loops would not end.
constexpr double noticeable = 1e-9;
// Messages saved are worth that much idleness.
constexpr double tolerated_imbalance = 0.005;

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

int fullest(const Packing& packing) {
    const auto largest = std::ranges::max_element(packing.loads);
    return static_cast<int>(largest - packing.loads.begin());
}

void move(Packing& packing, std::span<const double> costs, int item, int bin) {
    packing.loads[at(packing.bin_of[at(item)])] -= costs[at(item)];
    packing.loads[at(bin)] += costs[at(item)];
    packing.bin_of[at(item)] = bin;
}

void swap(Packing& packing, std::span<const double> costs, int a, int b) {
    const int bin = packing.bin_of[at(a)];
    move(packing, costs, a, packing.bin_of[at(b)]);
    move(packing, costs, b, bin);
}

Packing largest_first(std::span<const double> costs, int n_bins) {
    std::vector<int> order(costs.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::ranges::greater(), [&](int i) { return costs[at(i)]; });

    using Bin = std::pair<double, int>;
    std::priority_queue<Bin, std::vector<Bin>, std::greater<>> bins;
    for (int bin = 0; bin < n_bins; ++bin) bins.emplace(0.0, bin);
    Packing packing = {std::vector<int>(costs.size()), std::vector<double>(at(n_bins))};
    for (const int item : order) {
        const int bin = bins.top().second;
        bins.pop();
        packing.bin_of[at(item)] = bin;
        packing.loads[at(bin)] += costs[at(item)];
        bins.emplace(packing.loads[at(bin)], bin);
    }
    return packing;
}

// The zones along a Morton curve (bits of i and j alternate), cut into bins of about equal cost:
// what lies together stays together.
Packing along_curve(const ZoneGrid& grid, std::span<const double> costs, int n_bins) {
    std::vector<int> order(costs.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](int id) {
        std::uint64_t code = 0;
        for (unsigned bit = 0; bit < 16; ++bit) {
            code |= static_cast<std::uint64_t>(grid.column(id) >> bit & 1) << (2 * bit);
            code |= static_cast<std::uint64_t>(grid.row(id) >> bit & 1) << (2 * bit + 1);
        }
        return code;
    });
    const double share = std::accumulate(costs.begin(), costs.end(), 0.0) / n_bins;
    Packing packing = {std::vector<int>(costs.size()), std::vector<double>(at(n_bins))};
    double done = 0.0;
    for (const int item : order) {
        const double middle = done + 0.5 * costs[at(item)];
        const int bin = std::min(static_cast<int>(middle / share), n_bins - 1);
        packing.bin_of[at(item)] = bin;
        packing.loads[at(bin)] += costs[at(item)];
        done += costs[at(item)];
    }
    return packing;
}

// The best that can be done with one item of the fullest bin: move it to another bin, or swap it
// with `other` there.
struct Change {
    double load;  // the larger of the two bins afterwards
    int item = -1;
    int other = -1;
    int bin = -1;
};

Change best_change(const Packing& packing, std::span<const double> costs) {
    const int from = fullest(packing);
    const double load = packing.loads[at(from)];
    Change best = {.load = load * (1.0 - noticeable)};
    const auto least = std::ranges::min_element(packing.loads);
    for (const int item : packing.items(from)) {
        const auto consider = [&](double gained, int other, int bin) {
            const double larger = std::max(load - gained, packing.loads[at(bin)] + gained);
            if (larger < best.load) best = {larger, item, other, bin};
        };
        consider(costs[at(item)], -1, static_cast<int>(least - packing.loads.begin()));
        for (int other = 0; at(other) < costs.size(); ++other) {
            const int bin = packing.bin_of[at(other)];
            const double gained = costs[at(item)] - costs[at(other)];
            if (bin != from && gained > 0.0) consider(gained, other, bin);
        }
    }
    return best;
}

// Points on faces of this zone whose neighbour lies in another bin.
Index n_cut_points(const ZoneGrid& grid, const Packing& packing, int zone) {
    Index n = 0;
    for (const Border side : borders) {
        const int neighbour = grid.neighbour(zone, side);
        if (packing.bin_of[at(neighbour)] != packing.bin_of[at(zone)]) {
            n += grid.n_face_points(zone, side);
        }
    }
    return n;
}

// Brings `zone` into the bin of one of its neighbours, in exchange for a zone there, if that
// shortens the cut and makes no load larger than `limit`.
bool join_neighbours(const ZoneGrid& grid, std::span<const double> costs, double limit, int zone,
                     Packing& packing) {
    for (const Border side : borders) {
        const int bin = packing.bin_of[at(grid.neighbour(zone, side))];
        if (bin == packing.bin_of[at(zone)]) continue;
        for (const int other : packing.items(bin)) {
            const auto cut = [&] {
                return n_cut_points(grid, packing, zone) + n_cut_points(grid, packing, other);
            };
            const Index before = cut();
            const int home = packing.bin_of[at(zone)];
            swap(packing, costs, zone, other);
            if (cut() < before && packing.loads[at(bin)] <= limit &&
                packing.loads[at(home)] <= limit) {
                return true;
            }
            swap(packing, costs, zone, other);
        }
    }
    return false;
}

void balance(Packing& packing, std::span<const double> costs) {
    for (;;) {
        const Change change = best_change(packing, costs);
        if (change.item < 0) return;
        if (change.other < 0) {
            move(packing, costs, change.item, change.bin);
        } else {
            swap(packing, costs, change.item, change.other);
        }
    }
}

void shorten_cut(Packing& packing, const ZoneGrid& grid, std::span<const double> costs) {
    const double largest = std::ranges::max(packing.loads);
    const double mean = largest / packing.imbalance();
    const double limit = std::max(largest * (1.0 + noticeable), mean * (1.0 + tolerated_imbalance));
    for (bool is_shorter = true; is_shorter;) {
        is_shorter = false;
        for (int zone = 0; zone < grid.n_zones(); ++zone) {
            is_shorter = join_neighbours(grid, costs, limit, zone, packing) || is_shorter;
        }
    }
}

}  // namespace

double Packing::imbalance() const {
    const double total = std::accumulate(loads.begin(), loads.end(), 0.0);
    return std::ranges::max(loads) * static_cast<double>(loads.size()) / total;
}

std::vector<int> Packing::items(int bin) const {
    std::vector<int> found;
    for (int item = 0; at(item) < bin_of.size(); ++item) {
        if (bin_of[at(item)] == bin) found.push_back(item);
    }
    return found;
}

int Packing::largest_bin() const {
    std::vector<int> n_items(loads.size());
    for (const int bin : bin_of) ++n_items[at(bin)];
    return std::ranges::max(n_items);
}

Packing pack(std::span<const double> costs, int n_bins) {
    Packing packing = largest_first(costs, n_bins);
    balance(packing, costs);
    return packing;
}

Packing pack_zones(const ZoneGrid& grid, std::span<const double> costs, int n_bins) {
    Packing balanced = pack(costs, n_bins);
    shorten_cut(balanced, grid, costs);
    Packing close = along_curve(grid, costs, n_bins);
    balance(close, costs);
    shorten_cut(close, grid, costs);
    const bool is_close_enough =
        std::ranges::min(close.loads) > 0.0 &&
        close.imbalance() <= std::max(balanced.imbalance(), 1.0 + tolerated_imbalance);
    return is_close_enough && n_cut_points(grid, close) < n_cut_points(grid, balanced) ? close
                                                                                       : balanced;
}

Index n_cut_points(const ZoneGrid& grid, const Packing& packing) {
    Index n = 0;
    for (int zone = 0; zone < grid.n_zones(); ++zone) n += n_cut_points(grid, packing, zone);
    return n;
}

}  // namespace heorot::zones
