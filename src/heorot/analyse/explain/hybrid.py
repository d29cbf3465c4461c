"""Ranks times threads: the best split of the cores, and where threads begin to cost."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from heorot.analyse.rows import problem, speeds
from heorot.analyse.wording import differ, keys, ratio
from heorot.model.analysis.breakdown import Attribution
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.run.identity import Key

# Two splits within this of each other are as good as each other, and so are those that differ by
# no more than their intervals.
_ALIKE = 1.02


def find_maps(context: Context) -> list[list[Result]]:
    """The rates of every problem that ran with ranks and threads together, a map for each.

    Args:
        context: the run.
    """
    maps: dict[Key, list[Result]] = {}
    for row in speeds(context):
        problem_of = row.key.only("benchmark", "toolchain", "network", "region", "point")
        maps.setdefault(problem_of, []).append(row)
    return [
        members
        for members in maps.values()
        if any(row.ranks > 1 and row.threads > 1 for row in members)
    ]


def attribute(context: Context) -> list[Attribution]:
    """The best split of the most cores and the first thread that costs, a sentence for each map.

    Args:
        context: the run.
    """
    found = []
    for members in find_maps(context):
        most = max(row.cores for row in members)
        splits = sorted((row for row in members if row.cores == most), key=lambda row: -row.median)
        if len(splits) < 2:  # noqa: PLR2004 (a choice needs two)
            continue
        best = splits[0]
        alike = [row for row in splits[1:] if _is_alike(row, best)]
        worst = next((row for row in reversed(splits) if row not in alike), best)
        if len(alike) + 1 == len(splits):
            text = f"{problem(context, best)} makes the same of {most} cores, within the intervals"
            text += f", with {' and '.join(map(_split, splits))}"
        else:
            text = f"{problem(context, best)} makes most of {most} cores with {_split(best)}"
            if alike:
                text += f", as good as with {' or '.join(map(_split, alike))}"
            text += f"; with {_split(worst)} it reaches {ratio(worst, best)} of that"
        costly = _costly(members)
        text += _cost(costly)
        found.append(
            Attribution(
                benchmark=best.benchmark,
                text=f"{text}.",
                evidence=tuple(dict.fromkeys(keys(best, worst, *costly))),
                lost=0.0,
            )
        )
    return found


def _is_alike(row: Result, best: Result) -> bool:
    return row.median * _ALIKE > best.median or not differ(row, best)


def _split(row: Result) -> str:
    threads = f"{row.threads} thread{'s' if row.threads > 1 else ''}"
    return f"{row.ranks} x {threads}" if row.ranks > 1 else f"1 rank x {threads}"


def _costly(members: Sequence[Result]) -> tuple[Result, Result] | tuple[()]:
    """The first step to more threads for as many ranks that lowers the rate; empty without one."""
    costs = []
    for ranks in sorted({row.ranks for row in members}):
        same = sorted((row for row in members if row.ranks == ranks), key=lambda row: row.threads)
        falling = (each for each in pairwise(same) if each[1].ci_high < each[0].ci_low)
        costs += list(falling)[:1]
    return min(costs, key=lambda cost: cost[1].cores, default=())


def _cost(costly: tuple[Result, Result] | tuple[()]) -> str:
    """Where more threads lower the rate, beyond the intervals."""
    if not costly:
        return "; no step to more threads lowers the rate beyond the intervals"
    few, many = costly
    return (
        f"; threads begin to cost at {many.cores} cores, where {_split(many)} reach "
        f"{ratio(many, few)} of the rate of {_split(few)}"
    )
