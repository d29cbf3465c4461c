"""Packs steps into jobs: as many as nodes and time limits ask for, and what each may take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from heorot.model.run.plan import Step, nodes_of

JOB_SECONDS = 120.0
"""What a job may take beyond its steps: batch systems end jobs without asking [s]."""
STEP_SECONDS = 5.0
"""What a step may take beyond its estimate, with which there is patience, too [s]."""
_PATIENCE = 3.0


@dataclass(frozen=True)
class JobLimits:
    """What jobs may have.

    Attributes:
        nodes: so many the largest takes.
        batched: whether nodes wait for a job to end: then those that a step does not need go.
        limit_seconds: of one job; None for any time [s].
        notice_seconds: how long before its limit a job is told that its time is up, by the limit;
            None if it is not [s].
    """

    nodes: int
    batched: bool = False
    limit_seconds: float | None = None
    notice_seconds: Callable[[float], float] | None = None

    def nodes_of(self, steps: Sequence[Step]) -> int:
        """Nodes that a job of these steps needs: all of them to find each node again."""
        if any(step.each_node for step in steps):
            return self.nodes
        return nodes_of(steps)

    def divide(self, steps: Sequence[Step]) -> list[list[Step]]:
        """Steps as jobs.

        There is one, unless nodes would wait for steps that do not need them, or its time would be
        more than a job may take.

        Args:
            steps: in the order they are to run.
        """
        if not self.batched:
            return [list(steps)]
        limit = self.limit_seconds or float("inf")
        jobs: list[list[Step]] = []
        for nodes in sorted({self.nodes_of([step]) for step in steps}):
            left = 0.0
            for step in (one for one in steps if self.nodes_of([one]) == nodes):
                needed = _seconds_of([step])
                # A wave stays together: its steps run at the same time.
                in_wave = step.wave and jobs and jobs[-1][-1].wave == step.wave
                if needed > left and not in_wave:
                    jobs.append([])
                    left = self._left(limit)
                jobs[-1].append(step)
                left -= needed
        return jobs

    @property
    def longest_seconds(self) -> float | None:
        """What one launch may take at most by its estimate; None for any time [s]."""
        limit = self.limit_seconds
        return None if limit is None else (self._left(limit) - STEP_SECONDS) / _PATIENCE

    def limit_of(self, steps: Sequence[Step]) -> float:
        """What a job of these steps asks for [s]."""
        wanted = JOB_SECONDS + _seconds_of(steps)
        wanted += self._notice(wanted)
        return min(wanted, self.limit_seconds) if self.limit_seconds else wanted

    def _notice(self, limit: float) -> float:
        return self.notice_seconds(limit) if self.notice_seconds else 0.0

    def _left(self, limit: float) -> float:
        """What a job of this limit has for its steps [s]."""
        return limit - JOB_SECONDS - self._notice(limit)


def devices_of(steps: Sequence[Step]) -> dict[str, int]:
    """Devices that a job of these steps needs on each of its nodes, by kind."""
    most: dict[str, int] = {}
    for step in steps:
        for each in step.devices:
            most[each.name] = max(each.n or 0, most.get(each.name, 0))
    return most


def _seconds_of(steps: Sequence[Step]) -> float:
    """What these steps may take, generously [s]."""
    return sum(STEP_SECONDS + _PATIENCE * step.seconds for step in steps)
