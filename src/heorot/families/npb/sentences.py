"""What the NAS Parallel Benchmarks say, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from heorot.analyse.rows import TOO_SMALL, best, best_on_most_cores, problem
from heorot.analyse.wording import cores, differ, efficiency, interval, keys, percent, share
from heorot.families.npb.programs import CLASSES, EP
from heorot.families.npb.rooflines import derived_of
from heorot.model.analysis.context import Context
from heorot.model.analysis.depth.levels import NOMINAL_SHARE, SHARE_OF_ROOFLINE
from heorot.model.analysis.result import Result, Sentence
from heorot.model.point import Point


def sentences(context: Context) -> list[Sentence]:
    """What the numbers of the family mean.

    Args:
        context: the run.
    """
    found = (_performed(context), _ep(context), _rooflines(context))
    return [sentence for sentence in found if sentence is not None]


def _performed(context: Context) -> Sentence | None:
    """The fastest and the slowest program on the most cores, by the flops that they perform.

    Classes for trying speak only where no larger one ran, and then not in the verdict.
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
    best_of: dict[str, Result] = {}
    for row in chosen:
        rival = best_of.get(row.benchmark)
        if row.cores == most and (rival is None or _size_and_share(row) > _size_and_share(rival)):
            best_of[row.benchmark] = row
    if not best_of:
        return None
    ordered = sorted(best_of.values(), key=lambda row: -row.median)
    first, last = ordered[0], ordered[-1]
    text = (
        f"By the operations that it performs, {problem(context, first)} runs on {cores(first)} at "
        f"{interval(first)}{_of_peak(first)}"
    )
    if differ(first, last):
        fastest, slowest = _rank(first, ordered, "fastest"), _rank(last, ordered, "slowest")
        text += f", {fastest} of {len(ordered)} NPB programs; {slowest}, {problem(context, last)}, "
        text += f"at {interval(last)}{_of_peak(last)}"
    else:
        last = first
    text += _remark(first.point)
    evidence = tuple(dict.fromkeys(keys(first, last)))
    return Sentence(text=f"{text}.", evidence=evidence, weight=0.8 if whole else 0.0)


def _rank(row: Result, every: Sequence[Result], superlative: str) -> str:
    """Such as `the fastest`, or `one of the fastest` if another one may be as fast."""
    alike = any(other is not row and not differ(row, other) for other in every)
    return f"one of the {superlative}" if alike else f"the {superlative}"


def _rooflines(context: Context) -> Sentence | None:
    """The largest class of every program on one core, the best share first."""
    largest: dict[str, Result] = {}
    for row in context.rows:
        # Other families' programs have such a share, too.
        ours = row.metric == SHARE_OF_ROOFLINE and CLASSES.coordinate in row.point
        if not ours or row.cores != 1 or not row.ranked:
            continue
        rival = largest.get(row.benchmark)
        if rival is None or _size_and_share(row) > _size_and_share(rival):
            largest[row.benchmark] = row
    if not largest:
        return None
    whole = {name: row for name, row in largest.items() if not CLASSES.is_for_trying(row.point)}
    ordered = sorted((whole or largest).values(), key=lambda row: -row.median)
    shares = [f"{problem(context, row)} {percent(row)}" for row in ordered]
    return Sentence(
        text=(
            "Of what its roofline allows one core, by the operations it really performs, "
            f"{'; '.join(shares)} {'is' if len(shares) == 1 else 'are'} reached"
            f"{_remark(ordered[0].point)}."
        ),
        evidence=keys(*ordered),
        weight=0.5 if whole else 0.0,
    )


def _of_peak(row: Result) -> str:
    return f", {share(row)} of peak" if share(row) else ""


def _size_and_share(row: Result) -> tuple[float, float]:
    return CLASSES.rank(row.point), row.median


def _ep(context: Context) -> Sentence | None:
    """The largest class on the most cores; its work is that of no floating-point unit."""
    found = [row for row in context.rows.find(EP.name, "ep", "operation_rate") if not row.is_star]
    if not found:
        return None
    size = max(CLASSES.rank(row.point) for row in found)
    found = [row for row in found if CLASSES.rank(row.point) == size]
    top = best_on_most_cores(found)
    if top is None:
        return None
    one = best([row for row in found if row.cores == 1 and row.stack == top.stack])
    text = f"{problem(context, top)} makes random numbers at {interval(top)} on {cores(top)}"
    if one is not None and top.cores > 1:
        text += f" with {efficiency(top, one, top.cores)}"
    evidence = keys(top, one if one != top else None)
    remark = _remark(top.point)
    return Sentence(text=f"{text}{remark}.", evidence=evidence, weight=0.0 if remark else 0.3)


def _remark(point: Point) -> str:
    """What is to be said of a class for trying; empty of others."""
    small = CLASSES.is_for_trying(point)
    return f" ({CLASSES.word(point)} is {TOO_SMALL})" if small else ""
