"""Layouts of ranks and threads: one core, rate mode (copies), all cores together, several nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from heorot.catalogue.sizes import affordable_bytes, all_cores
from heorot.model.catalogue.benchmark import Case, Priority, Profile
from heorot.model.machine.machine import Machine
from heorot.units import plural

Options = dict[str, bool | int | float | str]
_LONGER: frozenset[Profile] = frozenset({"standard", "full"})


@dataclass(frozen=True)
class Layout:
    """A layout of ranks and threads on the cores of one node.

    Attributes:
        name: name of the case, such as `one_core`.
        copies: number of serial copies that run at the same time; 1 for a single program.
        threads: threads of each copy.
        some: whether cores of the node stay unused.
    """

    name: str
    copies: int = 1
    threads: int = 1
    some: bool = False

    @property
    def cores(self) -> int:
        """Number of cores used."""
        return self.copies * self.threads

    def case(self, options: Options, otherwise: Priority = "detail") -> Case:
        """The case of this layout with some options, without estimates.

        Args:
            otherwise: priority of layouts on all cores; one core is a headline, and copies on some
                of the cores are details.
        """
        if self.cores == 1:
            priority: Priority = "headline"
        else:
            priority = "detail" if self.some else otherwise
        return Case(
            name=self.name,
            options=options | ({"star": True} if self.copies > 1 else {}),
            ranks=self.copies,
            threads=self.threads,
            priority=priority,
        )


ONE_CORE = Layout("one_core")


def one_core_and_copies(machine: Machine, profile: Profile | None = None) -> tuple[Layout, ...]:
    """One core, and a copy on every core.

    Args:
        profile: short profiles have one core only; None stands for both layouts.
    """
    cores = all_cores(machine)
    if cores == 1 or (profile is not None and profile not in _LONGER):
        return (ONE_CORE,)
    return ONE_CORE, Layout("all_cores_copies", copies=cores)


def growing_copies(machine: Machine, profile: Profile) -> tuple[Layout, ...]:
    """Copies on every core; in longer profiles on 2, 4, ... of them first."""
    every = Layout("all_cores_copies", copies=all_cores(machine))
    some = [
        Layout(f"{copies}_copies", copies=copies, some=True)
        for copies in doubling(all_cores(machine))[1:-1]
        if profile in _LONGER
    ]
    return (*some, every) if every.copies > 1 else ()


def doubling(cores: int) -> tuple[int, ...]:
    """1, 2, 4, ... and all cores.

    Args:
        cores: the number of all cores.
    """
    return (*(1 << i for i in range(cores.bit_length()) if 1 << i < cores), cores)


def ranks_on_each(
    machine: Machine, per_node: Sequence[int] = (), *, sharing: int = 0
) -> tuple[int, ...]:
    """Numbers of ranks per node, in the order in which programs over nodes use them.

    Args:
        per_node: numbers that the user chose; by default full nodes first, then one rank per node.
        sharing: adds the ranks of a full node divided among so many nodes, if that is even; 0 adds
            nothing.
    """
    cores = all_cores(machine)
    shared = (cores // sharing,) if sharing and cores % sharing == 0 else ()
    return tuple(dict.fromkeys(per_node or (cores, *shared, 1)))


def name_of(nodes: int, each: int) -> str:
    """Name of a layout over nodes, such as `4_nodes_32`: 4 nodes with 32 ranks on each."""
    return f"{plural(nodes, 'node')}_{each}".replace(" ", "_")


def one_core_and_all(machine: Machine, profile: Profile) -> tuple[Layout, ...]:
    """One core; in longer profiles a copy on every core too, and one program by all of them."""
    one, *copies = one_core_and_copies(machine, profile)
    together = [Layout("all_cores", threads=layout.copies) for layout in copies]
    return one, *copies, *together


def affordable(
    layout: Layout, sized: Callable[[int, Layout], Case], wanted: int, seconds: float
) -> Case:
    """The case of the wanted size, halved until its estimate fits into the time.

    Args:
        sized: returns the estimated case of a layout with a size of all copies together [B].
        wanted: the largest size [B].
        seconds: the time limit [s].
    """
    size = affordable_bytes(wanted, lambda each: sized(each, layout).needs.seconds, seconds)
    return sized(size, layout)
