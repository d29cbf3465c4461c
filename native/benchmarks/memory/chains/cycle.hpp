// Lines of memory that point to each other in one random cycle, and following its links.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "harness/array.hpp"
#include "harness/keep.hpp"

namespace heorot::chains {

constexpr std::size_t line_bytes = 64;

/// The beginning of a line of the caches, which knows the next one.
struct Line {
    const Line* next;
};

/// Where the lines of a cycle lie.
enum class Spacing {
    every_line,    ///< one behind the other
    one_per_page,  ///< one in each 4 KiB page, at places that spread over the sets of a cache
};

/// One cycle through n lines in random order. Checked in every run: wrong_links().
class Cycle {
  public:
    /// Room for cycles of up to `most` lines at `base`. Precondition: most < 2^32.
    Cycle(std::byte* base, std::size_t most, Spacing spacing);

    /// Makes a new cycle of the first n lines.
    void link(std::size_t n);
    std::size_t n_lines() const { return n_; }
    /// The k-th line of the cycle, which may be entered anywhere and is gone round again and again.
    const Line* line(std::size_t k) const { return at(order_[k % n_]); }
    /// How many lines are missing in the order or do not point to the next one in it.
    std::size_t wrong_links() const;

  private:
    Line* at(std::size_t i) const;

    std::byte* base_;
    Array<std::uint32_t> order_;
    std::size_t page_bytes_;  // 0: every line
    std::size_t n_ = 0;
};

/// Follows n_links links of each chain at once, a multiple of 16; `places` is where the chains
/// stand, and where they end. Each link is loaded by itself, not several by one instruction that
/// waits for all of them. Checked against the order of the cycle in every run: Walk::astray().
template <class... Place>
void follow(std::span<const Line*> places, std::int64_t n_links, Place... here) {
    for (std::int64_t i = 0; i < n_links; i += 16) {
#pragma GCC unroll 16
        for (int link = 0; link < 16; ++link) ((here = here->next, keep(here)), ...);
    }
    const std::array<const Line*, sizeof...(here)> ends{here...};
    std::copy(ends.begin(), ends.end(), places.begin());
}

}  // namespace heorot::chains
