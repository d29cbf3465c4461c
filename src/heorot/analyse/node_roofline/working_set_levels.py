"""Finds the memory level in which a working set is resident.

The ends of levels are published measurements: the working sets at which a level ended, on one core
and on all cores with separate arrays. Without a measured end, the documented cache size is used:
each core's part of a cache shared by several.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from heorot.analyse.node_roofline.roofs import published
from heorot.model.analysis.context import Context
from heorot.model.analysis.node_roofline.levels import LEVELS, MEMORY
from heorot.model.analysis.result import Result
from heorot.model.machine.cpulist import parse_cpulist
from heorot.model.machine.machine import Machine
from heorot.model.run.identity import Setup, Stack

CACHES = tuple(level for level in LEVELS if level != MEMORY)


class WorkingSetLevels:
    """The levels in which working sets are resident.

    Args:
        context: the run; of the references, `end_l1` and so on and `begin_memory`.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._divided = {name for name, one in context.benchmarks.items() if one.size is not None}
        self._planned: dict[Setup, int] = {
            step.setup: step.working_set_bytes or step.memory_bytes for step in context.steps
        }
        self._ends: dict[tuple[int, Stack], tuple[tuple[str, float], ...]] = {}

    def working_set(self, row: Result) -> float | None:
        """The working set of each core of a row [B]; None if neither the row nor its case has it.

        Threads have equal parts of their rank's working set. Ranks that solve one problem of fixed
        size have equal parts of that.
        """
        own = row.point.get("working_set_bytes")
        if own is not None and not isinstance(own, str):
            together = row.benchmark in self._divided and not row.is_star
            return float(own) / row.threads / (row.ranks if together else 1)
        planned = self._planned.get(row.setup)
        return planned / row.cores if planned else None

    def level_of(self, working_set: float, cores: int, stack: Stack) -> str:
        """The nearest level that holds it, where levels and memory are LEVELS.

        Args:
            working_set: of each core [B].
            cores: number of busy cores.
            stack: whose measurements are preferred.
        """
        for level, end in self.ends(cores, stack):
            if working_set < end:
                return level
        return MEMORY

    def ends(self, cores: int, stack: Stack) -> tuple[tuple[str, float], ...]:
        """The caches, and for each the smallest working set of a core that does not fit [B]."""
        key = (cores, stack)
        if key not in self._ends:
            self._ends[key] = tuple(self._find(cores, stack))
        return self._ends[key]

    def _find(self, cores: int, stack: Stack) -> Iterator[tuple[str, float]]:
        memory = self._measured(f"begin_{MEMORY}", cores, stack) or math.inf
        last, machine = 0.0, self._context.machine
        for level in CACHES:
            stated = stated_bytes(machine, level, cores)
            seen = self._measured(f"end_{level.lower()}", cores, stack)
            alone = self._measured(f"end_{level.lower()}", 1, stack)
            if seen is None and alone is not None:
                # The measured capacity of one core, as far as other busy cores leave it.
                nominal_of_one_core = stated_bytes(machine, level, 1)
                seen = alone * (stated / nominal_of_one_core if nominal_of_one_core else 1.0)
            end = seen if seen is not None else min(stated, memory)
            if end > last:
                yield level, end
                last = end

    def _measured(self, name: str, cores: int, stack: Stack) -> float | None:
        rows = published(self._context, name, stack)
        return max((row.ci_high for row in rows if row.cores == cores), default=None)


def stated_bytes(machine: Machine, level: str, cores: int) -> float:
    """Each core's part of the caches of a level, with cores packed closely [B].

    Where cores have unlike caches, the smallest part.

    Args:
        level: such as L3.
        cores: number of busy cores.
    """
    node = machine.node
    caches = [c for c in node.caches if c.kind != "instruction" and f"L{c.level}" == level]
    busy = [set(core.cpus) for core in node.usable_cores[:cores]]
    shares = [
        cache.plausible_bytes / n
        for cache in caches
        for cpus in map(parse_cpulist, cache.cpu_sets)
        if (n := sum(not cpus.isdisjoint(core) for core in busy))
    ]
    # A record without the cache of each core has the number of cores that share one.
    stated = (cache.plausible_bytes / min(node.sharers(cache), cores) for cache in caches)
    return min(shares, default=max(stated, default=0.0))
