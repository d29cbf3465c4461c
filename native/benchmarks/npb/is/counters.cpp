// Counting keys by value: see counters.hpp.
#include "benchmarks/npb/is/counters.hpp"

#include <algorithm>
#include <numeric>

namespace heorot::is {

Counters::Counters(std::size_t n_values, int n_parts)
    : n_parts_(n_parts), chunk_starts_(static_cast<std::size_t>(n_parts)) {
    for (int part = 0; part < n_parts; ++part) counts_.emplace_back(n_values);
}

void Counters::clear(std::span<std::uint32_t> table) {
    table_ = table;
#pragma omp parallel for schedule(static)
    for (int p = 0; p < n_parts_; ++p) {
        std::ranges::fill(counts_[static_cast<std::size_t>(p)], std::uint8_t{0});
        const Part mine = part_of(table_.size(), static_cast<std::size_t>(p), counts_.size());
        for (std::size_t v = mine.first; v < mine.last; ++v) table_[v] = 0;
    }
}

void Counters::count(std::span<const Key> keys) {
    std::uint32_t* const table = table_.data();
#pragma omp parallel for schedule(static)
    for (int p = 0; p < n_parts_; ++p) {
        std::uint8_t* const counts = counts_[static_cast<std::size_t>(p)].data();
        const Part mine = part_of(keys.size(), static_cast<std::size_t>(p), counts_.size());
        for (const Key key : keys.subspan(mine.first, mine.last - mine.first)) {
            if (++counts[key] == 0) [[unlikely]] {
#pragma omp atomic
                table[key] += 256;
            }
        }
    }
}

void Counters::add_up() {
    std::uint32_t* const table = table_.data();
#pragma omp parallel for schedule(static)
    for (int p = 0; p < n_parts_; ++p) {
        const Part mine = part_of(table_.size(), static_cast<std::size_t>(p), counts_.size());
        for (const auto& counts : counts_) {
            const std::uint8_t* const count = counts.data();
            for (std::size_t v = mine.first; v < mine.last; ++v) table[v] += count[v];
        }
    }
}

// rank(v) = sum of the populations of all values below v
void Counters::rank(std::span<std::uint32_t> populations) {
    std::uint32_t* const table = populations.data();
    const std::size_t n_values = populations.size();
#pragma omp parallel for schedule(static)
    for (int p = 0; p < n_parts_; ++p) {
        const Part mine = part_of(n_values, static_cast<std::size_t>(p), counts_.size());
        chunk_starts_[static_cast<std::size_t>(p)] =
            std::accumulate(table + mine.first, table + mine.last, std::uint32_t{0});
    }
    std::exclusive_scan(chunk_starts_.begin(), chunk_starts_.end(), chunk_starts_.begin(),
                        std::uint32_t{0});
#pragma omp parallel for schedule(static)
    for (int p = 0; p < n_parts_; ++p) {
        const Part mine = part_of(n_values, static_cast<std::size_t>(p), counts_.size());
        std::uint32_t n_smaller = chunk_starts_[static_cast<std::size_t>(p)];
        for (std::size_t v = mine.first; v < mine.last; ++v) {
            const std::uint32_t population = table[v];
            table[v] = n_smaller;
            n_smaller += population;
        }
    }
}

}  // namespace heorot::is
