"""The nodes as jobs have described them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from heorot.jobs.status import JobStatus, read_status
from heorot.machine.nodes.read import Window, merge, read_copies
from heorot.model.machine.machine import Node
from heorot.model.machine.nodes import NodeCopy
from heorot.model.machine.site import Site
from heorot.store.directory import RunDirectory


def _as_the_site_says(nodes: Sequence[Node], site: Site) -> tuple[Node, ...]:
    """Types of nodes with the cores and devices that the site allows a job on each."""
    allowed = {host.name: host.cores for host in site.hosts if host.cores}
    devices = {host.name: host.devices for host in site.hosts if host.devices is not None}
    found = []
    for node in nodes:
        n_cores = min(
            (allowed[name] for name in node.names if name in allowed),
            default=node.limits.n_usable_cores,
        )
        limits = node.limits.model_copy(
            update={"n_usable_cores": min(n_cores, node.limits.n_usable_cores)}
        )
        of_nodes = [devices[name] for name in node.names if name in devices]
        fewest = {kind: min(each.get(kind, 0) for each in of_nodes) for kind in chain(*of_nodes)}
        update = {
            "limits": limits,
            "devices": fewest if of_nodes else node.devices,
            "device_variables": device_variables(node, site),
        }
        found.append(node.model_copy(update=update))
    return tuple(found)


def device_variables(node: Node, site: Site) -> dict[str, str]:
    """By type of device, the variable that selects visible ones: of the site, else as detected."""
    own = {kind: each.variable for kind, each in site.devices.items() if each.variable}
    return node.device_variables | own


def described_nodes(directory: RunDirectory, site: Site) -> tuple[Node, ...]:
    """The types of nodes that jobs of a run have described, the most frequent first."""
    return _as_the_site_says(merge(node_copies(directory)), site)


def node_copies(directory: RunDirectory) -> tuple[NodeCopy, ...]:
    """The latest description of every node."""
    copies: dict[str, NodeCopy] = {}
    for number in directory.job_numbers():
        folders = sorted((directory.job(number) / "nodes").glob("*"))
        window = _window(read_status(directory.job(number)))
        for folder in (each for each in folders if each.suffix != ".part"):
            copies |= {copy.name: copy for copy in read_copies(folder, window)}
    return tuple(copies.values())


def _window(status: JobStatus) -> Window | None:
    """When the nodes of a job were described, by the clock of its script [Unix time, s]."""
    later = [*status.started.values(), *([status.finished] if status.finished else [])]
    return (status.begun, min(later)) if status.begun is not None and later else None
