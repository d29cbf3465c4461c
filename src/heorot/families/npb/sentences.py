"""Sentences on the NAS Parallel Benchmarks."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.analyse.rows import best, best_on_most_cores, problem
from heorot.analyse.templates.quantities import differ, keys, plain, ratio, share_of
from heorot.families.npb import templates
from heorot.families.npb.programs import CLASSES, EP
from heorot.families.npb.rooflines import derived_of
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.levels import NOMINAL_SHARE, SHARE_OF_ROOFLINE
from heorot.model.analysis.result import Result, Sentence
from heorot.model.grouping import best_of_each
from heorot.model.point import Point


def sentences(context: Context) -> list[Sentence]:
    """The sentences of the family."""
    found = (_performed(context), _ep(context), _rooflines(context))
    return [sentence for sentence in found if sentence is not None]


def _performed(context: Context) -> Sentence | None:
    """The fastest and the slowest program on the most cores, by the flops that they perform.

    Classes too small to judge by appear only without a larger one, and never in the verdict.
    """
    rates = [
        row
        for row in context.rows
        if row.metric == "flop_rate"
        and row.nodes == 1
        and row.ranked
        and not row.is_star
        and NOMINAL_SHARE in derived_of(context, row.benchmark)
    ]
    whole = [row for row in rates if not CLASSES.is_for_trying(row.point)]
    chosen = whole or rates
    most = max((row.cores for row in chosen), default=0)
    widest = [row for row in chosen if row.cores == most]
    best_of = best_of_each(widest, lambda row: row.benchmark, _size_and_share)
    if not best_of:
        return None
    ordered = sorted(best_of.values(), key=lambda row: -row.median)
    first, last = ordered[0], ordered[-1]
    several = differ(first, last)
    return templates.PERFORMED(
        weight=0.8 if whole else 0.0,
        evidence=keys(first, last if several else None),
        first=problem(context, first),
        rate=first,
        of_peak=share_of(first),
        alike_first=_has_alike(first, ordered),
        n=len(ordered),
        alike_last=_has_alike(last, ordered),
        last=problem(context, last),
        last_rate=last if several else None,
        last_of_peak=share_of(last) if several else None,
        small=_small(first.point),
    )


def _has_alike(row: Result, every: Sequence[Result]) -> bool:
    """Whether another one may be as fast."""
    return any(other is not row and not differ(row, other) for other in every)


def _rooflines(context: Context) -> Sentence | None:
    """The largest class of every program on one core, the best share first."""
    shares = (row for row in context.rows if row.metric == SHARE_OF_ROOFLINE and row.ranked)
    # Other families' programs have such a share, too.
    ours = (row for row in shares if CLASSES.coordinate in row.point and row.cores == 1)
    largest = best_of_each(ours, lambda row: row.benchmark, _size_and_share)
    if not largest:
        return None
    whole = {name: row for name, row in largest.items() if not CLASSES.is_for_trying(row.point)}
    ordered = sorted((whole or largest).values(), key=lambda row: -row.median)
    return templates.ROOFLINES(
        weight=0.5 if whole else 0.0,
        programs=[
            templates.OF_ROOFLINE.claim(problem=problem(context, row), share=plain(row, "%"))
            for row in ordered
        ],
        n=len(ordered),
        small=_small(ordered[0].point),
    )


def _size_and_share(row: Result) -> tuple[float, float]:
    return CLASSES.rank(row.point), row.median


def _ep(context: Context) -> Sentence | None:
    """The largest class on the most cores; it does no flops."""
    found = [row for row in context.rows.find(EP.name, "ep", "operation_rate") if not row.is_star]
    if not found:
        return None
    size = max(CLASSES.rank(row.point) for row in found)
    found = [row for row in found if CLASSES.rank(row.point) == size]
    top = best_on_most_cores(found)
    if top is None:
        return None
    one = best([row for row in found if row.cores == 1 and row.stack == top.stack])
    small = _small(top.point)
    several = one is not None and top.cores > 1
    return templates.EP(
        weight=0.0 if small else 0.3,
        evidence=keys(top, one),
        problem=problem(context, top),
        rate=top,
        efficiency=ratio(top, one, divisor=top.cores, unit="%") if several else None,
        small=small,
    )


def _small(point: Point) -> str:
    """The name of a class too small to judge by; empty for others."""
    return CLASSES.word(point) if CLASSES.is_for_trying(point) else ""
