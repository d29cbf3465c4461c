"""Times of ranks, or of their hosts, in the launches of a case, and which of them lags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heorot.analyse.statistics.summary import Summary, summarise_values
from heorot.model.run.ranks import OwnOfHosts, OwnOfRanks
from heorot.model.run.series import Series

# Slowest in a larger share of samples or launches, and by a larger lag, is significant.
_OFTEN = 0.50
_BEHIND = 0.05


@dataclass(frozen=True)
class Contest:
    """Times of ranks, or of their hosts, in one launch.

    Attributes:
        seconds: time of each, shape (n_names,) [s].
        slowest: how often each was slowest, shape (n_names,).
    """

    names: tuple[str, ...]
    seconds: NDArray[np.float64]
    slowest: NDArray[np.float64]
    n: int


@dataclass(frozen=True)
class Lag:
    """How one of them lags.

    Attributes:
        often: share of all samples, or of the launches, in which it was slowest [1].
        part: the same by launch [1].
        behind: how much longer it took than the median of the others, relative to that [1].
        n: samples or launches.
    """

    name: str
    often: float
    part: Summary
    behind: Summary
    n: int


def find_lag(contests: Sequence[Contest]) -> Lag | None:
    """The one that is slowest in most cases and lags; else None.

    None if the interval over the launches, or their range if they are few, does not decide.
    """
    n = sum(each.n for each in contests)
    everywhere = set.intersection(*(set(each.names) for each in contests)) if contests else set()
    found = []
    for name in everywhere:
        places = [(each, each.names.index(name)) for each in contests]
        # Equal longest times count for each of the ranks, so that a sum may exceed 1.
        often = min(1.0, sum(float(each.slowest[place]) for each, place in places) / n)
        part = [min(1.0, float(each.slowest[place]) / each.n) for each, place in places]
        lags = summarise_values(lag_of(each.seconds, place) for each, place in places)
        if often > _OFTEN and lags.median > _BEHIND and lags.ci_low > 0.0:
            found.append(Lag(name, often, summarise_values(part), lags, n))
    return max(found, key=lambda each: (each.often, each.behind.median, each.name), default=None)


def _low_middle(values: Sequence[float] | NDArray[np.float64]) -> float:
    """The median, of an even number the lower one: half of the launches, or ranks, are not most."""
    return float(np.sort(values)[(len(values) - 1) // 2])


def lag_of(seconds: NDArray[np.float64], place: int) -> float:
    """How much longer one took than the median of the others [1]."""
    others = float(np.median(np.delete(seconds, place))) if len(seconds) > 1 else 0.0
    return float(seconds[place]) / others - 1.0 if others > 0.0 else 0.0


def of_copies(series: Series, hosts: tuple[str, ...]) -> tuple[Contest | None, Contest | None]:
    """Ranks against ranks and hosts against hosts, by the times of the copies."""
    own, n = series.own, len(series.seconds)
    if isinstance(own, OwnOfHosts):
        return None, _contest(own.hosts, own.median_seconds, own.slowest, n)
    if isinstance(own, OwnOfRanks):
        return _both(own.median_seconds, own.slowest, n, hosts)
    return None, None


def of_phases(series: Series, hosts: tuple[str, ...]) -> tuple[Contest | None, Contest | None]:
    """The same by the computing time of ranks over all phases; a launch counts as its mean."""
    if not series.phases:
        return None, None
    seconds = np.sum([phase.computation_seconds for phase in series.phases], axis=0)
    return _both(seconds.tolist(), (seconds == seconds.max()).tolist(), 1, hosts)


def _both(
    seconds: Sequence[float], slowest: Sequence[float], n: int, hosts: tuple[str, ...]
) -> tuple[Contest, Contest | None]:
    known = len(hosts) == len(seconds)
    names = [
        f"rank {rank}" + (f" on {hosts[rank]}" if known else "") for rank in range(len(seconds))
    ]
    ranks = _contest(names, seconds, slowest, n)
    several = tuple(dict.fromkeys(hosts))
    if not known or len(several) in {1, len(hosts)}:
        return ranks, None
    members = [np.array([host == each for host in hosts]) for each in several]
    medians = [_low_middle(ranks.seconds[each]) for each in members]
    sums = [float(ranks.slowest[each].sum()) for each in members]
    return ranks, _contest(several, medians, sums, n)


def _contest(
    names: Sequence[str], seconds: Sequence[float], slowest: Sequence[float], n: int
) -> Contest:
    return Contest(tuple(names), np.array(seconds, np.float64), np.array(slowest, np.float64), n)
