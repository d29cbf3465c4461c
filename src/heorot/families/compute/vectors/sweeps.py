"""Explains the basic vector operations: start-up, cycles per element, caches, ideal speed.

Method: t(n) = (latency + cycles n) / clock over the lengths whose vectors are resident in L1d,
which ends where the rate drops for good. r_max is the largest rate in each memory level. The ideal
speed is the computational intensity f = flops per operand times the best operand rate of any
operation on contiguous vectors in L1d, but no more than the FMA peak.

Source: A. van der Steen, An evaluation of some Beowulf clusters, Utrecht, WFI-2000-07, sec. 6.1.2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heorot.analyse.rows import best, derive, rename
from heorot.analyse.statistics.fits import find_drop, fit_vector_length
from heorot.families.compute.units import core_clock
from heorot.families.compute.vectors.vector_kernels import VECTOR_KERNELS
from heorot.model.analysis.context import Context
from heorot.model.analysis.group import Group
from heorot.model.analysis.result import Result
from heorot.model.analysis.rows import Rows
from heorot.model.catalogue.metrics import Better
from heorot.model.machine.machine import Machine
from heorot.model.point import Point
from heorot.model.resource import ONE_CORE
from heorot.model.run.identity import Key, Stack

_NAME = VECTOR_KERNELS.name
# The rate that stands for a sweep, and its count.
_AMOUNTS = {
    metric.name: metric.count for metric in VECTOR_KERNELS.metrics if metric.count != "bytes"
}
_MINIMUM_POINTS = 3
_OPERAND_BYTES = 8.0
# Other data fill a part of a cache, and larger sets still hit partly: the speed of a level is taken
# between these multiples of the previous level and of its own size.
_BEYOND = 1.5
_WITHIN = 0.75
# A drop outside this range about the nominal size is noise, or the end of a later cache.
_EARLIEST, _LATEST = 0.25, 2.0
# The longest vectors come from memory if their bandwidth is at most this multiple of STREAM's.
_AS_FAST_AS_MEMORY = 1.25


@dataclass(frozen=True)
class Sweep:
    """One operation with one access pattern over all lengths, shortest first.

    Attributes:
        groups: samples, one group per length.
        rates: rows of its rate, one per length: flops, or elements if it only moves data.
        drop: number of lengths on the first plateau; 0 if no end was measured.
        first_level_bytes: end of L1d, measured or else nominal [B].
    """

    groups: tuple[Group, ...]
    rates: tuple[Result, ...]
    drop: int
    first_level_bytes: float

    @property
    def point(self) -> Point:
        """The key common to all its lengths."""
        return Point({"access": self.rates[0].point.get("access", "contiguous")})

    @property
    def first_level(self) -> tuple[Result, ...]:
        """Rates of the lengths whose vectors are resident in L1d."""
        return tuple(r for r in self.rates if working_set(r) <= self.first_level_bytes)

    @property
    def operands(self) -> float:
        """Operands moved per element; the 4-byte index of indirect access does not count."""
        counts = self.groups[0].first.counts
        return counts["bytes"] / counts["elements"] // _OPERAND_BYTES

    @property
    def amount(self) -> str:
        """The count of its rates."""
        return _AMOUNTS[self.rates[0].metric]

    @property
    def intensity(self) -> float:
        """Flops, or elements moved, per operand."""
        counts = self.groups[0].first.counts
        return counts[self.amount] / counts["elements"] / self.operands

    @property
    def operand_rate(self) -> float:
        """The highest operand rate in L1d; 0 if no length fits."""
        return max((row.median for row in self.first_level), default=0.0) / self.intensity


def working_set(row: Result) -> float:
    """The extent of the vectors of a row [B]."""
    return float(row.point["working_set_bytes"])


def cache_levels(machine: Machine) -> list[tuple[str, float]]:
    """Name and size [B] of the largest data cache of every level, nearest first."""
    sizes: dict[int, float] = {}
    for cache in machine.node.caches:
        if cache.kind in {"data", "unified"} and cache.size_bytes:
            sizes[cache.level] = max(sizes.get(cache.level, 0.0), float(cache.size_bytes))
    return [(f"l{level}", sizes[level]) for level in sorted(sizes)]


def explain(context: Context) -> list[Result]:
    """Derived rows of all sweeps."""
    rows, levels = context.rows, cache_levels(context.machine)
    peak = best(context.references.find("flop_peak", of=ONE_CORE))
    derived: list[Result] = []
    for stack, sweeps in _sweeps(context.groups, rows, levels).items():
        clock = core_clock(rows, stack=stack, cores=1)
        straight = [sweep for sweep in sweeps if sweep.point["access"] == "contiguous"]
        operand_rate = max((sweep.operand_rate for sweep in straight or sweeps), default=0.0)
        memory = best(context.references.find("memory_bandwidth", of=ONE_CORE, stack=stack))
        for sweep in sweeps:
            ideal = sweep.intensity * operand_rate
            if peak is not None and sweep.amount == "flops":
                ideal = min(peak.median, ideal)
            derived += _ideal_rows(sweep, ideal)
            derived += _level_rows(sweep, levels, ideal)
            derived += _memory_rows(sweep, levels, memory.median if memory else 0.0)
            derived += _end_row(sweep)
            derived += _fit_rows(sweep, clock.median, context.seed) if clock else []
    return derived


def _sweeps(
    groups: Sequence[Group], rows: Rows, levels: list[tuple[str, float]]
) -> dict[Stack, list[Sweep]]:
    """The sweeps of one core by toolchain; lengths that failed their checks are left out."""
    sets: dict[Key, list[tuple[Group, Result]]] = {}
    rates = {
        row.key: row
        for row in rows
        if row.benchmark == _NAME and row.metric in _AMOUNTS and row.ranked and row.cores == 1
    }
    for group in groups:
        one = group.first
        row = rates.get(one.key)
        if (
            one.benchmark == _NAME
            and row is not None
            and {"n", "working_set_bytes"} <= {*one.point}
        ):
            key = one.key.but(point=one.point.without("n", "working_set_bytes"))
            sets.setdefault(key, []).append((group, row))
    sweeps: dict[Stack, list[Sweep]] = {}
    for key, members in sets.items():
        members.sort(key=lambda member: working_set(member[1]))
        sweeps.setdefault(key.setup.stack, []).append(_sweep(members, levels))
    return sweeps


def _sweep(members: list[tuple[Group, Result]], levels: list[tuple[str, float]]) -> Sweep:
    rows = tuple(row for _, row in members)
    sizes = [working_set(row) for row in rows]
    end = find_drop(sizes, [row.median for row in rows])
    advertised = levels[0][1] if levels else None
    if end is not None and advertised and not _EARLIEST <= end / advertised <= _LATEST:
        end = None
    drop = 0 if end is None else sum(size <= end for size in sizes)
    return Sweep(tuple(group for group, _ in members), rows, drop, end or advertised or sizes[-1])


def _ideal_rows(sweep: Sweep, ideal: float) -> list[Result]:
    """Computational intensity, and the ideal speed."""
    if not (math.isfinite(ideal) and ideal > 0.0):
        return []
    quantities: tuple[tuple[str, str, float], ...] = (
        ("intensity", f"{sweep.amount.removesuffix('s')}/operand", sweep.intensity),
        ("ideal_rate", sweep.rates[0].unit, ideal),
    )
    sources = sweep.first_level or sweep.rates
    return [
        derive(sources, metric, unit, "higher", (value, value, value), point=sweep.point)
        for metric, unit, value in quantities
    ]


def _level_rows(sweep: Sweep, levels: list[tuple[str, float]], ideal: float) -> list[Result]:
    """The largest rate in every cache, and in L1d its share of the ideal."""
    rows = []
    ranges = [("l1", 0.0, sweep.first_level_bytes)]
    low = sweep.first_level_bytes
    for name, size in levels[1:]:
        ranges.append((name, _BEYOND * low, _WITHIN * size))
        low = size
    for name, low, high in ranges:
        inside = [row for row in sweep.rates if low < working_set(row) <= high]
        top = best(inside)
        if top is not None:
            share = top.median / ideal if name == "l1" and ideal > 0.0 else None
            # The operation with the best operand rate would have a share of itself.
            is_ceiling = share == 1.0
            share = None if is_ceiling else share
            rows.append(rename(top, f"r_max_{name}", sweep.point, share, is_ceiling=is_ceiling))
    return rows


def _memory_rows(sweep: Sweep, levels: list[tuple[str, float]], memory_rate: float) -> list[Result]:
    """Speed and bandwidth of the longest vectors, if they come from memory.

    They do if they are at least twice as long as the nominal size of the last cache. A virtual
    machine may report the caches of its whole host: there, the memory bandwidth decides.
    """
    last = sweep.rates[-1]
    counts = sweep.groups[-1].first.counts
    bytes_each = counts["bytes"] / counts[sweep.amount]
    beyond = bool(levels) and working_set(last) >= 2.0 * levels[-1][1]
    beyond_first = working_set(last) > 2.0 * sweep.first_level_bytes
    slow = last.median * bytes_each <= _AS_FAST_AS_MEMORY * memory_rate
    if not (beyond or (beyond_first and slow)):
        return []
    low, high = last.ci_low * bytes_each, last.ci_high * bytes_each
    rate = (last.median * bytes_each, low, high)
    return [
        rename(last, "r_max_memory", sweep.point, last.share_of_ceiling),
        derive([last], "longest_vectors_bandwidth", "B/s", "higher", rate, point=sweep.point),
    ]


def _end_row(sweep: Sweep) -> list[Result]:
    """Where L1d ends: between the last fast length and the next."""
    if not sweep.drop:
        return []
    end, after = (working_set(row) for row in sweep.rates[sweep.drop - 1 : sweep.drop + 1])
    return [
        derive(sweep.rates, "first_level_end", "B", "higher", (end, end, after), point=sweep.point)
    ]


def _fit_rows(sweep: Sweep, clock_hz: float, seed: int) -> list[Result]:
    sources = sweep.first_level
    if len(sources) < _MINIMUM_POINTS:
        return []
    fitted = sweep.groups[: len(sources)]
    lengths = [float(group.first.point["n"]) for group in fitted]
    times = [np.concatenate([one.body_seconds for one in group.series]) for group in fitted]
    fit = fit_vector_length(lengths, times, clock_hz, seed=seed)
    quantities: tuple[tuple[str, str, Better, tuple[float, float, float]], ...] = (
        ("latency", "cycle", "lower", fit.start),
        ("cycles_per_element", "cycle", "lower", fit.slope),
        ("n_half", "element", "lower", fit.half),
    )
    return [
        derive(sources, metric, unit, better, values, point=sweep.point)
        for metric, unit, better, values in quantities
        if all(math.isfinite(value) for value in values)
    ]
