"""What a lab is: its nodes, their links, and what they share."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator

from heorot.model.base import NonNegative, PositiveInt, Record, Seconds

HEAD = "head"
MOST_NODES = 200
_HEAD_NUMBER = 254
_NETWORK = "10.73.0"
_SECOND_NETWORK = "10.73.1"

# How packets go from one node to another: by the kernel's bridge, by the bridge with the kernel's
# emulation of delays, or by a program of ours where the kernel has none.
Wiring = Literal["bridge", "netem", "program"]

# Where Slurm keeps what it knows of jobs: a file of those that have ended, or its data base.
Accounting = Literal["file", "slurmdbd", "none"]

# What Slurm does with jobs: whether short ones overtake; what cleans up behind each (nothing, a
# script that does, one that cleans nothing, one that fails); which limits of jobs are enforced.
Scheduler = Literal["backfill", "builtin"]
Epilogue = Literal["none", "clean", "broken", "failing"]
Limits = Literal["time", "all", "none"]

# Settings without which a lab is none, or that are other files' names.
_OWN_SETTINGS = re.compile(
    r"(?i)(?:cluster|node|partition|downnode|nodeset|frontend)name|slurmctld(?:host|port|pidfile)|"
    r"slurm(?:d)?user|auth.*|accounting.*|.*loc(?:ation)?|.*(?:dir|file)|include|plugindir|"
    r"prolog.*|epilog.*|.*prog(?:ram)?|.*prolog|.*epilog|jobsubmitplugins"
)


def is_name(text: str) -> bool:
    """Whether a lab can have this name, which becomes that of a folder."""
    return re.fullmatch(r"[a-z][a-z0-9-]{0,30}", text) is not None


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
        raise ValueError(f"{key} is for the lab itself to set")
    return text


Setting = Annotated[str, AfterValidator(_setting)]
LabName = Annotated[str, AfterValidator(_lab_name)]


class Link(Record):
    """The cable of a node.

    Attributes:
        rate_bits: each way; None for as fast as it goes [bit/s].
        latency_seconds: between two nodes with such links, one way; each adds half of it [s].
        is_cut: whether nothing passes.
    """

    rate_bits: NonNegative | None = None
    latency_seconds: Seconds = 0.0
    is_cut: bool = False


class LabNode(Record):
    """A node.

    Attributes:
        number: makes up its address.
        cpus: processors of the real computer that it may use; where there are too few, several
            nodes have the same ones. Empty if it may use all.
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
    """What Slurm does with jobs.

    Attributes:
        scheduler: whether short jobs may overtake wide ones that wait.
        epilogue: what cleans up on a node behind each job.
        settings: lines of slurm.conf that take the place of ours, as KEY=VALUE.
    """

    scheduler: Scheduler = "backfill"
    epilogue: Epilogue = "none"
    limits: Limits = "time"
    settings: tuple[Setting, ...] = ()


class Laboratory(Record):
    """A lab.

    Attributes:
        name: by which commands find it.
        cpus_per_node: processors that a node claims to have.
        n_real_cpus: processors that there are.
        slurm: whether a batch system runs on it.
        own_user_namespace: whether it was made without the rights of an administrator.
        wiring: how packets pass.
        second_rate_bits: of the second network, which uses the same cables; None without [bit/s].
        accounting: where the batch system keeps what it knows of jobs.
        policy: what the batch system does with jobs.
        is_open: whether other users of the computer can use the batch system.
        head: the node that runs the controller of the batch system, and no jobs.
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
        """How many nodes may measure at the same time without taking each other's processors."""
        return max(1, min(len(self.nodes), self.n_real_cpus // self.cpus_per_node))

    def node(self, name: str) -> LabNode | None:
        return next((node for node in self.everyone if node.name == name), None)


def nodes_for(n_nodes: int, cpus_per_node: int, real: tuple[int, ...], link: Link) -> list[LabNode]:
    """Compute nodes n1, n2...; each has processors of its own if there are enough.

    If there are not, nodes are dealt out over them: launchers bind the first rank of a node to its
    first processor, so that nodes that could use all of them would meet on one.

    Args:
        real: numbers of the processors that there are.
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
