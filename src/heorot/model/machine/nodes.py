"""Nodes as described on themselves, their differences, and their networks as quoted."""

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
    """Facts about a single node that are no property of its kind.

    Attributes:
        clock_seconds: its clock when it was described, Unix time [s].
        clock_offset_seconds: least lead of its clock over the job's, negative if it is behind [s];
            None if there is no other clock to compare with.
        boot_id: changes with every boot.
        uptime_seconds: time since boot [s].
        load: running or waiting processes, averages over 1, 5 and 15 minutes.
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
    """One node as described on itself.

    Attributes:
        name: its host name, by its own kernel.
        node: its description.
    """

    name: str
    node: Node
    state: NodeState = NodeState()


class NodeValue(Record):
    """Nodes with an unexpected value."""

    value: str
    names: tuple[str, ...]


class NodeDifference(Record):
    """A fact in which nodes differ from the expected.

    Attributes:
        part: the adapter or interface; empty if it is about the whole node.
        basis: origin of the expected value: that of most nodes (`peers`), the limit of the hardware
            itself (`maximum`), or the time of the job (`clock`).
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
        """All nodes that differ from the expected."""
        return tuple(name for other in self.others for name in other.names)


class QuotedNetwork(Record):
    """A network as quoted, and as negotiated by the nodes.

    Attributes:
        interface: name of the interface or adapter on the nodes; None if the site does not name it.
        quoted_bits: quoted rate of a link, one direction [bit/s].
        quoted_seconds: quoted latency, one way [s].
        found_bits: slowest negotiated rate on any node; None if unknown on all [bit/s].
        fastest_bits: fastest negotiated rate on any node; None if unknown on all [bit/s].
        n_found: number of nodes with the interface and a known rate.
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
