"""One node in depth, as the report shows it."""

from __future__ import annotations

from heorot.model.analysis.node_roofline.roofs import RooflinePoint, Roofs, Wall
from heorot.model.analysis.node_roofline.shares import (
    Contention,
    Efficiency,
    KernelPrediction,
    LevelPlateau,
)
from heorot.model.base import Record
from heorot.model.resource import Resource
from heorot.model.run.identity import Stack

DEPTH = "depth"
"""The family of sentences about a node in depth."""


class NodeRoofline(Record):
    """One node in depth.

    Attributes:
        roofs: of every number of cores whose peak was measured, by toolchain.
        points: of all regions with flops and bytes, below the roofs of as many cores.
        n_elsewhere: regions that ran on numbers of cores whose roofs were not measured.
        walls: how much must be computed for each byte, nearest level first.
        efficiencies: the best rate of every program, on every number of cores.
    """

    roofs: tuple[Roofs, ...] = ()
    points: tuple[RooflinePoint, ...] = ()
    n_elsewhere: int = 0
    walls: tuple[Wall, ...] = ()
    predictions: tuple[KernelPrediction, ...] = ()
    contentions: tuple[Contention, ...] = ()
    level_plateaus: tuple[LevelPlateau, ...] = ()
    efficiencies: tuple[Efficiency, ...] = ()

    def roofs_of(self, of: Resource, stack: Stack) -> Roofs | None:
        """The roofs of so many cores; of the first stack that has any if this one has none."""
        found = [each for each in self.roofs if each.of == of]
        own = [each for each in found if each.stack == stack]
        return next(iter(own or found), None)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to show."""
        parts = (
            self.roofs,
            self.predictions,
            self.contentions,
            self.level_plateaus,
            self.efficiencies,
        )
        return not any(parts)
