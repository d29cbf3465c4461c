"""Summarises repeated measurements by medians with distribution-free intervals.

Times on a computer are skewed and have outliers, so the centre is the median and its interval comes
from order statistics, which needs no assumption about the distribution. It does need independence,
and the samples of one process are not independent of each other: memory layout, placement and clock
state are drawn once per launch (a new process start). So the launch is the unit of evidence: each
counts by the median of its samples, whatever their number.

From six launches on, ends between two order statistics give 95 % instead of the next larger
probability of whole ranks. But an end inside a gap wider than half of the range is moved to the
outer launch: no state of the machine lies between two modes. The extremes of five launches reach
93.75 %, and 95 % if they are moved out by a little. Fewer launches carry no interval of 95 %: the
range of two contains the median with 50 %, of three with 75 %, of four with 87.5 %.

Source: H. A. David, H. N. Nagaraja, Order Statistics, 3rd ed., Wiley 2003, section 7.1 (interval).
T. P. Hettmansperger, S. J. Sheather, Confidence intervals based on interpolated order statistics,
Statistics and Probability Letters 4 (1986) 75.
R. J. Hyndman, Y. Fan, Sample quantiles in statistical packages, American Statistician 50 (1996).
T. Hoefler, R. Belli, Scientific benchmarking of parallel computing systems, SC'15 (launches).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heorot.analyse.statistics.ranks import CONFIDENCE, median_rank
from heorot.analyse.statistics.ranks import coverage as coverage_of
from heorot.units import LEAST_LAUNCHES

FloatArray: TypeAlias = NDArray[np.float64]

# Factor on the range of five launches, at either end: normal, skewed and bimodal, by simulation.
_FURTHER_OUT = 0.04


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval and the probability with which such intervals contain the true value.

    Attributes:
        low: lower end, in the unit of the samples.
        high: upper end, in the unit of the samples.
        coverage: probability [1]; below the confidence asked for if there are too few samples.
    """

    low: float
    high: float
    coverage: float


@dataclass(frozen=True, slots=True)
class Summary:
    """Summary of one measured quantity; lengths are in the unit of the samples.

    Attributes:
        median: median of the launch medians.
        ci_low: lower end of its interval, or of the range of fewer than five launches.
        q10: 10 % quantile of all samples.
        q90: 90 % quantile of all samples.
        coverage: probability that such an interval contains the median of all possible launches
            [1]; for one launch, that of its own samples.
    """

    median: float
    ci_low: float
    ci_high: float
    q10: float
    q90: float
    minimum: float
    maximum: float
    n: int
    n_launches: int
    coverage: float


def sort_samples(x: ArrayLike) -> FloatArray:
    """Returns the samples in ascending order.

    Args:
        x: samples [any unit], shape (n,), n >= 1.

    Raises:
        ValueError: if there is no sample, more than one axis, or one that is NaN or infinite.
    """
    samples = np.asarray(x, dtype=np.float64)
    if samples.ndim != 1 or samples.size == 0:
        raise ValueError("samples must be a one-dimensional array that is not empty")
    ordered = np.sort(samples)
    # Sorting puts -inf first and +inf or NaN last, so the two ends decide for all.
    if not (math.isfinite(ordered[0]) and math.isfinite(ordered[-1])):
        raise ValueError("samples must be finite")
    return ordered


def _median_of_sorted(ordered: FloatArray) -> float:
    n = ordered.size
    middle = n // 2
    if n % 2:
        return float(ordered[middle])
    return 0.5 * (float(ordered[middle - 1]) + float(ordered[middle]))


def _quantile_of_sorted(ordered: FloatArray, q: float) -> float:
    position = (ordered.size - 1) * q
    below = int(position)
    above = min(below + 1, ordered.size - 1)
    low, high = float(ordered[below]), float(ordered[above])
    return min(high, low + (position - below) * (high - low))


def median(x: ArrayLike) -> float:
    """Returns the median of finite samples, shape (n,), in their unit."""
    return _median_of_sorted(sort_samples(x))


def quantile(x: ArrayLike, q: float) -> float:
    """Returns the quantile of finite samples, shape (n,), in their unit.

    Definition 7 of Hyndman and Fan: linear between the order statistics. Their definition 8 is
    closer to median-unbiased, but 7 is the default of NumPy, R, spreadsheets and DuckDB's
    `quantile_cont`, so that readers can recompute a printed figure from the stored samples.

    Args:
        x: samples, shape (n,).
        q: probability [1], 0 to 1.

    Raises:
        ValueError: for q outside 0 to 1 and where `sort_samples` does.
    """
    if not 0.0 <= q <= 1.0:
        raise ValueError("a quantile needs a probability between 0 and 1")
    return _quantile_of_sorted(sort_samples(x), q)


def _interval_of_sorted(ordered: FloatArray, confidence: float) -> Interval:
    rank, coverage = median_rank(ordered.size, confidence)
    return Interval(float(ordered[rank - 1]), float(ordered[ordered.size - rank]), coverage)


def median_interval(x: ArrayLike, confidence: float = CONFIDENCE) -> Interval:
    """Returns the order-statistic interval of the median.

    The narrowest interval with symmetric ranks that has at least the confidence asked for. With
    fewer than six samples none reaches 95 %: the extremes are returned with their coverage; one
    sample is its own interval with coverage 0.

    Args:
        x: independent samples [any unit], shape (n,).
        confidence: coverage asked for [1], above 0 and below 1.

    Raises:
        ValueError: for a confidence outside (0, 1) and where `sort_samples` does.
    """
    if not 0.0 < confidence < 1.0:
        raise ValueError("a confidence lies between 0 and 1")
    return _interval_of_sorted(sort_samples(x), confidence)


def launch_intervals(ordered: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """Returns the ends of the intervals of many medians, and their coverage [1].

    Args:
        ordered: launch medians in ascending order, shape (..., n), n >= 2.
    """
    n = ordered.shape[-1]
    first, last = ordered[..., 0], ordered[..., -1]
    width = last - first
    rank, coverage = median_rank(n)
    if n == LEAST_LAUNCHES:
        out = _FURTHER_OUT * width
        # Of positive values the lower end stays positive: ratios divide by it.
        low = np.array(first - out)
        np.divide(first * first, first + out, out=low, where=first > 0.0)
        return low, last + out, CONFIDENCE
    if coverage < CONFIDENCE:
        return first, last, coverage
    inside = coverage_of(n, rank + 1)
    more = (coverage - CONFIDENCE) / (coverage - inside)
    weight = (n - rank) * more / (rank + (n - 2 * rank) * more)

    def between(outer: FloatArray, inner: FloatArray) -> FloatArray:
        step = inner - outer
        moved: FloatArray = outer + np.where(np.abs(step) > 0.5 * width, 0.0, weight) * step
        return moved

    low = between(ordered[..., rank - 1], ordered[..., rank])
    high = between(ordered[..., n - rank], ordered[..., n - rank - 1])
    return low, high, CONFIDENCE


def summarise(launches: Sequence[ArrayLike]) -> Summary:
    """Summarises the samples of one quantity, launch by launch.

    For one launch the interval is that of its samples, which does not cover the next launch. Zero
    and negative samples are allowed, as in all order statistics.

    Args:
        launches: one array of samples [any unit], shape (n_i,), per launch, each not empty.

    Raises:
        ValueError: for no launch, an empty launch, or a sample that is NaN or infinite.
    """
    if not launches:
        raise ValueError("a summary needs at least one launch")
    parts = [sort_samples(samples) for samples in launches]
    pooled = parts[0] if len(parts) == 1 else np.sort(np.concatenate(parts))
    medians = np.sort([_median_of_sorted(part) for part in parts])
    if len(parts) == 1:
        low, high, coverage = astuple(_interval_of_sorted(pooled, CONFIDENCE))
    else:
        low, high, coverage = launch_intervals(medians)
    return Summary(
        median=_median_of_sorted(medians),
        ci_low=float(low),
        ci_high=float(high),
        q10=_quantile_of_sorted(pooled, 0.1),
        q90=_quantile_of_sorted(pooled, 0.9),
        minimum=float(pooled[0]),
        maximum=float(pooled[-1]),
        n=pooled.size,
        n_launches=len(parts),
        coverage=coverage,
    )


def summarise_values(values: Iterable[float]) -> Summary:
    """The same of launches of one value each."""
    return summarise([[value] for value in values])
