"""Nodes of equal hardware, and the two nodes of a pair."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from heorot.model.analysis.studies.nodes import NodeKind
from heorot.model.machine.machine import Machine, Node
from heorot.model.run.records import PAIRED
from heorot.units import format_binary

_TWO = 2


@dataclass(frozen=True)
class Hardware:
    """The kinds of the measured nodes.

    Attributes:
        kinds: those that have measured nodes, in the order of the machine; unknown nodes last.
        kind_of: index of its kind by host name.
    """

    kinds: tuple[NodeKind, ...]
    kind_of: Mapping[str, int]


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sorts `n2` before `n10`."""
    return tuple(
        (1, int(part), "") if part.isdecimal() else (0, 0, part)
        for part in re.split(r"(\d+)", name)
        if part
    )


def find_hardware(machine: Machine, hosts: Iterable[str]) -> Hardware:
    """Sort hosts by the kinds of the machine.

    A host that the machine does not list has the kind of all others if there is only one: its
    description may be that of a single node.
    """
    listed = {
        spelling: number
        for number, node in enumerate(machine.nodes)
        for name in node.names
        for spelling in (name, _short(name))
    }
    unknown = 0 if len(machine.nodes) == 1 else len(machine.nodes)
    members: dict[int, list[str]] = {}
    for host in sorted(dict.fromkeys(hosts), key=natural):
        number = listed.get(host, listed.get(_short(host), unknown))
        members.setdefault(number, []).append(host)
    names = [*_distinguish(machine.nodes), "not described"]
    places = sorted(members)
    kinds = tuple(
        NodeKind(name=names[number] if len(places) > 1 else "", nodes=tuple(members[number]))
        for number in places
    )
    return Hardware(kinds, {host: k for k, kind in enumerate(kinds) for host in kind.nodes})


def split_pairs(pairs: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The two hosts of every pair, such as `n1` and `n2` of `n1/n2`.

    Args:
        pairs: as the coordinate names them; coordinates without two hosts are left out.
    """
    parted = {pair: pair.split(PAIRED) for pair in pairs}
    return {pair: (hosts[0], hosts[1]) for pair, hosts in parted.items() if len(hosts) == _TWO}


def _short(name: str) -> str:
    """A host's name without its domain."""
    return name.partition(".")[0]


def _distinguish(nodes: Sequence[Node]) -> list[str]:
    """A name for each kind: its processor, with the memory or a number where needed."""
    names = [node.processor.model or node.processor.isa for node in nodes]
    sizes = [
        f"{name}, {format_binary(node.memory.total_bytes)}" if node.memory.total_bytes else name
        for name, node in zip(names, nodes, strict=True)
    ]
    if len(set(names)) == len(names):
        return names
    if len(set(sizes)) == len(sizes):
        return sizes
    return [f"{size}, kind {number}" for number, size in enumerate(sizes, 1)]
