"""Target of jobs: how they are run, their nodes, and the environment of their scripts."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from heorot.jobs.events import StepEvent
from heorot.jobs.outcome import has_ended
from heorot.launch.adapters.adapter import Adapter
from heorot.launch.adapters.batch_client import BatchClient
from heorot.launch.adapters.hosts import HostsAdapter
from heorot.launch.adapters.local import LocalAdapter
from heorot.launch.batch.dialect import NAMELESS, NodeState, Part, Queue, Wants
from heorot.launch.job import Job
from heorot.launch.job_environment import JobEnvironment
from heorot.model.batch.allocation import Allocation
from heorot.model.machine.machine import Machine
from heorot.model.machine.site import Site, SiteBatch


@dataclass(frozen=True)
class ExecutionTarget:
    """Target of the jobs of an evaluation, a throughput test or a check.

    Attributes:
        nodes: largest number of nodes of one job, or of all jobs at the same time.
        client: client of the batch system that allocates the nodes; None without one.
        batch: how jobs are submitted; None if they are not, as inside of an allocation.
        queue: queue of the jobs; nameless if the batch system reports none.
        cores_per_node: cores per node that jobs request; None leaves it to the batch system.
    """

    adapter: Adapter
    site: Site
    nodes: int
    client: BatchClient | None = None
    batch: SiteBatch | None = None
    queue: Queue = NAMELESS
    cores_per_node: int | None = None

    @property
    def elsewhere(self) -> bool:
        """Whether jobs run on other nodes than this host."""
        return self.client is not None or bool(self.site.hosts)

    @property
    def agent(self) -> tuple[str, ...]:
        """Command words that run a command on a host; ssh must not ask for a password."""
        return (str(self.site.agent),) if self.site.agent else ("ssh", "-o", "BatchMode=yes")

    def run(self, job: Job, on_event: Callable[[StepEvent], None] = lambda _: None) -> None:
        """Start a job, unless it has ended, and follow it; an interruption cancels it.

        Raises:
            SetupError: it cannot be started.
        """
        try:
            if not has_ended(job.directory, job.steps):
                self.adapter.start(job)
            self.adapter.follow(job, on_event)
        except KeyboardInterrupt:
            self.adapter.cancel(job)
            raise

    def node_states(self) -> tuple[NodeState, ...]:
        """The present nodes of the queue; all nodes if none is assigned to it."""
        if self.client is None or self.batch is None:
            return ()
        states = self.client.ask(self.client.dialect.nodes())
        name = self.queue.name or self.batch.queue
        return tuple(n for n in states if not name or not n.queues or name in n.queues) or states

    @property
    def device_words(self) -> Mapping[str, str] | None:
        """How jobs request devices, by kind; None without a batch system."""
        if self.batch is None or self.client is None:
            return None
        own = {kind: each.request for kind, each in self.site.devices.items() if each.request}
        return {**self.client.dialect.device_words, **own}

    def wants(
        self,
        nodes: int,
        limit_seconds: float | None,
        devices: Mapping[str, int] = MappingProxyType({}),
        **own: object,
    ) -> Wants:
        """The resources that a job requests.

        Args:
            limit_seconds: time limit; None leaves it to the queue [s].
            devices: devices of each node, by kind.
            own: other fields, or fields that replace the site's.
        """
        batch = self.batch or SiteBatch(system="slurm")
        words = self.device_words or {}
        usual = {
            "parts": _parts(batch, nodes),
            "cores_per_node": self.cores_per_node,
            "devices": {words[kind]: n for kind, n in devices.items()} if words else {},
        }
        return Wants.of_site(batch, **{**usual, "limit_seconds": limit_seconds, **own})

    def allocation(
        self,
        nodes: int,
        machine: Machine,
        hosts: Sequence[str] | None = None,
        *,
        shared: bool = False,
    ) -> Allocation:
        """The allocation of a job.

        Args:
            hosts: names of its hosts; None for the first hosts of the site.
            shared: whether other jobs may use the same nodes.
        """
        if hosts is None:
            named = [host.name for host in self.site.hosts[:nodes]] or [machine.hostname]
            hosts = () if self.client else named
        return Allocation(
            nodes=nodes,
            hosts=tuple(hosts),
            at_once=self.site.at_once,
            node=machine.node,
            agent=self.site.agent if self.elsewhere else None,
            shared=shared,
        )

    def job_environment(
        self,
        nodes: int,
        limit_seconds: float | None,
        describe: str = "",
        devices: Mapping[str, int] = MappingProxyType({}),
        **own: object,
    ) -> JobEnvironment:
        """The environment of a job's script.

        Args:
            describe: shell commands that copy the description of a host.
            own: as of `wants`.
        """
        if self.client is None:
            found = self.environment_on([host.name for host in self.site.hosts[:nodes]])
            return found.model_copy(update={"describe": describe * self.elsewhere})
        wants = self.wants(nodes, limit_seconds, devices, **own)
        found = self.client.dialect.job_environment(wants)
        # The allocation around this process is not requested again.
        header = found.header if self.batch else ()
        return found.model_copy(update={"header": header, "describe": describe})

    def environment_on(self, hosts: Sequence[str]) -> JobEnvironment:
        """The environment of a job script on these hosts of the site."""
        if not self.site.hosts:
            return JobEnvironment()
        return JobEnvironment(
            list_hosts=f"printf '%s\\n' {shlex.join(hosts)}", on_host=shlex.join(self.agent)
        )

    def adapter_on(self, host: str) -> HostsAdapter | LocalAdapter:
        """The adapter for a job script on this host of the site, without a batch system."""
        return HostsAdapter(self.agent, host) if self.site.hosts else LocalAdapter()


def _parts(batch: SiteBatch, nodes: int) -> tuple[Part, ...]:
    """The nodes of a job by kind, as the site file states; all alike by default."""
    parts: list[Part] = []
    left = nodes
    for part in batch.parts:
        n = left if part.nodes is None else min(part.nodes, left)
        if n:
            parts.append(Part(nodes=n, feature=part.feature))
        left -= n
    return (*parts, Part(nodes=left)) if left else tuple(parts)
