// The counter-based generator Philox4x32-10: any block of the sequence at once.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "numerics/generators/words.hpp"

namespace heorot::generators {

/// Blocks of four 32-bit numbers, block n being the counter n enciphered by ten rounds with a key.
/// A batch is 32 blocks: their first two numbers as words, then their last two.
/// Source: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel random numbers: as easy as
/// 1, 2, 3, SC'11.
class Philox {
  public:
    using Block = std::array<std::uint32_t, 4>;
    using Key = std::array<std::uint32_t, 2>;

    /// The first counter is 0.
    explicit Philox(const Key& key) : key_(key) {}

    /// The definition.
    static Block encipher(Block counter, Key key);

    /// From the next batch on, in lanes. Checked against the definition in every run of
    /// algorithms/random.
    void fill(std::span<Word> words);
    /// The same by definition.
    void fill_by_definition(std::span<Word> words);
    /// Skips batches.
    void skip(std::uint64_t n_batches) { counter_ += n_batches * blocks_per_batch; }

  private:
    static constexpr std::uint64_t blocks_per_batch = words_per_batch / 2;

    void make(Word* to, std::size_t n_batches);

    Key key_;
    std::uint64_t counter_ = 0;
};

}  // namespace heorot::generators
