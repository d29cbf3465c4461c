// Tests of the generators of random words: lanes against definitions, skips and jumps against
// steps.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "numerics/generators/normal.hpp"
#include "numerics/generators/pcg.hpp"
#include "numerics/generators/philox.hpp"
#include "numerics/generators/words.hpp"
#include "numerics/generators/xoshiro.hpp"
#include "tests/testing.hpp"

namespace {

using heorot::generators::Word;

/// fill() makes what the definition does, for any length, and leaves the same state; skip() leaves
/// out whole batches.
template <class Generator>
void fill_equals_the_definition(const Generator& beginning) {
    for (const std::size_t n : {0U, 1U, 63U, 64U, 65U, 1000U, 4096U, 5001U}) {
        Generator filler = beginning, definer = beginning, skipper = beginning;
        std::vector<Word> filled(n), defined(n);
        for (int turn = 0; turn < 3; ++turn) {
            filler.fill(filled);
            definer.fill_by_definition(defined);
            CHECK((filled == defined) && "lanes make what the definition does");
        }
        skipper.skip(2 * heorot::generators::n_batches_for(n));
        skipper.fill_by_definition(filled);
        CHECK((filled == defined) && "skip leaves out batches");
    }
}

/// Matrices over GF(2) of 256 x 256 bits: column b is what becomes of the state with bit b alone.
using State = heorot::generators::Xoshiro256::State;
using Matrix = std::vector<State>;

State product(const Matrix& m, const State& state) {
    State sum = {};
    for (std::size_t bit = 0; bit < m.size(); ++bit) {
        if ((state[bit / 64] >> (bit % 64) & 1U) == 0) continue;
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] ^= m[bit][i];
    }
    return sum;
}

void jump_is_2_to_128_steps() {
    Matrix power;
    for (std::size_t bit = 0; bit < 256; ++bit) {
        State one = {};
        one[bit / 64] = Word{1} << (bit % 64);
        heorot::generators::Xoshiro256 stream(one);
        stream.step();
        power.push_back(stream.state());
    }
    for (int squaring = 0; squaring < 128; ++squaring) {
        Matrix square;
        for (const State& column : power) square.push_back(product(power, column));
        power = square;
    }
    heorot::generators::Xoshiro256 stream(Word{12345});
    const State expected = product(power, stream.state());
    stream.jump();
    CHECK((stream.state() == expected) && "a jump is 2^128 steps");
}

/// SplitMix64 from 0: what its authors' successors use to test theirs.
void seeds_are_spread() {
    const State expected = {0xe220a8397b1dcdafU, 0x6e789e6aa1b965f4U, 0x06c45d188009454fU,
                            0xf88bb8a8724c81ecU};
    CHECK((heorot::generators::Xoshiro256(Word{0}).state() == expected) &&
          "a seed is spread by SplitMix64");
}

void normals_are_those_of_the_library() {
    constexpr std::size_t n = heorot::generators::pairs_per_block;
    heorot::generators::XoshiroStreams random(99);
    double largest = 0.0;
    for (int block = 0; block < 1000; ++block) {
        std::array<Word, 2 * n> words;
        std::array<double, 2 * n> deviates;
        random.fill(words);
        // The ends of the interval, and the seams of the quarters.
        words[0] = 0;
        words[1] = ~Word{0};
        for (Word i = 0; i < 16; ++i) words[n + i] = (i << 60U) - Word{block % 2 == 1};
        heorot::generators::make_normal(words, deviates);
        for (std::size_t j = 0; j < n; ++j) {
            const double root =
                std::sqrt(-2.0 * std::log1p(-heorot::generators::uniform(words[j])));
            const double angle = 2.0 * std::numbers::pi * heorot::generators::uniform(words[n + j]);
            largest = std::max(largest, std::abs(deviates[j] - root * std::cos(angle)));
            largest = std::max(largest, std::abs(deviates[n + j] - root * std::sin(angle)));
        }
    }
    CHECK((largest <= 2e-14) && "normal deviates are those of the library's functions");
}

void fractions_are_exact() {
    CHECK((heorot::generators::uniform(0) == 0.0) && "the least fraction is 0");
    CHECK((heorot::generators::uniform(~Word{0}) == 1.0 - 0x1p-52) && "the largest is below 1");
    CHECK((heorot::generators::uniform(Word{1} << 63U) == 0.5) && "the leading bit is a half");
}

}  // namespace

int main() {
    fill_equals_the_definition(heorot::generators::Philox({1, 2}));
    fill_equals_the_definition(heorot::generators::XoshiroStreams(3));
    fill_equals_the_definition(heorot::generators::Pcg32(4, 5));
    // The counter passes 2^32.
    heorot::generators::Philox late({6, 7});
    late.skip((std::uint64_t{1} << 27U) - 8);
    fill_equals_the_definition(late);
    jump_is_2_to_128_steps();
    seeds_are_spread();
    normals_are_those_of_the_library();
    fractions_are_exact();
    return heorot::tests::result();
}
