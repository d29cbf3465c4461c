"""Detects bimodal samples, and the launches of each mode.

Bimodality has two sources. Whole launches may be in one state or the other, as placement and memory
layout are drawn once per launch. Or the state changes during a launch.

- Launches: the medians' logarithms are split where the sum of squares within the two groups is
  least. Its share of the whole sum is the statistic that Engelman and Hartigan tabulate for one
  normal group; the limits here are its points of a quarter per cent, for groups of two launches or
  more. (A single launch apart is an outlier, which widens the interval.)
- Within a launch: a density with one mode is nowhere between two positions lower than at both. So
  the widest gap with almost no samples is compared with the shortest half of the samples on either
  side: there, samples must lie many times as densely. That is the excess mass of Müller and
  Sawitzki with the position of the gap chosen by the samples. It assumes no shape, and steps of the
  clock do not matter to it. At least half of the launches must show such a gap.

Modes that differ by less than a tenth are reported as one, whatever their significance: the
difference would not matter to a reader.

Source: L. Engelman, J. A. Hartigan, Percentage points of a test for clusters, J. Am. Stat. Assoc.
64 (1969), 1647. D. W. Müller, G. Sawitzki, Excess mass estimates and tests for multimodality,
J. Am. Stat. Assoc. 86 (1991), 738.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from heorot.analyse.statistics.summary import FloatArray, sort_samples

LEAST_DISTANCE = math.log(1.1)
"""Least distance of two modes, as a logarithm."""

LEAST_SHARE = 0.15
"""Least share of the samples in the rarer mode."""

_LEAST_LAUNCHES = 2
# Share of the sum of squares left within the groups, by the number of launches.
_WITHIN = {4: 0.0016, 5: 0.0069}
_WITHIN_OF_MORE = 0.016
_LEAST_SAMPLES = 40
# Largest share of the samples in the gap, the density ratio of its sides to the gap, and its
# increase for few samples, which leave large gaps by chance.
_IN_GAP = 0.05
_DENSER = 8.0
_BY_CHANCE = 40.0


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode of the samples.

    Attributes:
        median: of the samples about it, in their unit.
        share: of all samples [1].
        launches: indices of the launches that have at least `LEAST_SHARE` of their samples there.
    """

    median: float
    share: float
    launches: tuple[int, ...]


def find_modes(launches: Sequence[ArrayLike]) -> tuple[Mode, Mode] | None:
    """Returns the two modes of the samples, the smaller first; None if there is only one.

    Args:
        launches: one array of positive samples [any unit], shape (n_i,), per launch.

    Raises:
        ValueError: for an empty launch, or a sample that is NaN or infinite.
    """
    parts = [sort_samples(samples) for samples in launches]
    if not parts or min(float(part[0]) for part in parts) <= 0.0:
        return None
    if math.log(max(float(part[-1]) for part in parts) / min(float(p[0]) for p in parts)) < (
        LEAST_DISTANCE
    ):
        return None
    logs = [np.log(part) for part in parts]
    cut = _between_launches(np.sort([float(np.median(each)) for each in logs]))
    if cut is None:
        cuts = [found for found in map(_within_launch, logs) if found is not None]
        cut = float(np.median(cuts)) if 2 * len(cuts) >= len(logs) else None
    return None if cut is None else _divide(logs, cut)


def _between_launches(medians: FloatArray) -> float | None:
    """Midpoint of the gap between two groups of launches, as logarithm; None for one group."""
    n = medians.size
    if n < 2 * _LEAST_LAUNCHES:
        return None
    whole = float(np.sum((medians - np.mean(medians)) ** 2))
    splits = range(_LEAST_LAUNCHES, n - _LEAST_LAUNCHES + 1)
    within = {k: _squares(medians[:k]) + _squares(medians[k:]) for k in splits}
    split = min(within, key=lambda k: within[k])
    low, high = float(medians[split - 1]), float(medians[split])
    if within[split] > _WITHIN.get(n, _WITHIN_OF_MORE) * whole or high - low < LEAST_DISTANCE:
        return None
    return 0.5 * (low + high)


def _squares(values: FloatArray) -> float:
    return float(np.sum((values - np.mean(values)) ** 2))


def _within_launch(logs: FloatArray) -> float | None:
    """Midpoint of the gap between two groups of samples, as logarithm; None for one group."""
    n = logs.size
    least = math.ceil(LEAST_SHARE * n)
    if n < _LEAST_SAMPLES or logs[n - least] - logs[least - 1] < LEAST_DISTANCE:
        return None
    # A gap reaches from one sample to another, with few others between; both sides keep enough.
    step = 1 + int(_IN_GAP * n)
    starts = np.arange(least - 1, n - least - step + 1)
    if starts.size == 0:
        return None
    widths = logs[starts + step] - logs[starts]
    start = int(starts[np.argmax(widths)])
    low, high = float(logs[start]), float(logs[start + step])
    gap = high - low
    lower, upper = logs[: start + 1], logs[start + step :]
    if gap <= 0.0 or float(np.median(upper) - np.median(lower)) < LEAST_DISTANCE:
        return None
    density = min(_density(lower), _density(upper))
    return 0.5 * (low + high) if density * gap > _DENSER * step + _BY_CHANCE else None


def _density(ordered: FloatArray) -> float:
    """Samples per unit in the shortest interval with half of them; infinite if it has no length."""
    half = (ordered.size + 1) // 2
    shortest = float(np.min(ordered[half - 1 :] - ordered[: ordered.size - half + 1]))
    return half / shortest if shortest > 0.0 else math.inf


def _divide(logs: Sequence[FloatArray], cut: float) -> tuple[Mode, Mode]:
    total = sum(each.size for each in logs)

    def mode(parts: Sequence[FloatArray]) -> Mode:
        inside = np.concatenate(parts)
        return Mode(
            median=math.exp(float(np.median(inside))),
            share=inside.size / total,
            launches=tuple(
                place
                for place, (part, each) in enumerate(zip(parts, logs, strict=True))
                if part.size >= LEAST_SHARE * each.size
            ),
        )

    below = [each[each <= cut] for each in logs]
    return mode(below), mode([each[each > cut] for each in logs])
