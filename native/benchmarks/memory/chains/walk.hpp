// Chains on their way through a cycle, and whether they stand where they should.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "benchmarks/memory/chains/cycle.hpp"
#include "harness/program.hpp"

namespace heorot::chains {

/// Chains on their way through a cycle.
template <std::size_t n_chains>
class Walk {
  public:
    explicit Walk(const Cycle& cycle) : cycle_(cycle) {
        for (std::size_t chain = 0; chain < n_chains; ++chain) at_.push_back(line(chain));
    }
    /// Follows the next links of every chain, a multiple of 16.
    void go_on(std::int64_t n_links) {
        [&]<std::size_t... chain>(std::index_sequence<chain...>) {
            follow(at_, n_links, at_[chain]...);
        }(std::make_index_sequence<n_chains>{});
    }
    /// How many lines of memory lie between where a chain stands and where n_links links lead, the
    /// largest number of all chains; with --corrupt one of them stands elsewhere.
    double astray(Program& program, std::int64_t n_links) const {
        std::array<std::int64_t, n_chains> lines;
        std::ranges::transform(at_, lines.begin(), [&](const Line* at) { return number(at); });
        program.corruptible(std::span<std::int64_t>(lines));
        double largest = 0.0;
        for (std::size_t chain = 0; chain < n_chains; ++chain) {
            const std::int64_t away = lines[chain] - number(line(chain, n_links));
            largest = std::max(largest, std::abs(static_cast<double>(away)));
        }
        return largest;
    }

  private:
    const Line* line(std::size_t chain, std::int64_t n_links = 0) const {
        return cycle_.line(cycle_.n_lines() * chain / n_chains + static_cast<std::size_t>(n_links));
    }
    static std::int64_t number(const Line* place) {
        return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(place) / line_bytes);
    }

    const Cycle& cycle_;
    std::vector<const Line*> at_;
};

}  // namespace heorot::chains
