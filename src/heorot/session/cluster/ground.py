"""Where the jobs of a run go: this machine, the hosts of a site, or a batch system."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from heorot.errors import SiteError, UsageError
from heorot.jobs.ending import read_end
from heorot.launch.adapters.adapter import Adapter
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.adapters.choose import find_dialect, find_inside
from heorot.launch.adapters.hosts import HostsAdapter
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.batch.dialect import Dialect, Part, Queue, Wants
from heorot.launch.job import Job
from heorot.launch.surroundings import Surroundings
from heorot.machine.nodes.copy import COPY_SCRIPT
from heorot.model.batch.allocation import Allocation
from heorot.model.machine.machine import Machine
from heorot.model.machine.site import Site, SiteBatch
from heorot.model.run.request import Request
from heorot.plan.packing import JOB_SECONDS, STEP_SECONDS, JobLimits
from heorot.session import laboratory
from heorot.session.cluster.cores import cores_to_ask
from heorot.session.progress import Progress
from heorot.units import format_duration


@dataclass(frozen=True)
class Ground:
    """Where the jobs of a run go.

    Attributes:
        adapter: starts and follows them.
        site: what the site says of itself.
        nodes: so many the largest job takes.
        dialect: of the batch system that gives out the nodes; None if none does.
        batch: how jobs are submitted; None if they are not.
        cores_per_node: that jobs ask for; None leaves it to the batch system.
    """

    adapter: Adapter
    site: Site
    nodes: int
    dialect: Dialect | None = None
    batch: SiteBatch | None = None
    cores_per_node: int | None = None

    @property
    def elsewhere(self) -> bool:
        """Whether jobs run on other nodes than this one."""
        return self.dialect is not None or bool(self.site.hosts)

    def gave_up(self, job: Job) -> bool:
        """Whether the batch system ended a job, for reasons that are no fault of its script."""
        end = read_end(job.directory, job.steps)
        ended = end.state not in {"ok", "rejected", "unfinished"} and not end.status.complaint
        return self.batch is not None and end.facts is not None and ended

    def allocation(self, nodes: int, machine: Machine) -> Allocation:
        """What a job of so many nodes will run on."""
        if not self.elsewhere:
            return Allocation(hosts=(machine.hostname,), node=machine.node)
        hosts = () if self.dialect else tuple(host.name for host in self.site.hosts[:nodes])
        return Allocation(
            nodes=nodes,
            hosts=hosts,
            at_once=self.site.at_once,
            node=machine.node,
            agent=self.site.agent,
        )

    def surroundings(self, nodes: int, seconds: float | None) -> Surroundings:
        """What the script of a job of so many nodes has to know.

        Args:
            nodes: of the job.
            seconds: that it may take; None leaves it to the queue [s].
        """
        if self.dialect:
            batch = self.batch or SiteBatch(system="slurm")
            parts, cores = _parts(batch, nodes), self.cores_per_node
            wants = Wants.of_site(batch, parts=parts, cores_per_node=cores, limit_seconds=seconds)
            found = self.dialect.surroundings(wants)
            # An allocation that we are in already is not asked for again.
            header = found.header if self.batch else ()
            return found.model_copy(update={"header": header, "describe": COPY_SCRIPT})
        found = self.surroundings_on([host.name for host in self.site.hosts[:nodes]])
        return found.model_copy(update={"describe": COPY_SCRIPT}) if self.site.hosts else found

    def surroundings_on(self, hosts: Sequence[str]) -> Surroundings:
        """What the script of a job has to know that is given these hosts of the site."""
        if not self.site.hosts:
            return Surroundings()
        return Surroundings(
            list_hosts=f"printf '%s\\n' {shlex.join(hosts)}",
            on_host=shlex.join(agent_of(self.site)),
        )

    def adapter_on(self, host: str) -> HostsAdapter | LocalAdapter:
        """What runs a job whose script is on this host of the site, where we give out the hosts."""
        return HostsAdapter(agent_of(self.site), host) if self.site.hosts else LocalAdapter()

    @property
    def limits(self) -> JobLimits:
        """What its jobs may have."""
        return JobLimits(
            nodes=self.nodes,
            batched=self.batch is not None,
            limit_seconds=self.batch.time_limit_seconds if self.batch else None,
            notice_seconds=self.dialect.notice_seconds if self.dialect else None,
        )


def agent_of(site: Site) -> tuple[str, ...]:
    """The words in front of a host and a command; ssh must not ask for a password."""
    return (str(site.agent),) if site.agent else ("ssh", "-o", "BatchMode=yes")


def _parts(batch: SiteBatch, nodes: int) -> tuple[Part, ...]:
    """The nodes of a job by kind, as the site says; all alike if it says nothing."""
    parts: list[Part] = []
    left = nodes
    for part in batch.parts:
        n = left if part.nodes is None else min(part.nodes, left)
        if n:
            parts.append(Part(nodes=n, feature=part.feature))
        left -= n
    return (*parts, Part(nodes=left)) if left else tuple(parts)


def find_ground(request: Request, site: Site, progress: Progress | None = None) -> Ground:
    """Where the jobs of a request go.

    Args:
        request: what the user asks for.
        site: what its site file says.
        progress: who is told what the batch system does with a job.

    Raises:
        SetupError: the batch system's commands are not there.
        SiteError: a word of the site file cannot be written into a job script.
        UsageError: there are fewer nodes than are asked for.
    """
    nodes = request.most_nodes
    inside = find_inside(os.environ) if request.batch != "local" else None
    if inside is not None and request.batch in {None, inside.system}:
        _require_hosts(nodes, len(inside.hosts), f"job {inside.id} has")
        return Ground(LocalAdapter(), site, nodes, find_dialect(inside.system))
    laboratory.require_seen(request.site, request.out or site.work or Path())
    system = request.batch or (site.batch.system if site.batch else "local")
    if system == "local":
        what = "the site file lists" if site.hosts else "this machine is"
        _require_hosts(nodes, max(1, len(site.hosts)), what)
        alone = Ground(LocalAdapter(), site, nodes)
        first = next((host.name for host in site.hosts), "")
        return replace(alone, adapter=alone.adapter_on(first))
    batch = site.batch if site.batch and site.batch.system == system else None
    batch = batch or SiteBatch(system=system)
    told = progress or Progress()
    dialect = find_dialect(system, batch.commands)
    adapter = BatchAdapter(
        dialect, batch.commands, on_state=lambda job, line: told.stage(f"{job.id}: {line}")
    )
    ground = Ground(adapter, site, nodes, dialect, batch)
    _require_words(ground, request.site)
    queues = adapter.caller.ask(dialect.queues())
    within = _within(batch, queues, nodes)
    _require_time(within)
    asked = dialect.counts_cores
    cores = cores_to_ask(adapter.caller.ask(dialect.nodes()), within, nodes) if asked else None
    return replace(ground, batch=within, cores_per_node=cores)


def _require_time(batch: SiteBatch) -> None:
    """Refuse jobs so short that none has time for a step: a batch system might let them wait."""
    limit, least = batch.time_limit_seconds, JOB_SECONDS + STEP_SECONDS
    if limit is not None and limit <= least:
        raise UsageError(
            f"a job may take {format_duration(limit)}, and beside its steps it may need "
            f"{format_duration(least)}",
            "allow more by `time_limit_seconds` of `batch:` in the site file, or name a queue "
            "that does",
        )


def _require_words(ground: Ground, file: Path | None) -> None:
    """Refuse what the site file says if it cannot be written into a job script.

    Raises:
        SiteError: a value is no word that every batch system takes for itself.
    """
    try:
        ground.surroundings(ground.nodes, None)
    except UsageError as error:
        if file is None:
            raise
        raise SiteError(str(error), file=file, hint=error.hint) from None


def _within(batch: SiteBatch, queues: Sequence[Queue], nodes: int) -> SiteBatch:
    """The site's wishes with the time limit of their queue, if they have none of their own.

    A batch system that tells no queues is believed to know what it does.

    Raises:
        UsageError: there is no such queue, or a job of it may not have so many nodes.
    """
    names = ", ".join(queue.name for queue in queues)
    wanted = [each for each in queues if each.name == batch.queue or not batch.queue]
    if queues and not wanted:
        raise UsageError(f"{batch.system} has no queue {batch.queue}", f"it has: {names}")
    queue = next((each for each in wanted if each.is_default), wanted[0] if wanted else Queue(""))
    most = min((n for n in (queue.max_nodes, queue.n_nodes) if n), default=None)
    if most is not None and nodes > most:
        raise UsageError(
            f"{nodes} nodes are asked for, a job in queue {queue.name} may have {most}",
            f"ask for fewer with --nodes, or name another queue in the site file: {names}",
        )
    limits = [each for each in (batch.time_limit_seconds, queue.max_seconds) if each]
    return batch.model_copy(update={"time_limit_seconds": min(limits, default=None)})


def _require_hosts(wanted: int, there: int, what: str) -> None:
    """Refuse more nodes than there are."""
    if wanted <= there:
        return
    raise UsageError(
        f"{wanted} nodes are asked for, {what} {there} node{'s' * (there > 1)}",
        "submit to a batch system: --batch slurm; or list the nodes under `hosts` in a site file: "
        "--site FILE; or build a cluster in this computer: heorot lab up",
    )
