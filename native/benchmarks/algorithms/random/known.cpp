// Known answers: see known.hpp.
#include "benchmarks/algorithms/random/known.hpp"

#include <array>
#include <cstdint>
#include <random>

#include "numerics/generators/pcg.hpp"
#include "numerics/generators/philox.hpp"
#include "numerics/generators/words.hpp"
#include "numerics/generators/xoshiro.hpp"
#include "numerics/random.hpp"

namespace heorot::random {

using namespace generators;

/// The answers that the authors publish with Random123: counter and key of zeros, of ones, and of
/// the digits of pi.
double n_wrong_of_philox() {
    struct Answer {
        Philox::Block counter;
        Philox::Key key;
        Philox::Block block;
    };
    constexpr std::uint32_t ones = 0xffffffffU;
    constexpr std::array<Answer, 3> answers = {{
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U}},
        {{ones, ones, ones, ones},
         {ones, ones},
         {0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU}},
        {{0x243f6a88U, 0x85a308d3U, 0x13198a2eU, 0x03707344U},
         {0xa4093822U, 0x299f31d0U},
         {0xd16cfe09U, 0x94fdccebU, 0x5001e420U, 0x24126ea1U}},
    }};
    double n_wrong = 0.0;
    for (const Answer& answer : answers) {
        n_wrong += Philox::encipher(answer.counter, answer.key) == answer.block ? 0.0 : 1.0;
    }
    return n_wrong;
}

/// From the state 1, 2, 3, 4, as the authors' program prints them.
double n_wrong_of_xoshiro256() {
    constexpr std::array<Word, 10> answers = {
        41943041U,
        58720359U,
        3588806011781223U,
        3591011842654386U,
        9228616714210784205U,
        9973669472204895162U,
        14011001112246962877U,
        12406186145184390807U,
        15849039046786891736U,
        10450023813501588000U,
    };
    Xoshiro256 stream({1, 2, 3, 4});
    double n_wrong = 0.0;
    for (const Word answer : answers) n_wrong += stream.next() == answer ? 0.0 : 1.0;
    return n_wrong;
}

/// Seed 42, sequence 54: the output of the author's demonstration.
double n_wrong_of_pcg32() {
    constexpr std::array<std::uint32_t, 6> answers = {0xa15c02b7U, 0x7b47f409U, 0xba1d3330U,
                                                      0x83d2f293U, 0xbfa4784bU, 0xcbed606eU};
    Pcg32 generator(42, 54);
    double n_wrong = 0.0;
    for (const std::uint32_t answer : answers) n_wrong += generator.next() == answer ? 0.0 : 1.0;
    return n_wrong;
}

/// The C++ standard, [rand.predef]: number 10000 from the seed that is the default.
double n_wrong_of_mt19937() {
    std::mt19937_64 engine;  // NOLINT(bugprone-random-generator-seed): as the standard has it
    engine.discard(9999);
    return engine() == 9981545732273789042U ? 0.0 : 1.0;
}

/// 5^13 and 5^26 mod 2^46 in decimals, and that 2^44 steps lead back to the seed.
double n_wrong_of_npb() {
    Random sequence(1);
    double n_wrong = sequence.advance() == 1220703125U ? 0.0 : 1.0;
    n_wrong += sequence.advance() == 1490116119384765625U % Random::modulus ? 0.0 : 1.0;
    sequence.skip((std::uint64_t{1} << 44U) - 2);
    return n_wrong + (sequence.state() == 1 ? 0.0 : 1.0);
}

}  // namespace heorot::random
