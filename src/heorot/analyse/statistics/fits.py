"""Fits the two-parameter laws of communication and vector speed, and finds cache plateaus.

In both laws time is a start-up cost plus a cost per unit: Hockney's t(n) = t0 + n / r_inf for a
message of n bytes, and t(n) = (latency + cycles n) / clock for a vector of n elements. They are
fitted to the median times by weighted least squares with weights 1/t^2, that is in relative error:
otherwise the longest messages would decide everything and the latency nothing.

Intervals are the hull of two: a seeded bootstrap over the samples of each point (uncertainty of the
points) and the covariance of the fit (deviation from a straight line). Where a point is a single
value, such as a median, the bootstrap has no width there and the covariance alone counts.

Source: R. W. Hockney, Performance parameters and benchmarking of supercomputers, Parallel
Computing 17 (1991); r_inf, n_half and f_half: Parallel Computing 10 (1989); The Science of
Computer Benchmarking, SIAM 1996.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from heorot.analyse.statistics.lines import MINIMUM_POINTS, Line, fit_line, prepare_points
from heorot.analyse.statistics.summary import FloatArray, sort_samples
from heorot.analyse.statistics.switches import find_switches


@dataclass(frozen=True, slots=True)
class HockneyFit:
    """t(n) = latency + n / r_inf over a range of message sizes.

    Attributes:
        latency: t0 and the ends of its 95 % interval [s], not negative.
        r_inf: asymptotic rate and the ends of its interval [B/s]; infinite if time does not grow.
        n_half_bytes: size that reaches half of r_inf [B] = latency r_inf.
        smallest_bytes: smallest size fitted [B].
        largest_bytes: largest size fitted [B].
        ranges: one fit per protocol range (eager, rendezvous) if times show more than one.
    """

    latency: tuple[float, float, float]
    r_inf: tuple[float, float, float]
    n_half_bytes: float
    smallest_bytes: float
    largest_bytes: float
    ranges: tuple[HockneyFit, ...] = ()


@dataclass(frozen=True, slots=True)
class Plateau:
    """A range of working sets with one speed.

    Attributes:
        low_bytes: smallest working set on it [B].
        high_bytes: largest working set on it [B].
        rate: median rate on it, in the unit given.
    """

    low_bytes: float
    high_bytes: float
    rate: float


def _invert(value: float) -> float:
    return 1.0 / value if value > 0.0 else math.inf


def _fit_range(x: FloatArray, samples: Sequence[FloatArray], seed: int) -> HockneyFit:
    line = fit_line(x, samples, seed)
    rate, high, low = (_invert(value) for value in line.slope)
    return HockneyFit(line.start, (rate, low, high), line.half[0], float(x[0]), float(x[-1]))


def fit_hockney(sizes_bytes: ArrayLike, times: Sequence[ArrayLike], *, seed: int) -> HockneyFit:
    """Fits Hockney's law to one-way message times.

    The intervals are the hull of bootstrap and covariance, see the head of this file.

    Args:
        sizes_bytes: message sizes [B], shape (n,), zero allowed, at least three different.
        times: samples [s] of each size, n arrays of shape (m_i,), or one median each.

    Raises:
        ValueError: for too few sizes, and for times that are not finite and positive.
    """
    x, samples = prepare_points(sizes_bytes, times)
    fit = _fit_range(x, samples, seed)
    starts = (0, *find_switches(x, samples), x.size)
    if len(starts) == 2:  # noqa: PLR2004 - one range, from the first size to the last
        return fit
    ranges = tuple(_fit_range(x[i:j], samples[i:j], seed) for i, j in pairwise(starts))
    return replace(fit, ranges=ranges)


def fit_vector_length(
    lengths: ArrayLike, times: Sequence[ArrayLike], clock_hz: float, *, seed: int
) -> Line:
    """Fits start-up [cycles] and cycles per element to the times of a vector operation.

    The intervals are the hull of bootstrap and covariance, see the head of this file. The clock
    is taken as exact.

    Args:
        lengths: vector lengths [elements], shape (n,), those whose arrays lie in the L1 cache.
        times: samples [s] of one call for each length, n arrays of shape (m_i,).
        clock_hz: measured, not nominal, core frequency [Hz].

    Raises:
        ValueError: for a clock, lengths or times that cannot be fitted.
    """
    if not (math.isfinite(clock_hz) and clock_hz > 0.0):
        raise ValueError("the clock must be finite and positive")
    x, samples = prepare_points(lengths, times)
    return fit_line(x, [s * clock_hz for s in samples], seed)


def find_plateaus(
    lengths_bytes: ArrayLike, rates: ArrayLike, *, tolerance: float = 0.10
) -> list[Plateau]:
    """Returns the plateaus of a rate over the working set, from the fastest cache outwards.

    A running median of three removes single perturbed points; then every rate is replaced by the
    largest at this or any larger working set, so that only lasting drops remain and the rise at
    small vectors is no plateau of its own. Three points or more within the tolerance of the first
    rate are a plateau; points between plateaus are transitions.

    Args:
        lengths_bytes: working sets [B], shape (n,).
        rates: rate at each [any unit], shape (n,), positive.
        tolerance: relative drop [1] that ends a plateau; raised to three times the noise.

    Raises:
        ValueError: for arrays of different length, or rates that are not finite and positive.
    """
    size, rate = np.asarray(lengths_bytes, np.float64), np.asarray(rates, np.float64)
    if size.shape != rate.shape or sort_samples(rate)[0] <= 0.0:
        raise ValueError("a curve needs one positive rate for each working set")
    order = np.argsort(size, kind="stable")
    size, rate = size[order], rate[order]
    smooth = _running_median(rate)
    envelope = np.maximum.accumulate(smooth[::-1])[::-1]
    # Second differences remove any slope: their median size estimates the noise of the points.
    bends = np.abs(np.diff(np.log(rate), 2)) / math.sqrt(6.0)
    noise = 1.4826 * float(np.median(bends)) if bends.size else 0.0
    limit = 1.0 - min(0.5, max(tolerance, 3.0 * noise))
    plateaus: list[Plateau] = []
    i = int(np.argmax(smooth >= limit * envelope[0]))
    while i < size.size:
        end = i + int(np.count_nonzero(envelope[i:] >= limit * envelope[i]))
        if end - i >= MINIMUM_POINTS or not plateaus:
            level = float(np.median(rate[i:end]))
            plateaus.append(Plateau(float(size[i]), float(size[end - 1]), level))
            i = end
        else:
            i += 1
    return plateaus


def _running_median(rate: FloatArray) -> FloatArray:
    """Returns the median of each point and its neighbours; an end takes its neighbour's."""
    if rate.size < MINIMUM_POINTS:
        return rate
    inner = np.median(np.stack((rate[:-2], rate[1:-1], rate[2:])), axis=0)
    return np.concatenate((inner[:1], inner, inner[-1:]))


def find_drop(lengths_bytes: ArrayLike, rates: ArrayLike) -> float | None:
    """Returns the largest working set [B] before the rate first drops for good, or None.

    It marks the end of the L1 cache in a sweep that starts inside it. At least two larger working
    sets must show the drop.

    Args:
        lengths_bytes: working sets [B], shape (n,).
        rates: rate at each [any unit], shape (n,), positive.
    """
    end = find_plateaus(lengths_bytes, rates)[0].high_bytes
    n_beyond = int(np.count_nonzero(np.asarray(lengths_bytes, np.float64) > end))
    return end if n_beyond >= 2 else None  # noqa: PLR2004 - one slower point may be noise
