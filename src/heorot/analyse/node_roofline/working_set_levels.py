"""Tells in which level of the memory a working set lives.

Where the levels end is taken from what others publish: the working sets on which a level was seen
to end, on one core and on all of them, each with arrays of its own. Where no end was seen, what the
machine tells of its caches stands in: what falls to each core of those that share one.
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
    """Knows where working sets live.

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
        """What each core of a row goes over [B]; None if neither the row nor its case tells.

        Threads have equal parts of what their rank goes over. Ranks that solve one problem, the
        size of which is the same however many they are, have equal parts of that.
        """
        own = row.point.get("working_set_bytes")
        if own is not None and not isinstance(own, str):
            together = row.benchmark in self._divided and not row.is_star
            return float(own) / row.threads / (row.ranks if together else 1)
        planned = self._planned.get(row.setup)
        return planned / row.cores if planned else None

    def home(self, working_set: float, cores: int, stack: Stack) -> str:
        """The nearest level that holds it, in which levels and memory are LEVELS.

        Args:
            working_set: of each core [B].
            cores: so many are busy.
            stack: whose measurements come first.
        """
        for level, end in self.ends(cores, stack):
            if working_set < end:
                return level
        return MEMORY

    def ends(self, cores: int, stack: Stack) -> tuple[tuple[str, float], ...]:
        """The caches and the first working set of a core that each does not hold [B]."""
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
                # What one core was seen to have, as far as the others leave it to it.
                stated_alone = stated_bytes(machine, level, 1)
                seen = alone * (stated / stated_alone if stated_alone else 1.0)
            end = seen if seen is not None else min(stated, memory)
            if end > last:
                yield level, end
                last = end

    def _measured(self, name: str, cores: int, stack: Stack) -> float | None:
        rows = published(self._context, name, stack)
        return max((row.ci_high for row in rows if row.cores == cores), default=None)


def stated_bytes(machine: Machine, level: str, cores: int) -> float:
    """What falls to each of so many cores, packed closely, of the caches of a level [B].

    Where cores have unlike caches, it is what the one with least of it has.

    Args:
        level: such as L3.
        cores: so many are busy.
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
    # A record that does not tell which core has which cache tells how many share one.
    stated = (cache.plausible_bytes / min(node.sharers(cache), cores) for cache in caches)
    return min(shares, default=max(stated, default=0.0))
