// integers/sieve: how fast does a core cross out numbers?
//
// Method    The sieve of Eratosthenes over the odd numbers below 2^bits, a byte for each: every
//           prime up to the root crosses out its odd multiples. Every rank sieves for itself.
// Counts    crossings = bytes written, summed over the ranks.
// Comparable  No: sieves differ in what they skip.
// Verified  The primes left are as many as the prime-counting function says.
// Source    Eratosthenes; pi(2^k) from the On-Line Encyclopedia of Integer Sequences, A007053.
// Example   heorot run integers/sieve --set bits=20
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "harness/program.hpp"

namespace {

constexpr int fewest_bits = 10;
/// Primes up to 2^10, 2^11 ... 2^24.
constexpr std::array<std::size_t, 15> n_primes_below{172,   309,    564,    1028,   1900,
                                                     3512,  6542,   12251,  23000,  43390,
                                                     82025, 155611, 295947, 564163, 1077871};

/// Element i stands for 2 i + 1; 0 is left for primes, and for 1 in the place of 2.
std::size_t sieve(heorot::Array<std::uint8_t>& crossed) {
    const std::size_t n = crossed.size();
    std::fill(crossed.begin(), crossed.end(), std::uint8_t{0});
    std::size_t n_crossings = 0;
    for (std::size_t i = 1; 2 * i * (i + 1) < n; ++i) {
        if (crossed[i] != 0) continue;
        for (std::size_t j = 2 * i * (i + 1); j < n; j += 2 * i + 1) {
            crossed[j] = 1;
            ++n_crossings;
        }
    }
    return n_crossings;
}

void sieve_primes(heorot::Program& program) {
    // 1. Options
    const auto bits = program.option<int>("bits", 20, "numbers below 2^bits: 10 to 24");
    program.start();
    const int most_bits = fewest_bits + static_cast<int>(n_primes_below.size()) - 1;
    if (bits < fewest_bits || bits > most_bits) {
        throw heorot::UsageError("no count of primes is known for these bits", "--bits 10 to 24");
    }

    // 2. Problem
    heorot::Array<std::uint8_t> crossed(std::size_t{1} << static_cast<unsigned>(bits - 1));
    const double crossings = static_cast<double>(sieve(crossed)) * program.world().size();

    // 3. Measure
    const auto region = program.measure(
        {.region = "sieve", .point = {{"bits", bits}}, .counts = {{"crossings", crossings}}}, [&] {
            sieve(crossed);
            heorot::keep(crossed[0]);
        });

    // 4. Verify
    program.corruptible(crossed.span());
    const auto left = static_cast<double>(std::count(crossed.begin(), crossed.end(), 0));
    const auto known =
        static_cast<double>(n_primes_below[static_cast<std::size_t>(bits - fewest_bits)]);
    program.check(region, "primes left, against those known", std::abs(left - known), 0.0);

    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "integers/sieve", sieve_primes);
}
