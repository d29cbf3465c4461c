"""Layouts of a program's ranks on nodes, and the cases with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from heorot.catalogue.layouts import name_of, ranks_on_each
from heorot.catalogue.sizes import all_cores
from heorot.model.catalogue.benchmark import Case, OverNodes, Priority, Profile
from heorot.model.machine.machine import Machine
from heorot.model.point import Scalar

# Other profiles have only the headlines that every reader needs, to stay short.
THOROUGH: tuple[Profile, ...] = ("standard", "full")


@dataclass(frozen=True)
class Layout:
    """A number of ranks on a number of nodes, under a name that is unique in a benchmark.

    Attributes:
        name: such as `all_cores`, `4_nodes_1` or `4_nodes_32`: nodes, ranks on each.
        ranks: in all.
        nodes: over which they are spread evenly.
    """

    name: str
    ranks: int
    nodes: int = 1
    threads: int = 1

    def case(
        self,
        options: Mapping[str, bool | Scalar],
        *,
        name: str = "",
        priority: Priority = "detail",
    ) -> Case:
        """A case with a core for every thread; its other needs are estimated later."""
        return Case(
            name=name or self.name,
            options=dict(options),
            ranks=self.ranks,
            threads=self.threads,
            nodes=self.nodes,
            priority=priority,
        )


Make = Callable[[Machine, Profile, Layout], Iterable[Case]]
"""The cases of a layout."""

PAIR = Layout("two_ranks", 2)
PAIR_OF_NODES = Layout("two_nodes", 2, 2)


def all_ranks(machine: Machine) -> Layout:
    """A rank on every core of a node; at least two ranks, too many for a single core."""
    return Layout("all_cores", max(2, all_cores(machine)))


def every_core(machine: Machine, profile: Profile) -> tuple[Layout, ...]:
    """A rank on every core of a node, in every profile."""
    del profile
    return (all_ranks(machine),)


def pair(machine: Machine, profile: Profile) -> tuple[Layout, ...]:
    """Two ranks in a node, whatever the machine and the profile."""
    del machine, profile
    return (PAIR,)


def filled(machine: Machine, nodes: int, per_node: Sequence[int]) -> tuple[Layout, ...]:
    """Numbers of ranks per node, in turn, for the cost of a shared adapter; at least two in all."""
    return tuple(
        Layout(name_of(nodes, each), nodes * each, nodes)
        for each in ranks_on_each(machine, per_node)
        if nodes * each > 1
    )


def pair_of_nodes(machine: Machine, nodes: int, per_node: Sequence[int]) -> tuple[Layout, ...]:
    """A rank on each of two nodes; more nodes are left out, and so are fuller ones."""
    del machine, per_node
    return (PAIR_OF_NODES,) if nodes == PAIR_OF_NODES.nodes else ()


def powers_below(most: int, profile: Profile) -> list[int]:
    """The numbers of ranks 2, 4, 8... below the most, if time allows, for the scaling."""
    if profile not in THOROUGH:
        return []
    return [1 << power for power in range(1, most.bit_length()) if 1 << power < most]


def inside(
    make: Make, layouts: Callable[[Machine, Profile], Iterable[Layout]] = every_core
) -> Callable[[Machine, Profile], tuple[Case, ...]]:
    """Cases of a benchmark in a node: its `cases`."""
    return lambda machine, profile: _make_all(make, machine, profile, layouts(machine, profile))


def between(
    make: Make, layouts: Callable[[Machine, int, Sequence[int]], Iterable[Layout]] = filled
) -> OverNodes:
    """Cases of a benchmark on several nodes: its `over_nodes`.

    Args:
        layouts: on a number of nodes, by the ranks that each gets.
    """
    return lambda machine, profile, nodes, per_node=(): _make_all(
        make, machine, profile, layouts(machine, nodes, per_node)
    )


def _make_all(
    make: Make, machine: Machine, profile: Profile, layouts: Iterable[Layout]
) -> tuple[Case, ...]:
    return tuple(case for layout in layouts for case in make(machine, profile, layout))
