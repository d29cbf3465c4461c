"""Finds protocol switches in message times, and jumps to a multiple of the previous time.

A library sends short messages by one protocol and long ones by others (eager, rendezvous, through
another part of memory), each with a law t = a + b n of its own. The sizes are cut into ranges such
that the lines through them lie closest to the times: of all partitions, the one with the least sum
of a cost and a penalty for each cut, by dynamic programming.

- Residuals are relative, in units of their error: the uncertainty of the median by its samples, and
  the distance of a time from the line between its two neighbours, which is known before any cut;
  the median of the latter over all sizes is robust against a few cuts. No curve is straighter than
  `STRAIGHT`.
- A residual costs its square, at most `OUTLIER` squared: one perturbed time changes neither the
  line nor the number of ranges.
- A cut costs `PENALTY` log n: an information criterion takes 3 log n for two parameters and a
  position, too little where the errors are estimated from the same few times. Simulation set it: of
  lines with 24 sizes or more, one in fifty is cut; of those with 16, one in twenty.

A jump needs no law, and few sizes: from one size to the next the time grows by more than `JUMP`,
and by far more than the line through the two previous sizes predicts, in four launches of five.

Source: B. Jackson et al., An algorithm for optimal partitioning of data on an interval, IEEE Signal
Processing Letters 12 (2005); P. Fearnhead, G. Rigaill, Changepoint detection in the presence of
outliers, J. Am. Stat. Assoc. 114 (2019): the bounded cost.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from heorot.analyse.statistics.lines import MINIMUM_POINTS
from heorot.analyse.statistics.summary import FloatArray

IntArray = NDArray[np.int64]

STRAIGHT = 0.02
"""Relative deviation from a line that is always accepted."""
OUTLIER = 3.0
"""Residual, in units of its error, above which the cost stays constant."""
PENALTY = 6.0
"""Cost of a cut, times the logarithm of the number of sizes."""
JUMP = 2.0
"""Least factor over the time of the previous size in a jump."""
# Least factor over the predicted time in a jump: the end of a cache raises a time by less.
_BEYOND = 1.5
_MOST_LAUNCHES = 0.8
_ROUNDS = 8
# From the median size of normal errors to their standard deviation; from a median's to a mean's.
_DEVIATIONS = 1.4826
_MEDIANS = 1.2533
_LEAST_WEIGHT = 1e-6


def find_switches(x: FloatArray, samples: Sequence[FloatArray]) -> tuple[int, ...]:
    """Returns the index of the first size of every range but the first, in ascending order.

    Args:
        x: sizes in ascending order, shape (n,).
        samples: positive times of each [s], or one median each.
    """
    if np.unique(x).size < 3 * MINIMUM_POINTS:
        return ()
    times = np.array([float(np.median(each)) for each in samples])
    errors = _errors(x, times, samples)
    costs = _costs(x, times, errors)
    return _partition(x.size, costs, PENALTY * math.log(x.size))


def find_jumps(x: FloatArray, launches: FloatArray) -> tuple[int, ...]:
    """Returns the index of every size whose time is a jump from that of the previous size.

    Args:
        x: different sizes in ascending order, shape (n,).
        launches: positive times, shape (n_launches, n), NaN where a launch has none; each size
            has one.
    """
    if x.size < MINIMUM_POINTS:
        return ()
    times = np.nanmedian(launches, axis=0)
    slope = np.maximum(np.diff(times) / np.diff(x), 0.0)
    foretold = times[1:-1] + slope[:-1] * np.diff(x)[1:]
    growth = launches[:, 2:] / launches[:, 1:-1]
    known = np.maximum(np.isfinite(growth).sum(axis=0), 1)
    often = (growth > JUMP).sum(axis=0) >= _MOST_LAUNCHES * known
    found = often & (times[2:] > JUMP * times[1:-1]) & (times[2:] > _BEYOND * foretold)
    return tuple(int(i) + 2 for i in np.flatnonzero(found))


def _errors(x: FloatArray, times: FloatArray, samples: Sequence[FloatArray]) -> FloatArray:
    """Relative standard error of each time, shape (n,)."""
    # Distance of each time from the line between its neighbours, in units of its expected error.
    right = (x[1:-1] - x[:-2]) / np.maximum(x[2:] - x[:-2], 1.0)
    parts = (times[1:-1], (1.0 - right) * times[:-2], right * times[2:])
    off = np.abs(parts[0] - parts[1] - parts[2]) / np.sqrt(sum(part**2 for part in parts))
    everywhere = max(STRAIGHT, _DEVIATIONS * float(np.median(off)))
    spread = np.array([_DEVIATIONS * float(np.median(np.abs(s - np.median(s)))) for s in samples])
    counts = np.array([each.size for each in samples])
    return np.asarray(np.hypot(everywhere, _MEDIANS * spread / np.sqrt(counts) / times))


def _costs(x: FloatArray, times: FloatArray, errors: FloatArray) -> dict[tuple[int, int], float]:
    """The cost of the best line through the sizes i to before j, for all such ranges."""
    n = x.size
    # A range has three different sizes, and those that are equal lie in one range.
    is_cut = np.array([True, *(x[:-1] < x[1:]), True])
    costs: dict[tuple[int, int], float] = {}
    for i in np.flatnonzero(is_cut).tolist():
        distinct = np.cumsum(is_cut[i:-1])
        ends = [
            j for j in range(i + 1, n + 1) if is_cut[j] and distinct[j - i - 1] >= MINIMUM_POINTS
        ]
        if ends:
            found = _costs_from(x[i:], times[i:], errors[i:], np.array(ends) - i)
            costs |= {(i, j): cost for j, cost in zip(ends, found.tolist(), strict=True)}
    return costs


def _costs_from(x: FloatArray, times: FloatArray, errors: FloatArray, ends: IntArray) -> FloatArray:
    """The costs of the ranges from the first size to each end, shape (m,), robustly fitted."""
    inside = np.arange(x.size) < ends[:, np.newaxis]
    u, v, w = 1.0 / (times * errors), x / (times * errors), 1.0 / errors
    weights = inside.astype(np.float64)
    for turn in range(_ROUNDS):
        residuals = np.abs(_residuals(u, v, w, weights))
        if turn < _ROUNDS // 2:  # starts robustly, then excludes outliers
            weights = np.where(inside, 1.0 / np.maximum(1.0, residuals), 0.0)
        else:
            share = 1.0 - np.minimum(1.0, residuals / (2.0 * OUTLIER)) ** 2
            weights = np.where(inside, np.maximum(share**2, _LEAST_WEIGHT), 0.0)
    bounded = np.minimum(_residuals(u, v, w, weights) ** 2, OUTLIER**2)
    return np.asarray((inside * bounded).sum(1))


def _residuals(u: FloatArray, v: FloatArray, w: FloatArray, weights: FloatArray) -> FloatArray:
    """Returns a u + b v - w, shape (m, n), with a, b of weighted least squares in each row."""
    uu, uv, vv = weights @ (u * u), weights @ (u * v), weights @ (v * v)
    uw, vw = weights @ (u * w), weights @ (v * w)
    determinant = uu * vv - uv * uv
    a = (vv * uw - uv * vw) / determinant
    b = (uu * vw - uv * uw) / determinant
    return a[:, np.newaxis] * u + b[:, np.newaxis] * v - w


def _partition(n: int, costs: dict[tuple[int, int], float], penalty: float) -> tuple[int, ...]:
    """The cuts of the partition of n sizes with the least cost, each cut at the penalty."""
    best = {0: 0.0}  # of the sizes before j
    before: dict[int, int] = {}
    for j in range(1, n + 1):
        ends = [(best[i] + costs[i, j], i) for i in best if (i, j) in costs]
        if ends:
            least, before[j] = min(ends)
            best[j] = least + penalty
    cuts = [before[n]]
    while cuts[0] > 0:
        cuts.insert(0, before[cuts[0]])
    return tuple(cuts[1:])
