"""What a site says of itself in its own file, over what is found automatically."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from heorot.model.base import (
    Count,
    FileName,
    NonNegative,
    PositiveInt,
    Record,
    Seconds,
    VariableName,
)
from heorot.model.machine.toolchain import Toolchain

BatchName = Literal["slurm", "pbs", "lsf", "flux"]
CountersKind = Literal["ip-json", "perfquery", "snmp"]


def _host_name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,252}[A-Za-z0-9])?", text):
        raise ValueError("a host's name has letters, digits, `-`, `_` and `.`")
    return text


def _one_line(text: str) -> str:
    if any(ord(character) < ord(" ") for character in text):
        raise ValueError("must be one line without control characters")
    return text


# A word of command lines and host files: what a shell or a launcher might understand as anything
# else is refused where it is read.
HostName = Annotated[str, AfterValidator(_host_name)]
OneLine = Annotated[str, AfterValidator(_one_line)]


class SiteHost(Record):
    """A node of a cluster without a batch system, or what the site adds to one that has it.

    Attributes:
        cores: cores that one job may use there; None takes those of the node we run on.
        devices: how many of each kind, such as `gpu`, a job may use there; None: those found.
    """

    name: HostName
    cores: PositiveInt | None = None
    devices: dict[OneLine, Count] | None = None
    features: tuple[OneLine, ...] = ()
    switch_port: OneLine | None = None


class SiteDevice(Record):
    """How a kind of devices is called here, in the place of what Heorot takes for its name.

    Attributes:
        request: by which jobs ask the batch system for it, such as `gpu:a100`.
        variable: tells a process which of them it sees, such as `CUDA_VISIBLE_DEVICES`.
    """

    request: OneLine | None = None
    variable: VariableName | None = None


class SiteFileSystem(Record):
    """A file system that the site names; its path may stand for all of it.

    Attributes:
        shared: whether it is one for all nodes; None goes by its kind.
    """

    path: Path
    shared: bool | None = None


def _of_path(value: object) -> object:
    return {"path": value} if isinstance(value, str | Path) else value


_FileSystem = Annotated[
    SiteFileSystem, BeforeValidator(_of_path, json_schema_input_type=SiteFileSystem | str)
]


class SiteCounters(Record):
    """How the counters of switches or ports are asked for.

    Attributes:
        command: its words; it prints the counters of all ports and ends.
        kind: how they are printed: `ip -s -j link`, `perfquery`, or `snmpwalk` of interfaces.
        interval_seconds: between two questions [s].
    """

    command: tuple[OneLine, ...] = Field(min_length=1)
    kind: CountersKind
    interval_seconds: Seconds = Field(default=5.0, ge=0.1)


class SiteNetwork(Record):
    """A network between the nodes, as it was sold.

    Attributes:
        interface: name of the interface on the nodes, such as `ib0`.
        rate_bits: quoted rate of a link, one direction [bit/s].
        latency_seconds: quoted latency, one way [s].
        shared: whether others, such as file systems, use it too.
        topology: in words.
        environment: variables that make each MPI use this network and no other.
        counters: of its switches, looked at while jobs run; None if nobody can be asked.
    """

    name: OneLine
    interface: OneLine | None = None
    rate_bits: NonNegative | None = None
    latency_seconds: Seconds | None = None
    shared: bool | None = None
    topology: OneLine | None = None
    environment: dict[VariableName, OneLine] = Field(default_factory=dict)
    counters: SiteCounters | None = None


class SitePart(Record):
    """Nodes of one kind that a job takes.

    Attributes:
        nodes: how many; None for all that the job has left, in the last part only.
    """

    nodes: PositiveInt | None = None
    feature: OneLine


class SiteBatch(Record):
    """How jobs are submitted.

    Attributes:
        commands: directory of its commands; None finds them by PATH.
        queue: partition or queue.
        account: who pays.
        constraint: features that nodes must have, in the batch system's words.
        parts: unlike nodes, such as one with a feature and the others with another.
        directives: further options of the submitting command, each as one line.
        exclusive: whether jobs have their nodes to themselves.
        time_limit_seconds: of one job; None takes the queue's own [s].
    """

    system: BatchName
    commands: Path | None = None
    queue: OneLine | None = None
    account: OneLine | None = None
    constraint: OneLine | None = None
    parts: tuple[SitePart, ...] = ()
    directives: tuple[OneLine, ...] = ()
    exclusive: bool = True
    time_limit_seconds: Seconds | None = None


class Site(Record):
    """A site file.

    Attributes:
        toolchains: replace those found automatically; the first is the default.
        variants: whether each compiler of the site's toolchains is tried at other levels of
            optimisation, too, and the first toolchain with other libraries.
        found: whether those found automatically join the site's own, with their variants.
        sources: where the sources of programs of others are, by the names of their recipes.
        hosts: the nodes, where no batch system gives them out.
        at_once: how many nodes may measure by themselves at the same time without disturbing each
            other; None for all of them.
        agent: command that runs another on a host as ssh does: `agent HOST COMMAND...`; None
            takes ssh.
        networks: between the nodes; the first is the one that is used unless others are asked for.
        devices: how kinds of devices, such as `gpu`, are called.
        filesystems: by what they are called, such as `scratch`.
        batch: how jobs are submitted; None for a machine without a batch system.
        work: directory that all nodes see, for runs and programs; None takes the current one.
    """

    system: str | None = None
    toolchains: tuple[Toolchain, ...] = ()
    variants: bool = False
    found: bool = False
    sources: dict[str, Path] = Field(default_factory=dict)
    hosts: tuple[SiteHost, ...] = ()
    at_once: PositiveInt | None = None
    agent: Path | None = None
    networks: tuple[SiteNetwork, ...] = ()
    devices: dict[OneLine, SiteDevice] = Field(default_factory=dict)
    filesystems: dict[FileName, _FileSystem] = Field(default_factory=dict)
    batch: SiteBatch | None = None
    work: Path | None = None
