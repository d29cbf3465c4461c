"""Packs steps into jobs by the nodes that they need and by time limits; sets limits of jobs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from heorot.model.run.plan import Step, nodes_of

JOB_SECONDS = 120.0
"""Time of a job beyond that of its steps, since batch systems end jobs at their limits [s]."""
STEP_SECONDS = 5.0
"""Time of a step beyond `_PATIENCE` times its estimate [s]."""
_PATIENCE = 3.0


@dataclass(frozen=True)
class JobLimits:
    """Limits of jobs.

    Attributes:
        nodes: nodes of the largest job.
        batched: whether a job holds its nodes until it ends: steps with fewer nodes then get jobs
            of their own.
        limit_seconds: time limit of one job; None if there is none [s].
        notice_seconds: how long before its limit a job is signalled, as a function of the limit;
            None if it is not [s].
    """

    nodes: int
    batched: bool = False
    limit_seconds: float | None = None
    notice_seconds: Callable[[float], float] | None = None

    def nodes_of(self, steps: Sequence[Step]) -> int:
        """Nodes that a job of these steps needs: all nodes if a step runs on each of them."""
        if any(step.each_node for step in steps):
            return self.nodes
        return nodes_of(steps)

    def divide(self, steps: Sequence[Step]) -> list[list[Step]]:
        """Divide steps into jobs.

        All steps are one job, unless nodes would be idle during steps that do not need them, or
        the job would exceed its time limit.

        Args:
            steps: steps in the order in which they run.
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
        """Longest estimate of a launch that fits into a job; None without a limit [s]."""
        limit = self.limit_seconds
        return None if limit is None else (self._left(limit) - STEP_SECONDS) / _PATIENCE

    def limit_of(self, steps: Sequence[Step]) -> float:
        """Time limit that a job of these steps requests [s]."""
        wanted = JOB_SECONDS + _seconds_of(steps)
        wanted += self._notice(wanted)
        return min(wanted, self.limit_seconds) if self.limit_seconds else wanted

    def _notice(self, limit: float) -> float:
        return self.notice_seconds(limit) if self.notice_seconds else 0.0

    def _left(self, limit: float) -> float:
        """Time that a job with this limit has for its steps [s]."""
        return limit - JOB_SECONDS - self._notice(limit)


def devices_of(steps: Sequence[Step]) -> dict[str, int]:
    """Devices that a job of these steps needs on each of its nodes, by kind."""
    most: dict[str, int] = {}
    for step in steps:
        for each in step.devices:
            most[each.name] = max(each.n or 0, most.get(each.name, 0))
    return most


def _seconds_of(steps: Sequence[Step]) -> float:
    """Generous upper bound of the time of these steps [s]."""
    return sum(STEP_SECONDS + _PATIENCE * step.seconds for step in steps)
