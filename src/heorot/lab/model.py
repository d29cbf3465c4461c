"""The description of a lab: its nodes, links and settings."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator

from heorot.lab.quantities import Accounting, Epilogue, Limits, Scheduler, is_name
from heorot.model.base import NonNegative, PositiveInt, Record, Seconds

HEAD = "head"
_HEAD_NUMBER = 254
_NETWORK = "10.73.0"
_SECOND_NETWORK = "10.73.1"

# The path of packets between nodes: the kernel's bridge, the bridge with the kernel's emulation of
# delays (netem), or a program of ours where the kernel has none.
Wiring = Literal["bridge", "netem", "program"]

# Settings without which a lab is none, or that are other files' names.
_OWN_SETTINGS = re.compile(
    r"(?i)(?:cluster|node|partition|downnode|nodeset|frontend)name|slurmctld(?:host|port|pidfile)|"
    r"slurm(?:d)?user|auth.*|accounting.*|.*loc(?:ation)?|.*(?:dir|file)|include|plugindir|"
    r"prolog.*|epilog.*|.*prog(?:ram)?|.*prolog|.*epilog|jobsubmitplugins"
)


def _lab_name(text: str) -> str:
    if not is_name(text):
        raise ValueError("a lab's name has up to 31 small letters, digits and -, a letter first")
    return text


def _setting(text: str) -> str:
    key, equals, value = text.partition("=")
    if not re.fullmatch(r"[A-Za-z]{1,60}", key) or not equals or not value:
        raise ValueError(f"{text!r} must be KEY=VALUE, such as OverTimeLimit=UNLIMITED")
    if not re.fullmatch(r"[A-Za-z0-9_./:,=+-]{1,400}", value):
        raise ValueError(f"the value of {key} has letters, digits and `_ . / : , = + -` only")
    if _OWN_SETTINGS.fullmatch(key):
        raise ValueError(f"{key} is set by the lab itself")
    return text


Setting = Annotated[str, AfterValidator(_setting)]
LabName = Annotated[str, AfterValidator(_lab_name)]


class Link(Record):
    """The link of a node.

    Attributes:
        rate_bits: rate in each direction; None for unlimited [bit/s].
        latency_seconds: between two nodes with such links, one way; each adds half of it [s].
        is_cut: whether it is down.
    """

    rate_bits: NonNegative | None = None
    latency_seconds: Seconds = 0.0
    is_cut: bool = False


class LabNode(Record):
    """A node.

    Attributes:
        number: determines its address.
        cpus: real processors that it may use; if there are too few, nodes share them. Empty for
            all.
    """

    name: str
    number: PositiveInt
    cpus: tuple[int, ...] = ()
    link: Link = Link()

    @property
    def address(self) -> str:
        """Its address in the lab's first network."""
        return f"{_NETWORK}.{self.number}"

    @property
    def hardware_address(self) -> str:
        """The address of its first interface."""
        return f"02:00:0a:49:00:{self.number:02x}"

    @property
    def second_address(self) -> str:
        """Its address in the second network, of labs that have one."""
        return f"{_SECOND_NETWORK}.{self.number}"

    @property
    def second_hardware_address(self) -> str:
        """The address of its second interface."""
        return f"02:00:0a:49:01:{self.number:02x}"


class Policy(Record):
    """Slurm's policy.

    Attributes:
        scheduler: whether short jobs may be backfilled.
        epilogue: the clean-up on a node after each job.
        settings: lines of slurm.conf that replace the lab's, as KEY=VALUE.
    """

    scheduler: Scheduler = "backfill"
    epilogue: Epilogue = "none"
    limits: Limits = "time"
    settings: tuple[Setting, ...] = ()


class Laboratory(Record):
    """A lab.

    Attributes:
        name: its name in commands.
        cpus_per_node: processors that a node reports.
        n_real_cpus: processors of the computer.
        slurm: whether it has a batch system.
        own_user_namespace: whether it was created without administrator rights.
        wiring: the path of packets.
        second_rate_bits: rate of the second network, on the same links; None for none [bit/s].
        accounting: where the batch system keeps ended jobs.
        policy: the policy of the batch system.
        is_open: whether other users of the computer can use the batch system.
        head: the node with the controller of the batch system, without jobs.
    """

    name: LabName
    nodes: tuple[LabNode, ...]
    cpus_per_node: PositiveInt
    n_real_cpus: PositiveInt
    slurm: bool
    own_user_namespace: bool
    wiring: Wiring = "bridge"
    second_rate_bits: NonNegative | None = None
    accounting: Accounting = "file"
    policy: Policy = Policy()
    is_open: bool = False
    head: LabNode = LabNode(name=HEAD, number=_HEAD_NUMBER)

    @property
    def everyone(self) -> tuple[LabNode, ...]:
        return (self.head, *self.nodes)

    @property
    def n_at_once(self) -> int:
        """The number of nodes that can measure at the same time without sharing processors."""
        return max(1, min(len(self.nodes), self.n_real_cpus // self.cpus_per_node))

    def node(self, name: str) -> LabNode | None:
        return next((node for node in self.everyone if node.name == name), None)


def nodes_for(n_nodes: int, cpus_per_node: int, real: tuple[int, ...], link: Link) -> list[LabNode]:
    """Compute nodes n1, n2...; each has processors of its own if there are enough.

    If there are not, nodes are distributed over them: launchers bind the first rank of a node to
    its first processor, so nodes that may use all processors would share the first one.

    Args:
        real: numbers of the real processors.
    """
    n_own = cpus_per_node if cpus_per_node < len(real) else 0
    return [
        LabNode(
            name=f"n{number}",
            number=number,
            cpus=tuple(real[((number - 1) * n_own + i) % len(real)] for i in range(n_own)),
            link=link,
        )
        for number in range(1, n_nodes + 1)
    ]
