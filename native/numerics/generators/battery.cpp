// The battery of statistical tests: see battery.hpp. In each test the numbers are of 32 bits: the
// leading or the last half of the words.
#include "numerics/generators/battery.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "harness/record/check.hpp"
#include "numerics/generators/distributions.hpp"

namespace heorot::generators {

namespace {

using Number = std::uint32_t;
using Numbers = std::span<const Number>;

double fraction(Number x) {
    return (static_cast<double>(x) + 0.5) * 0x1p-32;
}

/// Of counts that are expected to be alike.
Tails equally_often(std::span<const double> counts) {
    const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
    const std::vector<double> expected(counts.size(), total / static_cast<double>(counts.size()));
    return chi_square(counts, expected);
}

/// Counts the values of `n_bits` bits of each of `dimension` successive numbers; `shift` is the
/// number of bits behind them.
Tails equidistribution(Numbers x, std::size_t dimension, unsigned n_bits, unsigned shift) {
    std::vector<double> counts(std::size_t{1} << (n_bits * static_cast<unsigned>(dimension)));
    const Number mask = (Number{1} << n_bits) - 1;
    for (std::size_t i = 0; i + dimension <= x.size(); i += dimension) {
        std::size_t cell = 0;
        for (std::size_t d = 0; d < dimension; ++d) {
            cell = cell << n_bits | (x[i + d] >> shift & mask);
        }
        counts[cell] += 1.0;
    }
    return equally_often(counts);
}

/// The sum of (x(i) - 1/2) (x(i+1) - 1/2) over all i, in units of its standard deviation, is
/// normal.
Tails serial_correlation(Numbers x) {
    double sum = 0.0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
        sum += (fraction(x[i]) - 0.5) * (fraction(x[i + 1]) - 0.5);
    }
    return standard_normal(12.0 * sum / std::sqrt(static_cast<double>(x.size() - 1)));
}

/// How many numbers lie between two that are below 1/8: g with probability 1/8 (7/8)^g.
Tails gaps(Numbers x) {
    constexpr double share = 0.125;
    constexpr std::size_t longest = 32;  // and all that are longer
    std::vector<double> counts(longest + 1);
    std::size_t gap = 0;
    for (const Number each : x) {
        if (fraction(each) < share) {
            counts[std::min(gap, longest)] += 1.0;
            gap = 0;
        } else {
            ++gap;
        }
    }
    const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
    if (total == 0.0) return {0.0, 0.0};
    std::vector<double> expected(longest + 1);
    for (std::size_t g = 0; g <= longest; ++g) {
        const double others = std::pow(1.0 - share, static_cast<double>(g));
        expected[g] = total * (g < longest ? share * others : others);
    }
    return chi_square(counts, expected);
}

/// Lengths of ascending runs: r with probability 1 / r! - 1 / (r + 1)!. The number behind each run
/// is omitted, which makes the runs independent.
Tails runs(Numbers x) {
    constexpr std::size_t longest = 6;  // and all that are longer
    std::vector<double> counts(longest);
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
        std::size_t length = 1;
        while (i + 1 < x.size() && x[i + 1] > x[i]) ++length, ++i;
        if (++i < x.size()) counts[std::min(length, longest) - 1] += 1.0;
    }
    const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
    std::vector<double> expected(longest);
    double factorial = 1.0;
    for (std::size_t r = 1; r <= longest; ++r) {
        factorial *= static_cast<double>(r);
        const double longer = r < longest ? 1.0 / (factorial * static_cast<double>(r + 1)) : 0.0;
        expected[r - 1] = total * (1.0 / factorial - longer);
    }
    return chi_square(counts, expected);
}

/// 2^14 balls in 2^20 urns, by 20 bits that `shift` bits follow.
Tails collision(Numbers x, unsigned shift) {
    constexpr unsigned n_bits = 20;
    constexpr int n_balls = 1 << 14;
    std::vector<bool> is_full(std::size_t{1} << n_bits);
    int count = 0;
    for (const Number each : x.first(n_balls)) {
        const std::size_t urn = each >> shift & ((Number{1} << n_bits) - 1);
        count += is_full[urn] ? 1 : 0;
        is_full[urn] = true;
    }
    return collisions(count, n_balls, static_cast<double>(is_full.size()));
}

/// 4096 birthdays among 2^32 values: the number of repeated spacings between neighbours is nearly
/// Poisson distributed with mean 4096^3 / 2^34 = 4, and likewise the sum over repetitions.
Tails birthday_spacings(Numbers x) {
    constexpr std::size_t n_birthdays = 4096;
    constexpr double mean = 4.0;
    std::vector<Number> days(n_birthdays);
    double n_years = 0.0;
    double count = 0.0;
    for (std::size_t i = 0; i + n_birthdays <= x.size(); i += n_birthdays, n_years += 1.0) {
        std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(i), n_birthdays, days.begin());
        std::ranges::sort(days);
        std::adjacent_difference(days.begin(), days.end(), days.begin());
        std::ranges::sort(days);
        for (std::size_t d = 1; d < n_birthdays; ++d) count += days[d] == days[d - 1] ? 1.0 : 0.0;
    }
    return poisson(count, mean * n_years);
}

/// The rank over GF(2) of the matrix with these rows.
int rank_of(std::array<Number, 32> rows) {
    int rank = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] == 0) continue;
        ++rank;
        const Number pivot = Number{1} << static_cast<unsigned>(std::countr_zero(rows[i]));
        for (std::size_t j = i + 1; j < rows.size(); ++j) {
            if ((rows[j] & pivot) != 0) rows[j] ^= rows[i];
        }
    }
    return rank;
}

/// Ranks 32, 31 and less of matrices of 32 x 32 bits, of which each number is a row.
Tails matrix_ranks(Numbers x) {
    constexpr int n = 32;
    // Of rank n: the product of 1 - 2^-i for i from 1 to n; of rank n - 1: nearly twice that.
    double full = 1.0;
    for (int i = 1; i <= n; ++i) full *= 1.0 - std::exp2(-i);
    const double one_less = 2.0 * full * (1.0 - std::exp2(-n));
    std::array<double, 3> counts = {};
    std::array<Number, n> rows;
    double total = 0.0;
    for (std::size_t i = 0; i + n <= x.size(); i += n, total += 1.0) {
        std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(i), n, rows.begin());
        counts[static_cast<std::size_t>(std::min(n - rank_of(rows), 2))] += 1.0;
    }
    const std::array<double, 3> expected = {total * full, total * one_less,
                                            total * (1.0 - full - one_less)};
    return chi_square(counts, expected);
}

/// The same matrices of one bit of each number.
Tails bit_ranks(Numbers x, unsigned bit) {
    std::vector<Number> rows(x.size() / 32);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = 0; j < 32; ++j) rows[i] = rows[i] << 1U | (x[32 * i + j] >> bit & 1U);
    }
    return matrix_ranks(rows);
}

void judge_half(Numbers x, bool is_leading, std::vector<Judgement>& found) {
    const auto add = [&](std::string_view leading, std::string_view last, const Tails& tails) {
        found.push_back({is_leading ? leading : last, two_sided(tails)});
    };
    // Of the last half, the bits at the end count most: there congruential generators are bad.
    const auto behind = [&](unsigned n_bits) { return is_leading ? 32U - n_bits : 0U; };
    add("leading bytes", "last bytes", equidistribution(x, 1, 8, behind(8)));
    add("leading pairs", "last pairs", equidistribution(x, 2, 5, behind(5)));
    add("leading triples", "last triples", equidistribution(x, 3, 3, behind(3)));
    add("correlation", "correlation of last bits", serial_correlation(x));
    add("gaps", "gaps of last bits", gaps(x));
    add("runs", "runs of last bits", runs(x));
    add("collisions", "collisions of last bits", collision(x, behind(20)));
    add("birthday spacings", "birthday spacings of last bits", birthday_spacings(x));
    add("ranks", "ranks of last bits", matrix_ranks(x));
    add("ranks of leading bit", "ranks of last bit", bit_ranks(x, behind(1)));
}

}  // namespace

std::vector<Judgement> judge(std::span<const Word> words, Bits bits) {
    expects(words.size() >= least_words_of_battery, "the battery has words enough");
    std::vector<Number> half(words.size());
    std::vector<Judgement> found;
    std::ranges::transform(words, half.begin(),
                           [](Word word) { return static_cast<Number>(word >> 32U); });
    judge_half(half, true, found);
    if (bits == Bits::leading) return found;
    std::ranges::transform(words, half.begin(),
                           [](Word word) { return static_cast<Number>(word); });
    judge_half(half, false, found);
    return found;
}

Judgement verdict(std::span<const Judgement> judgements) {
    const auto furthest = std::ranges::min_element(judgements, {}, &Judgement::p_value);
    // 1 - (1 - p)^n, exact for small p, too
    const auto n = static_cast<double>(judgements.size());
    return {furthest->test, -std::expm1(n * std::log1p(-furthest->p_value))};
}

}  // namespace heorot::generators
