"""What happens to nodes of a lab: they die, are cut off, come back, get other cables."""

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
    """Kill a node with all that runs on it; returns whether it was alive.

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
    """Bring a node back: to life, to the network, to the batch system; says what was done.

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
    """What is not well with nodes of a lab: `dead`, `cut off`, or such as `drained in Slurm`.

    Returns:
        it by the node's name; nothing of nodes that are well.

    Raises:
        UsageError: there is no such lab.
    """
    laboratory = storage.load(name)
    client = LabClient(storage.directory_of(name))
    found = {node.name: "cut off" for node in laboratory.everyone if node.link.is_cut}
    found |= {node.name: "dead" for node in laboratory.everyone if not client.lives(node.name)}
    if laboratory.slurm and HEAD not in found:  # without it, Slurm knows of no node
        for node, state in daemons.states(client).items():
            if not daemons.is_well(state):
                found.setdefault(node, f"{state} in Slurm")
    return found


def shape(
    name: str, nodes: Sequence[str], switch: Switch, changes: dict[str, float | None]
) -> None:
    """Give nodes other cables.

    Args:
        nodes: which; empty for all but the head.
        switch: how to get one that delays, where the kernel does not.

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
        UsageError: one is not of this lab.
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
    """The doors of a lab in which these nodes live."""
    client = LabClient(directory)
    for node in nodes:
        client.require(node.name)
    return client
