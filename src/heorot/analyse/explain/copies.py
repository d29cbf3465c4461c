"""Contention: how much serial copies of a program on one node slow each other down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from heorot.analyse.node_roofline.causes import word_cause
from heorot.analyse.node_roofline.curves import SIZE, others_of, size_of
from heorot.analyse.node_roofline.roofs import first_stack, publishers
from heorot.analyse.node_roofline.working_set_levels import WorkingSetLevels
from heorot.analyse.rows import derive, named
from heorot.analyse.templates import explain as templates
from heorot.analyse.templates.quantities import limit, plain
from heorot.model.analysis.breakdown import Attribution
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.shares import Contention
from heorot.model.analysis.result import Result
from heorot.model.analysis.rows import Rows
from heorot.model.grouping import best_of_each, group_by
from heorot.model.point import Point
from heorot.model.run.identity import Key

METRIC = "star_degradation"
# Copies that lose less than this do not slow each other down.
_LEAST_REPORTED = 0.10
_MANY_SIZES = 3


def explain(context: Context) -> list[Result]:
    """The share of its rate that a copy loses when every core of a node runs one.

    The first metric of a program counts, as its others are the same samples in other units. The
    baseline is the best row of the same program on one core, if its copies ran on cores of that
    type. Of a long sweep over the working set, the largest point of each cache level of the
    baseline stands for the level.
    """
    found: dict[Key, Result] = {}
    for row in context.rows:
        inside = row.is_star and row.nodes == 1 and row.cores <= context.machine.node.n_alike
        if inside and row.ranked and not row.derived and row.better == "higher":
            found.setdefault(row.key, row)
    derived = []
    for together in _of_levels(found.values(), WorkingSetLevels(context)):
        alone = alone_of(context.rows, together)
        if alone is not None:
            benchmark = context.benchmarks.get(together.benchmark)
            metric = benchmark.metric(together.metric) if benchmark else None
            # Per-rank quantities such as the clock are not summed.
            copies = 1 if metric is not None and metric.per_rank else together.ranks
            derived.append(_loss(together, alone, copies))
    return derived


def _loss(together: Result, alone: Result, copies: int) -> Result:
    def lost(several: float, one: float) -> float:
        return 1.0 - several / (copies * one)

    values = (
        lost(together.median, alone.median),
        lost(together.ci_high, alone.ci_low),
        lost(together.ci_low, alone.ci_high),
    )
    return derive([together, alone], METRIC, "1", "lower", values, point=together.point)


def _of_levels(rows: Iterable[Result], levels_of: WorkingSetLevels) -> Iterator[Result]:
    """All rows but those of long sweeps, of which the largest of each level stays."""
    sweeps = group_by(rows, lambda row: row.key.but(point=others_of(row)))
    for members in sweeps.values():
        if len(members) <= _MANY_SIZES or SIZE not in members[0].point:
            yield from members
            continue
        last: dict[str, Result] = {}
        for row in sorted(members, key=size_of):
            last[levels_of.level_of(size_of(row), 1, row.stack)] = row
        yield from last.values()


def alone_of(rows: Rows, together: Result) -> Result | None:
    """The best row of one copy by itself; None if none ran."""
    same = rows.find(
        together.benchmark,
        together.region,
        together.metric,
        point=together.point,
        cores=1,
        stack=together.stack,
    )
    alone = [row for row in same if not row.is_star]
    return max(alone, key=lambda row: row.median, default=None)


def attribute(context: Context, contentions: Sequence[Contention] = ()) -> list[Attribution]:
    """A sentence for every program with contention among its copies, of the first toolchain."""
    causes = {each.key: each for each in contentions}
    first = first_stack(context)
    lost = (row for row in context.rows if row.metric == METRIC and row.stack == first)
    shown = (row for row in lost if row.ranked and row.ci_low > _LEAST_REPORTED)
    worst = best_of_each(shown, lambda row: row.benchmark, lambda row: row.median)
    return [
        templates.COPIES(
            row.benchmark,
            lost=row.median,
            ranks=row.ranks,
            program=named(context, row.benchmark, _of_problem(row)),
            loss=plain(row, "%"),
            least=limit(_LEAST_REPORTED),
            **_reason(context, row, causes.get(row.key)),
        )
        for row in worst.values()
    ]


def _of_problem(row: Result) -> Point:
    """The coordinates that identify its problem, without those that only give its size in bytes."""
    if len(row.point) == 1:
        return row.point
    return row.point.without(SIZE)


def _reason(context: Context, row: Result, contention: Contention | None) -> dict[str, Any]:
    """The known facts of a loss."""
    if contention is None:
        return {"level": None, "cause": None}
    # The bandwidth of a level does not explain the program that measures it.
    if contention.level and row.benchmark in publishers(context):
        return {"level": contention.level, "cause": None}
    return {"level": None, "cause": word_cause(contention)}
