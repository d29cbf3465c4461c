// Tests of the battery: tails against closed forms, bad generators are caught, p-values are
// uniform.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "numerics/generators/battery.hpp"
#include "numerics/generators/distributions.hpp"
#include "numerics/generators/pcg.hpp"
#include "numerics/generators/xoshiro.hpp"
#include "tests/testing.hpp"

namespace {

using heorot::generators::Bits;
using heorot::generators::Word;

bool is_near(double a, double b, double tolerance = 1e-12) {
    return std::abs(a - b) <= tolerance * std::abs(b);
}

/// Q(n, x) = e^-x (1 + x + ... + x^(n-1) / (n-1)!), and Q(1/2, x) = erfc(sqrt(x)).
void tails_have_closed_forms() {
    for (const double x : {0.01, 0.5, 1.0, 3.0, 10.0, 40.0, 200.0}) {
        double term = 1.0;
        double sum = 0.0;
        for (int n = 1; n <= 50; ++n) {
            sum += term;
            term *= x / n;
            const double upper = heorot::generators::incomplete_gamma(n, x).upper;
            CHECK((is_near(upper, std::exp(-x) * sum, 1e-11)) && "Q(n, x) is a finite sum");
            CHECK(
                (is_near(heorot::generators::poisson(n - 1, x).lower, std::exp(-x) * sum, 1e-11)) &&
                "so is the lower tail of a Poisson number");
        }
        const auto half = heorot::generators::incomplete_gamma(0.5, x);
        CHECK((is_near(half.lower, std::erf(std::sqrt(x)), 1e-11)) && "P(1/2, x) is erf");
        CHECK((is_near(half.upper, std::erfc(std::sqrt(x)), 1e-9)) && "Q(1/2, x) is erfc");
    }
    // Abramowitz, Stegun, table 26.8: upper percentage points.
    CHECK((is_near(heorot::generators::chi_square(3.84146, 1).upper, 0.05, 1e-4)) &&
          "chi square, 1 degree");
    CHECK((is_near(heorot::generators::chi_square(124.342, 100).upper, 0.05, 1e-4)) &&
          "chi square, 100");
    CHECK((is_near(heorot::generators::standard_normal(1.959964).upper, 0.025, 1e-6)) &&
          "normal deviate");
    CHECK((is_near(heorot::generators::two_sided({0.3, 0.7}), 0.6)) && "both sides count");
}

/// 4 balls in 3 urns by hand: of 81 ways 0 have no collision, 36 one, 42 two, 3 three.
void collisions_are_counted_exactly() {
    CHECK((heorot::generators::collisions(0, 4, 3).lower == 0.0) &&
          "four balls in three urns collide");
    CHECK((is_near(heorot::generators::collisions(1, 4, 3).lower, 36.0 / 81.0)) && "one collision");
    CHECK((is_near(heorot::generators::collisions(2, 4, 3).upper, 45.0 / 81.0)) && "two at least");
    CHECK((is_near(heorot::generators::collisions(3, 4, 3).upper, 3.0 / 81.0)) && "three");
    // Knuth's table for 2^14 balls in 2^20 urns: at most 101 with probability .009, 126 with .476.
    CHECK((std::abs(heorot::generators::collisions(101, 1 << 14, 0x1p20).lower - 0.009) < 5e-4) &&
          "101");
    CHECK((std::abs(heorot::generators::collisions(126, 1 << 14, 0x1p20).lower - 0.476) < 5e-4) &&
          "126");
}

/// Words that step() yields, and what the battery thinks of them, as -log10.
double unlikelihood(const char* name, std::size_t n, Bits bits, const std::function<Word()>& step) {
    std::vector<Word> words(n);
    std::ranges::generate(words, step);
    const auto judgements = heorot::generators::judge(words, bits);
    const auto worst = heorot::generators::verdict(judgements);
    const double value = -std::log10(std::max(worst.p_value, 1e-300));
    std::printf("%-40s 10^-%.1f by %s\n", name, value, std::string(worst.test).c_str());
    return value;
}

void bad_generators_are_caught() {
    constexpr std::size_t n = std::size_t{1} << 17U;
    std::uint32_t randu = 1;
    CHECK((unlikelihood("RANDU", n, Bits::leading,
                        [&] {
                            randu = randu * 65539U & 0x7fffffffU;
                            return Word{randu} << 33U;
                        }) > 8.0) &&
          "RANDU is caught, by its leading bits");
    Word x = 1;
    CHECK((unlikelihood("last bits of a congruential sequence", n, Bits::all,
                        [&] {
                            return x = heorot::generators::Pcg32::multiplier * x +
                                       1442695040888963407U;
                        }) > 8.0) &&
          "the last bits of a congruential sequence are caught");
    Word counter = 0;
    CHECK((unlikelihood("a counter", n, Bits::all, [&] { return ++counter; }) > 8.0) &&
          "a counter is caught");
    Word weyl = 0;
    CHECK((unlikelihood("a Weyl sequence", n, Bits::leading,
                        [&] { return weyl += 0x9e3779b97f4a7c15U; }) > 8.0) &&
          "a sequence that is too even is caught");
    heorot::generators::Xoshiro256 good(Word{5});
    CHECK((unlikelihood("a constant bit", n, Bits::all, [&] { return good.next() | 1U; }) > 8.0) &&
          "a constant bit is caught");
    CHECK((unlikelihood("a bias of 5 %", n, Bits::leading,
                        [&] {
                            const Word word = good.next();
                            return (good.next() % 20 == 0) ? word | Word{1} << 63U : word;
                        }) > 8.0) &&
          "a biased bit is caught");
    CHECK((unlikelihood("xoshiro256++", n, Bits::all, [&] { return good.next(); }) < 8.0) &&
          "a good generator is not caught");
}

/// Over many parts of a good generator's sequence, each test yields uniform p-values: no more small
/// ones than by chance.
void p_values_are_uniform() {
    constexpr int n_stretches = 60;
    constexpr std::size_t n = std::size_t{1} << 15U;
    heorot::generators::XoshiroStreams random(2026);
    std::vector<Word> words(n);
    std::vector<double> below_tenth;
    for (int stretch = 0; stretch < n_stretches; ++stretch) {
        random.fill(words);
        const auto judgements = heorot::generators::judge(words, Bits::all);
        below_tenth.resize(judgements.size());
        for (std::size_t i = 0; i < judgements.size(); ++i) {
            below_tenth[i] += judgements[i].p_value < 0.1 ? 1.0 : 0.0;
        }
        CHECK((heorot::generators::verdict(judgements).p_value > 1e-5) &&
              "a good generator is good");
    }
    // 6 of 60 are expected, with a standard deviation of 2.3.
    for (const double count : below_tenth) CHECK((count < 18) && "p-values are even");
}

}  // namespace

int main() {
    tails_have_closed_forms();
    collisions_are_counted_exactly();
    bad_generators_are_caught();
    p_values_are_uniform();
    return heorot::tests::result();
}
