"""Nodes available to the jobs of a test, and the desk that allocates them."""

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
_AWAY = "nodes that take no jobs"
_TAKEN = "nodes with jobs of others at the begin"


@dataclass(frozen=True)
class NodeInventory:
    """The nodes of a day when it begins.

    Attributes:
        system: who gives them to jobs.
        names: of those that the day may use; empty if nobody knows.
        n_described: so many are described: a job for all would wait for those of others.
        policy: queue definitions and scheduling policy as the batch system shows them; and which
            nodes do not count, if any.
        remarks: what is to be said of nodes that others use, and of such as do not count.
    """

    system: str
    names: tuple[str, ...]
    n_described: int
    policy: dict[str, str]
    remarks: tuple[str, ...] = ()


def resolve_for_throughput(request: ThroughputRequest, site: Site) -> ExecutionTarget:
    """Where a day takes place; as `resolve_target`.

    Raises:
        UsageError: this is inside of a job.
    """
    target = resolve_target(request, site, request.nodes)
    if target.client is not None and target.batch is None:
        raise UsageError(
            "a throughput test cannot run inside a job",
            f"leave it, or let it use this node alone: {suggest('throughput')} --batch local",
        )
    return target


def system_of(target: ExecutionTarget) -> str:
    """Who gives its nodes to jobs."""
    return target.client.dialect.system if target.client else "Heorot, first come first served"


def take_inventory(target: ExecutionTarget) -> NodeInventory:
    """Look which nodes the jobs of a day may get."""
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
        remarks.append(f"{_AWAY}, and do not count: {away}")
    asked = {" ".join(each.argv): each for each in target.client.dialect.policy()}
    answers = {name: target.client.ask(question) for name, question in asked.items()}
    answers |= {_AWAY: away, _TAKEN: taken}
    policy = {name: text for name, text in answers.items() if text}
    return NodeInventory(system_of(target), names, n, policy, tuple(remarks))


def scheduler_of(
    directory: ThroughputDirectory, target: ExecutionTarget, programs: Programs
) -> Scheduler:
    """What takes the jobs of a day and gives them their nodes."""
    machine, facts = directory.machine(), directory.throughput_facts()
    if isinstance(target.adapter, BatchAdapter):
        return BatchScheduler(target.adapter, target, programs, machine)
    names = facts.node_names or (machine.hostname,)
    return FcfsScheduler(target, dict.fromkeys(names, facts.cores_per_node), programs, machine)


def _away(states: Sequence[NodeState]) -> str:
    """The nodes that take no jobs, by the batch system's own words for their states."""
    nodes: dict[str, list[str]] = {}
    for node in states:
        if not node.name:
            nodes[f"a row is not understood: {node.raw}"] = []
        elif not node.takes_jobs:
            strange = ", which is not known here" if node.state == "unknown" else ""
            nodes.setdefault(f"{node.raw or node.state}{strange}", []).append(node.name)
    return "; ".join(f"{_named(names)} {word}".strip() for word, names in nodes.items())


def _named(names: Sequence[str]) -> str:
    """A few nodes by their names, and how many more."""
    named = list(dict.fromkeys(names))
    more = [f"{len(named) - _MOST_NAMED} more"] if len(named) > _MOST_NAMED else []
    return ", ".join([*named[:_MOST_NAMED], *more])
