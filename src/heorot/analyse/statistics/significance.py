"""The tests behind a comparison: spreads between launches, p-values, effect sizes, verdicts.

Everything works on logarithms, where a ratio is a difference and a relative error an absolute one.

Source: G. K. Smyth, Linear models and empirical Bayes methods for assessing differential
expression, Statistical Applications in Genetics and Molecular Biology 3 (2004), article 3.
Y. Benjamini, Y. Hochberg, J. Royal Statistical Society B 57 (1995).
N. Cliff, Dominance statistics, Psychological Bulletin 114 (1993).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from math import comb
from typing import Literal, TypeAlias

import numpy as np
import scipy
from numpy.typing import ArrayLike

from heorot.analyse.statistics.ranks import median_rank
from heorot.analyse.statistics.summary import FloatArray, sort_samples

MINIMUM_SPREAD = 1e-3
"""Least spread of launch medians: better agreement is due to chance or the clock's resolution."""

MAXIMUM_PRIOR_FREEDOM = 20.0
"""Largest prior degrees of freedom: metrics share launches, which limits their information."""


def take_logarithms(launches: Sequence[ArrayLike]) -> list[FloatArray]:
    """Returns the logarithms of positive samples, launch by launch; ValueError for others."""
    if not launches:
        raise ValueError("a comparison needs at least one launch on each side")
    if any(sort_samples(samples)[0] <= 0.0 for samples in launches):
        raise ValueError("a ratio needs positive samples")
    return [np.log(np.asarray(samples, dtype=np.float64)) for samples in launches]


def pool_spread(a: Sequence[float], b: Sequence[float]) -> float:
    """Returns the pooled standard deviation within two sides, at least `MINIMUM_SPREAD`."""
    squares = sum(float(np.sum((np.asarray(x) - np.mean(x)) ** 2)) for x in (a, b))
    return max(MINIMUM_SPREAD, math.sqrt(squares / (len(a) + len(b) - 2)))


def assume_spread(a: FloatArray, b: FloatArray, noise_floor: float) -> tuple[float, float]:
    """Returns spread and degrees of freedom for a single launch on each side.

    The error of a median follows from the width of its order-statistic interval, with as many
    samples as their autocorrelation leaves; the unknown spread between launches is taken as
    half the noise floor, which is then two standard deviations of an unchanged program.
    """
    variances, sizes = zip(*(estimate_median_variance(x) for x in (a, b)), strict=True)
    variance = (0.5 * noise_floor) ** 2 + 0.5 * sum(variances)
    return max(MINIMUM_SPREAD, math.sqrt(variance)), max(1.0, sum(sizes) - 2.0)


def estimate_median_variance(x: FloatArray) -> tuple[float, float]:
    """Returns the variance of the median of an autocorrelated series and its effective size.

    n_eff = n (1 - rho) / (1 + rho) for an AR(1) series; rho is the lag-1 correlation of ranks,
    robust against outliers, corrected for its bias -(1 + 3 rho)/n and not below 0.

    Source: M. G. Kendall, Note on bias in the estimation of autocorrelation, Biometrika 41 (1954).
    """
    n = x.size
    if n < 3:  # noqa: PLR2004 - neither a width nor a correlation can be had from two samples
        return 0.0, 1.0
    rank, coverage = median_rank(n)
    ordered = np.sort(x)
    width = float(ordered[n - rank] - ordered[rank - 1])
    deviation = np.argsort(np.argsort(x, kind="stable")) - 0.5 * (n - 1)
    correlation = float(deviation[1:] @ deviation[:-1]) / float(deviation @ deviation)
    rho = min(0.95, max(0.0, correlation + (1.0 + 3.0 * correlation) / n))
    inflation = (1.0 + rho) / (1.0 - rho)
    error = 0.5 * width / float(scipy.special.ndtri(0.5 + 0.5 * coverage))
    return error * error * inflation, n / inflation


def judge_ratio(log_ratio: float, error: float, freedom: float) -> tuple[float, float, float]:
    """Returns low and high end of the 95 % interval of the ratio and its two-sided p-value."""
    reach = float(scipy.special.stdtrit(freedom, 0.975)) * error
    p_value = 2.0 * float(scipy.special.stdtr(freedom, -abs(log_ratio) / error))
    return math.exp(log_ratio - reach), math.exp(log_ratio + reach), p_value


def rank_launches(a: Sequence[float], b: Sequence[float]) -> float:
    """Returns the two-sided p-value of the Mann-Whitney test, exact unless there are ties."""
    # Imported here: scipy.stats would add half a second to the start of every command.
    from scipy.stats import mannwhitneyu  # noqa: PLC0415

    exact = len({*a, *b}) == len(a) + len(b)  # the exact distribution is for samples without ties
    return float(mannwhitneyu(a, b, method="exact" if exact else "asymptotic").pvalue)


def cliffs_delta(a: FloatArray, b: FloatArray) -> float:
    """Returns P(b > a) - P(b < a) over all pairs, -1 to 1."""
    ordered = np.sort(a)
    smaller = np.searchsorted(ordered, b, side="left").sum()
    larger = a.size * b.size - np.searchsorted(ordered, b, side="right").sum()
    return float(smaller - larger) / (a.size * b.size)


def mean_difference(log_medians: Sequence[float]) -> float:
    """Returns the mean relative difference of two launches of one side; 0 for one launch."""
    x, n = np.sort(np.asarray(log_medians)), len(log_medians)
    if n == 1:
        return 0.0
    return math.expm1(2.0 * float((2.0 * np.arange(n) - n + 1.0) @ x) / (n * (n - 1)))


def shrink_spreads(spreads: FloatArray, freedoms: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Returns spreads shrunk to their common value, and the degrees of freedom they then have.

    True variances are taken as scaled inverse chi-square with d0 degrees of freedom around s0^2;
    both follow from mean and variance of log s^2, and s'^2 = (d0 s0^2 + d s^2) / (d0 + d) has
    d0 + d degrees of freedom. If the spreads differ much, d0 is small and they stay as they are.

    Args:
        spreads: standard deviations, shape (m,), positive.
        freedoms: degrees of freedom d of each, shape (m,).

    Source: Smyth (2004), sections 4 and 6.2.
    """
    if spreads.size < 3:  # noqa: PLR2004 - two values do not determine their variance
        return spreads, freedoms
    half = 0.5 * freedoms
    unbiased = np.log(spreads**2) - scipy.special.digamma(half) + np.log(half)
    excess = float(np.var(unbiased, ddof=1) - np.mean(scipy.special.polygamma(1, half)))
    least = float(scipy.special.polygamma(1, 0.5 * MAXIMUM_PRIOR_FREEDOM))
    prior = MAXIMUM_PRIOR_FREEDOM
    if excess > least:
        # Imported here: scipy.optimize would add a sixth of a second to every command.
        from scipy.optimize import brentq  # noqa: PLC0415

        prior = 2.0 * brentq(lambda y: float(scipy.special.polygamma(1, y)) - excess, 1e-6, 1e3)
    prior = min(prior, float(np.sum(freedoms)))
    half_prior = 0.5 * prior
    centre = math.exp(
        float(np.mean(unbiased)) + float(scipy.special.digamma(half_prior)) - math.log(half_prior)
    )
    total = freedoms + prior
    return np.sqrt((prior * centre + freedoms * spreads**2) / total), total


def adjust_p_values(p_values: ArrayLike) -> FloatArray:
    """Returns Benjamini-Hochberg adjusted p-values, shape (m,), in the order given."""
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p)[::-1]
    scaled = p[order] * p.size / np.arange(p.size, 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, np.minimum.accumulate(scaled))
    return adjusted


# Equal ranks are equally often the slowest of a launch, whatever the spread of launches. So the
# number of launches in which one of k is slowest is binomial, with probability 1/k each; for any of
# them, the probability is at most k times as large.
def chance_of_slowest(launches: Sequence[Mapping[str, Sequence[float]]]) -> dict[str, float]:
    """Probability that one of several equal ranks is slowest at least as often as observed.

    Args:
        launches: for each, the lags of all that are compared, by name, over regions and problems.
    """
    n, wins, most = len(launches), dict[str, int](), 0
    for launch in launches:
        middles = {name: float(np.median(each)) for name, each in launch.items()}
        slowest = [name for name, lag in middles.items() if lag == max(middles.values())]
        most = max(most, len(middles))
        if len(slowest) == 1:
            wins[slowest[0]] = wins.get(slowest[0], 0) + 1
    return {name: min(1.0, most * _at_least(s, n, 1.0 / most)) for name, s in wins.items()}


def _at_least(s: int, n: int, p: float) -> float:
    """Probability of s or more of n events, each with probability p."""
    return sum(comb(n, k) * p**k * (1.0 - p) ** (n - k) for k in range(s, n + 1))


Verdict: TypeAlias = Literal["better", "worse", "indistinguishable"]
Judged: TypeAlias = tuple[Verdict, str]
"""A verdict, and the missing evidence if the interval excludes 1 and yet it is undecided."""


def decide(
    ratio: float, low: float, high: float, floor: float, p_value: float, rate: float
) -> Judged:
    """Returns the verdict on a ratio that is above 1 when b is better.

    If the interval alone would decide otherwise, the verdict comes with the missing evidence.

    Args:
        floor: relative difference [1] between two unchanged runs that is not unusual.
        p_value: adjusted for the number of comparisons.
        rate: largest p-value that names a difference.
    """
    verdict: Verdict = "better" if ratio > 1.0 else "worse"
    if low <= 1.0 <= high:
        return "indistinguishable", ""
    if abs(math.log(ratio)) <= math.log1p(floor):
        return "indistinguishable", f"launches of one run differ by {100.0 * floor:.2g} %"
    if p_value > rate:
        return (
            "indistinguishable",
            f"p = {p_value:.2g} after adjustment, {rate:g} would be needed",
        )
    return verdict, ""
