// Tails of the distributions that tests of random numbers need.
#pragma once

#include <span>

namespace heorot::generators {

/// Both tails of a distribution at a value: the probabilities of no more and of no less than it.
struct Tails {
    double lower;
    double upper;
};

/// The regularised incomplete gamma functions P(a, x) and Q(a, x) = 1 - P(a, x), each to about 14
/// digits of itself; a > 0, x >= 0. Source: M. Abramowitz, I. A. Stegun, Handbook of Mathematical
/// Functions, 6.5.29 (series) and 6.5.31 (continued fraction, by W. J. Lentz' method, Appl. Opt. 15
/// (1976)).
Tails incomplete_gamma(double a, double x);

/// Of a sum of squares of normal deviates with `n_degrees` degrees of freedom.
Tails chi_square(double sum, double n_degrees);
/// Of Pearson's statistic of counts and their expectations, which are positive.
Tails chi_square(std::span<const double> counts, std::span<const double> expected);
/// Of a number that is Poisson distributed.
Tails poisson(double count, double mean);
/// Of a standard normal deviate.
Tails standard_normal(double deviate);
/// How many of n_balls thrown into n_urns fall into an urn that is not empty: exact. Source: D. E.
/// Knuth, The Art of Computer Programming 2, 3rd ed. (1998), section 3.3.2 I and algorithm S.
Tails collisions(int count, int n_balls, double n_urns);

/// The probability of a value as far out on either side: twice the smaller tail, at most 1.
double two_sided(const Tails& tails);

}  // namespace heorot::generators
