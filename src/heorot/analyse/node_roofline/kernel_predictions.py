"""Measured rate of an algorithm against the rate predicted from its kernels.

Kernels that do a part s_i of the flops each at a rate r_i run at 1 / sum(s_i / r_i). The rates are
those of kernels with working sets as large as the algorithm's, on one core. This is no bound:
kernels fetch their operands for every operation, and a blocked algorithm reuses them.

Source: A. van der Steen, An evaluation of some Beowulf clusters, Utrecht, WFI-2000-07, sec. 6.2.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from heorot.analyse.node_roofline.working_set_levels import WorkingSetLevels
from heorot.analyse.rows import derive
from heorot.model.analysis.breakdown import Middle
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.levels import TIMES_KERNELS
from heorot.model.analysis.node_roofline.shares import KernelPrediction, Part
from heorot.model.analysis.result import Result
from heorot.model.catalogue.benchmark import Benchmark
from heorot.model.catalogue.metrics import Contribution
from heorot.model.resource import ONE_CORE
from heorot.model.run.identity import Stack

# Largest factor between matching working sets, unless one exceeds all caches.
_MOST_APART = 2.0


def find_predictions(
    context: Context, levels_of: WorkingSetLevels
) -> Iterator[tuple[KernelPrediction, Result]]:
    """The predicted rate of each program with known kernels, with the row of the ratio."""
    for row in context.rows:
        benchmark = context.benchmarks.get(row.benchmark)
        if benchmark is None or not benchmark.contributions or not _is_performed(benchmark, row):
            continue
        if row.derived or not row.ranked or row.cores > 1:
            continue
        of_region = [
            part
            for part in benchmark.contributions
            if not part.regions or row.region in part.regions
        ]
        kernels = _kernels(context, row, of_region, levels_of.working_set(row))
        if kernels:
            yield _prediction(row, kernels)


def _is_performed(benchmark: Benchmark, row: Result) -> bool:
    """Whether a row is a rate of performed operations: nominal ones are not done by kernels."""
    metric = benchmark.metric(row.metric)
    return metric is not None and metric.is_rate and metric.count == "flops"


def _kernels(
    context: Context, row: Result, contributions: Sequence[Contribution], size: float | None
) -> list[tuple[Contribution, Result]]:
    """All kernels with their rates; none if one of them was not measured at such a size."""
    if size is None:
        return []
    found = [(each, _of_size(context, each.kernel, row.stack, size)) for each in contributions]
    known = [(each, rate) for each, rate in found if rate is not None]
    return known if len(known) == len(found) else []


def _of_size(context: Context, kernel: str, stack: Stack, size: float) -> Result | None:
    """The rate of a kernel at the nearest working set; None if none is near.

    The largest measured set stands for all larger ones.
    """
    rows = [
        (abs(math.log(float(known) / size)), row)
        for row in context.references.find(kernel, of=ONE_CORE, stack=stack)
        for known in [row.point.get("working_set_bytes", 0)]
        if not isinstance(known, str) and known > 0
    ]
    if not rows:
        return None
    largest = max(float(row.point["working_set_bytes"]) for _, row in rows)
    apart, nearest = min(rows, key=lambda each: each[0])
    return nearest if apart <= math.log(_MOST_APART) or size >= largest else None


def _prediction(
    row: Result, kernels: Sequence[tuple[Contribution, Result]]
) -> tuple[KernelPrediction, Result]:
    def mean(rate: Callable[[Result], float]) -> float:
        parts = sum(part.share for part, _ in kernels)
        return parts / sum(part.share / rate(kernel) for part, kernel in kernels)

    predicted = Middle(
        median=mean(lambda each: each.median),
        low=mean(lambda each: each.ci_low),
        high=mean(lambda each: each.ci_high),
    )
    values = (
        row.median / predicted.median,
        row.ci_low / predicted.high,
        row.ci_high / predicted.low,
    )
    sources = [row, *(kernel for _, kernel in kernels)]
    ratio = derive(sources, TIMES_KERNELS, "", "higher", values, point=row.point)
    prediction = KernelPrediction(
        key=row.key,
        parts=tuple(
            Part(kernel=part.title, share=part.share, rate=kernel.median, row=kernel.id)
            for part, kernel in kernels
        ),
        predicted=predicted,
        found=Middle(median=row.median, low=row.ci_low, high=row.ci_high),
        times=Middle(median=values[0], low=values[1], high=values[2]),
        row=ratio.id,
    )
    return prediction, ratio
