// A battery of statistical tests for random words: whether they look as if they came by chance.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "numerics/generators/words.hpp"

namespace heorot::generators {

/// A test, and how likely chance would be as far out on either side.
struct Judgement {
    std::string_view test;
    double p_value;
};

/// Which of the bits of a word are tested.
enum class Bits { leading, all };

/// The words that a battery needs at least.
constexpr std::size_t least_words_of_battery = std::size_t{1} << 14U;

/// Equidistribution of bytes, pairs and triples, serial correlation, gaps, runs, collisions,
/// birthday spacings and ranks of binary matrices; each of the leading bits and, with `bits` for
/// all, of the last ones. Checked in tests/numerics/generators/test_battery.cpp:
/// bad_generators_are_caught, p_values_are_uniform.
/// Source: D. E. Knuth, The Art of Computer Programming 2, 3rd ed. (1998), section 3.3.2; G.
/// Marsaglia, A current view of random number generators, Computer Science and Statistics (1985).
/// Precondition: least_words_of_battery words.
std::vector<Judgement> judge(std::span<const Word> words, Bits bits);

/// The test that is furthest out, with the probability that the furthest of so many independent
/// ones is as far out by chance.
Judgement verdict(std::span<const Judgement> judgements);

}  // namespace heorot::generators
