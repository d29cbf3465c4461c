"""Which caches a problem fits: its working set against the caches of the cores in use."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from heorot.analyse.templates.explain import BEGAN_TO_FIT, FITS_ON_NODES
from heorot.analyse.templates.quantities import exactly
from heorot.model.analysis.claims import Claim
from heorot.model.analysis.result import Result
from heorot.model.machine.machine import Machine
from heorot.model.run.identity import Setup
from heorot.model.run.plan import Step


@dataclass(frozen=True)
class Level:
    """The caches of one level.

    Attributes:
        name: such as `level-2 cache`.
        size_bytes: of one instance [B].
        cores: that share one instance.
    """

    name: str
    size_bytes: int
    cores: int
    instances: int

    def together(self, cores: int, nodes: int = 1) -> int:
        """The capacity for cores packed closely on each node [B]."""
        in_a_node = min(self.instances, math.ceil(cores / nodes / self.cores))
        return self.size_bytes * in_a_node * nodes


class Reach:
    """Knows the working sets of all cases and the caches of the machine.

    Args:
        steps: with the working set of each case, or else its memory requirement.
    """

    def __init__(self, steps: Iterable[Step], machine: Machine) -> None:
        self._bytes: Mapping[Setup, int] = {
            step.setup: step.working_set_bytes or step.memory_bytes for step in steps
        }
        self._levels = [
            Level(
                name=f"level-{cache.level} cache",
                size_bytes=cache.size_bytes,
                cores=machine.node.sharers(cache),
                instances=cache.n_instances,
            )
            for cache in sorted(machine.node.caches, key=lambda cache: cache.level)
            if cache.size_bytes and cache.kind != "instruction" and cache.level > 1
        ]

    def working_set(self, row: Result) -> int | None:
        """The working set of a row's case, all ranks together [B]."""
        return self._bytes.get(row.setup)

    def level_of(self, row: Result) -> str:
        """The nearest cache that holds the problem of a row, or `memory`; empty if unknown."""
        level = self._level_number(row)
        return "" if level is None else ([*self._names, "memory"])[level]

    def crossed(self, few: Result, many: Result) -> Claim | None:
        """The cache that a problem fits only on more cores or nodes; None if none."""
        before, after = self._level_number(few), self._level_number(many)
        if before is None or after is None or after >= before:
            return None
        level, spread = self._levels[after], many.nodes > few.nodes
        return (FITS_ON_NODES if spread else BEGAN_TO_FIT).claim(
            size=exactly(self.working_set(many) or 0, "B"),
            cache=level.name,
            many=many.nodes if spread else many.cores,
            room=exactly(level.together(many.cores, many.nodes), "B"),
            few=few.nodes if spread else few.cores,
            before=exactly(level.together(few.cores, few.nodes), "B"),
        )

    @property
    def _names(self) -> list[str]:
        return [level.name for level in self._levels]

    def _level_number(self, row: Result) -> int | None:
        """Number of the nearest level that holds the problem; one more than the last: memory."""
        size = self.working_set(row)
        if size is None or not self._levels:
            return None
        fitting = (
            number
            for number, level in enumerate(self._levels)
            if size <= level.together(row.cores, row.nodes)
        )
        return next(fitting, len(self._levels))
