// Philox4x32-10: see philox.hpp.
#include "numerics/generators/philox.hpp"

namespace heorot::generators {

namespace {

constexpr int n_rounds = 10;
constexpr std::uint32_t multiplier_0 = 0xD2511F53;
constexpr std::uint32_t multiplier_1 = 0xCD9E8D57;
constexpr std::uint32_t weyl_0 = 0x9E3779B9;  // golden ratio
constexpr std::uint32_t weyl_1 = 0xBB67AE85;  // sqrt(3) - 1
constexpr std::uint64_t low_half = 0xffffffffU;

}  // namespace

Philox::Block Philox::encipher(Block counter, Key key) {
    for (int round = 0; round < n_rounds; ++round) {
        const std::uint64_t a = std::uint64_t{multiplier_0} * counter[0];
        const std::uint64_t b = std::uint64_t{multiplier_1} * counter[2];
        counter = {static_cast<std::uint32_t>(b >> 32U) ^ counter[1] ^ key[0],
                   static_cast<std::uint32_t>(b),
                   static_cast<std::uint32_t>(a >> 32U) ^ counter[3] ^ key[1],
                   static_cast<std::uint32_t>(a)};
        key[0] += weyl_0;
        key[1] += weyl_1;
    }
    return counter;
}

void Philox::make(Word* to, std::size_t n_batches) {
    // Numbers of 32 bits in lanes of 64, whose upper halves are never read.
    constexpr std::size_t n = blocks_per_batch;
    alignas(64) std::array<std::uint64_t, n> c0, c1, c2, c3;
    for (std::size_t batch = 0; batch < n_batches; ++batch, counter_ += n) {
        for (std::size_t l = 0; l < n; ++l) {
            c0[l] = (counter_ + l) & low_half;
            c1[l] = (counter_ + l) >> 32U;
            c2[l] = 0;
            c3[l] = 0;
        }
        Key key = key_;
        for (int round = 0; round < n_rounds; ++round) {
            const std::uint64_t k0 = key[0];
            const std::uint64_t k1 = key[1];
#pragma omp simd
            for (std::size_t l = 0; l < n; ++l) {
                const std::uint64_t a = multiplier_0 * (c0[l] & low_half);
                const std::uint64_t b = multiplier_1 * (c2[l] & low_half);
                c0[l] = (b >> 32U) ^ c1[l] ^ k0;
                c1[l] = b;
                c2[l] = (a >> 32U) ^ c3[l] ^ k1;
                c3[l] = a;
            }
            key[0] += weyl_0;
            key[1] += weyl_1;
        }
        Word* const block = to + batch * words_per_batch;
        for (std::size_t l = 0; l < n; ++l) {
            block[l] = (c0[l] & low_half) | (c1[l] << 32U);
            block[n + l] = (c2[l] & low_half) | (c3[l] << 32U);
        }
    }
}

void Philox::fill(std::span<Word> words) {
    fill_by_batches(words, [this](Word* to, std::size_t n) { make(to, n); });
}

void Philox::fill_by_definition(std::span<Word> words) {
    fill_by_batches(words, [this](Word* to, std::size_t n_batches) {
        for (std::size_t i = 0; i < n_batches * blocks_per_batch; ++i, ++counter_) {
            const Block block = encipher({static_cast<std::uint32_t>(counter_),
                                          static_cast<std::uint32_t>(counter_ >> 32U), 0, 0},
                                         key_);
            Word* const at = to + i / blocks_per_batch * words_per_batch + i % blocks_per_batch;
            at[0] = block[0] | Word{block[1]} << 32U;
            at[blocks_per_batch] = block[2] | Word{block[3]} << 32U;
        }
    });
}

}  // namespace heorot::generators
