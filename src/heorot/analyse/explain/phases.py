"""Divides the time of a body among computing, waiting and communicating, in rows and sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heorot.analyse.results import make_row
from heorot.analyse.rows import named, word_point
from heorot.analyse.statistics.summary import summarise_values
from heorot.analyse.templates import explain as templates
from heorot.analyse.templates.quantities import keys, limit, of_ends, of_middle, plain
from heorot.model.analysis.breakdown import SHARES, Attribution, Breakdown, Middle, PhaseTimes
from heorot.model.analysis.claims import Claim, Quantity
from heorot.model.analysis.context import Context
from heorot.model.analysis.group import Group
from heorot.model.analysis.result import Result
from heorot.model.catalogue.metrics import Metric
from heorot.model.run.identity import Stack
from heorot.model.run.ranks import Phase
from heorot.model.run.series import Series

FloatArray = NDArray[np.float64]

_METRICS = tuple(
    Metric(name=name, unit="1", better="higher" if name == "computation_share" else "lower")
    for name in SHARES
)
# A smaller loss to waiting and communication needs no sentence.
_LEAST_REPORTED = 0.10
# A share whose interval reaches below this is not distinguishable from zero.
_NOTHING = 0.01
# A factor between problem sizes above which the behaviour differs, not only the measurement.
_DIFFERENT = 2.0


def break_down(groups: Iterable[Group]) -> Iterator[tuple[Group, Breakdown]]:
    """Every group whose program times its phases, with its breakdown."""
    for group in groups:
        if all(one.phases for one in group.series):
            yield group, _break_down(group)


def share_rows(group: Group, *, run: str, system: str) -> list[Result]:
    """The shares of a group's time as results; every launch is one sample."""
    kinds = zip(*(_shares(one) for one in group.series), strict=True)
    return [
        make_row(group, metric, summarise_values(values), run, system, derived=True)
        for metric, values in zip(_METRICS, kinds, strict=True)
    ]


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
    found = summarise_values(values)
    return Middle(median=found.median, low=found.ci_low, high=found.ci_high)


def _break_down(group: Group) -> Breakdown:
    one = group.first
    shares = [_shares(series) for series in group.series]
    computation, imbalance, communication = (_middle(kind) for kind in zip(*shares, strict=True))
    return Breakdown(
        key=one.key,
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
    """One phase over the launches of a group; 0 in a launch that lacks it."""
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

    It is about the longest body on the most ranks, the largest loss first, and names the loss at
    another point if that differs by a factor. Shares not distinguishable from zero are left out.
    """
    programs: dict[str, list[_Loss]] = {}
    rows = {(row.key, row.metric): row for row in context.rows if row.metric in SHARES}
    for one in breakdowns:
        if one.verified == "passed" and one.ranks > 1 and not one.copies:
            shares = [rows[one.key, metric] for metric in SHARES[1:]]
            shown = (row for row in reversed(shares) if row.ci_low > _NOTHING)
            largest_first = tuple(sorted(shown, key=lambda row: -row.median))
            programs.setdefault(one.benchmark, []).append(_Loss(one, largest_first))
    found = []
    for members in programs.values():
        most = max(loss.one.ranks for loss in members)
        widest = [loss for loss in members if loss.one.ranks == most]
        main = max(widest, key=lambda loss: (loss.one.seconds.median, loss.one.stack))
        if main.ends[0] < _LEAST_REPORTED:
            continue
        unlike = _unlike(main, widest)
        found.append(_sentence(context, main, unlike))
    return found


@dataclass(frozen=True)
class _Loss:
    """The losses of a body.

    Attributes:
        shares: of waiting and of communication, those that are not negligible, largest first.
    """

    one: Breakdown
    shares: tuple[Result, ...]

    @property
    def ends(self) -> tuple[float, float, float]:
        """The sum of the shares and an interval that encloses all sums of them [1]."""
        centre, low, high = (
            sum(getattr(row, end) for row in self.shares) for end in ("median", "ci_low", "ci_high")
        )
        return centre, low, high

    @property
    def computing_per_message(self) -> float:
        """Computing time of all ranks per message or collective that they take part in [s]."""
        together = sum(
            each.messages + self.one.ranks * each.collectives for each in self.one.phases
        )
        seconds = self.one.ranks * self.one.computation.median * self.one.seconds.median
        return seconds / together if together > 0.0 else math.inf


def _unlike(main: _Loss, others: Sequence[_Loss]) -> _Loss | None:
    """The same program and layout at the point with the largest loss, if far larger."""
    alike = [loss for loss in others if _placed(loss.one) == _placed(main.one)]
    worst = max(alike, key=lambda loss: loss.ends)
    far = worst.ends[0] > _DIFFERENT * main.ends[0] and worst.ends[1] > main.ends[2]
    return worst if far else None


def _placed(one: Breakdown) -> tuple[str, Stack, int, int]:
    return one.region, one.stack, one.threads, one.nodes


def _sentence(context: Context, main: _Loss, unlike: _Loss | None) -> Attribution:
    one = main.one
    first, *others = main.shares
    second = others[0] if others else None
    other: dict[str, Any] = {"other": None, "less": False, "other_loss": None}
    if unlike is not None:
        other = {
            "other": word_point(context, one.benchmark, unlike.one.point).strip(),
            "less": unlike.computing_per_message < main.computing_per_message,
            "other_loss": of_ends(unlike.ends, unlike.one.n_launches, "%"),
        }
    return templates.LOSS(
        one.benchmark,
        lost=main.ends[0],
        evidence=keys(*main.shares, *(unlike.shares if unlike else ())),
        one=one,
        program=named(context, one.benchmark, one.point),
        first=templates.SPENT_FIRST.claim(share=plain(first, "%"), how=_spent(one, first)),
        comma=first.metric == SHARES[2] and bool(_where(one)),
        second=templates.SPENT.claim(share=plain(second, "%"), how=_spent(one, second))
        if second
        else None,
        least=limit(_LEAST_REPORTED),
        **other,
    )


def _spent(one: Breakdown, share: Result) -> Claim:
    if share.metric == SHARES[1]:
        return templates.WAITING_FOR_SLOWEST.claim()
    return templates.COMMUNICATING.claim(**{"most": None, "largest": None} | _where(one))


def _where(one: Breakdown) -> dict[str, Any]:
    """The phase with most communication, if there are several and one clearly leads."""
    if len(one.phases) == 1:
        return {}
    *_, second, chief = sorted(one.phases, key=lambda phase: phase.communication.median)
    others = sum(phase.communication.high for phase in one.phases if phase is not chief)
    name = "outside its named phases" if chief.name == "rest" else f"in {chief.name}"
    if chief.communication.low > others:
        return {"most": name}
    return {"largest": name} if chief.communication.low > second.communication.high else {}


def share_of_time(one: Breakdown, number: int) -> Quantity:
    """A share of a breakdown, with the key of its row.

    Args:
        number: of the share in SHARES.
    """
    return of_middle(one.shares[number], one.n_launches, "%", (one.rows[number],))
