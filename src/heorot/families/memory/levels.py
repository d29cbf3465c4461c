"""Finds the memory levels in measured curves: bandwidths, latencies, and ends.

Method: a curve over the working set is cut into plateaus, each of a level
(`analyse/node_roofline/curves`). The last one is memory if its read bandwidth is at most the memory
bandwidth. A level's value is the median of its plateau, its end lies between the last working set
on it and the next; memory begins between the last working set before its plateau and the first on
it.

Outstanding loads: latency of a single chain over the time per load of several chains; for random
updates their rate times the latency at the size of the table, with the pages of an ordinary array.

Source: J. D. C. Little, A proof for the queuing formula L = lambda W, Operations Research 9 (1961).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from heorot.analyse.memory_bandwidth import REFERENCE
from heorot.analyse.node_roofline.curves import (
    SIZE,
    caches_of,
    curves_of,
    middle_of,
    name_levels,
    on,
    plateaus_of,
    size_of,
)
from heorot.analyse.rows import best, derive, over
from heorot.analyse.statistics.fits import Plateau
from heorot.families.memory.gups import GUPS
from heorot.families.memory.hierarchy import HIERARCHY, KERNELS
from heorot.families.memory.latency import CHASES, LATENCY
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.levels import MEMORY
from heorot.model.analysis.result import Result
from heorot.model.resource import CORES
from heorot.model.run.identity import Stack

# Multiple of one core's highest memory bandwidth.
_AS_FAST_AS_MEMORY = 1.4


def explain(context: Context) -> list[Result]:
    """Levels of every curve, and outstanding loads."""
    rows = [*_bandwidths(context), *_latencies(context)]
    return [*rows, *_parallelism(context), *_updates(context, rows)]


def _bandwidths(context: Context) -> Iterator[Result]:
    """The bandwidth of every level, by kernel, and the ends of levels by `read`."""
    caches = caches_of(context.machine)
    for region in KERNELS:
        for curve in _curves(context, HIERARCHY.name, region, "bandwidth"):
            levels = name_levels(plateaus_of(curve), caches, _slow_as_memory(context, curve[0]))
            fed = context.references.find(REFERENCE, of=CORES.of(curve[0].cores))
            # Memory has one bandwidth: a plateau counts only if no other program measured it.
            without_memory = {
                level: each for level, each in levels.items() if level != MEMORY or not fed
            }
            yield from _values(curve, without_memory, "bandwidth")
            if region == "read":
                yield from _ends(curve, levels)


def _slow_as_memory(context: Context, row: Result) -> Callable[[Plateau], bool]:
    """Whether a plateau of some cores is as slow as the memory bandwidth of that many."""
    fed = best(context.references.find(REFERENCE, of=CORES.of(row.cores), stack=row.stack))
    return lambda plateau: fed is not None and plateau.rate <= _AS_FAST_AS_MEMORY * fed.median


def _latencies(context: Context) -> Iterator[Result]:
    """The latencies of every level, in cycles too, and the ends of levels by them."""
    caches = caches_of(context.machine)
    for region in CHASES:
        for curve in _curves(context, LATENCY.name, region, "latency"):
            levels = name_levels(plateaus_of(curve), caches, _far_as_memory(context, curve[0]))
            waits = list(_values(curve, levels, "latency"))
            clock = best(context.references.find("core_clock", stack=curve[0].stack))
            yield from waits
            yield from (_in_cycles(row, clock.median) for row in waits if clock is not None)
            yield from _ends(curve, levels)


def _far_as_memory(context: Context, row: Result) -> Callable[[Plateau], bool]:
    """Whether a plateau lies where one core already read from memory."""
    caches = caches_of(context.machine)
    begins = [
        levels[MEMORY].low_bytes
        for curve in _curves(context, HIERARCHY.name, "read", "bandwidth")
        if curve[0].cores == 1 and curve[0].stack == row.stack
        for levels in [name_levels(plateaus_of(curve), caches, _slow_as_memory(context, curve[0]))]
        if MEMORY in levels
    ]
    return lambda plateau: bool(begins) and plateau.high_bytes >= min(begins)


def _curves(context: Context, program: str, region: str, metric: str) -> list[list[Result]]:
    """The rows of every case over the working set, the smallest first, if there are enough."""
    return list(curves_of(context.rows.find(program, region, metric)))


def _values(curve: Sequence[Result], levels: dict[str, Plateau], metric: str) -> Iterator[Result]:
    """The median value of every level."""
    for level, plateau in levels.items():
        rows = on(plateau, curve)
        first, name = rows[0], f"{metric}_{level.lower()}"
        yield derive(rows, name, first.unit, first.better, middle_of(rows), point={})


def _ends(curve: Sequence[Result], levels: dict[str, Plateau]) -> Iterator[Result]:
    """The end of every level but the last, and the begin of memory: between two working sets."""
    sizes = [size_of(row) for row in curve]
    for level, plateau in list(levels.items())[:-1]:
        beyond = min(size for size in sizes if size > plateau.high_bytes)
        values = (plateau.high_bytes, plateau.high_bytes, beyond)
        yield derive(curve, f"end_{level.lower()}", "B", "higher", values, point={})
    if MEMORY in levels:
        begin = levels[MEMORY].low_bytes
        before = max((size for size in sizes if size < begin), default=begin)
        yield derive(curve, f"begin_{MEMORY}", "B", "higher", (begin, before, begin), point={})


def _in_cycles(row: Result, clock_hz: float) -> Result:
    values = (row.median * clock_hz, row.ci_low * clock_hz, row.ci_high * clock_hz)
    metric = row.metric.replace("latency", "cycles")
    return derive([row], metric, "cycle", "lower", values, point=row.point)


def _parallelism(context: Context) -> Iterator[Result]:
    """The largest number of outstanding loads of a core, by working set."""
    alone = {
        (row.stack, row.case, size_of(row)): row
        for row in context.rows.find(LATENCY.name, "chase", "latency")
    }
    together: dict[tuple[Stack, str, float], list[Result]] = {}
    for row in context.rows.find(LATENCY.name, "parallel", "latency"):
        together.setdefault((row.stack, row.case, size_of(row)), []).append(row)
    for key, rows in together.items():
        one, most = alone.get(key), best(rows)
        if one is not None and most is not None:
            values = over(one, most)
            point = {SIZE: one.point[SIZE]}
            yield derive([most, one], "parallelism", "load", "higher", values, point=point)


def _updates(context: Context, levels: Sequence[Result]) -> Iterator[Result]:
    """The number of outstanding updates of one core, for tables in memory."""
    policy = context.machine.node.memory.huge_pages
    for rate in context.rows.find(GUPS.name, "update", "update_rate", cores=1):
        # Programs that do not request huge pages get them only with the policy `always`.
        asks = policy == "madvise" and rate.options.get("pages") == "huge"
        region = "chase" if policy == "always" or asks else "small_pages"
        of_same = [
            row
            for row in levels
            if (row.benchmark, row.region, row.stack) == (LATENCY.name, region, rate.stack)
        ]
        wait = best([row for row in of_same if row.metric == f"latency_{MEMORY}"])
        ends = [row.ci_high for row in of_same if row.metric.startswith("end_")]
        if wait is not None and size_of(rate) > 2.0 * max(ends, default=0.0):
            values = (
                rate.median * wait.median,
                rate.ci_low * wait.ci_low,
                rate.ci_high * wait.ci_high,
            )
            yield derive(
                [rate, wait], "updates_under_way", "update", "higher", values, point=rate.point
            )
