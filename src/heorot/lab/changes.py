"""Faults and repairs of a lab's nodes: kill, cut off, heal, change of links."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from heorot.errors import UsageError
from heorot.lab import lifecycle, network, site, storage
from heorot.lab.client import SUPERVISOR, LabClient
from heorot.lab.model import HEAD, LabNode, Laboratory, Link
from heorot.lab.slurm import daemons, users
from heorot.lab.switch import Switch, wiring_for


def kill(name: str, node: str) -> bool:
    """Kill a node with all its processes; returns whether it was alive.

    Raises:
        UsageError: there is no such lab or node.
    """
    directory = storage.directory_of(name)
    with storage.locked(directory):
        known(storage.load(name), [node])
        client = LabClient(directory)
        was_alive = client.lives(node)
        client.operate(SUPERVISOR, "kill", nodes=[node])
        return was_alive


def cut(name: str, node: str) -> bool:
    """Take a node's link down; returns whether it was up.

    Raises:
        UsageError: there is no such lab or node, or it is dead.
    """
    directory = storage.directory_of(name)
    with storage.locked(directory):
        laboratory = storage.load(name)
        (found,) = known(laboratory, [node])
        changed = _changed(found, is_cut=True)
        client = _living(directory, [found])
        network.set_links(laboratory, client, [changed])
        storage.save(directory, _with(laboratory, [changed]))
        return not found.link.is_cut


def heal(name: str, node: str, switch: Switch) -> list[str]:
    """Restart a node, reconnect it and return it to Slurm; returns the actions taken.

    Raises:
        UsageError: there is no such lab or node.
        SetupError: the kernel refuses, or a daemon does not start.
    """
    directory = storage.directory_of(name)
    with storage.locked(directory):
        laboratory = storage.load(name)
        (found,) = known(laboratory, [node])
        changed = _changed(found, is_cut=False)
        laboratory = _with(laboratory, [changed])
        client = LabClient(directory)
        done = []
        if not client.lives(node):
            client.operate(SUPERVISOR, "start", nodes={node: changed.cpus})
            network.disconnect(client, changed)
            network.connect(laboratory, client, [changed])
            done.append("started")
        elif found.link.is_cut:
            network.set_links(laboratory, client, [changed])
            done.append("connected")
        storage.save(directory, laboratory)
        switch.follow(laboratory, client)
        if laboratory.slurm:
            done += daemons.heal(laboratory, client, changed)
        return done


def unwell(name: str) -> dict[str, str]:
    """The faults of a lab's nodes: `dead`, `cut off`, or a state such as `drained in Slurm`.

    Returns:
        the fault by the node's name; healthy nodes are left out.

    Raises:
        UsageError: there is no such lab.
    """
    laboratory = storage.load(name)
    client = LabClient(storage.directory_of(name))
    found = {node.name: "cut off" for node in laboratory.everyone if node.link.is_cut}
    found |= {node.name: "dead" for node in laboratory.everyone if not client.lives(node.name)}
    if laboratory.slurm and HEAD not in found:  # without the head, Slurm does not answer
        for node, state in daemons.states(client).items():
            if not daemons.is_well(state):
                found.setdefault(node, f"{state} in Slurm")
    return found


def shape(
    name: str, nodes: Sequence[str], switch: Switch, changes: dict[str, float | None]
) -> None:
    """Change the links of nodes.

    Args:
        nodes: their names; empty for all but the head.
        switch: source of a delaying switch, if the kernel cannot delay.

    Raises:
        UsageError: there is no such lab or node, or a node is dead.
        SetupError: the kernel refuses, or the switch cannot be made.
    """
    directory = storage.directory_of(name)
    with storage.locked(directory):
        laboratory = storage.load(name)
        if HEAD in nodes:
            raise UsageError("the head's link is not shaped", "name nodes such as n1")
        found = known(laboratory, nodes) if nodes else list(laboratory.nodes)
        client = _living(directory, found)
        reshaped = [_changed(node, **changes) for node in found]
        before, laboratory = laboratory, _with(laboratory, reshaped)
        slowest = max(node.link.latency_seconds for node in laboratory.nodes)
        wiring = wiring_for(client, Link(latency_seconds=slowest))
        laboratory = laboratory.model_copy(update={"wiring": wiring})
        whole = wiring != before.wiring or network.is_slowed(before) != network.is_slowed(
            laboratory
        )
        affected = laboratory.everyone if whole else reshaped
        alive = [node for node in affected if client.lives(node.name)]
        for node in alive:
            network.clear(client, node)
        network.adjust(laboratory, client, alive)
        switch.follow(laboratory, client)
        storage.save(directory, laboratory)
        site.write(directory, laboratory)
        if laboratory.is_open:
            users.furnish(laboratory, directory, lifecycle.shared_of(directory))


def known(laboratory: Laboratory, nodes: Sequence[str]) -> list[LabNode]:
    """The nodes of these names, in this order.

    Raises:
        UsageError: one is not in this lab.
    """
    found = []
    for name in nodes:
        node = laboratory.node(name)
        if node is None:
            last = laboratory.nodes[-1].name
            raise UsageError(
                f"the lab {laboratory.name} has no node {name}", f"it has head and n1 to {last}"
            )
        found.append(node)
    return found


def _changed(node: LabNode, **fields: object) -> LabNode:
    return node.model_copy(update={"link": node.link.model_copy(update=fields)})


def _with(laboratory: Laboratory, changed: Sequence[LabNode]) -> Laboratory:
    by_name = {node.name: node for node in changed}
    nodes = tuple(by_name.get(node.name, node) for node in laboratory.nodes)
    head = by_name.get(HEAD, laboratory.head)
    return laboratory.model_copy(update={"nodes": nodes, "head": head})


def _living(directory: Path, nodes: Sequence[LabNode]) -> LabClient:
    """A client of a lab in which these nodes are alive."""
    client = LabClient(directory)
    for node in nodes:
        client.require(node.name)
    return client
