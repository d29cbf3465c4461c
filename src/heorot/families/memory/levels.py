"""Finds the levels of the memory in what was measured: how fast, how far away, where they end.

Method: a curve over the working set is cut into plateaus (`find_plateaus`). A plateau is of the
first cache that is said to be two thirds as large as its last working set; what lies beyond all
caches is memory, and so is the last plateau if reading from it is no faster than what memory feeds:
a virtual machine may tell the caches of its whole host. A level's value is the middle one of those
on its plateau, its end lies between the last working set on it and the next.

Lines under way: what a load costs alone over what it costs among several chains; of random updates
their rate times the latency of where the table lies.

Source: J. D. C. Little, A proof for the queuing formula L = lambda W, Operations Research 9 (1961).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from statistics import median

from heorot.analyse.rows import best, derive
from heorot.analyse.statistics.fits import Plateau, find_plateaus
from heorot.families.memory.gups import GUPS
from heorot.families.memory.hierarchy import HIERARCHY, KERNELS
from heorot.families.memory.latency import CHASES, LATENCY
from heorot.model.analysis.context import Context
from heorot.model.analysis.result import Result
from heorot.model.machine.machine import Machine

MEMORY = "memory"
CACHES = ("L1", "L2", "L3")
SIZE = "working_set_bytes"
# A level may be seen a little beyond what it is said to hold, where lines are not replaced in turn.
_MOST_OF_CACHE = 1.5
# Of what memory feeds one core at its best.
_AS_FAST_AS_MEMORY = 1.4
# Latencies vary more on a level than rates do: the translations of addresses are waited for, too.
_ALIKE_RATES, _ALIKE_TIMES = 0.12, 0.2
_MINIMUM_POINTS = 3


def explain(context: Context) -> list[Result]:
    """Levels of every curve, lines under way.

    Args:
        context: the run.
    """
    rows = [*_bandwidths(context), *_latencies(context)]
    return [*rows, *_parallelism(context), *_updates(context, rows)]


def caches_of(machine: Machine) -> list[tuple[str, float]]:
    """Name, such as L2, and size [B] of the largest data cache of every level, nearest first."""
    sizes: dict[int, float] = {}
    for cache in machine.node.caches:
        if cache.kind in {"data", "unified"} and cache.size_bytes:
            sizes[cache.level] = max(sizes.get(cache.level, 0.0), float(cache.size_bytes))
    return [(f"L{level}", sizes[level]) for level in sorted(sizes)]


def name_levels(
    plateaus: Sequence[Plateau],
    caches: Sequence[tuple[str, float]],
    is_memory: Callable[[Plateau], bool],
) -> dict[str, Plateau]:
    """The plateau of every level that shows one, nearest first.

    Args:
        plateaus: of a curve, nearest first.
        caches: names and sizes [B], nearest first.
        is_memory: whether the last plateau is what memory shows.
    """
    levels: dict[str, Plateau] = {}
    for plateau in plateaus:
        fitting = (name for name, size in caches if plateau.high_bytes <= _MOST_OF_CACHE * size)
        name = next(fitting, MEMORY)
        if plateau is plateaus[-1] and is_memory(plateau):
            name = MEMORY
        if name == MEMORY or name not in levels:
            levels[name] = plateau
    return levels


def _bandwidths(context: Context) -> Iterator[Result]:
    """The bandwidth of every level, by kernel, and where `read` shows that a level ends."""
    caches = caches_of(context.machine)
    for region in KERNELS:
        for curve in _curves(context, HIERARCHY.name, region, "bandwidth"):
            levels = name_levels(_plateaus(curve), caches, _slow_as_memory(context, curve[0]))
            yield from _values(curve, levels, "bandwidth")
            if region == "read":
                yield from _ends(curve, levels)


def _slow_as_memory(context: Context, row: Result) -> Callable[[Plateau], bool]:
    """Whether a plateau of some cores is as slow as what memory feeds as many of them."""
    fed = best(
        context.references.find("memory_bandwidth", cores=row.cores, toolchain=row.toolchain)
    )
    return lambda plateau: fed is not None and plateau.rate <= _AS_FAST_AS_MEMORY * fed.median


def _latencies(context: Context) -> Iterator[Result]:
    """The latencies of every level, in cycles too,, and where they show that a level ends."""
    caches = caches_of(context.machine)
    for region in CHASES:
        for curve in _curves(context, LATENCY.name, region, "latency"):
            levels = name_levels(_plateaus(curve), caches, _far_as_memory(context, curve[0]))
            waits = list(_values(curve, levels, "latency"))
            clock = best(context.references.find("core_clock", toolchain=curve[0].toolchain))
            yield from waits
            yield from (_in_cycles(row, clock.median) for row in waits if clock is not None)
            yield from _ends(curve, levels)


def _far_as_memory(context: Context, row: Result) -> Callable[[Plateau], bool]:
    """Whether a plateau lies where one core already read from memory."""
    caches = caches_of(context.machine)
    begins = [
        levels[MEMORY].low_bytes
        for curve in _curves(context, HIERARCHY.name, "read", "bandwidth")
        if curve[0].cores == 1 and curve[0].toolchain == row.toolchain
        for levels in [name_levels(_plateaus(curve), caches, _slow_as_memory(context, curve[0]))]
        if MEMORY in levels
    ]
    return lambda plateau: bool(begins) and plateau.high_bytes >= min(begins)


def _curves(context: Context, program: str, region: str, metric: str) -> list[list[Result]]:
    """The rows of every case over the working set, the smallest first, if there are enough."""

    def case(row: Result) -> tuple[str, str]:
        return row.toolchain, row.case

    found = sorted(context.rows.find(program, region, metric), key=case)
    curves = [sorted(rows, key=_size) for _, rows in groupby(found, key=case)]
    return [curve for curve in curves if len({_size(row) for row in curve}) >= _MINIMUM_POINTS]


def _size(row: Result) -> float:
    return float(row.point[SIZE])


def _plateaus(curve: Sequence[Result]) -> list[Plateau]:
    """Of a curve of rates, or of the rates that times make."""
    if curve[0].better == "higher":
        rates, alike = [row.median for row in curve], _ALIKE_RATES
    else:
        rates, alike = [1.0 / row.median for row in curve], _ALIKE_TIMES
    return find_plateaus([_size(row) for row in curve], rates, tolerance=alike)


def _values(curve: Sequence[Result], levels: dict[str, Plateau], metric: str) -> Iterator[Result]:
    """The middle value of every level."""
    for level, plateau in levels.items():
        rows = [row for row in curve if plateau.low_bytes <= _size(row) <= plateau.high_bytes]
        first = rows[0]
        values = (
            median(row.median for row in rows),
            median(row.ci_low for row in rows),
            median(row.ci_high for row in rows),
        )
        name = f"{metric}_{level.lower()}"
        yield derive(rows, name, first.unit, first.better, values, point={})


def _ends(curve: Sequence[Result], levels: dict[str, Plateau]) -> Iterator[Result]:
    """Where every level but the last ends: between its last working set and the next."""
    sizes = [_size(row) for row in curve]
    for level, plateau in list(levels.items())[:-1]:
        beyond = min(size for size in sizes if size > plateau.high_bytes)
        values = (plateau.high_bytes, plateau.high_bytes, beyond)
        yield derive(curve, f"end_{level.lower()}", "B", "higher", values, point={})


def _in_cycles(row: Result, clock_hz: float) -> Result:
    values = (row.median * clock_hz, row.ci_low * clock_hz, row.ci_high * clock_hz)
    metric = row.metric.replace("latency", "cycles")
    return derive([row], metric, "cycle", "lower", values, point=row.point)


def _parallelism(context: Context) -> Iterator[Result]:
    """How many loads a core has under way at most, by working set."""
    alone = {
        (row.toolchain, row.case, _size(row)): row
        for row in context.rows.find(LATENCY.name, "chase", "latency")
    }
    together: dict[tuple[str, str, float], list[Result]] = {}
    for row in context.rows.find(LATENCY.name, "parallel", "latency"):
        together.setdefault((row.toolchain, row.case, _size(row)), []).append(row)
    for key, rows in together.items():
        one, most = alone.get(key), best(rows)
        if one is not None and most is not None:
            values = (
                one.median / most.median,
                one.ci_low / most.ci_high,
                one.ci_high / most.ci_low,
            )
            point = {SIZE: one.point[SIZE]}
            yield derive([most, one], "parallelism", "load", "higher", values, point=point)


def _updates(context: Context, levels: Sequence[Result]) -> Iterator[Result]:
    """How many updates one core has under way, of tables that lie in memory."""
    chases = [row for row in levels if row.benchmark == LATENCY.name and row.region == "chase"]
    for rate in context.rows.find(GUPS.name, "update", "update_rate", cores=1):
        of_same = [row for row in chases if row.toolchain == rate.toolchain]
        wait = best([row for row in of_same if row.metric == f"latency_{MEMORY}"])
        ends = [row.ci_high for row in of_same if row.metric.startswith("end_")]
        if wait is not None and _size(rate) > 2.0 * max(ends, default=0.0):
            values = (
                rate.median * wait.median,
                rate.ci_low * wait.ci_low,
                rate.ci_high * wait.ci_high,
            )
            yield derive(
                [rate, wait], "updates_under_way", "update", "higher", values, point=rate.point
            )
