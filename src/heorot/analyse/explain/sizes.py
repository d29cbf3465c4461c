"""Why a larger problem of the same program runs at another rate: caches, or fewer messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from heorot.analyse.explain.reach import Reach
from heorot.analyse.rows import CLASSES, program_name, rates_of_classes
from heorot.model.analysis.breakdown import Attribution, Breakdown
from heorot.model.analysis.result import Result
from heorot.units import format_binary, format_quantity

# Rates closer than this, with their intervals, are the same rate.
_DIFFERENT = 1.10
# A change of the communication share that is worth naming.
_WORTH_NAMING = 0.03


def attribute(
    rows: Iterable[Result], breakdowns: Sequence[Breakdown], reach: Reach
) -> list[Attribution]:
    """A sentence for every step from one class to the next at which the rate changes.

    Compared are rates of the same program on the same layout, the widest that ran several classes.

    Args:
        rows: all rows.
        breakdowns: where the time of the bodies goes.
        reach: which caches a problem fits.
    """
    shares = {
        (one.benchmark, one.case, one.toolchain): one.communication.median
        for one in breakdowns
        if not one.copies
    }
    found = []
    for members in _widest(rows):
        for small, large in pairwise(members):
            ratio = large.median / small.median
            apart = large.ci_low > _DIFFERENT * small.ci_high or (
                _DIFFERENT * large.ci_high < small.ci_low
            )
            if apart:
                reason = _reason(small, large, shares, reach)
                found.append(_sentence(small, large, ratio, reason))
    return found


def _widest(rows: Iterable[Result]) -> list[list[Result]]:
    """Rates by class in ascending order, for every program on its widest layout."""
    layouts: dict[tuple[str, str], dict[tuple[int, int], dict[str, Result]]] = {}
    for row in rates_of_classes(rows):
        of_program = layouts.setdefault((row.benchmark, row.toolchain), {})
        by_class = of_program.setdefault((row.ranks, row.threads), {})
        by_class.setdefault(str(row.point["class"]), row)
    widest = []
    for of_program in layouts.values():
        several = [layout for layout, by_class in of_program.items() if len(by_class) > 1]
        if several:
            by_class = of_program[max(several, key=lambda layout: (layout[0] * layout[1], layout))]
            widest.append([by_class[size] for size in sorted(by_class, key=CLASSES.index)])
    return widest


def _reason(
    small: Result, large: Result, shares: dict[tuple[str, str, str], float], reach: Reach
) -> str:
    before, after = (shares.get((row.benchmark, row.case, row.toolchain)) for row in (small, large))
    slower = large.median < small.median
    homes = reach.home(small), reach.home(large)
    if slower and homes[0] != homes[1] and all(homes):
        return (
            f"its {format_binary(reach.working_set(large))} live in {_place(homes[1])}, the "
            f"{format_binary(reach.working_set(small))} of class {small.point['class']} in "
            f"{_place(homes[0])}"
        )
    if before is not None and after is not None:
        change = after - before if slower else before - after
        if change > _WORTH_NAMING:
            return (
                f"communication takes {format_quantity(after, '%', 2)} of its time against "
                f"{format_quantity(before, '%', 2)}"
            )
    return "" if slower else "its longer loops start less often"


def _place(home: str) -> str:
    return home if home == "memory" else f"the {home}"


def _sentence(small: Result, large: Result, ratio: float, reason: str) -> Attribution:
    cores = f"{large.cores} cores" if large.cores > 1 else "one core"
    text = (
        f"On {cores} {program_name(large.benchmark)} class {large.point['class']} runs at "
        f"{ratio:.2f} times the rate of class {small.point['class']}"
    )
    return Attribution(
        benchmark=large.benchmark,
        text=f"{text}: {reason}." if reason else f"{text}.",
        evidence=(large.key, small.key),
        lost=max(0.0, 1.0 - ratio),
    )
