"""How the ranks of a program that any number of them can run are laid out on nodes."""

from __future__ import annotations

from dataclasses import dataclass

from heorot.catalogue.sizes import all_cores
from heorot.model.catalogue.benchmark import Profile
from heorot.model.machine.machine import Machine

# A first look has what stands on the score card: everything else would cost it its brevity.
THOROUGH: tuple[Profile, ...] = ("standard", "full")


@dataclass(frozen=True)
class Layout:
    """So many ranks on so many nodes, under a name that a benchmark has once.

    Attributes:
        name: such as `all_cores`, `4_nodes_1` or `4_nodes_32`: nodes, ranks on each.
        ranks: in all.
        nodes: over which they are spread evenly.
    """

    name: str
    ranks: int
    nodes: int = 1

    @property
    def is_full(self) -> bool:
        """Whether every core of a node has a rank."""
        return not self.name.endswith("_1")


def inside(machine: Machine) -> Layout:
    """A rank on every core of a node; two ranks at least, which a single core is too few for."""
    return Layout("all_cores", max(2, all_cores(machine)))


def over(machine: Machine, nodes: int) -> tuple[Layout, ...]:
    """A rank on every core of several nodes, and one on each: what sharing a network card costs."""
    cores = all_cores(machine)
    one_each = Layout(f"{nodes}_nodes_1", nodes, nodes)
    if cores == 1:
        return (one_each,)
    return (Layout(f"{nodes}_nodes_{cores}", nodes * cores, nodes), one_each)
