"""Nodes available to the jobs of a test, and the scheduler that allocates them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heorot.errors import UsageError
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.batch.dialect import NodeState
from heorot.launch.target import ExecutionTarget
from heorot.model.machine.site import Site
from heorot.session.cluster.resolve import resolve_target
from heorot.session.programs import Programs
from heorot.suggestion import suggest
from heorot.throughput.model.throughput import ThroughputRequest
from heorot.throughput.session.schedulers.batch_scheduler import BatchScheduler
from heorot.throughput.session.schedulers.fcfs_scheduler import FcfsScheduler
from heorot.throughput.session.schedulers.scheduler import Scheduler
from heorot.throughput.store import ThroughputDirectory
from heorot.units import plural

_MOST_NAMED = 8
_AWAY = "unavailable nodes, not counted"
_TAKEN = "nodes with jobs of other users at the start"


@dataclass(frozen=True)
class NodeInventory:
    """The nodes of a test at its start.

    Attributes:
        system: the batch system, or Heorot.
        names: of the nodes available to the test; empty if unknown.
        n_described: number of described nodes: a job on all would wait for those of other users.
        policy: queue definitions and scheduling policy as the batch system shows them, and nodes
            that do not count.
        remarks: on nodes that are not counted or have jobs of other users.
    """

    system: str
    names: tuple[str, ...]
    n_described: int
    policy: dict[str, str]
    remarks: tuple[str, ...] = ()


def resolve_for_throughput(request: ThroughputRequest, site: Site) -> ExecutionTarget:
    """The execution target of a test; see `resolve_target`.

    Raises:
        UsageError: Heorot runs inside a job.
    """
    target = resolve_target(request, site, request.nodes)
    if target.client is not None and target.batch is None:
        raise UsageError(
            "a throughput test cannot run inside a job",
            f"leave it, or let it use this node alone: {suggest('throughput')} --batch local",
        )
    return target


def system_of(target: ExecutionTarget) -> str:
    """The system that allocates the nodes of a target."""
    return target.client.dialect.system if target.client else "Heorot, first come first served"


def take_inventory(target: ExecutionTarget) -> NodeInventory:
    """Query the nodes available to the jobs of a test."""
    if target.client is None:
        hosts = tuple(host.name for host in target.site.hosts[: target.nodes])
        return NodeInventory(system_of(target), hosts, target.nodes, {})
    states = target.node_states()
    names = tuple(dict.fromkeys(node.name for node in states if node.takes_jobs))
    idle = {node.name for node in states if node.state == "idle"}
    has_parts = target.batch is not None and bool(target.batch.parts)
    n = target.nodes if has_parts or not states else min(target.nodes, max(1, len(idle)))
    taken, away = _named([name for name in names if name not in idle]), _away(states)
    remarks = []
    if taken and n < target.nodes:
        described = f"{plural(n, 'node')} described, the others taken to be alike"
        remarks.append(f"{_TAKEN}: {taken}; {described}")
    if away:
        remarks.append(f"{_AWAY}: {away}")
    asked = {" ".join(each.argv): each for each in target.client.dialect.policy()}
    answers = {name: target.client.ask(question) for name, question in asked.items()}
    answers |= {_AWAY: away, _TAKEN: taken}
    policy = {name: text for name, text in answers.items() if text}
    return NodeInventory(system_of(target), names, n, policy, tuple(remarks))


def scheduler_of(
    directory: ThroughputDirectory, target: ExecutionTarget, programs: Programs
) -> Scheduler:
    """The scheduler of the jobs of a test."""
    machine, facts = directory.machine(), directory.throughput_facts()
    if isinstance(target.adapter, BatchAdapter):
        return BatchScheduler(target.adapter, target, programs, machine)
    names = facts.node_names or (machine.hostname,)
    return FcfsScheduler(target, dict.fromkeys(names, facts.cores_per_node), programs, machine)


def _away(states: Sequence[NodeState]) -> str:
    """Unavailable nodes, by the batch system's names of their states."""
    nodes: dict[str, list[str]] = {}
    for node in states:
        if not node.name:
            nodes[f"a row is not understood: {node.raw}"] = []
        elif not node.takes_jobs:
            strange = ", an unknown state" if node.state == "unknown" else ""
            nodes.setdefault(f"{node.raw or node.state}{strange}", []).append(node.name)
    return "; ".join(f"{_named(names)} {word}".strip() for word, names in nodes.items())


def _named(names: Sequence[str]) -> str:
    """The first node names, and how many more there are."""
    named = list(dict.fromkeys(names))
    more = [f"{len(named) - _MOST_NAMED} more"] if len(named) > _MOST_NAMED else []
    return ", ".join([*named[:_MOST_NAMED], *more])
