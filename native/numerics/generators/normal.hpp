// Normal deviates from pairs of random words, in loops that vectorise.
#pragma once

#include <cstddef>
#include <span>

#include "numerics/generators/words.hpp"

namespace heorot::generators {

/// Pairs that make_normal() takes at once.
constexpr std::size_t pairs_per_block = 256;

/// Box and Muller's method: with u and w uniform in [0, 1), sqrt(-2 ln(1 - u)) cos(2 pi w) and the
/// same with the sine are independent normal deviates. The first half of `words` yields u, the
/// second w; the first half of `deviates` gets the cosines. 2 pairs_per_block of each. Checked
/// against the library's functions in every run of algorithms/random.
/// Source: G. E. P. Box, M. E. Muller, A note on the generation of random normal deviates, Ann.
/// Math. Stat. 29 (1958).
void make_normal(std::span<const Word, 2 * pairs_per_block> words,
                 std::span<double, 2 * pairs_per_block> deviates);

}  // namespace heorot::generators
