"""Describes the nodes that jobs will run on, by a job that does nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from heorot.collect.status import read_status
from heorot.errors import SetupError
from heorot.launch.job import read_job, write_job
from heorot.machine.nodes.read import merge, read_copies
from heorot.model.machine.machine import Machine, Node
from heorot.model.machine.nodes import NodeCopy
from heorot.model.machine.site import Site
from heorot.session.ground import Ground
from heorot.session.inspection import describe_machine
from heorot.session.progress import Progress
from heorot.store.directory import RunDirectory
from heorot.suggestion import suggest

# What it asks of a batch system [s].
_SECONDS = 120.0
SURVEY = 0
"""The number of the job that describes the nodes."""


def survey(directory: RunDirectory, ground: Ground, progress: Progress) -> Machine:
    """This machine with the nodes of a job in the place of the node we are on.

    Args:
        directory: the run.
        ground: where its jobs run.
        progress: who is told.

    Raises:
        SetupError: no node told anything.
    """
    progress.stage(f"looking at {ground.nodes} node{'s' * (ground.nodes > 1)}")
    place = directory.job(SURVEY)
    if (place / "script.sh").exists():
        job = read_job(place)
    else:
        job = write_job(place, [], ground.surroundings(ground.nodes, _SECONDS))
    try:
        if not read_status(place).ended:
            ground.start(job)
        ground.adapter.follow(job, lambda _: None)
    except KeyboardInterrupt:
        ground.adapter.cancel(job)
        raise
    nodes = described_nodes(directory, ground.site)
    if not nodes:
        complaint = ground.adapter.complaint(job) or "they left no description of themselves"
        raise SetupError(
            f"the nodes cannot be looked at: {complaint}",
            f"the job is in {place}; {suggest('doctor')} looks at the site",
        )
    request = directory.facts().request
    machine = describe_machine(request.out or Path.cwd(), request.site)
    return machine.model_copy(update={"nodes": nodes})


def _as_the_site_says(nodes: Sequence[Node], site: Site) -> tuple[Node, ...]:
    """The kinds of nodes with as few cores for a job as the site allows on any of a kind."""
    allowed = {host.name: host.cores for host in site.hosts if host.cores}
    found = []
    for node in nodes:
        n_cores = min(
            (allowed[name] for name in node.names if name in allowed),
            default=node.limits.n_usable_cores,
        )
        limits = node.limits.model_copy(
            update={"n_usable_cores": min(n_cores, node.limits.n_usable_cores)}
        )
        found.append(node.model_copy(update={"limits": limits}))
    return tuple(found)


def described_nodes(directory: RunDirectory, site: Site) -> tuple[Node, ...]:
    """The kinds of nodes that jobs of a run have described, the most frequent kind first.

    Args:
        directory: the run.
        site: what it says of its hosts.
    """
    return _as_the_site_says(merge(node_copies(directory)), site)


def node_copies(directory: RunDirectory) -> tuple[NodeCopy, ...]:
    """What every node last said of itself."""
    copies: dict[str, NodeCopy] = {}
    for number in directory.job_numbers():
        folders = sorted((directory.job(number) / "nodes").glob("*"))
        for folder in (each for each in folders if each.suffix != ".part"):
            copies |= {copy.name: copy for copy in read_copies(folder)}
    return tuple(copies.values())
