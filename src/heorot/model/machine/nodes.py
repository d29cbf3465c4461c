"""What a copy of a node's own words tells, where nodes differ, and what was quoted beside it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from heorot.model.base import Count, NonNegative, PositiveInt, Record, Seconds, UnixTime
from heorot.model.machine.machine import Node

Fact = Literal[
    "processor",
    "microcode",
    "cores",
    "clock range",
    "governor",
    "frequency driver",
    "boost",
    "SMT",
    "caches",
    "NUMA nodes",
    "memory",
    "swap",
    "huge pages",
    "huge page defrag",
    "memory modules",
    "limits",
    "computer",
    "firmware of the computer",
    "hypervisor",
    "container",
    "kernel",
    "distribution",
    "clock source",
    "NUMA balancing",
    "mitigations",
    "boot options",
    "devices",
    "network adapter",
    "network link",
    "largest packet",
    "driver",
    "firmware",
    "PCIe link",
    "clock",
]


class NodeState(Record):
    """What a node says of itself that is no property of its kind.

    Attributes:
        clock_seconds: its own time when it was asked, Unix time [s].
        clock_offset_seconds: by how much its clock is ahead of the job's at least, negative if it
            is behind [s]; None if nothing is known to compare it with.
        boot_id: changes whenever it starts.
        uptime_seconds: since it started [s].
        load: processes that ran or waited, averages over 1, 5 and 15 minutes.
        bios: vendor, version and date of the computer's firmware.
    """

    clock_seconds: UnixTime | None = None
    clock_offset_seconds: float | None = None
    boot_id: str | None = None
    uptime_seconds: Seconds | None = None
    load: tuple[NonNegative, ...] = ()
    microcode: str | None = None
    bios: str | None = None


class NodeCopy(Record):
    """One node as its copy describes it.

    Attributes:
        name: its host name, as the kernel there knows it.
        node: itself, as if it had been described where it is.
    """

    name: str
    node: Node
    state: NodeState = NodeState()


class NodeValue(Record):
    """Nodes that have another value than expected."""

    value: str
    names: tuple[str, ...]


class NodeDifference(Record):
    """A fact in which nodes are not as expected.

    Attributes:
        part: of which adapter or interface; empty if it is about the whole node.
        basis: what is expected: what most nodes have (`peers`), what the hardware itself is capable
            of (`maximum`), or the time of the job (`clock`).
    """

    fact: Fact
    part: str = ""
    basis: Literal["peers", "maximum", "clock"] = "peers"
    expected: str
    n_expected: Count
    n_nodes: PositiveInt
    others: tuple[NodeValue, ...] = Field(min_length=1)

    @property
    def names(self) -> tuple[str, ...]:
        """All nodes that are not as expected."""
        return tuple(name for other in self.others for name in other.names)


class QuotedNetwork(Record):
    """A network as it was quoted, beside what the nodes negotiated.

    Attributes:
        interface: name of the interface or adapter on the nodes; None if the site does not tell.
        quoted_bits: quoted rate of a link, one direction [bit/s].
        quoted_seconds: quoted latency, one way [s].
        found_bits: slowest negotiated rate on any node; None if no node tells [bit/s].
        fastest_bits: fastest negotiated rate on any node; None if no node tells [bit/s].
        n_found: how many nodes have the interface and tell its rate.
        missing: nodes without the interface.
        slower: nodes whose negotiated rate is below the quoted one.
    """

    name: str
    interface: str | None = None
    quoted_bits: NonNegative | None = None
    quoted_seconds: Seconds | None = None
    found_bits: NonNegative | None = None
    fastest_bits: NonNegative | None = None
    n_found: Count = 0
    missing: tuple[str, ...] = ()
    slower: tuple[str, ...] = ()
