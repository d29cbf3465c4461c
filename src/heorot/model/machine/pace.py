"""Measured speed of a machine: scales estimates of time, and nothing else."""

from __future__ import annotations

from pydantic import Field

from heorot.model.base import Record


class Pace(Record):
    """Speed of a node by a short calibration; without one, that of a slow node.

    Attributes:
        scalar_speed: speed of a core at dependent operations, relative to the core that estimates
            are written for.
        vector_speed: the same for operations on full vector registers.
        busy_share: share of a core's speed that remains while all of them work.
        core_bandwidth: copy bandwidth of one core beyond its caches, read and written [B/s].
        node_bandwidth: copy bandwidth of all usable cores together [B/s].
    """

    scalar_speed: float = Field(default=1.0, gt=0.0)
    vector_speed: float = Field(default=1.0, gt=0.0)
    busy_share: float = Field(default=1.0, gt=0.0, le=1.0)
    core_bandwidth: float = Field(default=10e9, gt=0.0)
    node_bandwidth: float = Field(default=15e9, gt=0.0)

    def speed(self, cores: int, *, vector: bool = False) -> float:
        """Speed of each of n busy cores, relative to the core of the estimates."""
        alone = self.vector_speed if vector else self.scalar_speed
        return alone * (self.busy_share if cores > 1 else 1.0)

    def bandwidth(self, cores: int) -> float:
        """Copy bandwidth of n busy cores together [B/s]."""
        if cores == 1:
            return self.core_bandwidth
        return min(cores * self.core_bandwidth, max(self.node_bandwidth, self.core_bandwidth))
