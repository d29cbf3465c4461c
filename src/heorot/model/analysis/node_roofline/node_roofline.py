"""The roofline analysis of one node, for the report."""

from __future__ import annotations

from heorot.model.analysis.node_roofline.roofs import MachineBalance, RooflinePoint, Roofs
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
"""The family of sentences about the roofline of a node."""


class NodeRoofline(Record):
    """The roofline analysis of one node.

    Attributes:
        roofs: of every core count with a measured peak, by toolchain.
        points: of all regions with flops and bytes, under the roofs of their core count.
        n_elsewhere: regions on core counts without measured roofs.
        balances: machine balances, nearest level first.
        efficiencies: the best rate of every program, on every core count.
    """

    roofs: tuple[Roofs, ...] = ()
    points: tuple[RooflinePoint, ...] = ()
    n_elsewhere: int = 0
    balances: tuple[MachineBalance, ...] = ()
    predictions: tuple[KernelPrediction, ...] = ()
    contentions: tuple[Contention, ...] = ()
    level_plateaus: tuple[LevelPlateau, ...] = ()
    efficiencies: tuple[Efficiency, ...] = ()

    def roofs_of(self, of: Resource, stack: Stack) -> Roofs | None:
        """The roofs of a core count; those of the first stack with any if this one has none."""
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
