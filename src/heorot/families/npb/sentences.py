"""What the NAS Parallel Benchmarks say, in sentences."""

from __future__ import annotations

from heorot.analyse.rows import best, best_on_most_cores, problem
from heorot.analyse.wording import cores, interval, keys, ratio, share
from heorot.families.npb.programs import CLASSES, EP
from heorot.model.analysis.context import Context
from heorot.model.analysis.depth.levels import SHARE_OF_ROOFLINE
from heorot.model.analysis.result import Result, Sentence
from heorot.units import format_interval


def sentences(context: Context) -> list[Sentence]:
    """What the numbers of the family mean.

    Args:
        context: the run.
    """
    return [sentence for sentence in (_ep(context), _rooflines(context)) if sentence is not None]


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
    ordered = sorted(largest.values(), key=lambda row: -row.median)
    shares = [
        f"{problem(context, row)} {format_interval(row.median, row.ci_low, row.ci_high, '%')}"
        for row in ordered
    ]
    return Sentence(
        text=(
            "Of what its roofline allows one core, by the operations it really performs, "
            f"{'; '.join(shares)} {'is' if len(shares) == 1 else 'are'} reached."
        ),
        evidence=keys(*ordered),
        weight=0.5,
    )


def _size_and_share(row: Result) -> tuple[float, float]:
    return CLASSES.rank(row.point), row.median


def _ep(context: Context) -> Sentence | None:
    """The largest class on the most cores."""
    found = [row for row in context.rows.find(EP.name, "ep", "operation_rate") if not row.is_star]
    if not found:
        return None
    size = max(CLASSES.rank(row.point) for row in found)
    found = [row for row in found if CLASSES.rank(row.point) == size]
    top = best_on_most_cores(found)
    if top is None:
        return None
    one = best([row for row in found if row.cores == 1 and row.toolchain == top.toolchain])
    flops = context.rows.find(EP.name, "ep", "flop_rate", cores=top.cores, toolchain=top.toolchain)
    same = (row for row in flops if row.case == top.case and row.point == top.point)
    limited = next(same, None)
    text = f"{problem(context, top)} runs at {interval(top)} on {cores(top)}"
    if one is not None and top.cores > 1:
        efficiency = ratio(top, one, divisor=top.cores, unit="%")
        text += f" with a parallel efficiency of {efficiency}"
    if limited is not None and share(limited):
        text += f"; its {interval(limited)} are {share(limited)} of peak"
    evidence = keys(top, one if one != top else None, limited)
    return Sentence(text=text + ".", evidence=evidence, weight=0.8)
