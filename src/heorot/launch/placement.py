"""CPUs of each rank: distinct cores if there are enough, else all of them."""

from __future__ import annotations

from collections.abc import Callable

from heorot.model.machine.cores import Core
from heorot.model.machine.cpulist import parse_cpulist
from heorot.model.machine.machine import Node

CpuSet = tuple[int, ...]

# Domains in which the cores of a rank lie together, the smallest first.
_NEAR: tuple[Callable[[Core], tuple[int | None, ...]], ...] = (
    lambda core: (core.socket, core.domain),
    lambda core: (core.domain,),
    lambda core: (core.socket,),
    lambda _: (),
)


def place(node: Node, ranks: int, threads: int, kind: str = "") -> tuple[CpuSet, ...]:
    """The CPUs of each rank, in order of ranks; empty if there are not enough cores to bind.

    Ranks are packed closely. A rank that fits a NUMA domain has all its cores in one, as long as
    one has enough left; the remaining cores of the domains go to the last ranks.

    Args:
        threads: threads per rank, one core each.
        kind: kind of the cores; empty for any.
    """
    cores = [core for core in node.usable_cores if kind in {"", core.kind}]
    if ranks * threads > min(len(cores), node.limits.n_usable_cores):
        return ()
    found: list[tuple[int, ...]] = []
    free = list(range(len(cores)))
    for near in _NEAR:
        groups: dict[tuple[int | None, ...], list[int]] = {}
        for number in free:
            groups.setdefault(near(cores[number]), []).append(number)
        for group in groups.values():
            while len(group) >= threads and len(found) < ranks:
                found.append(tuple(group[:threads]))
                del group[:threads]
        free = sorted(number for group in groups.values() for number in group)
    return tuple(
        tuple(cpu for number in own for cpu in cores[number].cpus) for own in sorted(found)
    )


def allowed_cpus(node: Node) -> CpuSet:
    """The hardware threads this process may use, in order."""
    if node.limits.allowed_cpus:
        return tuple(sorted(parse_cpulist(node.limits.allowed_cpus)))
    return tuple(sorted(cpu for core in node.usable_cores for cpu in core.cpus))
