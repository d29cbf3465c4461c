// The factors of a transform, and roots of unity.
#include "numerics/transforms/passes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "harness/record/check.hpp"

namespace heorot::transforms {

namespace {

constexpr double product = 6.0;
constexpr int largest_prime = 13;

/// How often the prime p divides n, which is divided by it.
int divide_out(Index& n, Index p) {
    int times = 0;
    for (; n % p == 0; n /= p) ++times;
    return times;
}

/// Radices whose product is 2^twos, as few and as even as can be, the largest first.
void add_twos(int twos, std::vector<int>& radices) {
    constexpr int most = 4;
    for (int left = (twos + most - 1) / most; left > 0; --left) {
        const int these = (twos + left - 1) / left;
        radices.push_back(1 << these);
        twos -= these;
    }
}

}  // namespace

Root root_of_unity(std::int64_t j, std::int64_t n) {
    // In eighths of a turn, as parts of n: j = quarter (n / 4) + rest / 4.
    const std::int64_t of_8 = 8 * (j % n);
    const std::int64_t octant = of_8 / n;
    const bool back = octant % 2 == 1;
    const std::int64_t rest = back ? (octant + 1) * n - of_8 : of_8 - octant * n;
    const double angle =
        std::numbers::pi / 4.0 * static_cast<double>(rest) / static_cast<double>(n);
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    // Where the octant begins, or ends, the angle counts from: 0, 1/4, 1/4, 1/2 ... of a turn.
    switch (octant) {
        case 0:
            return {c, -s};
        case 1:
            return {s, -c};
        case 2:
            return {-s, -c};
        case 3:
            return {-c, -s};
        case 4:
            return {-c, s};
        case 5:
            return {-s, c};
        case 6:
            return {s, c};
        default:
            return {c, s};
    }
}

Array<double> aligned(const std::vector<double>& values) {
    Array<double> copy(values.size());
    std::copy(values.begin(), values.end(), copy.begin());
    return copy;
}

bool has_passes(Index n) {
    for (Index p = 2; p <= largest_prime; ++p) divide_out(n, p);
    return n == 1;
}

// Odd primes are taken together with a factor of two or three.
std::vector<int> radices_of(Index n) {
    const Index n_given = n;
    int twos = divide_out(n, 2);
    int threes = divide_out(n, 3);
    int fives = divide_out(n, 5);
    std::vector<int> radices;
    int sevens = divide_out(n, 7);
    for (; sevens > 0 && twos % 4 == 1; --sevens, --twos) radices.push_back(14);
    radices.insert(radices.end(), static_cast<std::size_t>(sevens), 7);
    for (const int p : {11, 13}) {
        for (int times = divide_out(n, p); times > 0; --times) radices.push_back(p);
    }
    expects(n == 1 && n_given > 0, "a transform in passes has prime factors up to 13");
    for (; fives > 0 && threes % 2 == 1; --fives, --threes) radices.push_back(15);
    for (; fives > 0 && twos % 4 == 1; --fives, --twos) radices.push_back(10);
    for (; fives > 0; --fives) radices.push_back(5);
    for (; threes > 1; threes -= 2) radices.push_back(9);
    if (threes == 1 && twos % 4 == 2) {
        radices.push_back(12);
        twos -= 2;
        threes = 0;
    }
    if (threes == 1 && twos % 4 == 1) {
        radices.push_back(6);
        --twos;
        threes = 0;
    }
    if (threes == 1) radices.push_back(3);
    add_twos(twos, radices);
    std::sort(radices.begin(), radices.end(), std::greater<>());
    return radices;
}

Passes::Passes(Index n) : n_(n) {
    Index length = 1;
    for (const int radix : radices_of(n)) {
        passes_.push_back({radix, length, {}});
        std::vector<double>& roots = passes_.back().roots;
        roots.reserve(static_cast<std::size_t>(Index{2} * (radix - 1) * length));
        for (Index j = 0; j < length; ++j) {
            for (Index s = 1; s < radix; ++s) {
                const Root w = root_of_unity(j * s, length * radix);
                roots.insert(roots.end(), {w.re, w.im});
            }
        }
        length *= radix;
    }
}

double Passes::flops() const {
    const auto n = static_cast<double>(n_);
    double flops = 0.0;
    for (const Pass& pass : passes_) {
        flops += n / pass.radix * flops_of_small(pass.radix);
        if (pass.length > 1) flops += n / pass.radix * product * (pass.radix - 1);
    }
    return flops;
}

}  // namespace heorot::transforms
