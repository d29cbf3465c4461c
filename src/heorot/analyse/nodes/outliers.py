"""Node outlier detection: nodes slower than others of equal hardware, few false alarms.

A node is slow in a quantity if it lags by 5 % or more behind the median of the others, in most of
its launches, or, with one launch, if its interval does not overlap theirs. Chance could cause this
in two ways, and both must be improbable:

- *Nodes differ.* z is the lag over a robust scale of the nodes: 1.4826 MAD, corrected for few
  nodes, and at least what launches of one node differ by, so that nodes that happen to agree give
  no small scale. Its probability is that of Student's t with 0.37 degrees of freedom (the MAD's
  efficiency) for each node but one, at least three: of few nodes the scale itself is badly known.
- *Launches are perturbed*, independently. q is how often a launch, of any node, lies at least half
  that far from the median of its own node, and at least the probability by Student's t with three
  degrees of freedom for the whole lag. The probability that most of n launches do so is binomial.
  As the launches of the node itself count, a node slow in only some of them increases q. With one
  launch q is how often other nodes lie that far from the median of all.

A node is named if one quantity suffices, the larger of the two probabilities being small even after
Bonferroni correction for nodes and quantities; or if more than half of the quantities of one
resource agree. A defective node is slow in all of them, so the first probabilities are combined by
twice their median, which holds under any dependence (Rüger), or replaced by that of the median over
the quantities, in which launches matter less. Perturbations of different programs are independent,
so the second probabilities are combined by the binomial distribution. The result is multiplied by
nodes and resources. The false-alarm rate of the whole set is at most 5 %; several sets, such as
kinds of nodes and their pairs, share it.

Of two nodes none is named: the quantities in which they differ are reported, by the same tests at
the same rate. The scale of the nodes is then estimated from the differences of all quantities,
about their median, and the rate of perturbed launches from those of all quantities. Evidence from
most quantities of a resource needs no scale of the nodes: the minimum lag stands for it.

Source: B. Iglewicz, D. C. Hoaglin, How to Detect and Handle Outliers, ASQC 1993: z by the MAD.
V. Vovk, R. Wang, Combining p-values via averaging, Biometrika 107 (2020): Rüger's bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from heorot.analyse.nodes import robust
from heorot.analyse.statistics.summary import FloatArray

LEAST_LAG = -np.log(0.95)
"""Least lag of a slow node, whatever its significance: 95 % of the speed of the others."""

FAMILY_WISE = 0.05
"""Probability that any node of a set without slow ones is named."""

# Frequencies and compilers vary by half a per cent at least.
_LEAST_SCALE = 0.005
_NORMAL_95 = 1.96
_FEWEST = 3
# Efficiency of the MAD for normal values: the equivalent share of values for a variance.
_EFFICIENCY = 0.37
_DEGREES, _DEGREES_OF_ONE = 3.0, 2.5
# Perturbations of one cause are about equal: a lag must not look rare for being their largest.
_PART_OF_LAG = 0.5

BoolArray = NDArray[np.bool_]


@dataclass(frozen=True)
class Speeds:
    """Natural logarithms of the speeds of items of equal hardware; larger is faster.

    Attributes:
        launches: of every launch, shape (n_items, n_quantities, n_launches), NaN if there is none.
        low: lower ends of the intervals, shape (n_items, n_quantities), NaN if unknown.
        resources: number of the resource of each quantity, from 0, length n_quantities.
        programs: number of the program and case of each, likewise.
    """

    launches: FloatArray
    low: FloatArray
    high: FloatArray
    resources: Sequence[int]
    programs: Sequence[int]

    @property
    def typical(self) -> FloatArray:
        """Medians over the launches, shape (n_items, n_quantities)."""
        return robust.median(self.launches, 2)


@dataclass(frozen=True)
class Judged:
    """Outliers by the speeds; tables of items x quantities.

    Attributes:
        speed: relative to the median of all items [1].
        z: lag behind the median of the others over the robust scale [1].
        slow: whether the item is slow in the quantity, significant or not.
        p_values: by item: probability of its lag by chance, adjusted for all tests.
    """

    speed: FloatArray
    z: FloatArray
    slow: BoolArray
    p_values: FloatArray

    @property
    def named(self) -> list[int]:
        """The items that are significantly slow."""
        return [int(i) for i in np.flatnonzero(self.p_values <= FAMILY_WISE)]


def judge(speeds: Speeds, n_sets: int = 1) -> Judged:
    """Compare items with each other.

    Args:
        speeds: of at least one item and one quantity.
        n_sets: number of judged sets in the run, which share the false-alarm rate.
    """
    typical = speeds.typical
    n_items = np.isfinite(typical).sum(axis=0)
    lag = robust.median_of_others(typical) - typical
    within = _within(speeds)
    scale = np.fmax(robust.spread_between(typical), within)
    z = lag / scale[None, :]
    n_launches = np.isfinite(speeds.launches).sum(axis=2)
    slow = _is_slow(speeds, lag, n_launches)
    worth = slow & (n_items >= _FEWEST)[None, :]
    by_nature = np.where(worth, scipy.special.stdtr(_degrees(n_items)[None, :], -z), 1.0)
    spread = np.where(n_launches > 1, within[None, :], scale[None, :])
    by_chance = np.where(worth, _disturbed(speeds.launches, typical, lag, spread), 1.0)
    either = np.fmax(by_nature, by_chance)
    p_values = _adjust(speeds, either, by_nature, by_chance, n_items >= _FEWEST)
    return Judged(
        speed=np.exp(typical - robust.median(typical, 0)[None, :]),
        z=z,
        slow=slow,
        p_values=np.minimum(1.0, n_sets * p_values),
    )


def differ(speeds: Speeds, n_sets: int = 1) -> Judged:
    """Compare two items with each other; speeds are relative to the other one.

    Args:
        n_sets: number of judged sets in the run, which share the false-alarm rate.
    """
    typical = speeds.typical
    lag = typical[::-1] - typical
    both: BoolArray = np.isfinite(lag).min(axis=0)
    n_launches = np.isfinite(speeds.launches).sum(axis=2)
    slow = _is_slow(speeds, lag, n_launches) & both[None, :]
    reached = _lags(speeds.launches, typical, lag)
    known = np.nan_to_num(np.maximum(reached, 0.0))
    degrees = np.where(n_launches > 1, _DEGREES, _DEGREES_OF_ONE)
    of_launches = np.abs(speeds.launches - typical[:, :, None]).ravel()
    often = _share_beyond(of_launches, _PART_OF_LAG * known.ravel()).reshape(known.shape)
    rate = np.fmax(scipy.special.stdtr(degrees, -known / _within(speeds)[None, :]), often)
    chance = at_least(majority(n_launches), np.maximum(n_launches, 1), rate)
    by_chance = np.where(slow, chance, 1.0)
    away = lag - robust.median(lag, 1)[:, None]
    scale = np.fmax(robust.NORMAL_MAD * robust.median(np.abs(away), 1), _LEAST_SCALE)
    n_programs = np.unique(np.asarray(speeds.programs)[both]).size
    by_nature = scipy.special.stdtr(max(n_programs - 1.0, _DEGREES), -away / scale[:, None])
    if n_programs < _FEWEST:
        by_nature = np.ones_like(away)
    either = np.where(slow, np.fmax(by_nature, by_chance), 1.0)
    p_values = _adjust(speeds, either, np.zeros_like(lag), by_chance, both)
    return Judged(np.exp(-lag), lag / scale[:, None], slow, np.minimum(1.0, n_sets * p_values))


def _within(speeds: Speeds) -> FloatArray:
    """Variation between launches of one item, shape (n_quantities,)."""
    within = robust.spread_within(speeds.launches)
    lone = robust.median(0.5 * (speeds.high - speeds.low) / _NORMAL_95, 0)
    return np.fmax(np.where(np.isfinite(within), within, lone), _LEAST_SCALE)


def majority(n: NDArray[np.int64]) -> NDArray[np.int64]:
    """The least number that is more than half."""
    return n // 2 + 1


def _lags(launches: FloatArray, typical: FloatArray, lag: FloatArray) -> FloatArray:
    """The lag that most launches reach, shape (n_items, n_quantities); NaN without launches."""
    behind = (typical + lag)[:, :, None] - launches
    ordered = np.sort(-behind, axis=2)  # the slowest launch first, NaN last
    n = np.isfinite(behind).sum(axis=2)
    place = np.where(n > 0, majority(n) - 1, 0)
    return -np.take_along_axis(ordered, place[:, :, None], axis=2)[:, :, 0]


def _is_slow(speeds: Speeds, lag: FloatArray, n_launches: NDArray[np.int64]) -> BoolArray:
    """Whether items lag enough, most launches of them or clear of the others' intervals."""
    reached = _lags(speeds.launches, speeds.typical, lag)
    clear = speeds.high < robust.median_of_others(speeds.low)
    slow: BoolArray = (reached >= LEAST_LAG) & (lag >= LEAST_LAG) & ((n_launches > 1) | clear)
    return slow


def _disturbed(
    launches: FloatArray, typical: FloatArray, lag: FloatArray, spread: FloatArray
) -> FloatArray:
    """Probability that most launches lag that far because each was perturbed independently."""
    reached = _lags(launches, typical, lag)
    n = np.isfinite(launches).sum(axis=2)
    degrees = np.where(n > 1, _DEGREES, _DEGREES_OF_ONE)
    rate = scipy.special.stdtr(degrees, -reached / spread)
    of_launches = np.abs(launches - typical[:, :, None])
    of_items = np.abs(typical - robust.median(typical, 0)[None, :])
    for j in range(launches.shape[1]):
        part = _PART_OF_LAG * reached[:, j]
        among_launches = _share_beyond(of_launches[:, j].ravel(), part)
        # The judged item is one of them, and at that distance if it is slow.
        among_items = _share_beyond(of_items[:, j], part, n_itself=1)
        rate[:, j] = np.fmax(rate[:, j], np.where(n[:, j] > 1, among_launches, among_items))
    return at_least(majority(n), np.maximum(n, 1), rate)


def _share_beyond(distances: FloatArray, least: FloatArray, *, n_itself: int = 0) -> FloatArray:
    """The share of the known distances that reaches each minimum."""
    known = np.sort(distances[np.isfinite(distances)])
    beyond = known.size - np.searchsorted(known, least) - n_itself
    share: FloatArray = np.maximum(beyond, 0) / max(1, known.size - n_itself)
    return share


def at_least(k: NDArray[np.int64], n: NDArray[np.int64], rate: FloatArray) -> FloatArray:
    """Probability that k or more of n independent events happen, each with this rate.

    Source: NIST Digital Library of Mathematical Functions, 8.17.5.
    """
    known = np.clip(rate, 0.0, 1.0)
    few = np.minimum(k, n)
    return np.asarray(scipy.special.betainc(few, n - few + 1, known), dtype=np.float64)


def _adjust(
    speeds: Speeds,
    either: FloatArray,
    by_nature: FloatArray,
    by_chance: FloatArray,
    compared: BoolArray,
) -> FloatArray:
    """The probabilities of the items, adjusted for the number of tests; shape (n_items,)."""
    typical = speeds.typical
    n_items = max(1, int(np.isfinite(typical).any(axis=1).sum()))
    resources, programs = np.asarray(speeds.resources), np.asarray(speeds.programs)
    n_resources = np.unique(resources[compared]).size
    best = either.min(axis=1, initial=1.0) * max(1, int(compared.sum()))
    for item in np.flatnonzero((by_chance < 1.0).any(axis=1)):
        for resource in np.unique(resources[compared]):
            mine = np.flatnonzero((resources == resource) & compared & np.isfinite(typical[item]))
            if not mine.size or 2 * int((by_chance[item, mine] < 1.0).sum()) <= mine.size:
                continue
            nature = min(1.0, 2.0 * float(np.median(by_nature[item, mine])))
            nature = min(nature, _overall(typical[:, mine], int(item)))
            chance = _of_programs(by_chance[item, mine], programs[mine])
            best[item] = min(best[item], max(nature, chance) * n_resources)
    # Two ways to be named, each in every item.
    adjusted: FloatArray = np.minimum(1.0, 2.0 * n_items * best)
    return adjusted


def _overall(typical: FloatArray, item: int) -> float:
    """Probability that nodes differ by nature as far as one does from the others, over quantities.

    Launches matter less than in each quantity, so that few nodes are enough.
    """
    others = robust.median_of_others(typical)
    together = robust.median(typical - others, 1)[:, None]
    known = together[np.isfinite(together[:, 0])]
    if len(known) < _FEWEST:
        return 1.0
    scale = max(float(robust.spread_between(known)[0]), _LEAST_SCALE)
    return float(scipy.special.stdtr(max(len(known) - 1.0, _DEGREES), together[item, 0] / scale))


def _degrees(n_items: NDArray[np.int64]) -> FloatArray:
    """Degrees of freedom of a scale by the MAD of n items."""
    return np.asarray(np.maximum(_EFFICIENCY * (n_items - 1.0), _DEGREES))


def _of_programs(p_values: FloatArray, programs: NDArray[np.int64]) -> float:
    """Probability that most programs are perturbed independently that far."""
    each = np.sort([np.median(p_values[programs == one]) for one in np.unique(programs)])
    n = np.array(each.size)
    k = majority(n)
    return float(at_least(k, n, each[int(k) - 1]))
