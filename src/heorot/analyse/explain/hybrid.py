"""Ranks times threads: the best split of the cores, and where more threads cost rate."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from heorot.analyse.rows import problem, speeds
from heorot.analyse.templates import explain as templates
from heorot.analyse.templates.quantities import differ, keys, ratio
from heorot.model.analysis.breakdown import Attribution
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.run.identity import Key

# Two splits within this of each other are equal, and so are those within their intervals.
_ALIKE = 1.02


def find_maps(context: Context) -> list[list[Result]]:
    """The rates of every problem that ran with ranks and threads together, one map per problem."""
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
    """The best split of the most cores and the first costly thread count, a sentence per map."""
    found = []
    for members in find_maps(context):
        most = max(row.cores for row in members)
        splits = sorted((row for row in members if row.cores == most), key=lambda row: -row.median)
        if len(splits) < 2:  # noqa: PLR2004 (a choice needs two)
            continue
        best = splits[0]
        alike = [row for row in splits[1:] if _is_alike(row, best)]
        worst = next((row for row in reversed(splits) if row not in alike), best)
        costly = _costly(members)
        shown: dict[str, Any] = {
            "evidence": keys(best, worst, *costly),
            "problem": problem(context, best),
            "cores": most,
            **_cost(costly),
        }
        if len(alike) + 1 == len(splits):
            same = [*map(_split, splits)]
            found.append(templates.SPLITS_ALIKE(best.benchmark, splits=same, **shown))
            continue
        found.append(
            templates.BEST_SPLIT(
                best.benchmark,
                best=_split(best),
                alike=[*map(_split, alike)],
                worst=_split(worst),
                reached=ratio(worst, best),
                **shown,
            )
        )
    return found


def _is_alike(row: Result, best: Result) -> bool:
    return row.median * _ALIKE > best.median or not differ(row, best)


def _split(row: Result) -> Claim:
    return templates.SPLIT.claim(row=row)


def _costly(members: Sequence[Result]) -> tuple[Result, Result] | tuple[()]:
    """The first step to more threads, ranks fixed, that lowers the rate; empty if none does."""
    costs = []
    for ranks in sorted({row.ranks for row in members}):
        same = sorted((row for row in members if row.ranks == ranks), key=lambda row: row.threads)
        falling = (each for each in pairwise(same) if each[1].ci_high < each[0].ci_low)
        costs += list(falling)[:1]
    return min(costs, key=lambda cost: cost[1].cores, default=())


def _cost(costly: tuple[Result, Result] | tuple[()]) -> dict[str, Any]:
    """Where more threads lower the rate, beyond the intervals."""
    if not costly:
        return {"free": True, "at": None, "few": None, "many": None, "kept": None}
    few, many = costly
    return {
        "free": False,
        "at": many.cores,
        "few": _split(few),
        "many": _split(many),
        "kept": ratio(many, few),
    }
