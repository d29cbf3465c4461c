"""Which rank, on which host, is the slowest one again and again.

Only times that hold no waiting for others tell that: those of serial copies that run side by side,
and the computation of phases. A rank of any other region ends when the message it waits for comes.

Somebody is the slowest of every launch, and a run has many programs: one is named only if chance
does not make one look like that in more than one run of twenty. Ranks that are alike are the
slowest of a launch equally often, whatever the spread between launches is: that one of k is it in s
of n launches is binomial. All regions and problems of a launch are one piece of evidence, by the
median lag of each; the probability is multiplied by the ranks or hosts, and by how many sets of
them the run has.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heorot.analyse.rows import word_point
from heorot.analyse.statistics.slowest import chance_of_slowest
from heorot.analyse.statistics.summary import summarise
from heorot.model.analysis.breakdown import Attribution
from heorot.model.analysis.context import Context
from heorot.model.analysis.group import Group
from heorot.model.run.plan import CaseKey
from heorot.model.run.ranks import OwnOfHosts, OwnOfRanks
from heorot.model.run.series import Series
from heorot.units import format_interval

# Slowest in more of the samples or launches than this, and so far behind, is no chance.
_OFTEN = 0.50
_BEHIND = 0.05
_MOST_FALSE = 0.05
_FEWEST_SAMPLES = 6
_FEWEST_LAUNCHES = 3


@dataclass(frozen=True)
class Contest:
    """What ranks, or the hosts they are on, took in one launch.

    Attributes:
        names: of those that are compared.
        seconds: what each took, shape (n_names,) [s].
        slowest: how often each took longest, shape (n_names,).
        n: how often they were compared.
    """

    names: tuple[str, ...]
    seconds: NDArray[np.float64]
    slowest: NDArray[np.float64]
    n: int


@dataclass(frozen=True)
class Straggler:
    """Who is the slowest again and again.

    Attributes:
        name: such as `rank 7 on n3` or `n3`.
        is_host: whether it is a host with all its ranks.
        often: in which share of the samples, or of the launches, it took longest [1].
        behind: how much longer it took than the median of the others, of that, with its
            interval over the launches [1].
        n: samples or launches.
        n_launches: launches.
    """

    name: str
    is_host: bool
    often: float
    behind: tuple[float, float, float]
    n: int
    n_launches: int


def attribute(context: Context) -> list[Attribution]:
    """A sentence for every program with a rank or host that lags in its copies or its computation.

    Args:
        context: the run.
    """
    hosts = {
        outcome.step: tuple(place.host for place in outcome.run.placement)
        for outcome in context.outcomes
        if outcome.run is not None
    }
    beyond = _beyond_chance(context, hosts)
    copies: dict[str, tuple[Group, Straggler]] = {}
    parts: dict[str, tuple[Group, Straggler]] = {}
    for group in context.groups:
        one = group.first
        if group.verified != "passed" or one.ranks == 1:
            continue
        named = beyond.get((one.benchmark, one.case, one.toolchain), frozenset())
        if one.is_star:
            found, worst = _find(group, hosts, _of_copies, _FEWEST_SAMPLES, named), copies
        else:
            found, worst = _find(group, hosts, _of_phases, _FEWEST_LAUNCHES, named), parts
        rival = worst.get(one.benchmark)
        if found and (rival is None or found.behind > rival[1].behind):
            worst[one.benchmark] = group, found
    # Where nobody waits the slowest decides when all have ended; else imbalance says what is lost.
    return [
        *(
            _attribution(context, group, _word_copies(context, group, who), _lost(who))
            for group, who in copies.values()
        ),
        *(
            _attribution(context, group, _word_phases(context, group, who), 0.0)
            for group, who in parts.values()
        ),
    ]


def find_straggler(
    contests: Sequence[Contest],
) -> tuple[str, float, tuple[float, float, float]] | None:
    """Who took longest in most cases and lags: its name, how often, how far behind; else None.

    It is nobody if the interval over the launches, of few their range, leaves open who lags.

    Args:
        contests: the launches of one case.
    """
    n = sum(each.n for each in contests)
    everywhere = set.intersection(*(set(each.names) for each in contests)) if contests else set()
    found = []
    for name in everywhere:
        places = [(each, each.names.index(name)) for each in contests]
        # Equally long times count for each of the ranks, so that a sum may be more than all.
        often = min(1.0, sum(float(each.slowest[place]) for each, place in places) / n)
        lags = summarise([np.array([_behind(each.seconds, place)]) for each, place in places])
        behind = (lags.median, lags.ci_low, lags.ci_high)
        if often > _OFTEN and behind[0] > _BEHIND and behind[1] > 0.0:
            found.append((name, often, behind))
    return max(found, key=lambda each: (each[1], each[2], each[0]), default=None)


def _beyond_chance(
    context: Context, hosts: Mapping[str, tuple[str, ...]]
) -> dict[CaseKey, frozenset[str]]:
    """Ranks and hosts that are the slowest of more launches of a case than chance makes them."""
    lags: dict[tuple[CaseKey, bool], dict[str, dict[str, list[float]]]] = {}
    for group in context.groups:
        one = group.first
        if group.verified != "passed" or one.ranks == 1:
            continue
        contest = _of_copies if one.is_star else _of_phases
        for each in group.series:
            by_rank, by_host = contest(each, hosts.get(each.step, ()))
            for is_host, found in ((False, by_rank), (True, by_host)):
                if found is None:
                    continue
                case = ((one.benchmark, one.case, one.toolchain), is_host)
                launch = lags.setdefault(case, {}).setdefault(each.step, {})
                for place, name in enumerate(found.names):
                    launch.setdefault(name, []).append(_behind(found.seconds, place))
    named: dict[CaseKey, frozenset[str]] = {}
    for (key, _), launches in lags.items():
        often = chance_of_slowest([*launches.values()])
        beyond = {name for name, p in often.items() if p * len(lags) <= _MOST_FALSE}
        named[key] = named.get(key, frozenset()) | beyond
    return named


def _low_middle(values: Sequence[float] | NDArray[np.float64]) -> float:
    """The median, of an even number the lower one: half of the launches, or ranks, are not most."""
    return float(np.sort(values)[(len(values) - 1) // 2])


def _behind(seconds: NDArray[np.float64], place: int) -> float:
    """How much longer one took than the median of the others [1]."""
    others = float(np.median(np.delete(seconds, place))) if len(seconds) > 1 else 0.0
    return float(seconds[place]) / others - 1.0 if others > 0.0 else 0.0


def _find(
    group: Group,
    hosts: Mapping[str, tuple[str, ...]],
    contest: Callable[[Series, tuple[str, ...]], tuple[Contest | None, Contest | None]],
    fewest: int,
    named: Collection[str],
) -> Straggler | None:
    """The straggler of a group: a host, if all its ranks lag, else a rank; one of those named."""
    pairs = [contest(one, hosts.get(one.step, ())) for one in group.series]
    for is_host, contests in ((True, [b for _, b in pairs]), (False, [a for a, _ in pairs])):
        known = [each for each in contests if each is not None]
        n = sum(each.n for each in known)
        if len(known) < len(pairs) or n < fewest:
            continue
        found = find_straggler(known)
        if found and found[0] in named:
            return Straggler(found[0], is_host, found[1], found[2], n, len(known))
    return None


def _of_copies(series: Series, hosts: tuple[str, ...]) -> tuple[Contest | None, Contest | None]:
    """Ranks against ranks and hosts against hosts, by the times of the copies."""
    own, n = series.own, len(series.seconds)
    if isinstance(own, OwnOfHosts):
        return None, _contest(own.hosts, own.median_seconds, own.slowest, n)
    if isinstance(own, OwnOfRanks):
        return _both(own.median_seconds, own.slowest, n, hosts)
    return None, None


def _of_phases(series: Series, hosts: tuple[str, ...]) -> tuple[Contest | None, Contest | None]:
    """The same by what ranks compute in all phases together; the means of a launch count once."""
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


def _lost(who: Straggler) -> float:
    """The share of the time for which the others have nothing to do any more."""
    return who.behind[0] / (1.0 + who.behind[0])


def _attribution(context: Context, group: Group, text: str, lost: float) -> Attribution:
    one = group.first
    key = (one.benchmark, one.case, one.toolchain, one.region, one.point)
    evidence = (
        row.key
        for row in context.rows
        if (row.benchmark, row.case, row.toolchain, row.region, row.point) == key
    )
    return Attribution(benchmark=one.benchmark, text=text, evidence=tuple(evidence)[:1], lost=lost)


def _word_copies(context: Context, group: Group, who: Straggler) -> str:
    one = group.first
    often, behind = f"{round(who.often * who.n)} of {who.n} samples", _lag(who)
    program = f"{context.spoken(one.benchmark)}{word_point(context, one.benchmark, one.point)}"
    copies = f"Of {one.ranks} copies of {program} at once"
    if who.is_host:
        return (
            f"{copies} one on {who.name} was the slowest in {often}; the copies "
            f"there take {behind} longer than the median of the others."
        )
    return (
        f"{copies} that of {who.name} was the slowest in {often}, {behind} behind "
        "the median of the others."
    )


def _word_phases(context: Context, group: Group, who: Straggler) -> str:
    one = group.first
    point = word_point(context, one.benchmark, one.point)
    launches = f"{round(who.often * who.n)} of {who.n} launches"
    program = f"On {one.ranks} ranks of {context.spoken(one.benchmark)}{point}"
    longest = f"a rank on {who.name}" if who.is_host else who.name
    those = "the ranks there" if who.is_host else "it"
    return (
        f"{program} {longest} computed longest in {launches}; {those} took "
        f"{_lag(who)} longer than the median of the others."
    )


def _lag(who: Straggler) -> str:
    return format_interval(*who.behind, "%", 2, launches=who.n_launches)
