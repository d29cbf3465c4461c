// Into which parts the lines of a sweep through tiles are divided, and their memory.
#include "benchmarks/npb/sp/pipeline.hpp"

#include <algorithm>

namespace heorot::sp {

namespace {

int share(int n, int n_takers) {
    return (n + n_takers - 1) / n_takers;
}

template <class T>
void grow(Array<T>& array, std::size_t n) {
    if (array.size() < n) array = Array<T>(n);
}

}  // namespace

Parts::Parts(const Multipartition& partition, int layer_direction, int n_threads) {
    constexpr double rows_of_thread = 1.5e6;  // [B] less: more messages; more: cache misses
    double n_points = static_cast<double>(partition.tiles().size());
    for (int d = 0; d < 3; ++d) {
        if (d == layer_direction) continue;
        n_points *= share(Box::at(partition.grid(), d), partition.n_slabs(d));
    }
    const int n_in_cache = static_cast<int>(rows_of_thread / (n_points * sizeof(Row) / n_lanes));
    const int n_all =
        share(Box::at(partition.grid(), layer_direction), partition.n_slabs(layer_direction));
    n_layers = n_threads * std::max(1, std::min(n_in_cache, n_all / (n_under_way * n_threads)));
    n = share(n_all, n_layers);
}

void UnderWay::fit(Index n_rows, Index n_groups) {
    const auto n_crossing = 2 * static_cast<std::size_t>(n_groups);
    grow(rows, static_cast<std::size_t>(n_rows));
    grow(rows_in, n_crossing);
    grow(rows_out, n_crossing);
    grow(solutions_in, n_crossing);
    grow(solutions_out, n_crossing);
}

}  // namespace heorot::sp
