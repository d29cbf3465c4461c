"""Explains the basic vector operations: start-up, cycles per element, caches, ideal speed.

Method: t(n) = (latency + cycles n) / clock over the lengths whose arrays lie in the first-level
cache, whose end is where the rate starts to drop for good; the ideal speed follows from the
computational intensity f = flops per operand and the best operand rate any operation reaches
there.

Source: A. van der Steen, An evaluation of some Beowulf clusters, Utrecht, WFI-2000-07, sec. 6.1.2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heorot.analyse.fits import VectorFit, find_drop, fit_vector_length
from heorot.analyse.results import Group
from heorot.analyse.rows import best, derive, find
from heorot.model.machine import Machine
from heorot.model.records import Point
from heorot.model.result import Result

NAME = "compute/vector_kernels"
_MINIMUM_POINTS = 3
_OPERAND_BYTES = 8.0


@dataclass(frozen=True)
class Sweep:
    """One operation with one access pattern over all lengths, shortest first.

    Attributes:
        groups: samples, one group per length.
        rates: rows of the flop rate, one per length.
        first_level_bytes: where the first-level cache ends as measured [B].
    """

    groups: tuple[Group, ...]
    rates: tuple[Result, ...]
    first_level_bytes: float

    @property
    def n_first_level(self) -> int:
        """Lengths whose working set lies in the first-level cache."""
        return sum(_working_set(row.point) <= self.first_level_bytes for row in self.rates)

    @property
    def peak(self) -> Result:
        """The fastest row inside the first-level cache."""
        return max(self.rates[: max(1, self.n_first_level)], key=lambda row: row.median)

    @property
    def operands(self) -> float:
        """Operands moved per element."""
        counts = self.groups[0].first.counts
        return counts["bytes"] / _OPERAND_BYTES / counts["elements"]

    @property
    def intensity(self) -> float:
        """Flops per operand."""
        counts = self.groups[0].first.counts
        return counts["flops"] / counts["elements"] / self.operands


def _working_set(point: Point) -> float:
    return float(point["working_set_bytes"])


def cache_levels(machine: Machine) -> list[tuple[str, float]]:
    """Name and size [B] of every data cache one core sees, nearest first."""
    return [
        (f"l{cache.level}", float(cache.size_bytes))
        for cache in sorted(machine.node.caches, key=lambda cache: cache.level)
        if cache.kind in {"data", "unified"} and cache.size_bytes
    ]


def explain(groups: Sequence[Group], results: Sequence[Result], machine: Machine) -> list[Result]:
    """Derived rows of all sweeps.

    Args:
        groups: all groups of the run.
        results: all rows so far, among them the clock and the peak of one core.
        machine: for the sizes of its caches.
    """
    levels = cache_levels(machine)
    derived: list[Result] = []
    for toolchain, sweeps in _sweeps(groups, results, levels).items():
        clock = best(find(results, "compute/peak", "clock_multiply", "clock", toolchain=toolchain))
        peak = best(
            find(results, "compute/peak", "fma_double", "flop_rate", cores=1, toolchain=toolchain)
        )
        operand_rate = max(
            (s.peak.median / s.intensity for s in sweeps if s.intensity > 0.0), default=0.0
        )
        limit = peak.median if peak else math.inf
        for sweep in sweeps:
            ideal = min(limit, sweep.intensity * operand_rate)
            derived += _level_rows(sweep, levels, ideal)
            if clock is not None:
                derived += _fit_rows(sweep, clock.median)
    return derived


def _sweeps(
    groups: Sequence[Group], results: Sequence[Result], levels: list[tuple[str, float]]
) -> dict[str, list[Sweep]]:
    rates = {
        (row.toolchain, row.region, tuple(row.point.items())): row
        for row in results
        if row.benchmark == NAME and row.metric == "flop_rate" and row.ranked and row.cores == 1
    }
    sets: dict[tuple[str, str, str], list[tuple[Group, Result]]] = {}
    for group in groups:
        one = group.first
        row = rates.get((one.toolchain, one.region, tuple(one.point.items())))
        if one.benchmark == NAME and one.cores == 1 and row is not None:
            key = (one.toolchain, one.region, str(one.point.get("access", "")))
            sets.setdefault(key, []).append((group, row))
    sweeps: dict[str, list[Sweep]] = {}
    for (toolchain, _, _), members in sets.items():
        members.sort(key=lambda member: _working_set(member[1].point))
        sweeps.setdefault(toolchain, []).append(_sweep(members, levels))
    return sweeps


def _sweep(members: list[tuple[Group, Result]], levels: list[tuple[str, float]]) -> Sweep:
    rows = tuple(row for _, row in members)
    sizes = [_working_set(row.point) for row in rows]
    end = find_drop(sizes, [row.median for row in rows])
    advertised = levels[0][1] if levels else sizes[-1]
    # A drop far beyond the advertised size is that of a later level: this one hid the first.
    measured = end if end is not None and end <= 2.0 * advertised else advertised
    return Sweep(tuple(group for group, _ in members), rows, measured)


def _level_rows(sweep: Sweep, levels: list[tuple[str, float]], ideal: float) -> list[Result]:
    """The best rate in every level, the ideal share in the first, and the first level's end."""
    access = {"access": sweep.rates[0].point.get("access", "")}
    rows = []
    low = 0.0
    # Half of an outer cache is filled by the data before, and an eighth beyond it still hits.
    bounds = [("l1", sweep.first_level_bytes), *((n, 0.75 * b) for n, b in levels[1:])]
    for name, high in bounds:
        inside = [row for row in sweep.rates if low < _working_set(row.point) <= high]
        if inside:
            top = max(inside, key=lambda row: row.median)
            share = top.median / ideal if name == "l1" and ideal > 0.0 else None
            rows.append(_copy(top, f"r_max_{name}", access, share))
        low = max(low, high)
    beyond = levels[-1][1] if levels else 0.0
    if _working_set(sweep.rates[-1].point) >= 2.0 * beyond:
        rows.append(_copy(sweep.rates[-1], "r_max_memory", access, None))
    end = sweep.first_level_bytes
    rows.append(
        derive(
            sweep.rates[0],
            "first_level_end",
            "B",
            "higher",
            (end, end, end),
            point=access,
            n=len(sweep.rates),
        )
    )
    return rows


def _copy(row: Result, metric: str, point: Point, share: float | None) -> Result:
    update = {
        "metric": metric,
        "point": point,
        "derived": True,
        "share_of_ceiling": share,
        "plausible": None,
    }
    return row.model_copy(update=update)


def _fit_rows(sweep: Sweep, clock_hz: float) -> list[Result]:
    n_fitted = sweep.n_first_level
    if n_fitted < _MINIMUM_POINTS:
        return []
    fitted = sweep.groups[:n_fitted]
    lengths = [float(group.first.point["n"]) for group in fitted]
    times = [np.concatenate([one.body_seconds for one in group.series]) for group in fitted]
    fit: VectorFit = fit_vector_length(lengths, times, clock_hz, seed=len(lengths))
    access = {"access": sweep.rates[0].point.get("access", "")}
    quantities = (
        ("latency", "cycle", (fit.latency_cycles, fit.latency_low, fit.latency_high)),
        (
            "cycles_per_element",
            "cycle",
            (fit.cycles_per_element, fit.cycles_low, fit.cycles_high),
        ),
        ("n_half", "element", (fit.n_half, fit.n_half_low, fit.n_half_high)),
    )
    return [
        derive(sweep.rates[0], metric, unit, "lower", values, point=access, n=n_fitted)
        for metric, unit, values in quantities
        if all(math.isfinite(value) for value in values)
    ]
