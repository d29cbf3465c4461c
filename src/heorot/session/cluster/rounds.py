"""Rounds in which each node of an allocation runs a case by itself, or with the next one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heorot.model.catalogue.benchmark import Profile
from heorot.plan.candidate import HostNumbers

Rounds = tuple[tuple[HostNumbers, ...], ...]


def rounds_of(
    nodes_of_case: int, nodes: int, at_once: int | None, profile: Profile
) -> Iterator[tuple[str, Rounds]]:
    """Names of the copies of a case, and the rounds in which they run at the same time.

    Simultaneous copies show the effect of resources shared by nodes, such as power. Sequential
    copies show each node by itself, but take time in proportion to the nodes: only long profiles do
    both.

    Args:
        nodes_of_case: 1, or 2 for pairs of neighbours.
        nodes: of the allocation, at least 2.
        at_once: maximum number of nodes that measure at the same time; None for all.
    """
    every = _pairs(nodes) if nodes_of_case > 1 else ([(number,) for number in range(nodes)],)
    name = "every_pair" if nodes_of_case > 1 else "every_node"
    if not any(every):
        return
    together = max(1, (at_once or nodes) // nodes_of_case)
    yield name, _in_chunks(every, together)
    if together > 1 and profile in {"standard", "full"}:
        yield f"{name}_in_turn", _in_chunks(every, 1)


def _pairs(nodes: int) -> tuple[list[HostNumbers], ...]:
    """Every node with the next one, in a ring: sets of disjoint pairs."""
    if nodes == 2:  # noqa: PLR2004 - the one pair is a case of its own
        return ([],)
    ring: list[HostNumbers] = [(number, (number + 1) % nodes) for number in range(nodes)]
    even = nodes - nodes % 2
    return ring[0:even:2], ring[1:even:2], ring[even:]


def _in_chunks(sets: Sequence[Sequence[HostNumbers]], n: int) -> Rounds:
    return tuple(
        tuple(places[first : first + n]) for places in sets for first in range(0, len(places), n)
    )
