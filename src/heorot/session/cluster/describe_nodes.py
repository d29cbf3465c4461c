"""Describes the nodes of jobs, by a job for this purpose."""

from __future__ import annotations

from heorot.errors import SetupError
from heorot.launch.job import find_job, write_job
from heorot.launch.target import ExecutionTarget
from heorot.machine.nodes.read import COPY_SCRIPT
from heorot.model.machine.machine import Machine
from heorot.session.cluster.described import described_nodes
from heorot.session.inspection import describe_machine
from heorot.session.progress import Progress
from heorot.store.directory import RunDirectory
from heorot.suggestion import suggest

# Time limit of this job [s].
_SECONDS = 120.0
DESCRIBING = 0
"""The number of the job that describes the nodes."""


def describe_nodes(directory: RunDirectory, target: ExecutionTarget, progress: Progress) -> Machine:
    """This machine with the nodes of a job instead of this node.

    Raises:
        SetupError: no node wrote a description.
    """
    progress.stage(f"describing {target.nodes} node{'s' * (target.nodes > 1)}")
    place = directory.job(DESCRIBING)
    around = target.job_environment(target.nodes, _SECONDS, COPY_SCRIPT)
    job = find_job(place) or write_job(place, [], around)
    target.run(job)
    nodes = described_nodes(directory, target.site)
    if not nodes:
        complaint = target.adapter.complaint(job) or "they wrote no description"
        raise SetupError(
            f"the nodes cannot be described: {complaint}",
            f"the job is in {place}; {suggest('doctor')} looks at the site",
        )
    machine = describe_machine(directory.facts().request.out, target.site)
    return machine.model_copy(update={"nodes": nodes})
