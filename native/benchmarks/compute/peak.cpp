// compute/peak: what are FMA peak and clock frequency of a core?
//
// Method    Independent FMA chains in vector registers, enough to hide the FMA latency (24, or 12
//           with 16 registers), without loads and stores (test_generated_code.py):
//             fma_double, fma_single: x <- x * 1 + d, by all threads; the 1 is opaque to the
//               compiler
//           All vector widths of the build are tried, as wide vectors may lower the clock; the best
//           is the peak. Core cycles (not time-stamp cycles) come from a chain of dependent integer
//           instructions by the first thread of each rank:
//             clock_multiply: multiplications (x86-64, 3 cycles each since Nehalem and Zen)
//             clock_add: additions, 1 cycle each
//             clock_xor: alternating xor and addition, 1 cycle each
//           All three are inline assembly and must agree.
// Counts    flops = 2 per lane of each fused multiply-add, summed over chains, threads and ranks.
//           cycles = latency times length of the chain, summed over the ranks.
// Comparable  Yes: with data-sheet peaks at the measured clock.
// Verified  d is a small integer, different in every lane, so that every chain counts its own steps
//           without rounding: all lanes of all chains of all threads must end at start + steps * d,
//           to the last bit. The integer chains must equal powers modulo 2^32 by repeated squaring,
//           a product, and a plain loop.
// Source    Latencies: Intel 64 and IA-32 Architectures Optimization Reference Manual; Software
//           Optimization Guides of AMD for families 17h to 1Ah and of Arm Neoverse.
// Example   heorot run compute/peak --threads 2
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "harness/program.hpp"

// Floating-point chains.
namespace {

// Chains, factor and summand share the registers; latency times units is at most 18 on any core
// known to us (A64FX), 10 on those with 16 registers (Haswell).
#if defined(__x86_64__) && !defined(__AVX512F__)
constexpr std::size_t n_chains = 12;
#else
constexpr std::size_t n_chains = 24;
#endif

// Whether a multiplication and an addition become one instruction; two of them count the same.
#if defined(__FMA__) || defined(__aarch64__) || defined(__powerpc64__) || defined(__riscv_v)
constexpr bool fused = true;
#else
constexpr bool fused = false;
#endif

template <class Real, std::size_t vector_bytes>
struct Lanes {
    using Vector [[gnu::vector_size(vector_bytes)]] = Real;
    static constexpr std::size_t n = vector_bytes / sizeof(Real);
    static constexpr std::size_t n_results = n_chains * n;  // of one thread
};

/// The addend of lane `lane` of a chain in every step.
template <class Real>
constexpr Real summand(std::size_t lane) {
    return static_cast<Real>(lane + 1);
}

/// x_c <- x_c * one + d, n_steps times for every chain c; x_c starts at c. Stores all lanes.
/// Checked against c + n_steps d in every run: largest_miscount().
template <class Real, std::size_t vector_bytes, std::size_t... c>
void run_chains(std::int64_t n_steps, Real one, Real* result, std::index_sequence<c...>) {
    using Vector = Lanes<Real, vector_bytes>::Vector;
    constexpr std::size_t n_lanes = Lanes<Real, vector_bytes>::n;
    Vector factor, d;
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
        factor[lane] = one;
        d[lane] = summand<Real>(lane);
    }
    Vector x[n_chains] = {(Vector{} + static_cast<Real>(c))...};
    for (std::int64_t step = 0; step < n_steps; ++step) {
        // In registers in every step, or gcc loads the factor for each multiply-add.
        heorot::keep(factor);
        heorot::keep(d);
        ((x[c] = x[c] * factor + d), ...);
    }
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
        ((result[c * n_lanes + lane] = x[c][lane]), ...);
    }
}

/// Largest |actual - (start + steps d)| of all lanes, chains and threads; NaN is infinite.
template <class Real, std::size_t vector_bytes>
double largest_miscount(std::span<const Real> results, std::int64_t n_steps) {
    using Each = Lanes<Real, vector_bytes>;
    double largest = 0.0;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const std::size_t chain = i % Each::n_results / Each::n;
        const double expected =
            static_cast<double>(chain) + static_cast<double>(n_steps) * summand<Real>(i % Each::n);
        const double actual = results[i];
        largest =
            std::max(largest, heorot::is_nan(actual) ? HUGE_VAL : std::abs(actual - expected));
    }
    return largest;
}

template <class Real, std::size_t vector_bytes>
void measure_fma(heorot::Program& program, const std::string& region_name, std::int64_t n_steps) {
    using Each = Lanes<Real, vector_bytes>;
    const int n_threads = program.n_threads();
    const std::size_t n_results = static_cast<std::size_t>(n_threads) * Each::n_results;
    heorot::Array<Real> results(n_results);
    std::fill(results.begin(), results.end(), Real{-1});
    Real one = 1;
    heorot::keep(one);
    const double n_fmas = static_cast<double>(n_results) * static_cast<double>(n_steps);
    const auto region = program.measure(
        {.region = region_name,
         .point = {{"vector_bytes", vector_bytes}},
         .counts = {{"flops", 2.0 * n_fmas * program.world().size()}}},
        [&] {
#pragma omp parallel for schedule(static)
            for (int thread = 0; thread < n_threads; ++thread) {
                run_chains<Real, vector_bytes>(
                    n_steps, one,
                    results.data() + static_cast<std::size_t>(thread) * Each::n_results,
                    std::make_index_sequence<n_chains>{});
            }
        });
    program.corruptible(results.span());
    program.check(region, "largest miscount of a chain",
                  largest_miscount<Real, vector_bytes>(results.span(), n_steps), 0.0);
}

#if defined(__ARM_FEATURE_SVE_BITS) && __ARM_FEATURE_SVE_BITS > 0
using Widths = std::index_sequence<16, __ARM_FEATURE_SVE_BITS / 8>;
constexpr std::size_t widest = __ARM_FEATURE_SVE_BITS / 8;
#elif defined(__AVX512F__)
using Widths = std::index_sequence<16, 32, 64>;
constexpr std::size_t widest = 64;
#elif defined(__AVX__)
using Widths = std::index_sequence<16, 32>;
constexpr std::size_t widest = 32;
#else
using Widths = std::index_sequence<16>;
constexpr std::size_t widest = 16;
#endif

}  // namespace

// Integer chains, in blocks that are long enough to hide the loop around them. Checked in every run
// against closed forms or the same steps in C++: measure_clocks().
namespace {

using Word = std::uint64_t;
constexpr std::int64_t block_length = 64;  // as in the assembler text

#if defined(__x86_64__)
constexpr bool has_multiply = true;
constexpr bool has_add_and_xor = true;

/// x <- x k modulo 2^32, 64 times. Multiplications of 64 bits take longer on some small cores.
inline Word multiply_block(Word x, Word k) {
    asm volatile(".rept 64\n\timul %k[k], %k[x]\n\t.endr" : [x] "+r"(x) : [k] "r"(k) : "cc");
    return x;
}

/// x <- x + k, 64 times.
inline Word add_block(Word x, Word k) {
    asm volatile(".rept 64\n\tadd %[k], %[x]\n\t.endr" : [x] "+r"(x) : [k] "r"(k) : "cc");
    return x;
}

/// x <- (x ^ k) + k, 32 times.
inline Word xor_block(Word x, Word k) {
    asm volatile(".rept 32\n\txor %[k], %[x]\n\tadd %[k], %[x]\n\t.endr"
                 : [x] "+r"(x)
                 : [k] "r"(k)
                 : "cc");
    return x;
}
#elif defined(__aarch64__)
constexpr bool has_multiply = false;  // its latency differs from core to core
constexpr bool has_add_and_xor = true;

inline Word multiply_block(Word x, Word) {
    return x;
}

/// x <- x + k, 64 times.
inline Word add_block(Word x, Word k) {
    asm volatile(".rept 64\n\tadd %[x], %[x], %[k]\n\t.endr" : [x] "+r"(x) : [k] "r"(k));
    return x;
}

/// x <- (x ^ k) + k, 32 times.
inline Word xor_block(Word x, Word k) {
    asm volatile(".rept 32\n\teor %[x], %[x], %[k]\n\tadd %[x], %[x], %[k]\n\t.endr"
                 : [x] "+r"(x)
                 : [k] "r"(k));
    return x;
}
#else
constexpr bool has_multiply = false;
constexpr bool has_add_and_xor = false;
inline Word multiply_block(Word x, Word) {
    return x;
}
inline Word add_block(Word x, Word) {
    return x;
}
inline Word xor_block(Word x, Word) {
    return x;
}
#endif

/// base^exponent modulo 2^64, by repeated squaring.
Word power(Word base, std::int64_t exponent) {
    Word result = 1;
    for (; exponent > 0; exponent /= 2, base *= base) {
        if (exponent % 2 == 1) result *= base;
    }
    return result;
}

/// x after n pairs of exclusive-or and addition.
Word xor_and_add(Word x, Word k, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) x = (x ^ k) + k;
    return x;
}

constexpr Word start = 0x9E3779B9;    // 2^32 divided by the golden ratio: all kinds of bits
constexpr Word operand = 0x85EBCA6B;  // odd, so that products never become 0

/// Measures a chain of `n_blocks` blocks that take `latency` cycles per instruction.
template <Word (*block)(Word, Word)>
void measure_clock(heorot::Program& program, const std::string& region_name, std::int64_t n_blocks,
                   double latency, Word expected) {
    Word x = 0;
    const double n_cycles = latency * static_cast<double>(n_blocks * block_length);
    const auto region = program.measure(
        {.region = region_name, .counts = {{"cycles", n_cycles * program.world().size()}}}, [&] {
            Word value = start;
            for (std::int64_t i = 0; i < n_blocks; ++i) value = block(value, operand);
            x = value;
        });
    program.corruptible(x);
    program.check(region, "wrong bits at the end of the chain", std::popcount(x ^ expected), 0.0);
}

void measure_clocks(heorot::Program& program, std::int64_t n_steps) {
    // All chains take about 6 n_steps cycles.
    const std::int64_t n_adds = (6 * n_steps + block_length - 1) / block_length * block_length;
    const std::int64_t n_products = (2 * n_steps + block_length - 1) / block_length * block_length;
    if constexpr (has_multiply) {
        const Word expected = static_cast<std::uint32_t>(start * power(operand, n_products));
        measure_clock<multiply_block>(program, "clock_multiply", n_products / block_length, 3.0,
                                      expected);
    } else {
        program.note("clock_multiply", "left out: no latency that all cores of this kind share");
    }
    if constexpr (has_add_and_xor) {
        const Word sum = start + operand * static_cast<Word>(n_adds);
        measure_clock<add_block>(program, "clock_add", n_adds / block_length, 1.0, sum);
        measure_clock<xor_block>(program, "clock_xor", n_adds / block_length, 1.0,
                                 xor_and_add(start, operand, n_adds / 2));
    } else {
        program.note("clock_add", "left out: no chain known for this kind of processor");
        program.note("clock_xor", "left out: no chain known for this kind of processor");
    }
}

void peak(heorot::Program& program) {
    // 1. Options
    const auto n_steps = program.option<std::int64_t>(
        "steps", 65536, "fused multiply-adds per chain and repetition; clock chains are as long");
    program.takes("memory_bytes", 16.0 * heorot::mebibyte);
    program.takes("points", 9.0);  // three widths at most, of two types, and three clocks
    program.start();
    constexpr std::int64_t most_steps = ((1 << 24) - n_chains) / Lanes<float, widest>::n;
    if (n_steps < 1 || n_steps > most_steps) {
        throw heorot::UsageError("so many --steps cannot be counted exactly",
                                 "use 1 to " + std::to_string(most_steps));
    }
    program.note("instruction_width_bytes", widest);
    program.note("chains", n_chains);
    program.note("fused_multiply_add", fused ? "yes" : "no: a multiplication and an addition");

    // 2. Problem, 3. measure, 4. verify, for each kind of chain
    [&]<std::size_t... vector_bytes>(std::index_sequence<vector_bytes...>) {
        (measure_fma<double, vector_bytes>(program, "fma_double", n_steps), ...);
        (measure_fma<float, vector_bytes>(program, "fma_single", n_steps), ...);
    }(Widths{});
    measure_clocks(program, n_steps);
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "compute/peak", peak);
}
