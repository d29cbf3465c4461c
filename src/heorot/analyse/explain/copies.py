"""What serial copies of a program that run side by side take from each other."""

from __future__ import annotations

from heorot.analyse.rows import derive, word_point
from heorot.model.analysis.breakdown import Attribution
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.analysis.rows import Rows
from heorot.units import format_quantity

METRIC = "star_degradation"
# Copies that lose less than this do not hinder each other.
_WORTH_SAYING = 0.10


def explain(context: Context) -> list[Result]:
    """The share of its rate that a copy loses when all cores of a node run one, by case.

    The first metric of a program counts, as its others are the same samples in other units; the
    copy alone is the best row of the same program on one core.

    Args:
        context: the run.
    """
    rows = context.rows
    found: dict[tuple[str, str, str], Result] = {}
    for row in rows:
        if row.is_star and row.nodes == 1 and row.ranked and row.better == "higher":
            found.setdefault((row.benchmark, row.case, row.toolchain), row)
    derived = []
    for together in found.values():
        alone = _alone(rows, together)
        if alone is None:
            continue
        copies = together.ranks

        def lost(several: float, one: float, copies: int = copies) -> float:
            return 1.0 - several / (copies * one)

        values = (
            lost(together.median, alone.median),
            lost(together.ci_high, alone.ci_low),
            lost(together.ci_low, alone.ci_high),
        )
        derived.append(
            derive([together, alone], METRIC, "1", "lower", values, point=together.point)
        )
    return derived


def _alone(rows: Rows, together: Result) -> Result | None:
    same = rows.find(
        together.benchmark,
        together.region,
        together.metric,
        point=together.point,
        cores=1,
        toolchain=together.toolchain,
    )
    alone = [row for row in same if not row.is_star]
    return max(alone, key=lambda row: row.median, default=None)


def attribute(context: Context) -> list[Attribution]:
    """A sentence for every program whose copies hinder each other.

    Args:
        context: the run; of the rows, those of `explain`.
    """
    worst: dict[str, Result] = {}
    for row in context.rows:
        if row.metric == METRIC and row.ranked and row.ci_low > _WORTH_SAYING:
            rival = worst.get(row.benchmark)
            if rival is None or row.median > rival.median:
                worst[row.benchmark] = row
    return [
        Attribution(
            benchmark=row.benchmark,
            text=(
                f"Of {row.ranks} copies of {context.spoken(row.benchmark)}"
                f"{word_point(context, row.benchmark, row.point)} at once each loses "
                f"{format_quantity(row.median, '%', 2)} of the speed it has alone: they share what "
                "feeds them, caches and memory."
            ),
            evidence=(row.key,),
            lost=row.median,
        )
        for row in worst.values()
    ]
