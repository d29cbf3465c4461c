"""How fast a machine seems: what estimates of time are scaled by, and nothing else."""

from __future__ import annotations

from pydantic import Field

from heorot.model.base import Record


class Pace(Record):
    """How fast a node seems at a first glance; without a glance, like one that is not fast.

    Attributes:
        scalar_speed: of a core at one operation after the other, in multiples of the core that
            estimates are written for.
        vector_speed: the same at operations on full vector registers.
        busy_share: what a core keeps of its speed while all of them work.
        core_bandwidth: what one core copies beyond its caches, read and written [B/s].
        node_bandwidth: what all usable cores copy together [B/s].
    """

    scalar_speed: float = Field(default=1.0, gt=0.0)
    vector_speed: float = Field(default=1.0, gt=0.0)
    busy_share: float = Field(default=1.0, gt=0.0, le=1.0)
    core_bandwidth: float = Field(default=10e9, gt=0.0)
    node_bandwidth: float = Field(default=15e9, gt=0.0)

    def speed(self, cores: int, *, vector: bool = False) -> float:
        """Of each of so many cores at work, as a multiple of the core of the estimates."""
        alone = self.vector_speed if vector else self.scalar_speed
        return alone * (self.busy_share if cores > 1 else 1.0)

    def bandwidth(self, cores: int) -> float:
        """What so many cores copy together [B/s]."""
        if cores == 1:
            return self.core_bandwidth
        return min(cores * self.core_bandwidth, max(self.node_bandwidth, self.core_bandwidth))
