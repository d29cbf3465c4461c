// PCG32: see pcg.hpp.
#include "numerics/generators/pcg.hpp"

namespace heorot::generators {

/// n steps in one, by squaring. Source: F. Brown, Random number generation with arbitrary strides,
/// Trans. Am. Nucl. Soc. 71 (1994).
Pcg32::Steps Pcg32::steps(std::uint64_t n) const {
    Steps all;
    for (Steps square{multiplier, increment_}; n != 0; n >>= 1U) {
        if ((n & 1U) != 0)
            all = {square.factor * all.factor, square.factor * all.term + square.term};
        square = {square.factor * square.factor, (square.factor + 1) * square.term};
    }
    return all;
}

void Pcg32::skip(std::uint64_t n_batches) {
    const Steps all = steps(2 * words_per_batch * n_batches);
    x_ = all.factor * x_ + all.term;
}

void Pcg32::make(Word* to, std::size_t n_batches) {
    // Lane j has the state of word j, of every batch (leapfrog).
    constexpr std::size_t n = words_per_batch;
    alignas(64) Batch x;
    x[0] = x_;
    const Steps two = steps(2);
    for (std::size_t j = 1; j < n; ++j) x[j] = two.factor * x[j - 1] + two.term;
    const Steps all = steps(2 * n);
    const Word c = increment_;
    for (std::size_t batch = 0; batch < n_batches; ++batch, to += n) {
        for (std::size_t j = 0; j < n; ++j) {
            const Word first = x[j];
            const Word second = multiplier * first + c;
            to[j] = permuted(first) | static_cast<Word>(permuted(second)) << 32U;
            x[j] = all.factor * first + all.term;
        }
    }
    x_ = x[0];
}

void Pcg32::fill(std::span<Word> words) {
    fill_by_batches(words, [this](Word* to, std::size_t n) { make(to, n); });
}

void Pcg32::fill_by_definition(std::span<Word> words) {
    fill_by_batches(words, [this](Word* to, std::size_t n_batches) {
        for (std::size_t i = 0; i < n_batches * words_per_batch; ++i) {
            const Word below = next();
            to[i] = below | Word{next()} << 32U;
        }
    });
}

}  // namespace heorot::generators
