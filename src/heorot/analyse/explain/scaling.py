"""How the rate of a program grows with the cores: speedup, efficiency, and where it ends.

Superlinear speedup is reported with what may explain it, never corrected away: more cores have
more cache, and a problem that fits is another problem.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from heorot.model.run.identity import Key, Measured

SPEEDUP, EFFICIENCY = "speedup", "parallel_efficiency"
Way = Literal["ranks", "threads"]
# So much above the ratio of the cores, beyond its interval, is superlinear.
_SUPERLINEAR = 1.03
# A step that brings less than this part of what the added cores could is the end of the scaling.
_SATURATED = 0.10
# Less efficient than this needs a reason.
_EFFICIENT = 0.90
# A share of time that is worth naming as a reason.
_WORTH_NAMING = 0.05


@dataclass(frozen=True)
class Curve:
    """One problem on more and more cores, by ranks or by threads alone.

    Attributes:
        rows: rates, from one core on, one for each number of cores; at least two.
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
            # More ranks of these have more to do: see `scaled_efficiency`.
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


def attribute(
    context: Context,
    breakdowns: Sequence[Breakdown],
    degradations: Mapping[Key, Result],
    reach: Reach,
) -> list[Attribution]:
    """What every program makes of the cores, in a sentence with its reasons.

    The largest problem on the most cores speaks for a program, by its better way; in addition
    every step that saturates.

    Args:
        degradations: what a copy loses beside others, by program, stack and point.
    """
    shares = {
        (problem_of(one), one.ranks, one.threads): one
        for one in breakdowns
        if not one.copies and one.nodes == 1
    }
    curves = find_curves(context)
    chosen: dict[tuple[str, str], Curve] = {}
    for curve in curves:
        place = curve.one.benchmark, curve.one.region
        rival = chosen.get(place)
        if rival is None or _precedence(context, curve) > _precedence(context, rival):
            chosen[place] = curve
    found = []
    for curve in chosen.values():
        row = curve.most
        point = problem_of(row)
        division = shares.get((point, row.ranks, row.threads))
        reasons = _reasons(curve, division, degradations.get(point), reach)
        found.append(_sentence(context, curve, reasons))
    return found + [each for curve in curves for each in _saturation(context, curve)]


def _precedence(context: Context, curve: Curve) -> tuple[int, float, float]:
    """The widest curve first, then the largest problem, then the better result."""
    one = curve.one
    return curve.most.cores, size_of(context, one).rank(one.point), curve.most.median


def _reasons(
    curve: Curve, division: Breakdown | None, degradation: Result | None, reach: Reach
) -> list[Claim]:
    """Why as many cores bring less than their number, or more."""
    row, one = curve.most, curve.one
    _, low, high = over(row, one)
    if low > _SUPERLINEAR * row.cores:
        return [reach.crossed(one, row) or templates.NO_CACHE.claim()]
    if high / row.cores > _EFFICIENT:
        return []
    reasons = []
    if division is not None:
        for number, what in ((2, "communication"), (1, "waiting for the slowest rank")):
            if division.shares[number].low > _WORTH_NAMING:
                share = share_of_time(division, number)
                reasons.append(templates.TAKES.claim(what=what, share=share))
    if degradation is not None and degradation.ci_low > _WORTH_NAMING:
        reasons.append(templates.COPIES_LOSE.claim(lost=plain(degradation, "%")))
    return reasons


def _sentence(context: Context, curve: Curve, reasons: Sequence[Claim]) -> Attribution:
    row, one = curve.most, curve.one
    return templates.SCALING(
        row.benchmark,
        lost=_lost(row, one),
        problem=problem(context, row),
        gained=ratio(row, one),
        row=row,
        way=curve.way,
        efficiency=ratio(row, one, divisor=row.cores, unit="%"),
        reasons=reasons,
    )


def _lost(row: Result, one: Result) -> float:
    """The share of the cores that is lost; nothing where their launches may have lost nothing."""
    speedup, _, high = over(row, one)
    return 1.0 - speedup / row.cores if high < row.cores else 0.0


def _saturation(context: Context, curve: Curve) -> list[Attribution]:
    """Steps of a curve at which more cores bring next to nothing."""
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
