// The generator PCG32: a linear congruential sequence modulo 2^64 behind a permutation of its bits.
#pragma once

#include <cstdint>
#include <span>

#include "numerics/generators/words.hpp"

namespace heorot::generators {

/// x_{k+1} = a x_k + c mod 2^64, with Knuth's multiplier. Number k has the 32 bits of x_k that a
/// shift leaves, rotated by its leading five (XSH-RR); a word has two of them, the first one below.
/// Source: M. E. O'Neill, PCG: a family of simple fast space-efficient statistically good
/// algorithms for random number generation, HMC-CS-2014-0905; D. E. Knuth, The Art of Computer
/// Programming 2, 3rd ed. (1998), section 3.3.4.
class Pcg32 {
  public:
    static constexpr Word multiplier = 6364136223846793005U;

    /// `sequence` is which of 2^63 sequences.
    Pcg32(Word seed, Word sequence) : increment_(2 * sequence + 1) {
        next();
        x_ += seed;
        next();
    }

    /// The definition: the next number.
    std::uint32_t next() {
        const Word x = x_;
        x_ = multiplier * x + increment_;
        return permuted(x);
    }
    /// From the next batch on, in lanes. Checked against the definition in every run of
    /// algorithms/random.
    void fill(std::span<Word> words);
    /// The same by definition.
    void fill_by_definition(std::span<Word> words);
    /// Skips batches, all at once.
    void skip(std::uint64_t n_batches);

  private:
    /// x := factor x + term, several steps in one.
    struct Steps {
        Word factor = 1;
        Word term = 0;
    };

    static constexpr std::uint32_t permuted(Word x) {
        const auto shifted = static_cast<std::uint32_t>(((x >> 18U) ^ x) >> 27U);
        const auto turn = static_cast<std::uint32_t>(x >> 59U);
        return shifted >> turn | shifted << (-turn & 31U);
    }
    Steps steps(std::uint64_t n) const;
    void make(Word* to, std::size_t n_batches);

    Word x_ = 0;
    Word increment_;
};

}  // namespace heorot::generators
