"""Decides whether two runs differ, metric by metric and program by program.

The unit of evidence is the launch (a new process start), not the sample: samples of one launch
are autocorrelated and share its memory layout and placement, so a test over samples calls every
two runs different (Kalibera and Jones; Hoefler and Belli). Launches are few, often three a side,
and a rank test on three against three cannot fall below p = 0.1. Hence:

- seven launches or more on both sides: exact Mann-Whitney test on the launch medians;
- otherwise Student's t on the logarithms of the launch medians, with the variance between launches
  pooled over both sides. One metric estimates its own variance badly (four degrees of freedom for 3
  + 3), but a run has many: `moderate` shrinks each variance towards those of the others, the more
  the better they agree (the empirical Bayes method of Smyth, made for few replicates and many
  quantities);
- one launch on each side: the variation of launches is unknown, so the noise floor replaces it.

A metric differs only if the Benjamini-Hochberg adjusted p-value is small, the interval excludes 1,
and the ratio lies outside the noise floor: the larger of the one given and the mean difference
between two launches of one side. (Their range would be the simpler figure, but it grows with the
number of launches, so that measuring more would detect less.)

Source: T. Kalibera, R. Jones, Rigorous benchmarking in reasonable time, ISMM 2013.
G. K. Smyth (2004), Y. Benjamini and Y. Hochberg (1995), N. Cliff (1993): see significance.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from heorot.analyse.statistics.significance import (
    Judged,
    Verdict,
    adjust_p_values,
    assume_spread,
    cliffs_delta,
    decide,
    judge_ratio,
    mean_difference,
    pool_spread,
    rank_launches,
    shrink_spreads,
    take_logarithms,
)
from heorot.analyse.statistics.summary import median

Direction: TypeAlias = Literal["higher", "lower"]

N_LAUNCHES_FOR_RANKS = 7
"""7 + 7 launches reach p = 0.0006, small enough to survive the adjustment for many metrics."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One metric of run b against run a.

    Attributes:
        ratio: b / a [1], of the geometric means of the launch medians.
        ratio_low, ratio_high: its 95 % interval.
        p_value: two-sided, not adjusted for the number of metrics.
        effect_size: Cliff's delta P(b > a) - P(b < a) over all samples, -1 to 1; descriptive.
        basis, test: the unit of evidence, and the test of the p-value.
        noise_floor: relative difference [1] between two unchanged runs that is not unusual.
        spread: standard deviation of the logarithm of a launch median.
        freedom: degrees of freedom with which `spread` is known.
        log_medians_a, log_medians_b: logarithms of the launch medians, in launch order.
    """

    ratio: float
    ratio_low: float
    ratio_high: float
    p_value: float
    effect_size: float
    basis: Literal["launches", "samples"]
    test: Literal["t", "mann-whitney"]
    better: Direction
    noise_floor: float
    spread: float
    freedom: float
    log_medians_a: tuple[float, ...]
    log_medians_b: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class GroupComparison:
    """One program, all its metrics together, of run b against run a.

    Attributes:
        geometric_mean_ratio: over the metrics, each turned so that above 1 means b is better.
        low, high: its 95 % interval.
        lacks: what the verdict lacks, if the interval excludes 1 and yet it is indistinguishable.
        p_value: two-sided, not adjusted for the number of programs.
        left_out: positions of the metrics left out, as they vary far more than the others.
        noise_floor: relative difference [1] between two unchanged runs that is not unusual.
        spread: standard deviation of the logarithm of the program's mean in one launch.
        freedom: degrees of freedom with which `spread` is known.
        launch_factor: 1/n_a + 1/n_b, the factor of the squared spread in the ratio.
    """

    geometric_mean_ratio: float
    low: float
    high: float
    verdict: Verdict
    lacks: str
    p_value: float
    n_metrics: int
    left_out: tuple[int, ...]
    noise_floor: float
    spread: float
    freedom: float
    launch_factor: float


def compare(
    a: Sequence[ArrayLike],
    b: Sequence[ArrayLike],
    *,
    better: Direction,
    noise_floor: float = 0.02,
) -> Comparison:
    """Compares the samples of one metric in run b with those in run a.

    Args:
        a: one array of positive samples [any unit], shape (n_i,), per launch, in time order.
        b: the same of the other run, in the same unit.
        noise_floor: smallest relative difference [1] worth naming.

    Raises:
        ValueError: for no launch, an empty one, or samples that are not finite and positive.
    """
    logs_a, logs_b = take_logarithms(a), take_logarithms(b)
    medians_a, medians_b = (tuple(map(median, logs)) for logs in (logs_a, logs_b))
    log_ratio = float(np.mean(medians_b) - np.mean(medians_a))
    freedom: float = len(medians_a) + len(medians_b) - 2
    basis: Literal["launches", "samples"] = "launches" if freedom > 0 else "samples"
    if basis == "launches":
        spread = pool_spread(medians_a, medians_b)
    else:
        spread, freedom = assume_spread(logs_a[0], logs_b[0], noise_floor)
    error = spread * math.sqrt(1.0 / len(medians_a) + 1.0 / len(medians_b))
    low, high, p_value = judge_ratio(log_ratio, error, freedom)
    by_rank = min(len(medians_a), len(medians_b)) >= N_LAUNCHES_FOR_RANKS
    return Comparison(
        ratio=math.exp(log_ratio),
        ratio_low=low,
        ratio_high=high,
        p_value=rank_launches(medians_a, medians_b) if by_rank else p_value,
        effect_size=cliffs_delta(np.concatenate(logs_a), np.concatenate(logs_b)),
        basis=basis,
        test="mann-whitney" if by_rank else "t",
        better=better,
        noise_floor=max(noise_floor, mean_difference(medians_a), mean_difference(medians_b)),
        spread=spread,
        freedom=freedom,
        log_medians_a=medians_a,
        log_medians_b=medians_b,
    )


def moderate(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Returns the comparisons with spreads, intervals and p-values informed by each other.

    Only t-tests on launches change, and only if there are at least three of them.
    """
    result = list(comparisons)
    chosen = [i for i, c in enumerate(result) if c.basis == "launches" and c.test == "t"]
    spreads, freedoms = _shrink([result[i] for i in chosen])
    for i, spread, freedom in zip(chosen, spreads, freedoms, strict=True):
        one = result[i]
        error = spread * math.sqrt(_launch_factor(one))
        low, high, p = judge_ratio(math.log(one.ratio), error, freedom)
        result[i] = replace(
            one, ratio_low=low, ratio_high=high, p_value=p, spread=spread, freedom=freedom
        )
    return result


def _shrink(known: Sequence[Comparison | GroupComparison]) -> tuple[list[float], list[float]]:
    spreads, freedoms = shrink_spreads(
        np.array([one.spread for one in known]), np.array([one.freedom for one in known])
    )
    return spreads.tolist(), freedoms.tolist()


def _launch_factor(one: Comparison) -> float:
    return 1.0 / len(one.log_medians_a) + 1.0 / len(one.log_medians_b)


def classify(
    comparisons: Sequence[Comparison], *, false_discovery_rate: float = 0.05
) -> list[Judged]:
    """Returns a verdict on run b for every metric, in the order given, and its lack of evidence.

    Args:
        comparisons: all metrics looked at together, best after `moderate`.
        false_discovery_rate: expected share [1] of wrong ones among the metrics named.
    """
    adjusted = adjust_p_values([c.p_value for c in comparisons])
    verdicts: list[Judged] = []
    for one, p in zip(comparisons, adjusted, strict=True):
        ratio, low, high = one.ratio, one.ratio_low, one.ratio_high
        if one.better == "lower":
            ratio, low, high = 1.0 / ratio, 1.0 / high, 1.0 / low
        verdicts.append(decide(ratio, low, high, one.noise_floor, float(p), false_discovery_rate))
    return verdicts


def compare_group(
    comparisons: Sequence[Comparison], *, noise_floor: float = 0.02, significance: float = 0.05
) -> GroupComparison:
    """Compares one program between two runs by all its metrics, as they came from `compare`.

    The metrics of a program share its launches, so their errors are correlated. The geometric mean
    over the metrics is therefore taken inside each launch, and the launches are compared: that is
    right whatever the correlation. If launches are missing for some metrics, the errors are added
    as if fully correlated, which is an upper bound. A metric that varies more than the noise floor
    and three times as much as the median metric is left out and counted.

    Args:
        comparisons: the metrics of one program, at least one, not moderated.
        noise_floor: smallest relative difference [1] worth naming.
        significance: p-value [1] up to which the program is named.
    """
    if not comparisons:
        raise ValueError("a program needs at least one metric")
    limit = max(noise_floor, 3.0 * float(np.median([c.spread for c in comparisons])))
    left_out = tuple(i for i, c in enumerate(comparisons) if c.spread > limit)
    kept = [c for c in comparisons if c.spread <= limit]
    signs = np.array([1.0 if c.better == "higher" else -1.0 for c in kept])
    log_ratio = float(np.mean(signs * np.log([c.ratio for c in kept])))
    factor = max(_launch_factor(c) for c in kept)
    freedom = min(c.freedom for c in kept)
    spread = float(np.mean([c.spread for c in kept]))
    floor = max(noise_floor, float(np.median([c.noise_floor for c in kept])))
    counts = {(len(c.log_medians_a), len(c.log_medians_b)) for c in kept}
    if len(counts) == 1 and kept[0].basis == "launches":
        a = signs @ np.array([c.log_medians_a for c in kept]) / signs.size
        b = signs @ np.array([c.log_medians_b for c in kept]) / signs.size
        spread = pool_spread(a, b)
        floor = max(noise_floor, mean_difference(a), mean_difference(b))
    low, high, p_value = judge_ratio(log_ratio, spread * math.sqrt(factor), freedom)
    ratio = math.exp(log_ratio)
    judged = decide(ratio, low, high, floor, p_value, significance)
    return GroupComparison(
        ratio, low, high, *judged, p_value, len(kept), left_out, floor, spread, freedom, factor
    )


def compare_groups(
    groups: Mapping[str, Sequence[Comparison]],
    *,
    noise_floor: float = 0.02,
    false_discovery_rate: float = 0.02,
) -> dict[str, GroupComparison]:
    """Compares all programs of two runs and names those that changed.

    As `compare_group` for each, with the spreads between launches informed by each other and the
    p-values adjusted for the number of programs. The default rate is stricter than that of
    `classify`: few programs are named, and each costs a person-day of work. Three launches a side
    show a change of 5 % if a program's mean varies by 1 % or less from launch to launch; five, 1.5
    %.

    Args:
        groups: the comparisons of each program's metrics, not moderated.
        noise_floor: smallest relative difference [1] worth naming.
        false_discovery_rate: expected share [1] of wrong ones among the programs named.
    """
    alone = [compare_group(metrics, noise_floor=noise_floor) for metrics in groups.values()]
    tests = [
        (spread, freedom, *_judge_group(group, spread, freedom))
        for group, spread, freedom in zip(alone, *_shrink(alone), strict=True)
    ]
    adjusted = adjust_p_values([p for *_, p in tests])
    result = {}
    for name, group, test, q in zip(groups, alone, tests, adjusted, strict=True):
        spread, freedom, low, high, p = test
        ratio, floor = group.geometric_mean_ratio, group.noise_floor
        verdict, lacks = decide(ratio, low, high, floor, float(q), false_discovery_rate)
        informed = replace(group, low=low, high=high, p_value=p, spread=spread, freedom=freedom)
        result[name] = replace(informed, verdict=verdict, lacks=lacks)
    return result


def _judge_group(group: GroupComparison, spread: float, freedom: float) -> tuple[float, ...]:
    error = spread * math.sqrt(group.launch_factor)
    return judge_ratio(math.log(group.geometric_mean_ratio), error, freedom)
