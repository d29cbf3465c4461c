"""Divides the time of a body among computing, waiting and communicating, and says what it means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from heorot.analyse.results import make_row
from heorot.analyse.rows import word_point
from heorot.analyse.statistics.summary import summarise
from heorot.model.analysis.breakdown import SHARES, Attribution, Breakdown, Middle, PhaseTimes
from heorot.model.analysis.context import Context
from heorot.model.analysis.group import Group
from heorot.model.analysis.result import Result
from heorot.model.catalogue.metrics import Metric
from heorot.model.run.ranks import Phase
from heorot.model.run.series import Series
from heorot.units import format_quantity

FloatArray = NDArray[np.float64]

_METRICS = tuple(
    Metric(name=name, unit="1", better="higher" if name == "computation_share" else "lower")
    for name in SHARES
)
# Less than this lost to waiting and communication needs no sentence.
_WORTH_SAYING = 0.10
_MOST_OF_IT = 0.5
_NEXT_TO_NOTHING = 0.005
# Between classes: so many times more is another behaviour, not another measurement.
_DIFFERENT = 2.0


def break_down(groups: Iterable[Group]) -> Iterator[tuple[Group, Breakdown]]:
    """Every group whose program tells its phases apart, with its breakdown.

    Args:
        groups: the series of one region at one point in all launches of a case, each.
    """
    for group in groups:
        if all(one.phases for one in group.series):
            yield group, _break_down(group)


def share_rows(group: Group, *, run: str, system: str) -> list[Result]:
    """The shares of a group's time as results; every launch is one sample.

    Args:
        group: series with phases.
        run: name of the run.
        system: name of the machine.
    """
    launches = np.array([_shares(one) for one in group.series])
    return [
        make_row(
            group, metric, summarise([launches[i : i + 1, k] for i in range(len(launches))]),
            run, system, derived=True,
        )
        for k, metric in enumerate(_METRICS)
    ]  # fmt: skip


def shares_of(phases: Sequence[Phase]) -> tuple[float, float, float]:
    """Computation, imbalance and communication as shares of the body's time; their sum is 1."""
    computing = _times(phases, "computation_seconds").sum(axis=0)
    total = _body_seconds(phases)
    most, mean = float(computing.max()), float(computing.mean())
    return mean / total, (most - mean) / total, (total - most) / total


def _shares(series: Series) -> tuple[float, float, float]:
    return shares_of(series.phases)


def _times(phases: Sequence[Phase], kind: str) -> FloatArray:
    """One kind of value, shape (phases, ranks)."""
    return np.array([getattr(phase, kind) for phase in phases], dtype=np.float64)


def _body_seconds(phases: Sequence[Phase]) -> float:
    """Time of the body: the slowest rank's [s]."""
    both = _times(phases, "computation_seconds") + _times(phases, "communication_seconds")
    return float(both.sum(axis=0).max())


def _load_balance(series: Series) -> float:
    computing = _times(series.phases, "computation_seconds").sum(axis=0)
    most = float(computing.max())
    return float(computing.mean()) / most if most > 0.0 else 1.0


def _middle(values: Iterable[float]) -> Middle:
    found = list(values)
    return Middle(median=float(np.median(found)), low=min(found), high=max(found))


def _break_down(group: Group) -> Breakdown:
    one = group.first
    shares = [_shares(series) for series in group.series]
    computation, imbalance, communication = (_middle(kind) for kind in zip(*shares, strict=True))
    return Breakdown(
        benchmark=one.benchmark,
        case=one.case,
        toolchain=one.toolchain,
        region=one.region,
        point=one.point,
        nodes=one.nodes,
        ranks=one.ranks,
        threads=one.threads,
        copies=one.ranks if one.is_star else 0,
        verified=group.verified,
        disturbed=group.disturbed,
        n_launches=len(group.series),
        seconds=_middle(_body_seconds(series.phases) for series in group.series),
        computation=computation,
        imbalance=imbalance,
        communication=communication,
        load_balance=_middle(_load_balance(series) for series in group.series),
        phases=tuple(_phase_times(group, phase.name) for phase in one.phases),
    )


def _phase_times(group: Group, name: str) -> PhaseTimes:
    """One phase over the launches of a group; a launch that lacks it spent nothing in it."""
    found = [phase for series in group.series for phase in series.phases if phase.name == name]

    def over_launches(kind: str, *, most: bool) -> Middle:
        values = [getattr(phase, kind) for phase in found]
        return _middle(max(each) if most else float(np.mean(each)) for each in values)

    return PhaseTimes(
        name=name,
        computation=over_launches("computation_seconds", most=False),
        computation_most=over_launches("computation_seconds", most=True),
        communication=over_launches("communication_seconds", most=False),
        communication_most=over_launches("communication_seconds", most=True),
        messages=float(np.median([sum(phase.messages) for phase in found])),
        bytes=float(np.median([sum(phase.bytes) for phase in found])),
        collectives=float(np.median([np.mean(phase.collectives) for phase in found])),
    )


def attribute(context: Context, breakdowns: Sequence[Breakdown]) -> list[Attribution]:
    """A sentence for every program that loses much of its time to waiting and communication.

    It is about the longest body on the most ranks, with what the other points lose where that
    differs by a factor.

    Args:
        context: the run; of the rows, the shares.
        breakdowns: all of them.
    """
    programs: dict[str, list[Breakdown]] = {}
    for one in breakdowns:
        if one.verified == "passed" and one.ranks > 1 and not one.copies:
            programs.setdefault(one.benchmark, []).append(one)
    keys = {
        (row.benchmark, row.case, row.toolchain, row.region, str(row.point), row.metric): row.key
        for row in context.rows
        if row.metric in SHARES
    }
    found = []
    for name, members in programs.items():
        most = max(one.ranks for one in members)
        widest = [one for one in members if one.ranks == most]
        main = max(widest, key=lambda one: (one.seconds.median, one.toolchain))
        if _lost(main) < _WORTH_SAYING:
            continue
        place = (main.benchmark, main.case, main.toolchain, main.region, str(main.point))
        evidence = tuple(keys[*place, metric] for metric in reversed(SHARES[1:]))
        text = _sentence(context, main, _unlike(main, widest))
        found.append(Attribution(benchmark=name, text=text, evidence=evidence, lost=_lost(main)))
    return found


def _lost(one: Breakdown) -> float:
    return one.imbalance.median + one.communication.median


def _unlike(main: Breakdown, others: Sequence[Breakdown]) -> Breakdown | None:
    """The same program, placed alike, at the point that loses most, if that is far more."""
    alike = [one for one in others if _placed(one) == _placed(main)]
    worst = max(alike, key=_lost)
    return worst if _lost(worst) > _DIFFERENT * _lost(main) else None


def _placed(one: Breakdown) -> tuple[str, str, int, int]:
    return one.region, one.toolchain, one.threads, one.nodes


def _sentence(context: Context, one: Breakdown, unlike: Breakdown | None) -> str:
    ranks = f"{one.ranks} ranks" + (f" of {one.threads} threads" if one.threads > 1 else "")
    ranks += f" on {one.nodes} nodes" if one.nodes > 1 else ""
    point = word_point(context, one.benchmark, one.point)
    communication = f"{_percent(one.communication.median)} of its time communicating"
    where = _where(one)
    if one.imbalance.median > one.communication.median:
        said = f"{_percent(one.imbalance.median)} of its time waiting for the slowest rank"
        if one.communication.median > _NEXT_TO_NOTHING:
            said += f" and {_percent(one.communication.median)} communicating{where}"
    else:
        said = f"{communication}{where}"
        if one.imbalance.median > _NEXT_TO_NOTHING:
            comma = "," if where else ""
            said += f"{comma} and {_percent(one.imbalance.median)} waiting for the slowest rank"
    text = f"On {ranks} {context.spoken(one.benchmark)}{point} spends {said}"
    if unlike is not None:
        smaller = word_point(context, one.benchmark, unlike.point).strip()
        lost = _percent(_lost(unlike))
        text += f"; {smaller}, with less to compute for each message, loses {lost}"
    return f"{text}."


def _where(one: Breakdown) -> str:
    """The phase in which a program communicates most, if there are several."""
    total = sum(phase.communication.median for phase in one.phases)
    if total <= 0.0 or len(one.phases) == 1:
        return ""
    chief = max(one.phases, key=lambda phase: phase.communication.median)
    share = chief.communication.median / total
    name = "outside its named phases" if chief.name == "rest" else f"in {chief.name}"
    return f", most of it {name}" if share > _MOST_OF_IT else f", the largest part {name}"


def _percent(share: float) -> str:
    return format_quantity(share, "%", 2)
