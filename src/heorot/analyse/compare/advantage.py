"""The advantage of a system over another against the number of cores, and where it changes.

The advantage is reported to widen only if the intervals of the ratios on two numbers of cores do
not overlap and neither rests on shared cores, perturbed samples or a single launch.

Source: the comparison of two systems on equal numbers of processors, with the advantage in per cent
and its change with their number, in an evaluation of 2006.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from heorot.model.analysis.comparison import ComparedMetric
from heorot.model.analysis.extremes import overlap
from heorot.model.analysis.studies.systems import Advantage, CoreCount, Trend, letter_of
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.run.identity import Key

_LEAST_COUNTS = 2
_LEAST_LAUNCHES = 2


def find_advantages(
    metrics: Iterable[ComparedMetric], benchmarks: Mapping[str, Benchmark], other: int
) -> list[Advantage]:
    """The advantages of one system over the first, for problems on several core counts.

    Sweeps over sizes are left out: `courses` compares them.

    Args:
        benchmarks: programs by name.
        other: number of the system, from 1.
    """
    found: dict[tuple[Key, str, str], dict[int, ComparedMetric]] = {}
    for metric in metrics:
        if _is_sweep(metric, benchmarks):
            continue
        key = metric.key.only("benchmark", "region", "point")
        counts = found.setdefault((key, metric.metric, way_of(metric)), {})
        rival = counts.get(metric.cores)
        if rival is None or _nodes(metric) < _nodes(rival):
            counts[metric.cores] = metric
    return [
        _advantage(metrics_of, other, way)
        for (_, _, way), metrics_of in found.items()
        if len(metrics_of) >= _LEAST_COUNTS
    ]


def way_of(metric: ComparedMetric) -> str:
    """What a layout on more cores has more of: copies, ranks or threads."""
    if metric.is_star:
        return "copies"
    if metric.threads == 1:
        return "ranks"
    return "threads" if metric.ranks == 1 else f"ranks of {metric.threads} threads"


def _is_sweep(metric: ComparedMetric, benchmarks: Mapping[str, Benchmark]) -> bool:
    benchmark = benchmarks.get(metric.benchmark)
    sized = benchmark is not None and benchmark.size is not None
    numbers = any(isinstance(value, int | float) for value in metric.point.values())
    return numbers and not sized


def _nodes(metric: ComparedMetric) -> tuple[int, int]:
    return metric.nodes + metric.other.setup.nodes, metric.nodes


def _advantage(metrics: Mapping[int, ComparedMetric], other: int, way: str) -> Advantage:
    counts = tuple(_count(metrics[cores], other) for cores in sorted(metrics))
    first = metrics[counts[0].cores]
    apart = (each.cores for each in counts[1:] if _apart(counts[0], each))
    return Advantage(
        key=first.key,
        metric=first.metric,
        other=other,
        way=way,
        counts=counts,
        trend=_trend(counts),
        since=next(apart, None),
    )


def _count(metric: ComparedMetric, other: int) -> CoreCount:
    low, high = metric.ends or (None, None)
    letters = {"A": letter_of(0), "B": letter_of(other)}
    marks = [f"{letters[side]} oversubscribed" for side in metric.crowded]
    marks += [f"{letters[side]} perturbed" for side in metric.disturbed]
    sides = (("A", metric.a_launches), ("B", metric.b_launches))
    marks += [f"1 launch of {letters[side]}" for side, n in sides if 0 < n < _LEAST_LAUNCHES]
    return CoreCount(
        cores=metric.cores,
        ratio=metric.ratio,
        low=low,
        high=high,
        verdict=metric.verdict,
        launches=(metric.a_launches, metric.b_launches),
        layouts=metric.layouts,
        marks=tuple(marks),
    )


def _apart(few: CoreCount, many: CoreCount) -> bool:
    """Whether the ratios on two core counts differ significantly."""
    if few.marks or many.marks:
        return False
    if few.low is None or few.high is None or many.low is None or many.high is None:
        return False
    return not overlap((few.low, few.high), (many.low, many.high))


def _trend(counts: Sequence[CoreCount]) -> Trend:
    """How the gap changes from the fewest cores to the most."""
    few, many = counts[0], counts[-1]
    if not _apart(few, many):
        return "unclear"
    if {few.verdict, many.verdict} == {"better", "worse"}:
        return "turns"
    return "grows" if abs(math.log(many.ratio)) > abs(math.log(few.ratio)) else "shrinks"
