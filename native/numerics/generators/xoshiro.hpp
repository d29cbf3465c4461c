// The generator xoshiro256++: sixteen streams side by side.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "numerics/generators/words.hpp"

namespace heorot::generators {

/// One stream, by definition. Period 2^256 - 1.
/// Source: D. Blackman, S. Vigna, Scrambled linear pseudorandom number generators, ACM TOMS 47
/// (2021).
class Xoshiro256 {
  public:
    using State = std::array<Word, 4>;

    /// Precondition: not all of the state is zero.
    explicit constexpr Xoshiro256(const State& state) : s_(state) {}
    /// A state that a seed is spread over by SplitMix64. Source: G. L. Steele, D. Lea, C. H. Flood,
    /// Fast splittable pseudorandom number generators, OOPSLA (2014).
    explicit Xoshiro256(Word seed);

    constexpr Word next() {
        const Word result = std::rotl(s_[0] + s_[3], 23) + s_[0];
        step();
        return result;
    }
    constexpr void step() {
        const Word t = s_[1] << 17U;
        s_[2] ^= s_[0];
        s_[3] ^= s_[1];
        s_[1] ^= s_[2];
        s_[0] ^= s_[3];
        s_[2] ^= t;
        s_[3] = std::rotl(s_[3], 45);
    }
    /// Advances by 2^128 steps. Checked against the powers of the matrix of a step in
    /// tests/numerics/generators/test_generators.cpp: jump_is_2_to_128_steps.
    void jump();
    const State& state() const { return s_; }

  private:
    State s_;
};

/// Word i of a batch is of stream i mod 16; the streams begin 2^128 numbers apart.
class XoshiroStreams {
  public:
    explicit XoshiroStreams(Word seed);

    /// From the next batch on, in lanes. Checked against the definition in every run of
    /// algorithms/random.
    void fill(std::span<Word> words);
    /// The same by definition.
    void fill_by_definition(std::span<Word> words);
    /// Skips batches, step by step.
    void skip(std::uint64_t n_batches);

  private:
    static constexpr std::size_t n_streams = 16;
    static constexpr std::size_t steps_per_batch = words_per_batch / n_streams;

    void make(Word* to, std::size_t n_batches);
    Xoshiro256 stream(std::size_t j) const;
    void keep(std::size_t j, const Xoshiro256& stream);

    alignas(64) std::array<std::array<Word, n_streams>, 4> s_;  ///< by element of the state
};

}  // namespace heorot::generators
