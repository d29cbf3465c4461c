"""Accuracy of elementary functions: the notes of compute/intrinsics as rows and findings.

Rounding alone causes an error of half a unit in the last place; the lost digits are the decimal
logarithm of the largest error over that. The argument of the largest error and its kind are
coordinates of the rows, so that one table has everything.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from heorot.analyse.rows import best, derive, over
from heorot.analyse.templates.quantities import exactly, keys, limit
from heorot.families.compute import templates
from heorot.families.compute.functions.intrinsics import FUNCTIONS, INTRINSICS, PRECISIONS, WAYS
from heorot.families.compute.units import core_clock
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Finding, Result
from heorot.model.point import Point
from heorot.model.run.identity import Stack

_ROUNDING = 0.5
_MOST_DIGITS_LOST = 1.0
_LARGEST, _HARDEST, _WORST = "error", "hardest", "worst"


@dataclass(frozen=True)
class Error:
    """The largest error of a function by one toolchain.

    Attributes:
        units: of the last place.
        argument: of that error; None if not recorded.
    """

    rate: Result
    units: float
    argument: float | None

    @property
    def digits_lost(self) -> float:
        """Decimal digits lost."""
        return math.log10(max(1.0, self.units / _ROUNDING))

    @property
    def place(self) -> Point:
        """The coordinates of its rows: those of the rate, and the argument with its kind."""
        point = self.rate.point
        if self.argument is None:
            return point
        kind = kind_of_argument(self.rate.region, str(point["precision"]), self.argument)
        return point | {"arguments": kind, "argument": f"{self.argument:.17g}"}


def explain(context: Context) -> list[Result]:
    """The largest error of every function, the digits it loses, and its cycles."""
    rows = []
    for error in _errors(context, _LARGEST):
        for metric, unit, value in (
            ("largest_error", "ulp", error.units),
            ("digits_lost", "digit", error.digits_lost),
        ):
            values = (value, value, value)
            rows.append(derive([error.rate], metric, unit, "lower", values, point=error.place))
    return [*rows, *_cycles(context)]


def find(context: Context) -> list[Finding]:
    """Functions that lose more than a decimal digit."""
    found = []
    for kind in (_LARGEST, _HARDEST):
        lossy = [each for each in _errors(context, kind) if each.digits_lost > _MOST_DIGITS_LOST]
        if lossy:
            several = len(context.stacks) > 1
            found.append(_finding(lossy, hardest=kind == _HARDEST, several=several))
    return found


def _finding(lossy: list[Error], *, hardest: bool, several: bool) -> Finding:
    """One finding with a line for each function."""
    worst = max(lossy, key=lambda each: each.units)
    template = templates.INACCURATE_REDUCTION if hardest else templates.INACCURATE
    return template(
        evidence=keys(*(each.rate for each in lossy)),
        rows=(
            (
                each.rate.region,
                str(each.rate.point["precision"]),
                str(each.rate.point["way"]),
                str(each.rate.stack),
                f"{each.units:.3g}",
                f"{each.digits_lost:.1f}",
                str(each.place.get("argument", "")),
            )
            for each in lossy
        ),
        function=worst.rate.region,
        precision=str(worst.rate.point["precision"]),
        stack=str(worst.rate.stack) if several else None,
        digits=exactly(worst.digits_lost),
        argument=None if worst.argument is None else exactly(worst.argument),
        most=limit(_MOST_DIGITS_LOST),
    )


def _errors(context: Context, kind: str) -> Iterator[Error]:
    """The largest error over all launches, for every measured function."""
    launches = _notes(context)
    for row in _rates(context):
        suffix = f"{row.region}_{row.point['precision']}_{row.point['way']}"
        noted = [
            notes for stack, notes in launches if stack == row.stack and f"{kind}_{suffix}" in notes
        ]
        if noted:
            notes = max(noted, key=lambda notes: notes[f"{kind}_{suffix}"])
            argument = notes.get(f"{_WORST}_{suffix}") if kind == _LARGEST else None
            yield Error(row, notes[f"{kind}_{suffix}"], argument)


def _rates(context: Context) -> Iterator[Result]:
    """A rate of every function by every toolchain, whether its results are right or not."""
    rows: dict[tuple[object, ...], Result] = {}
    for row in context.rows:
        if row.benchmark == INTRINSICS.name and row.metric == "rate":
            place = (row.stack, row.region, row.point["precision"], row.point["way"])
            rows.setdefault(place, row)
    yield from rows.values()


def _notes(context: Context) -> list[tuple[Stack, dict[str, float]]]:
    """Toolchain and notes of every launch."""
    stacks = {step.id: step.stack for step in context.steps if step.benchmark == INTRINSICS.name}
    return [
        (
            stacks[outcome.step],
            {
                note.name: float(note.value)
                for note in outcome.notes
                if isinstance(note.value, int | float)
            },
        )
        for outcome in context.outcomes
        if outcome.step in stacks
    ]


def _cycles(context: Context) -> Iterator[Result]:
    """Cycles per evaluation."""
    for function in FUNCTIONS:
        for precision in PRECISIONS:
            for way in WAYS:
                point = {"precision": precision, "way": way}
                rate = best(context.rows.find(INTRINSICS.name, function, "rate", point=point))
                if rate is None:
                    continue
                clock = core_clock(context.rows, stack=rate.stack, cores=1)
                if clock is not None:
                    values = over(clock.median, rate)
                    yield derive(
                        [rate], "cycles_per_evaluation", "cycle", "lower", values, point=rate.point
                    )


_NEAR = 1e-6
_NEAR_ONE = 2.0**-4
_TINY, _LARGE = 2.0**-10, 2.0**10
_SMALLEST_NORMAL = {"double": 2.0**-1022, "single": 2.0**-126}
_PERIODIC = ("sin", "cos", "tan")
_ZERO_AT_ONE = ("log", "pow")


def kind_of_argument(function: str, precision: str, x: float) -> str:
    """The kind of an argument, in two or three words; `ordinary` by default.

    Args:
        function: its name; of one with two arguments it is the first.
        precision: `double` or `single`.
        x: the argument [1].
    """
    size = abs(x)
    kinds = (
        (size < _SMALLEST_NORMAL[precision], "subnormal"),
        (function in _ZERO_AT_ONE and abs(x - 1.0) < _NEAR_ONE, "near 1"),
        (size < _TINY, "tiny"),
        (size > _LARGE, "large"),
        (function in _PERIODIC and _is_near_zero(x), "near a multiple of pi/2"),
    )
    return next((kind for holds, kind in kinds if holds), "ordinary")


def _is_near_zero(x: float) -> bool:
    """Whether x is next to a multiple of pi/2 other than 0."""
    return abs(math.remainder(x, math.pi / 2)) < _NEAR * abs(x)
