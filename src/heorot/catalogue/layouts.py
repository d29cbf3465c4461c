"""How programs are laid out: on one core, as copies, by all cores together; over nodes."""

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
    """Cores of a node, and what is made of them.

    Attributes:
        name: of the case, such as `one_core`.
        copies: serial copies that run at once; 1 if it is one program.
        threads: of each.
        some: whether there are more cores on the node.
    """

    name: str
    copies: int = 1
    threads: int = 1
    some: bool = False

    @property
    def cores(self) -> int:
        """Cores used."""
        return self.copies * self.threads

    def case(self, options: Options, otherwise: Priority = "detail") -> Case:
        """The case with some options, not estimated yet.

        Args:
            otherwise: the priority of all layouts but that of one core, which has the headline, and
                those of copies on some cores, which are details.
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
        profile: the shorter ones are content with one core; None has both in any.
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
        cores: how many that are.
    """
    return (*(1 << i for i in range(cores.bit_length()) if 1 << i < cores), cores)


def ranks_on_each(
    machine: Machine, per_node: Sequence[int] = (), *, sharing: int = 0
) -> tuple[int, ...]:
    """How many ranks the nodes get, in turn, whatever program runs over them.

    Args:
        per_node: what is asked for; if nothing, full nodes come first, then nodes with one rank.
        sharing: so many nodes share out the ranks of a full one in between, if they can evenly; 0
            leaves that out.
    """
    cores = all_cores(machine)
    shared = (cores // sharing,) if sharing and cores % sharing == 0 else ()
    return tuple(dict.fromkeys(per_node or (cores, *shared, 1)))


def name_of(nodes: int, each: int) -> str:
    """What a layout over nodes is called, such as `4_nodes_32`: so many ranks on each."""
    return f"{plural(nodes, 'node')}_{each}".replace(" ", "_")


def one_core_and_all(machine: Machine, profile: Profile) -> tuple[Layout, ...]:
    """One core; in longer profiles a copy on every core too, and one program by all of them."""
    one, *copies = one_core_and_copies(machine, profile)
    together = [Layout("all_cores", threads=layout.copies) for layout in copies]
    return one, *copies, *together


def affordable(
    layout: Layout, sized: Callable[[int, Layout], Case], wanted: int, seconds: float
) -> Case:
    """The case of the wanted size, halved until it takes no longer than there is time.

    Args:
        sized: the case of a size [B], of all copies together, in a layout, estimated.
        wanted: the size if there is time enough [B].
        seconds: the time there is [s].
    """
    size = affordable_bytes(wanted, lambda each: sized(each, layout).needs.seconds, seconds)
    return sized(size, layout)
