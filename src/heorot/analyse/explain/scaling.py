"""Scaling of a program with the cores: speedup, efficiency, saturation.

Superlinear speedup is reported with a possible explanation, never corrected: more cores have more
cache, and a problem that fits is another problem.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from heorot.analyse.explain.phases import share_of_time
from heorot.analyse.explain.reach import Reach
from heorot.analyse.rows import derive, over, problem, size_of, speeds
from heorot.analyse.templates import explain as templates
from heorot.analyse.templates.quantities import limit, plain, ratio
from heorot.model.analysis.breakdown import Attribution, Breakdown
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.analysis.studies.answers import EFFICIENT, SUPERLINEAR
from heorot.model.run.identity import Key, Measured

SPEEDUP, EFFICIENCY = "speedup", "parallel_efficiency"
Way = Literal["ranks", "threads"]
# A step that gains less than this part of the added cores' ideal gain is saturation.
_SATURATED = 0.10
# A share of time large enough to be named as a reason.
_LEAST_NAMED = 0.05


@dataclass(frozen=True)
class Curve:
    """One problem on increasing core counts, by ranks or by threads only.

    Attributes:
        rows: rates from one core up, one for each core count; at least two.
    """

    way: Way
    rows: tuple[Result, ...]

    @property
    def one(self) -> Result:
        """The rate of one core."""
        return self.rows[0]

    @property
    def most(self) -> Result:
        """The rate of the most cores."""
        return self.rows[-1]


def find_curves(context: Context) -> list[Curve]:
    """The curves of all programs whose problems have a size, over cores of one kind."""
    problems: dict[Key, list[Result]] = {}
    for row in speeds(context):
        place = row.key.only("benchmark", "toolchain", "network", "region", "point")
        if row.cores <= context.machine.node.n_alike:
            problems.setdefault(place, []).append(row)
    ways: tuple[tuple[Way, str], ...] = (("ranks", "threads"), ("threads", "ranks"))
    curves = []
    for members in problems.values():
        for way, other in ways:
            # For these the work increases with the ranks: see `scaled_efficiency`.
            if way == "ranks" and size_of(context, members[0]).of == "rank":
                continue
            best: dict[int, Result] = {}
            for row in members:
                rival = best.get(row.cores)
                if getattr(row, other) == 1 and (rival is None or row.median > rival.median):
                    best[row.cores] = row
            if 1 in best and len(best) > 1:
                curves.append(Curve(way, tuple(best[cores] for cores in sorted(best))))
    return curves


def explain(context: Context) -> list[Result]:
    """Speedup and parallel efficiency of every row of every curve beyond its first."""
    derived = []
    for curve in find_curves(context):
        for row in curve.rows[1:]:
            values = over(row, curve.one)
            n = row.cores
            derived += [
                derive([row, curve.one], SPEEDUP, "", "higher", values, point=row.point),
                derive(
                    [row, curve.one], EFFICIENCY, "1", "higher",
                    (values[0] / n, values[1] / n, values[2] / n), point=row.point,
                ),
            ]  # fmt: skip
    return derived


def problem_of(one: Measured) -> Key:
    """A program, its stack and the problem, on however many cores."""
    return one.key.only("benchmark", "toolchain", "network", "point")


def attribute(context: Context) -> list[Attribution]:
    """Every step that saturates; the scaling of programs is the answer to a question."""
    return [each for curve in find_curves(context) for each in _saturation(context, curve)]


def reasons(
    row: Result,
    one: Result,
    division: Breakdown | None,
    degradation: Result | None,
    reach: Reach,
) -> list[Claim]:
    """Why more cores gain less, or more, than their number.

    Args:
        row: the rate of several cores.
        one: that of one.
        division: the phases of the time on several cores.
        degradation: the loss of a copy to contention.
    """
    _, low, high = (end * one.cores / row.cores for end in over(row, one))
    if low > SUPERLINEAR:
        return [reach.crossed(one, row) or templates.NO_CACHE.claim()]
    if high > EFFICIENT:
        return []
    found = []
    if division is not None:
        for number, what in ((2, "communication"), (1, "waiting for the slowest rank")):
            if division.shares[number].low > _LEAST_NAMED:
                share = share_of_time(division, number)
                found.append(templates.TAKES.claim(what=what, share=share))
    if degradation is not None and degradation.ci_low > _LEAST_NAMED:
        found.append(templates.COPIES_LOSE.claim(lost=plain(degradation, "%")))
    return found


def _saturation(context: Context, curve: Curve) -> list[Attribution]:
    """Steps of a curve at which more cores gain almost nothing."""
    found = []
    for few, many in pairwise(curve.rows):
        gain, _, high = over(many, few)
        possible = many.cores / few.cores - 1.0
        if high - 1.0 < _SATURATED * possible:
            found.append(
                templates.SATURATED(
                    many.benchmark,
                    lost=1.0 - gain * few.cores / many.cores,
                    problem=problem(context, many),
                    way=curve.way,
                    gained=ratio(many, few),
                    many=many,
                    few=few,
                    least=limit(_SATURATED),
                )
            )
    return found
