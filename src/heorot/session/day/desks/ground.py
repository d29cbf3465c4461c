"""Where a day takes place: how many nodes there are, and the desk that gives them out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from heorot.errors import UsageError
from heorot.launch.adapters.batch import BatchAdapter
from heorot.launch.batch.dialect import NodeState
from heorot.model.day.request import DayRequest
from heorot.model.machine.machine import Machine
from heorot.model.machine.site import Site
from heorot.model.run.request import Request
from heorot.session.cluster.ground import Ground, find_ground
from heorot.session.day.desks.batch import BatchDesk
from heorot.session.day.desks.desk import Desk
from heorot.session.day.desks.own import HICCUP_SECONDS, OwnDesk
from heorot.session.programs import Programs
from heorot.suggestion import suggest
from heorot.units import plural

_USABLE = frozenset({"idle", "mixed", "allocated"})
_MOST_NAMED = 8
_AWAY = "nodes that take no jobs"
_TAKEN = "nodes with jobs of others at the begin"


@dataclass(frozen=True)
class DayGround:
    """Where a day takes place.

    Attributes:
        ground: where its jobs go.
        system: who gives them their nodes.
        node_names: of the nodes that the day may use; empty if nobody knows.
        n_nodes: how many they are.
        policy: queue definitions and scheduling policy as the batch system shows them; and which
            nodes do not count, if any.
        n_free: nodes that nobody uses, at least one; None if nobody knows.
    """

    ground: Ground
    system: str
    node_names: tuple[str, ...]
    n_nodes: int
    policy: dict[str, str]
    n_free: int | None = None

    @property
    def to_describe(self) -> Ground:
        """Where nodes are described: a job for all of them would wait for those of others."""
        parts = self.ground.batch.parts if self.ground.batch else ()
        most = self.ground.nodes
        n_nodes = most if parts or self.n_free is None else min(self.n_free, most)
        return replace(self.ground, nodes=n_nodes)

    @property
    def taken(self) -> str:
        """Which nodes may not be described since others use them, a clause; empty for none."""
        told = self.policy.get(_TAKEN, "")
        n_nodes = self.to_describe.nodes
        if not told or n_nodes == self.ground.nodes:
            return ""
        return (
            f"{_TAKEN}: {told}; {plural(n_nodes, 'node')} described, the others taken to be alike"
        )

    @property
    def away(self) -> str:
        """Which nodes of the batch system do not count, a clause; empty for none."""
        told = self.policy.get(_AWAY, "")
        return f"{_AWAY}, and do not count: {told}" if told else ""

    def cores_per_node(self, machine: Machine) -> int:
        """Cores that jobs may use on every node."""
        return min(node.limits.n_usable_cores for node in machine.nodes)

    def desk(self, programs: Programs, machine: Machine) -> Desk:
        """What takes the jobs."""
        ground = self.ground
        if isinstance(ground.adapter, BatchAdapter) and ground.dialect and ground.batch:
            return BatchDesk(
                ground.adapter,
                ground.dialect,
                ground.batch,
                programs,
                machine,
                cores=ground.cores_per_node,
                agent=ground.site.agent,
            )
        n_cores = self.cores_per_node(machine)
        return OwnDesk(
            dict.fromkeys(self.node_names or (machine.hostname,), n_cores),
            ground.adapter_on,
            ground.surroundings_on,
            programs,
            machine.model_copy(update={"nodes": machine.nodes[:1]}),
            agent=ground.site.agent,
            patience_seconds=HICCUP_SECONDS if ground.site.hosts else 0.0,
        )


def find_day_ground(request: DayRequest, site: Site) -> DayGround:
    """Where a day takes place.

    Args:
        request: what the user asks for.
        site: what its site file says.

    Raises:
        SetupError: the batch system's commands are not there.
        SiteError: a word of the site file cannot be written into a job script.
        UsageError: there are fewer nodes than are asked for, or we are inside of a job.
    """
    first = find_ground(_as_run(request, 1), site)
    if first.dialect is not None and first.batch is None:
        raise UsageError(
            "a day of batch work cannot take place inside of a job",
            f"leave it, or let it use this node alone: {suggest('throughput')} --batch local",
        )
    states = _states(first)
    names = _node_names(first, states)
    away = _away(states)
    n_nodes = request.nodes or max(1, len(names))
    ground = find_ground(_as_run(request, n_nodes), site)
    idle = {node.name for node in states if node.state == "idle"}
    taken = _named([name for name in names if name not in idle]) if states else ""
    told = {_AWAY: away, _TAKEN: taken}
    return DayGround(
        ground=ground,
        system=ground.dialect.system if ground.dialect else "Heorot, first come first served",
        node_names=names[:n_nodes] if not ground.dialect else names,
        n_nodes=n_nodes,
        policy=_policy(ground) | {word: clause for word, clause in told.items() if clause},
        n_free=max(1, len(idle)) if states else None,
    )


def _as_run(request: DayRequest, n_nodes: int) -> Request:
    return Request(batch=request.batch, site=request.site, nodes=(n_nodes,), out=request.out)


def _states(ground: Ground) -> tuple[NodeState, ...]:
    """The nodes that jobs of the site may get, as the batch system tells; none without one."""
    if not isinstance(ground.adapter, BatchAdapter) or ground.dialect is None:
        return ()
    states = ground.adapter.caller.ask(ground.dialect.nodes())
    queue = ground.batch.queue if ground.batch else None
    return tuple(
        node for node in states if queue is None or not node.queues or queue in node.queues
    )


def _node_names(ground: Ground, states: Sequence[NodeState]) -> tuple[str, ...]:
    """The nodes that jobs may get, as the site or the batch system calls them."""
    if not isinstance(ground.adapter, BatchAdapter) or ground.dialect is None:
        return tuple(host.name for host in ground.site.hosts)
    return tuple(dict.fromkeys(node.name for node in states if node.state in _USABLE))


def _away(states: Sequence[NodeState]) -> str:
    """The nodes that take no jobs, by the batch system's own words for their states."""
    nodes: dict[str, list[str]] = {}
    for node in states:
        if not node.name:
            nodes[f"a row is not understood: {node.raw}"] = []
        elif node.state not in _USABLE:
            strange = ", which is not known here" if node.state == "unknown" else ""
            nodes.setdefault(f"{node.raw or node.state}{strange}", []).append(node.name)
    clauses = []
    for word, names in nodes.items():
        clauses.append(f"{_named(names)} {word}".strip())
    return "; ".join(clauses)


def _named(names: Sequence[str]) -> str:
    """A few nodes by their names, and how many more."""
    named = list(dict.fromkeys(names))
    more = [f"{len(named) - _MOST_NAMED} more"] if len(named) > _MOST_NAMED else []
    return ", ".join([*named[:_MOST_NAMED], *more])


def _policy(ground: Ground) -> dict[str, str]:
    """What the batch system shows of its queues and its policy, by command."""
    if not isinstance(ground.adapter, BatchAdapter) or ground.dialect is None:
        return {}
    asked = {" ".join(each.argv): each for each in ground.dialect.policy()}
    told = {name: ground.adapter.caller.ask(question) for name, question in asked.items()}
    return {name: text for name, text in told.items() if text}
