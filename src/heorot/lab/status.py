"""The state of a lab, node by node."""

from __future__ import annotations

from dataclasses import dataclass

from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.errors import SetupError, UsageError
from heorot.lab import storage
from heorot.lab.client import LabClient
from heorot.lab.model import LabNode, Laboratory

_SAMPLE_SECONDS = 0.25


@dataclass(frozen=True)
class NodeStatus:
    """The state of a node.

    Attributes:
        alive: whether its first process answers; all numbers are zero if not.
        processes: number of its processes.
        load: processors busy in the interval.
        memory_bytes: of its processes and its own file systems [B].
        received_bytes: over its link since its start [B].
        sent_bytes: likewise [B].
        receiving: rate in the interval [B/s].
        sending: likewise [B/s].
    """

    node: LabNode
    alive: bool = False
    processes: int = 0
    load: float = 0.0
    memory_bytes: float = 0.0
    received_bytes: float = 0.0
    sent_bytes: float = 0.0
    receiving: float = 0.0
    sending: float = 0.0


@dataclass(frozen=True)
class LabStatus:
    """The state of a lab.

    Attributes:
        directory: its directory, with its site file.
        alive: whether its supervisor answers.
        nodes: the head first.
    """

    laboratory: Laboratory
    directory: str
    alive: bool
    nodes: tuple[NodeStatus, ...]


def status(name: str, clock: Clock = SYSTEM_CLOCK) -> LabStatus:
    """Inspect a lab for a quarter of a second.

    Raises:
        UsageError: there is none of that name, or its directory is damaged.
    """
    laboratory = storage.load(name)
    directory = storage.directory_of(name)
    client = LabClient(directory, clock)
    before = {node.name: _inspect(client, node) for node in laboratory.everyone}
    clock.sleep(_SAMPLE_SECONDS)
    nodes = []
    for node in laboratory.everyone:
        looked = _inspect(client, node)
        nodes.append(_compare(node, before[node.name], looked))
    return LabStatus(laboratory, str(directory), client.lives("lab"), tuple(nodes))


def _inspect(client: LabClient, node: LabNode) -> dict[str, float] | None:
    try:
        moment = client.clock.monotonic()
        return client.operate(node.name, "look") | {"moment": moment}
    except (UsageError, SetupError):
        return None


def _compare(
    node: LabNode, before: dict[str, float] | None, now: dict[str, float] | None
) -> NodeStatus:
    if now is None:
        return NodeStatus(node)
    first = before or now
    seconds = max(now["moment"] - first["moment"], 1e-3)

    def pace(name: str) -> float:
        return max(0.0, (now[name] - first[name]) / seconds)

    return NodeStatus(
        node,
        alive=True,
        processes=int(now["processes"]),
        load=pace("cpu_seconds"),
        memory_bytes=now["memory_bytes"],
        received_bytes=now["received_bytes"],
        sent_bytes=now["sent_bytes"],
        receiving=pace("received_bytes"),
        sending=pace("sent_bytes"),
    )
