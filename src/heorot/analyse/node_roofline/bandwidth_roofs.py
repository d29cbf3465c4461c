"""Bandwidth available to a working set of any size, on each core count that was measured.

Loops over a working set give two bandwidths: of fetched bytes only, and of fetched and written-back
bytes together. In L1d, bytes are those of loads and stores, and both are the same.
"""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass

from heorot.analyse.node_roofline.curves import SIZE
from heorot.analyse.node_roofline.roofs import bandwidth_rows, carried, fetched, published
from heorot.analyse.node_roofline.working_set_levels import CACHES, WorkingSetLevels, stated_bytes
from heorot.analyse.rows import capability
from heorot.analyse.statistics.envelope import Envelope
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.levels import LEVELS, MEMORY
from heorot.model.analysis.result import Result
from heorot.model.run.identity import Stack

# Relative variation of the bandwidth within a level.
_ALIKE = 1.15
# A working set larger than the last cache by this factor has a negligible part in it.
_FAR_BEYOND = 4.0


@dataclass(frozen=True)
class WorkingSetBandwidth:
    """The bandwidth available to a working set.

    Attributes:
        fetched: of bytes that are read [B/s].
        carried: of bytes that are read or written back [B/s].
    """

    fetched: float
    carried: float


class BandwidthRoofs:
    """The bandwidths available to working sets.

    Args:
        context: the run; of the references, `bandwidth_by_working_set` and the bandwidths of
            levels.
    """

    def __init__(self, context: Context) -> None:
        self._context, self._levels_of = context, WorkingSetLevels(context)
        self._curves: dict[tuple[int, Stack], list[tuple[Envelope, float]]] = {}
        self._levels: dict[tuple[str, int, Stack], WorkingSetBandwidth | None] = {}
        self._held: dict[tuple[str, int, Stack], float] = {}

    def at(
        self, working_set: float, cores: int, stack: Stack, level: str
    ) -> WorkingSetBandwidth | None:
        """The bandwidth for a working set; None if no such size or level was measured.

        Args:
            working_set: of each core [B].
            level: in which it is resident: for memory, loops without a size count, too.
        """
        key = (cores, stack)
        if key not in self._curves:
            self._curves[key] = self._measure(cores, stack)
        available = [(curve.at(working_set), part) for curve, part in self._curves[key]]
        if not available:
            return self._of_level(level, cores, stack)
        here = WorkingSetBandwidth(
            max(rate for rate, _ in available), max(rate * part for rate, part in available)
        )
        far = self._of_level(level, cores, stack) if level == MEMORY else None
        if far is None:
            return here
        return WorkingSetBandwidth(max(here.fetched, far.fetched), max(here.carried, far.carried))

    def bound(
        self, working_set: float, cores: int, stack: Stack, level: str
    ) -> WorkingSetBandwidth | None:
        """The largest possible bandwidth for a working set; None if no such size was measured.

        Of a working set somewhat larger than a cache, a part may stay there: at most the size of
        the cache; the rest comes from the next level. That part differs between loops, so that the
        bandwidth of one loop does not bound another.

        Args:
            working_set: of each core [B].
            level: in which it is resident.
        """
        available = self.at(working_set, cores, stack, level)
        # Bytes in L1d are those of operands, which are not comparable with cache traffic.
        nearer = LEVELS[1 : LEVELS.index(level)]
        near = next((each for each in nearer[::-1] if self._holds(each, cores, stack)), "")
        if available is None or not near:
            return available
        part = min(1.0, self._holds(near, cores, stack) / working_set)
        first, last = (self._of_level(each, cores, stack) for each in (near, level))
        if part <= 1.0 / _FAR_BEYOND or first is None or last is None:
            return available
        rates = zip(astuple(first), astuple(last), strict=True)
        mixed = [1.0 / (part / fast + (1.0 - part) / slow) for fast, slow in rates]
        return WorkingSetBandwidth(*map(max, astuple(available), mixed))

    def resident_levels(
        self, working_set: float, cores: int, stack: Stack, level: str
    ) -> tuple[str, str]:
        """The level in which a working set is resident, and the neighbour that holds a part of it.

        The bandwidth decides: at the neighbour's bandwidth, the set is resident in the neighbour;
        in between, it is resident partly in both. The neighbour is empty if one level holds all of
        it, or if the level was not measured.

        Args:
            working_set: of each core [B].
            level: in which it is resident by the measured ends of levels.
        """
        available = self.at(working_set, cores, stack, level)
        rates = {
            each: top.fetched
            for each in LEVELS
            for top in [self._of_level(each, cores, stack)]
            if top is not None
        }
        own = rates.get(level)
        if self._is_far(working_set, cores, stack):
            return MEMORY, ""
        if available is None or own is None or own / _ALIKE <= available.fetched <= own * _ALIKE:
            return level, ""
        slower, measured = available.fetched < own, [*rates]
        point = measured.index(level) + (1 if slower else -1)
        if not 0 <= point < len(measured):
            return level, ""
        neighbour = measured[point]
        is_there = (
            available.fetched <= rates[neighbour] * _ALIKE
            if slower
            else available.fetched >= rates[neighbour] / _ALIKE
        )
        return (neighbour, "") if is_there else (level, neighbour)

    def _is_far(self, working_set: float, cores: int, stack: Stack) -> bool:
        """Whether a working set is far larger than the caches that may hold parts of it."""
        most = max(self._holds(level, cores, stack) for level in CACHES)
        return working_set >= _FAR_BEYOND * most > 0.0

    def _holds(self, level: str, cores: int, stack: Stack) -> float:
        """The cache available to a core's working set, measured or documented, the larger [B]."""
        key = (level, cores, stack)
        if key not in self._held:
            seen = dict(self._levels_of.ends(cores, stack)).get(level, 0.0)
            known = stated_bytes(self._context.machine, level, cores)
            self._held[key] = max(seen if seen < math.inf else 0.0, known)
        return self._held[key]

    def _measure(self, cores: int, stack: Stack) -> list[tuple[Envelope, float]]:
        """The curve of every loop over its own sizes, and its carried bytes per fetched byte."""
        loops: dict[tuple[str, str], list[Result]] = {}
        for row in published(self._context, "bandwidth_by_working_set", stack):
            if row.cores == cores:
                loops.setdefault((row.case, row.region), []).append(row)
        return [
            (
                Envelope((float(row.point[SIZE]) / row.threads, capability(row)) for row in rows),
                carried(self._context, rows[0]) / capability(rows[0]),
            )
            for rows in loops.values()
        ]

    def _of_level(self, level: str, cores: int, stack: Stack) -> WorkingSetBandwidth | None:
        """The highest measured bandwidth of a level; None if it was not measured."""
        key = (level, cores, stack)
        if key not in self._levels:
            rows = bandwidth_rows(self._context, level, cores, stack)
            rates = [(fetched(self._context, row), carried(self._context, row)) for row in rows]
            self._levels[key] = (
                WorkingSetBandwidth(*map(max, zip(*rates, strict=True))) if rates else None
            )
        return self._levels[key]
