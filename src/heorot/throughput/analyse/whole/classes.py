"""Waits, run times and slowdowns of jobs of one class or one size."""

from __future__ import annotations

import numpy as np

from heorot.analyse.statistics.ranks import median_rank
from heorot.throughput.model.measures import ClassMeasures, JobMeasures
from heorot.throughput.model.spread import Spread
from heorot.throughput.model.timeline import Booleans, Floats, Timeline

_MOST_KINDS = 40
_OTHERS = "others"


def spread_of(values: Floats) -> Spread | None:
    """Spread of values, NaN left out; None if none are left."""
    known = np.sort(values[~np.isnan(values)])
    if not known.size:
        return None
    rank, _ = median_rank(known.size)
    median, p95, p99 = np.quantile(known, (0.5, 0.95, 0.99))
    return Spread(
        n=known.size,
        mean=float(known.mean()),
        median=float(median),
        low=float(known[rank - 1]),
        high=float(known[known.size - rank]),
        p95=float(p95),
        p99=float(p99),
        maximum=float(known[-1]),
    )


def measure_kinds(timeline: Timeline, jobs: JobMeasures) -> tuple[ClassMeasures, ...]:
    """Metrics by job class; of more than forty, those with the most work, then all others."""
    n_kinds = len(timeline.kind_names)
    work = np.bincount(timeline.kinds, np.nan_to_num(jobs.run) * timeline.cores, n_kinds)
    place = np.arange(n_kinds)
    names = list(timeline.kind_names)
    if n_kinds > _MOST_KINDS:
        most = np.sort(np.argsort(-work, kind="stable")[: _MOST_KINDS - 1])
        place = np.full(n_kinds, most.size)
        place[most] = np.arange(most.size)
        names = [*(timeline.kind_names[kind] for kind in most), _OTHERS]
    groups = place[timeline.kinds]
    return tuple(_measure(name, timeline, jobs, groups == i) for i, name in enumerate(names))


def measure_sizes(timeline: Timeline, jobs: JobMeasures) -> tuple[ClassMeasures, ...]:
    """Metrics of jobs of 1, 2, 3-4, 5-8... nodes; of one node by cores if the machine has one."""
    unit, sizes = ("node", timeline.nodes) if timeline.n_nodes > 1 else ("core", timeline.cores)
    power = np.ceil(np.log2(np.maximum(1, sizes))).astype(int)
    found = []
    for exponent in np.unique(power):
        high = 1 << int(exponent)
        low = high // 2 + 1
        name = f"{low} to {high}" if low < high else str(high)
        plural = "" if high == 1 else "s"
        found.append(_measure(f"{name} {unit}{plural}", timeline, jobs, power == exponent))
    return tuple(found)


def _measure(name: str, timeline: Timeline, jobs: JobMeasures, chosen: Booleans) -> ClassMeasures:
    well = chosen & jobs.ok
    run = np.nan_to_num(jobs.run[chosen])
    return ClassMeasures(
        name=name,
        n_jobs=int(np.sum(chosen)),
        n_ok=int(np.sum(well)),
        wait=spread_of(jobs.wait[chosen]),
        run=spread_of(jobs.run[well]),
        slowdown=spread_of(jobs.slowdown[well]),
        node_seconds=float(np.sum(run * timeline.nodes[chosen])),
        core_seconds=float(np.sum(run * timeline.cores[chosen])),
    )
