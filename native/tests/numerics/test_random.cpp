// Tests of the random numbers and of the elementary functions that make deviates of them.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <vector>

#include "numerics/elementary.hpp"
#include "numerics/random.hpp"
#include "tests/testing.hpp"

namespace {

using heorot::Random;

constexpr std::uint64_t seed = 271828183;
/// a x mod 2^46 as written in the definition.
std::uint64_t step_by_definition(std::uint64_t a, std::uint64_t x) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(a) * x % (static_cast<Wide>(1) << 46U));
}

void sequence_follows_the_definition() {
    std::uint64_t five_to_13 = 1;
    for (int i = 0; i < 13; ++i) five_to_13 *= 5;
    CHECK((Random::multiplier == five_to_13) && "the multiplier is 5^13");
    Random random(seed);
    Random uniform(seed);
    std::uint64_t x = seed;
    bool same = true;
    bool exact = true;
    for (int k = 0; k < 100000; ++k) {
        x = step_by_definition(five_to_13, x);
        same = same && random.advance() == x && random.state() == x;
        exact = exact && uniform.next() == std::ldexp(static_cast<double>(x), -46);
    }
    CHECK(same && "x_k equals 5^13 x_{k-1} mod 2^46 in 128-bit arithmetic");
    CHECK(exact && "u_k is 2^-46 x_k to the last bit");
}

void skip_equals_steps() {
    for (const std::uint64_t n : {0U, 1U, 2U, 63U, 64U, 1000U, 131072U}) {
        Random stepped(seed);
        for (std::uint64_t k = 0; k < n; ++k) stepped.advance();
        Random skipped(seed);
        skipped.skip(n);
        CHECK((skipped.state() == stepped.state()) && "skip(n) equals n steps");
    }
    Random split(seed);
    split.skip(std::uint64_t{1} << 40U);
    split.skip(12345);
    Random whole(seed);
    whole.skip((std::uint64_t{1} << 40U) + 12345);
    CHECK((split.state() == whole.state()) && "skip(m) then skip(n) equals skip(m + n)");
}

void period_is_2_to_44() {
    const std::uint64_t period = std::uint64_t{1} << 44U;
    CHECK((Random::power(Random::multiplier, period) == 1) && "a^(2^44) = 1 mod 2^46");
    CHECK((Random::power(Random::multiplier, period / 2) != 1) && "a^(2^43) is not 1 mod 2^46");
    Random random(seed);
    random.skip(period);
    CHECK((random.state() == seed) && "the sequence returns to its seed after 2^44 steps");
    random.skip(period - 1);
    CHECK((random.advance() == seed) && "the step before the seed leads to it");
}

void fill_equals_next() {
    for (const std::size_t n : {0U, 1U, 63U, 64U, 65U, 127U, 128U, 1000U, 4096U}) {
        Random filler(seed);
        Random stepper(seed);
        bool same = true;
        for (int turn = 0; turn < 3; ++turn) {  // continues where the last call stopped
            std::vector<double> u(n, -1.0);
            filler.fill(u);
            for (const double value : u) same = same && value == stepper.next();
            same = same && filler.state() == stepper.state();
        }
        CHECK(same && "fill(u) gives the numbers of next() and leaves the same state");
    }
    Random other(314159265, 5);  // any multiplier
    Random reference(314159265, 5);
    std::vector<double> u(200);
    other.fill(u);
    bool same = true;
    for (const double value : u) same = same && value == reference.next();
    CHECK(same && "fill(u) works for another multiplier");
}

/// Distance of `value` from `exact` in units of the last place of `exact`.
double error_in_last_places(double value, long double exact) {
    const int exponent = std::ilogb(static_cast<double>(exact));
    return std::abs(static_cast<double>(std::ldexp(value - exact, 52 - exponent)));
}

// Arguments from 2^-90, the smallest sum of two squares of these random numbers, to 2: random,
// close to 1, and at the seams of the argument reduction. long double has to be wider than double.
std::vector<double> arguments() {
    std::vector<double> result;
    Random random(seed);
    for (int i = 0; i < 1000000; ++i) {
        result.push_back(2.0 * random.next());
        result.push_back(std::exp2(-90.0 * random.next()));
        result.push_back(1.0 + (random.next() - 0.5) * 0x1p-10);
    }
    for (int k = -90; k <= 1; ++k) {
        for (const double seam : {1.0, std::sqrt(0.5), std::numbers::sqrt2}) {
            double t = std::ldexp(seam, k);
            for (int i = 0; i < 4; ++i) t = std::nextafter(t, 0.0);
            for (int i = 0; i < 9; ++i, t = std::nextafter(t, 4.0)) result.push_back(t);
        }
    }
    return result;
}

void elementary_functions_are_accurate() {
    double logarithm_error = 0.0;
    double root_error = 0.0;
    for (const double t : arguments()) {
        const long double wide = t;
        const heorot::Lanes lanes = heorot::lanes_of(t);
        constexpr int last = heorot::n_lanes - 1;
        for (const double value : {heorot::logarithm(t), heorot::logarithm(lanes)[last]}) {
            if (t == 1.0) continue;
            const double error = error_in_last_places(value, std::log(wide));
            logarithm_error = std::max(logarithm_error, error);
        }
        for (const double value :
             {heorot::inverse_square_root(t), heorot::inverse_square_root(lanes)[last]}) {
            const double error = error_in_last_places(value, 1.0L / std::sqrt(wide));
            root_error = std::max(root_error, error);
        }
    }
    std::printf(
        "largest error in units of the last place: logarithm %.3f, inverse square root %.3f\n",
        logarithm_error, root_error);
    CHECK((logarithm_error <= 1.0) && "the logarithm is within 1 unit of the last place");
    CHECK((root_error <= 2.0) && "the inverse square root is within 2 units of the last place");
    CHECK((heorot::logarithm(1.0) == 0.0) && "ln 1 = 0");
    CHECK((std::isfinite(heorot::inverse_square_root(0.0))) && "1 / sqrt(0) is a finite stand-in");
}

}  // namespace

int main() {
    sequence_follows_the_definition();
    skip_equals_steps();
    period_is_2_to_44();
    fill_equals_next();
    elementary_functions_are_accurate();
    return heorot::tests::result();
}
