// compute/integer: what are latency and throughput of 64-bit integer operations?
//
// Method    One thread per rank, integers of 64 bits:
//             add: x + a
//             multiply: x a
//             shift: (x rotated by s) xor a
//             divide: p / x, where p = d e, so that d and e follow each other
//             remainder: p mod x, where p = x + r
//             count_ones: x + popcount(x)
//           each in two variants:
//             chain: dependent operations (latency)
//             independent: eight chains at once (throughput)
//           The operands are opaque to the compiler: it can neither fold nor vectorise the loops.
// Counts    operations, summed over the ranks: one per line above (shift and count_ones take two
//           instructions).
// Comparable  In part: chains with latencies of instruction tables, times the clock.
// Verified  Every chain must end at its closed form: x + n a, x a^n by repeated squaring, d or e by
//           whether n is odd, and so on; shift, which is back after 128 steps, and count_ones where
//           the same steps lead in a plain loop, the bits by a table.
// Source    A. Fog, Instruction tables (2024), for what a latency of an instruction is; D. E.
//           Knuth, The Art of Computer Programming 2, 3rd ed. (1998), section 4.6.3, for powers.
// Example   heorot run compute/integer --set ops=multiply,divide
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "harness/program.hpp"

namespace {

using Word = std::uint64_t;

constexpr std::string_view known_operations = "add,multiply,shift,divide,remainder,count_ones";
constexpr std::size_t n_independent = 8;
constexpr std::int64_t n_unrolled = 7;

/// Two primes next to 2^32, and numbers that lead from the one to the other and back.
constexpr Word d = 4294967291U;
constexpr Word e = 4294967279U;
constexpr Word product = d * e;
constexpr Word offset = 12345;
constexpr Word dividend = product + 8589922225U;  // by the Chinese remainder theorem
static_assert(dividend % d + offset == e && dividend % e + offset == d);

/// Operands, unknown to the compiler.
struct Operands {
    Word a;
    Word p;
    Word c;
};

/// a^n modulo 2^64.
constexpr Word power(Word a, std::int64_t n) {
    Word result = 1;
    for (Word square = a; n != 0; n /= 2, square *= square) {
        if (n % 2 != 0) result *= square;
    }
    return result;
}

/// How many bits of a byte are one.
constexpr auto ones_of = [] {
    std::array<std::uint8_t, 256> ones{};
    for (std::size_t byte = 1; byte < ones.size(); ++byte) {
        ones[byte] = static_cast<std::uint8_t>(ones[byte / 2] + byte % 2);
    }
    return ones;
}();

/// An operation: a step of a chain, where chains begin, and where n steps lead. Checked in every
/// run: n_astray().
struct Add {
    static constexpr std::string_view name = "add";
    static constexpr Operands operands{0x9e3779b97f4a7c15U, 0, 0};
    static Word step(Word x, const Operands& u) { return x + u.a; }
    static Word begin(std::size_t chain) { return chain + 1; }
    static Word end(Word x, std::int64_t n) { return x + static_cast<Word>(n) * operands.a; }
};
struct Multiply {
    static constexpr std::string_view name = "multiply";
    static constexpr Operands operands{6364136223846793005U, 0, 0};
    static Word step(Word x, const Operands& u) { return x * u.a; }
    static Word begin(std::size_t chain) { return 2 * chain + 1; }
    static Word end(Word x, std::int64_t n) { return x * power(operands.a, n); }
};
struct Shift {
    static constexpr std::string_view name = "shift";
    static constexpr Operands operands{0x9e3779b97f4a7c15U, 0, 0};
    static Word step(Word x, const Operands& u) { return std::rotl(x, 23) ^ u.a; }
    static Word begin(std::size_t chain) { return chain + 1; }
    // 64 steps rotate x once around and flip all its bits, or none: 128 steps leave it unchanged.
    static Word end(Word x, std::int64_t n) {
        for (std::int64_t i = 0; i < n % 128; ++i) x = ((x << 23U) + (x >> 41U)) ^ operands.a;
        return x;
    }
};
struct Divide {
    static constexpr std::string_view name = "divide";
    static constexpr Operands operands{0, product, 0};
    static Word step(Word x, const Operands& u) { return u.p / x; }
    static Word begin(std::size_t chain) { return chain % 2 == 0 ? d : e; }
    static Word end(Word x, std::int64_t n) { return n % 2 == 0 ? x : d + e - x; }
};
struct Remainder {
    static constexpr std::string_view name = "remainder";
    static constexpr Operands operands{0, dividend, offset};
    static Word step(Word x, const Operands& u) { return u.p % x + u.c; }
    static Word begin(std::size_t chain) { return chain % 2 == 0 ? d : e; }
    static Word end(Word x, std::int64_t n) { return n % 2 == 0 ? x : d + e - x; }
};
struct CountOnes {
    static constexpr std::string_view name = "count_ones";
    static constexpr Operands operands{};
    static Word step(Word x, const Operands& /*u*/) {
        return x + static_cast<Word>(std::popcount(x));
    }
    // So far from each other that none reaches the next: they grow by 64 a step at most.
    static Word begin(std::size_t chain) { return (chain + 1) * 0x123456789abcdef1U; }
    static Word end(Word x, std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i) {
            Word ones = 0;
            for (unsigned place = 0; place < 64; place += 8) ones += ones_of[(x >> place) % 256];
            x += ones;
        }
        return x;
    }
};

/// n_steps steps of every chain, a multiple of n_unrolled; `x` is where they end.
template <class Operation, class... Chain>
void run_chains(std::span<Word> x, std::int64_t n_steps, const Operands u, Chain... here) {
    for (std::int64_t i = 0; i < n_steps; i += n_unrolled) {
#pragma GCC unroll 7
        for (std::int64_t step = 0; step < n_unrolled; ++step) {
            ((here = Operation::step(here, u), heorot::keep(here)), ...);
        }
    }
    const std::array<Word, sizeof...(here)> ends{here...};
    std::copy(ends.begin(), ends.end(), x.begin());
}

}  // namespace

namespace {

template <class Operation, std::size_t n_chains>
void measure(heorot::Program& program, std::string_view way, std::int64_t n_steps) {
    std::array<Word, n_chains> x;
    for (std::size_t chain = 0; chain < n_chains; ++chain) x[chain] = Operation::begin(chain);
    Operands u = Operation::operands;
    heorot::keep(u);
    const double n = static_cast<double>(n_steps * std::int64_t{n_chains}) * program.world().size();
    const auto go_on = [&](std::int64_t n_more) {
        [&]<std::size_t... chain>(std::index_sequence<chain...>) {
            run_chains<Operation>(x, n_more, u, x[chain]...);
        }(std::make_index_sequence<n_chains>{});
    };
    const auto region = program.measure({.region = std::string(Operation::name),
                                         .point = {{"way", std::string(way)}},
                                         .counts = {{"operations", n}}},
                                        [&] { go_on(n_steps); });
    // Some chains go to and fro: an odd number of steps shows that they left.
    std::int64_t n_all = n_steps * region.n_bodies;
    for (; n_all % 2 == 0; n_all += n_unrolled) go_on(n_unrolled);
    program.corruptible(std::span<Word>(x));
    double n_astray = 0.0;
    for (std::size_t chain = 0; chain < n_chains; ++chain) {
        const Word wanted = Operation::end(Operation::begin(chain), n_all);
        n_astray += x[chain] == wanted ? 0.0 : 1.0;
    }
    program.check(region, "chains that end elsewhere", n_astray, 0.0);
}

void integer(heorot::Program& program) {
    // 1. Options
    const auto operations = program.items("ops", known_operations, "operations");
    const auto n_steps =
        program.option<std::int64_t>("steps", 1001, "operations of each chain in a body");
    program.takes("memory_bytes", 4.0 * heorot::mebibyte);
    program.takes("points", 2.0 * program.n_of("ops"));
    program.start();
    if (n_steps < n_unrolled || n_steps % n_unrolled != 0 || n_steps > std::int64_t{1} << 40) {
        throw heorot::UsageError("--steps must be a multiple of 7 between 7 and 2^40",
                                 "leave it out for 1001");
    }

    // 2. Problem, 3. measure, 4. verify, an operation after the other
    const auto measure_both = [&]<class Operation>(Operation) {
        if (!heorot::lists(operations, Operation::name)) return;
        measure<Operation, 1>(program, "chain", n_steps);
        measure<Operation, n_independent>(program, "independent", n_steps);
    };
    measure_both(Add{});
    measure_both(Multiply{});
    measure_both(Shift{});
    measure_both(Divide{});
    measure_both(Remainder{});
    measure_both(CountOnes{});
    // 5. Report: returning ends the record
}

}  // namespace

int main(int argc, char** argv) {
    return heorot::run(argc, argv, "compute/integer", integer);
}
