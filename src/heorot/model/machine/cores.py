"""The cores of a node: one record for counting, placing and binding ranks, and for judging them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from heorot.model.base import Count, Record
from heorot.model.machine.cpulist import parse_cpulist


class Cores(Record):
    """Cores of one kind in one socket and one NUMA domain.

    Attributes:
        kind: distinguishes them from the other cores of the node, such as `P-core`; empty if all
            cores are alike.
        socket: their processor package, counted from 0; None if unknown.
        domain: the kernel's number of their NUMA domain; None if unknown.
        cpus: CPU list of each core: its hardware threads that are on line.
    """

    kind: str = ""
    socket: Count | None = None
    domain: Count | None = None
    cpus: tuple[str, ...]


@dataclass(frozen=True)
class Core:
    """A physical core.

    Attributes:
        cpus: its hardware threads, in order.
        kind: as in `Cores`.
        socket: as in `Cores`.
        domain: as in `Cores`.
    """

    cpus: tuple[int, ...]
    kind: str = ""
    socket: int | None = None
    domain: int | None = None


def each_core(groups: Iterable[Cores], cpus: Collection[int] | None = None) -> tuple[Core, ...]:
    """The cores in order, each with its hardware threads among the given CPUs.

    Returns:
        A core without any of these CPUs is left out.
    """
    found = []
    for group in groups:
        for text in group.cpus:
            threads = parse_cpulist(text)
            chosen = sorted(threads if cpus is None else threads.intersection(cpus))
            if chosen:
                found.append(Core(tuple(chosen), group.kind, group.socket, group.domain))
    return tuple(found)
