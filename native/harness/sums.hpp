// Sums in formulas of costs: over the numbers of a list, and over growing sizes.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "harness/amount.hpp"

namespace heorot {

/// The term of one of the numbers.
using Term = std::function<Amount(const Amount& each)>;

/// Over the whole numbers that an option of a plain name lists.
Amount sum_over(std::string_view option, std::span<const std::int64_t> numbers, const Term& term);

/// Sizes that grow: first, first 2^(1 / per_octave), ... up to last.
struct Sizes {
    Amount first;
    Amount last;
    Amount per_octave;  ///< counts as 64 if it is more
};
Amount sum_over(const Sizes& sizes, const Term& term);
/// The number of sizes, and their sum.
Amount n_of(const Sizes& sizes);
Amount total(const Sizes& sizes);

/// The whole number below, and above.
Amount rounded_down(const Amount& a);
Amount rounded_up(const Amount& a);
/// The logarithm to the base 2; of 0 that of the smallest double.
Amount octaves(const Amount& a);

}  // namespace heorot
