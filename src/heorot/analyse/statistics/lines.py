"""Fits straight lines to times in relative error, many problems at once, with intervals.

See fits.py for why the error is relative and what the intervals contain.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from heorot.analyse.statistics.summary import FloatArray, quantile, sort_samples

N_RESAMPLES = 1000
MINIMUM_POINTS = 3
"""Fewest points for a line and its error, and for a plateau."""


@dataclass(frozen=True, slots=True)
class Line:
    """Estimates of t = start + slope x: start, slope, start / slope with low and high ends."""

    start: tuple[float, float, float]
    slope: tuple[float, float, float]
    half: tuple[float, float, float]


def solve_lines(x: FloatArray, times: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Returns start and slope, shape (b,), of least squares in relative error.

    Minimises sum ((start + slope x - t) / t)^2 with neither parameter negative: where the free
    optimum is, the constrained one lies on the boundary and is the fit with one parameter.

    Args:
        x: sizes, shape (n,).
        times: positive times, shape (b, n), one problem per row.
    """
    u, v = 1.0 / times, x / times
    uu, uv, vv = (u * u).sum(1), (u * v).sum(1), (v * v).sum(1)
    su, sv = u.sum(1), v.sum(1)
    determinant = uu * vv - uv * uv
    start = (vv * su - uv * sv) / determinant
    slope = (uu * sv - uv * su) / determinant
    start, slope = (
        np.where(start < 0.0, 0.0, np.where(slope < 0.0, su / uu, start)),
        np.where(slope < 0.0, 0.0, np.where(start < 0.0, sv / vv, slope)),
    )
    return start, slope


def resample_medians(ordered: FloatArray, generator: np.random.Generator) -> FloatArray:
    """Returns bootstrap medians, shape (N_RESAMPLES,), of sorted samples, shape (n,).

    The r-th smallest of n draws with replacement is the sample with index floor(n U), U the r-th
    order statistic of n uniform numbers, a Beta(r, n + 1 - r) variable: no draw is carried out.
    """
    n = ordered.size
    middle = (n + 1) // 2
    below = generator.beta(middle, n + 1 - middle, N_RESAMPLES)
    first = ordered[np.minimum((n * below).astype(np.intp), n - 1)]
    if n % 2:
        return first
    above = below + (1.0 - below) * generator.beta(1, n - middle, N_RESAMPLES)
    return 0.5 * (first + ordered[np.minimum((n * above).astype(np.intp), n - 1)])


def relative_residual(x: FloatArray, times: FloatArray, start: float, slope: float) -> FloatArray:
    """Returns fitted / measured - 1, shape (n,)."""
    return (start + slope * x) / times - 1.0


def fit_line(x: FloatArray, samples: Sequence[FloatArray], seed: int) -> Line:
    """Returns the line through the medians of sorted samples, with 95 % intervals."""
    times = np.array([float(np.median(s)) for s in samples])
    starts, slopes = solve_lines(x, times[np.newaxis, :])
    start, slope = float(starts[0]), float(slopes[0])
    freedom = x.size - 2
    residual = relative_residual(x, times, start, slope)
    variance = float(residual @ residual) / freedom
    design = np.stack((1.0 / times, x / times), axis=1)
    covariance = variance * np.linalg.inv(design.T @ design)
    reach = float(scipy.special.stdtrit(freedom, 0.975))
    generator = np.random.default_rng(seed)
    drawn = np.stack([resample_medians(s, generator) for s in samples], axis=1)
    boot_start, boot_slope = solve_lines(x, drawn)

    def enclose(value: float, error: float, resampled: FloatArray) -> tuple[float, float, float]:
        low = min(value - reach * error, quantile(resampled, 0.025))
        high = max(value + reach * error, quantile(resampled, 0.975))
        return value, max(0.0, low), high

    half = (math.inf, 0.0, math.inf)
    if slope > 0.0:
        gradient = np.array([1.0, -start / slope]) / slope  # of start / slope
        half_error = math.sqrt(max(0.0, float(gradient @ covariance @ gradient)))
        positive = boot_slope > 0.0
        half = enclose(start / slope, half_error, boot_start[positive] / boot_slope[positive])
    return Line(
        start=enclose(start, math.sqrt(covariance[0, 0]), boot_start),
        slope=enclose(slope, math.sqrt(covariance[1, 1]), boot_slope),
        half=half,
    )


def prepare_points(
    sizes: ArrayLike, times: Sequence[ArrayLike]
) -> tuple[FloatArray, list[FloatArray]]:
    """Returns sizes in ascending order and the sorted samples of each.

    Raises:
        ValueError: for fewer than three different sizes, or samples not finite and positive.
    """
    x = np.asarray(sizes, dtype=np.float64)
    if x.ndim != 1 or x.size != len(times) or np.any(x < 0.0):
        raise ValueError("a fit needs one array of times for each size, and no negative size")
    if np.unique(x).size < MINIMUM_POINTS:
        raise ValueError("a fit needs at least three different sizes")
    order = np.argsort(x, kind="stable")
    samples = [sort_samples(times[i]) for i in order]
    if any(s[0] <= 0.0 for s in samples):
        raise ValueError("times must be positive")
    return x[order], samples
