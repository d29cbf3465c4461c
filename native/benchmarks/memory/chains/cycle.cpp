// Builds a cycle by a random permutation, and compares its links with it.
#include "benchmarks/memory/chains/cycle.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "benchmarks/memory/chains/pages.hpp"
#include "numerics/random.hpp"
#include "numerics/shuffle.hpp"

namespace heorot::chains {

Cycle::Cycle(std::byte* base, std::size_t most, Spacing spacing)
    : base_(base),
      order_(most),
      page_bytes_(spacing == Spacing::one_per_page ? small_page_bytes() : 0) {}

Line* Cycle::at(std::size_t i) const {
    // Lines at the same place of every page would share a few sets of a cache.
    const std::size_t lines_per_page = std::max<std::size_t>(1, page_bytes_ / line_bytes);
    const std::size_t offset =
        page_bytes_ == 0 ? i * line_bytes : i * page_bytes_ + i % lines_per_page * line_bytes;
    return reinterpret_cast<Line*>(base_ + offset);
}

void Cycle::link(std::size_t n) {
    n_ = n;
    const auto order = order_.span().first(n);
    std::iota(order.begin(), order.end(), 0U);
    Random random(20260101);
    shuffle(order, [&](std::size_t below) {
        return static_cast<std::size_t>(random.next() * static_cast<double>(below));
    });
    for (std::size_t k = 0; k < n; ++k) at(order[k])->next = line(k + 1);
}

std::size_t Cycle::wrong_links() const {
    std::vector<bool> seen(n_);
    std::size_t n_wrong = 0;
    for (std::size_t k = 0; k < n_; ++k) {
        if (line(k)->next != line(k + 1)) ++n_wrong;
        seen[order_[k]] = true;
    }
    return n_wrong + static_cast<std::size_t>(std::count(seen.begin(), seen.end(), false));
}

}  // namespace heorot::chains
