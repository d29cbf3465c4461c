"""Which rank, on which host, is repeatedly the slowest.

Only times without waiting for other ranks show a straggler: those of concurrent serial copies, and
the computation of phases. A rank of any other region ends when the message it waits for arrives.

Some rank is slowest in every launch, and a run has many programs. One is named only if chance would
name one in fewer than one run of twenty. Equal ranks are equally often the slowest of a launch,
whatever the spread between launches, so the number of launches in which one of k ranks is slowest
is binomial. All regions and problems of a launch are one observation, by the median lag of each;
the probability is multiplied by the number of ranks or hosts, and by the number of such sets in the
run (Bonferroni).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from heorot.analyse.explain.ranks.contests import (
    Contest,
    Lag,
    find_lag,
    lag_of,
    of_copies,
    of_phases,
)
from heorot.analyse.results import make_row
from heorot.analyse.rows import named
from heorot.analyse.statistics.significance import chance_of_slowest
from heorot.analyse.templates import explain as templates
from heorot.analyse.templates.quantities import keys, limit, plain
from heorot.model.analysis.breakdown import Attribution
from heorot.model.analysis.context import Context
from heorot.model.analysis.group import Group
from heorot.model.analysis.result import Result
from heorot.model.catalogue.metrics import Metric
from heorot.model.point import Point
from heorot.model.run.identity import Setup
from heorot.model.run.series import Series

_MOST_FALSE = 0.05
_FEWEST_SAMPLES = 6
_FEWEST_LAUNCHES = 3
_LAG = Metric(name="rank_lag", unit="1", better="lower")
_PART = Metric(name="slowest_share", unit="1", better="lower")


@dataclass(frozen=True)
class Straggler:
    """The rank or host that is repeatedly the slowest.

    Attributes:
        place: its coordinates: a rank, with its host if known, or a host with all its ranks.
        lag: how it lags; its name is such as `rank 7 on n3` or `n3`.
        part: the row with its share of the samples; None if launches are counted.
    """

    group: Group
    place: Point
    lag: Lag
    behind: Result
    part: Result | None

    @property
    def is_host(self) -> bool:
        """Whether it is a host with all its ranks."""
        return "rank" not in self.place

    @property
    def rows(self) -> tuple[Result, ...]:
        """The keys of the quoted values."""
        return (self.behind,) if self.part is None else (self.behind, self.part)


def find_stragglers(context: Context, run: str) -> list[Straggler]:
    """For every program, the rank or host that lags in its copies, and the one in computing."""
    hosts = {
        outcome.step: tuple(place.host for place in outcome.run.placement)
        for outcome in context.outcomes
        if outcome.run is not None
    }
    beyond = _beyond_chance(context, hosts)
    worst: dict[tuple[bool, str], tuple[Group, Lag, Point]] = {}
    for group in context.groups:
        one = group.first
        if group.verified != "passed" or one.ranks == 1:
            continue
        named = beyond.get(one.setup, frozenset())
        kind = (of_copies, _FEWEST_SAMPLES) if one.is_star else (of_phases, _FEWEST_LAUNCHES)
        found = _find(group, hosts, *kind, named)
        rival = worst.get((one.is_star, one.benchmark))
        if found and (rival is None or found[0].behind.median > rival[1].behind.median):
            worst[one.is_star, one.benchmark] = (group, *found)
    return [_straggler(*found, run, context.machine.system) for found in worst.values()]


def _straggler(group: Group, lag: Lag, place: Point, run: str, system: str) -> Straggler:
    key = group.first.key
    update = {"key": key.but(point=key.point | place)}
    behind, part = (
        make_row(group, metric, summary, run, system, derived=True).model_copy(update=update)
        for metric, summary in ((_LAG, lag.behind), (_PART, lag.part))
    )
    return Straggler(group, place, lag, behind, part if group.first.is_star else None)


def attribute(context: Context, stragglers: Sequence[Straggler]) -> list[Attribution]:
    """A sentence for each rank or host that lags."""
    # Without waiting, the slowest sets the end; otherwise the imbalance is the loss.
    found = []
    for who in sorted(stragglers, key=lambda who: who.part is None):
        one = who.group.first
        shown: dict[str, Any] = {
            "ranks": one.ranks,
            "program": named(context, one.benchmark, one.point),
            "who": who.lag.name,
            "behind": plain(who.behind, "%"),
            "false": limit(_MOST_FALSE),
            "evidence": keys(*who.rows),
        }
        if who.part is not None:
            template = templates.SLOW_HOST if who.is_host else templates.SLOW_COPY
            lost, often = _lost(who), plain(who.part, "%")
            found.append(template(one.benchmark, lost=lost, often=often, **shown))
            continue
        shown |= {"is_host": who.is_host, "n": round(who.lag.often * who.lag.n)}
        found.append(templates.SLOW_RANK(one.benchmark, launches=who.lag.n, **shown))
    return found


def _beyond_chance(
    context: Context, hosts: Mapping[str, tuple[str, ...]]
) -> dict[Setup, frozenset[str]]:
    """Ranks and hosts that are the slowest of more launches of a case than by chance."""
    lags: dict[tuple[Setup, bool], dict[str, dict[str, list[float]]]] = {}
    for group in context.groups:
        one = group.first
        if group.verified != "passed" or one.ranks == 1:
            continue
        contest = of_copies if one.is_star else of_phases
        for each in group.series:
            by_rank, by_host = contest(each, hosts.get(each.step, ()))
            for is_host, found in ((False, by_rank), (True, by_host)):
                if found is None:
                    continue
                case = (one.setup, is_host)
                launch = lags.setdefault(case, {}).setdefault(each.step, {})
                for place, name in enumerate(found.names):
                    launch.setdefault(name, []).append(lag_of(found.seconds, place))
    named: dict[Setup, frozenset[str]] = {}
    for (key, _), launches in lags.items():
        often = chance_of_slowest([*launches.values()])
        beyond = {name for name, p in often.items() if p * len(lags) <= _MOST_FALSE}
        named[key] = named.get(key, frozenset()) | beyond
    return named


def _find(
    group: Group,
    hosts: Mapping[str, tuple[str, ...]],
    contest: Callable[[Series, tuple[str, ...]], tuple[Contest | None, Contest | None]],
    fewest: int,
    named: Collection[str],
) -> tuple[Lag, Point] | None:
    """The one that lags and its coordinates: a host if all its ranks lag, else a rank."""
    pairs = [contest(one, hosts.get(one.step, ())) for one in group.series]
    for is_host, contests in ((True, [b for _, b in pairs]), (False, [a for a, _ in pairs])):
        known = [each for each in contests if each is not None]
        if len(known) < len(pairs) or sum(each.n for each in known) < fewest:
            continue
        lag = find_lag(known)
        if lag and lag.name in named:
            if is_host:
                return lag, Point({"host": lag.name})
            rank = known[0].names.index(lag.name)
            host = hosts.get(group.series[0].step, ())
            on = {"host": host[rank]} if rank < len(host) else {}
            return lag, Point({"rank": rank}) | on
    return None


def _lost(who: Straggler) -> float:
    """The share of the time that the others spend idle."""
    return who.behind.median / (1.0 + who.behind.median)
