// Generators that others wrote, or that make fractions only, in the shape of ours: fill(),
// fill_by_definition() and skip().
#pragma once

#include <cstdint>
#include <random>
#include <span>

#include "numerics/generators/words.hpp"
#include "numerics/random.hpp"

namespace heorot::random {

using namespace generators;

/// The library's std::mt19937_64, word by word.
class Mersenne {
  public:
    explicit Mersenne(Word seed) : engine_(seed) {}

    void fill(std::span<Word> words) {
        fill_by_batches(words, [this](Word* to, std::size_t n) {
            for (std::size_t i = 0; i < n * words_per_batch; ++i) to[i] = engine_();
        });
    }
    void fill_by_definition(std::span<Word> words) { fill(words); }
    void skip(std::uint64_t n_batches) { engine_.discard(n_batches * words_per_batch); }

  private:
    std::mt19937_64 engine_;
};

/// The sequence of the NAS Parallel Benchmarks: fractions of 46 bits.
class Nas {
  public:
    explicit Nas(std::uint64_t seed) : sequence_(seed) {}

    void fill(std::span<double> fractions) { sequence_.fill(fractions); }
    void fill_by_definition(std::span<double> fractions) {
        for (double& each : fractions) each = static_cast<double>(sequence_.advance()) * 0x1p-46;
    }
    void skip(std::uint64_t n) { sequence_.skip(n); }

  private:
    Random sequence_;
};

}  // namespace heorot::random
