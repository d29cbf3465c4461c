"""Why the rate of a program changes with the problem size: caches, or communication."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from heorot.analyse.explain.phases import share_of_time
from heorot.analyse.explain.reach import Reach
from heorot.analyse.rows import problem, size_of, speeds
from heorot.analyse.templates import explain as templates
from heorot.analyse.templates.quantities import exactly, ratio
from heorot.model.analysis.breakdown import Attribution, Breakdown
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.run.identity import Key, Setup

# Rates closer than this, with their intervals, are equal.
_DIFFERENT = 1.10
# A change of the communication share large enough to be named.
_LEAST_NAMED = 0.03


def attribute(context: Context, breakdowns: Sequence[Breakdown], reach: Reach) -> list[Attribution]:
    """A sentence for every step from one size to the next at which the rate changes.

    Compared are rates of the same program on the same layout, the widest that ran several sizes.
    """
    shares = {one.setup: one for one in breakdowns if not one.copies}
    found = []
    for members in _widest(context):
        for small, large in pairwise(members):
            apart = large.ci_low > _DIFFERENT * small.ci_high or (
                _DIFFERENT * large.ci_high < small.ci_low
            )
            if apart:
                reason = _reason(context, (small, large), shares, reach)
                found.append(_sentence(context, (small, large), reason))
    return found


def _widest(context: Context) -> list[list[Result]]:
    """Rates by size in ascending order, for every program on its widest layout."""
    layouts: dict[Key, dict[tuple[int, int], dict[float, Result]]] = {}
    for row in speeds(context):
        program = row.key.only("benchmark", "toolchain", "network", "region")
        of_program = layouts.setdefault(program, {})
        by_size = of_program.setdefault((row.ranks, row.threads), {})
        by_size.setdefault(size_of(context, row).rank(row.point), row)
    widest = []
    for of_program in layouts.values():
        several = [layout for layout, by_size in of_program.items() if len(by_size) > 1]
        if several:
            by_size = of_program[max(several, key=lambda layout: (layout[0] * layout[1], layout))]
            widest.append([by_size[size] for size in sorted(by_size)])
    return widest


def _reason(
    context: Context,
    pair: tuple[Result, Result],
    shares: Mapping[Setup, Breakdown],
    reach: Reach,
) -> Claim | None:
    """The cause of the difference; None if no measurement shows it."""
    small, large = pair
    before, after = (shares.get(row.setup) for row in pair)
    slower = large.median < small.median
    levels = reach.level_of(small), reach.level_of(large)
    if slower and levels[0] != levels[1] and all(levels):
        return templates.OTHER_LEVEL.claim(
            size=exactly(reach.working_set(large) or 0, "B"),
            home=_place(levels[1]),
            small_size=exactly(reach.working_set(small) or 0, "B"),
            smaller=_word(context, small),
            small_home=_place(levels[0]),
        )
    if before is not None and after is not None:
        more, less = (after, before) if slower else (before, after)
        if more.communication.low - less.communication.high > _LEAST_NAMED:
            return templates.COMMUNICATES_MORE.claim(
                share=share_of_time(after, 2),
                before=share_of_time(before, 2),
                smaller=_word(context, small),
            )
    return None


def _word(context: Context, row: Result) -> str:
    """The size alone, such as `class W` or `4096 unknowns`."""
    return size_of(context, row).word(row.point).removeprefix("with ")


def _place(home: str) -> str:
    return home if home == "memory" else f"the {home}"


def _sentence(context: Context, pair: tuple[Result, Result], reason: Claim | None) -> Attribution:
    small, large = pair
    return templates.SIZES(
        large.benchmark,
        lost=max(0.0, 1.0 - large.median / small.median),
        row=large,
        problem=problem(context, large),
        rate=ratio(large, small),
        smaller=_word(context, small),
        reason=reason,
    )
