"""The site file: facts about a site that override what is found automatically."""

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


# A word of command lines and host files: special characters of shells and launchers are refused
# where it is read.
HostName = Annotated[str, AfterValidator(_host_name)]
OneLine = Annotated[str, AfterValidator(_one_line)]


class SiteHost(Record):
    """A node of a cluster without a batch system, or a site's additions to one with it.

    Attributes:
        cores: cores that one job may use there; None for those of the current node.
        devices: number of each kind, such as `gpu`, that a job may use there; None for those found.
    """

    name: HostName
    cores: PositiveInt | None = None
    devices: dict[OneLine, Count] | None = None
    features: tuple[OneLine, ...] = ()
    switch_port: OneLine | None = None


class SiteDevice(Record):
    """The site's names for a kind of devices, in place of Heorot's defaults.

    Attributes:
        request: the batch system's name of it in job requests, such as `gpu:a100`.
        variable: environment variable that selects visible devices, such as `CUDA_VISIBLE_DEVICES`.
    """

    request: OneLine | None = None
    variable: VariableName | None = None


class SiteFileSystem(Record):
    """A file system named by the site; its path stands for all of it.

    Attributes:
        shared: whether all nodes share it; None to derive it from its kind.
    """

    path: Path
    shared: bool | None = None


def _of_path(value: object) -> object:
    return {"path": value} if isinstance(value, str | Path) else value


_FileSystem = Annotated[
    SiteFileSystem, BeforeValidator(_of_path, json_schema_input_type=SiteFileSystem | str)
]


class SiteCounters(Record):
    """How the counters of switches or ports are queried.

    Attributes:
        command: its words; it prints the counters of all ports and ends.
        kind: output format: `ip -s -j link`, `perfquery`, or `snmpwalk` of interfaces.
        interval_seconds: between two queries [s].
    """

    command: tuple[OneLine, ...] = Field(min_length=1)
    kind: CountersKind
    interval_seconds: Seconds = Field(default=5.0, ge=0.1)


class SiteNetwork(Record):
    """A network between the nodes, as quoted.

    Attributes:
        interface: name of the interface on the nodes, such as `ib0`.
        rate_bits: quoted rate of a link, one direction [bit/s].
        latency_seconds: quoted latency, one way [s].
        shared: whether other traffic, such as that of file systems, uses it, too.
        topology: in words.
        environment: variables that restrict each MPI to this network.
        counters: of its switches, queried while jobs run; None if they cannot be queried.
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
    """Nodes of one kind in a job.

    Attributes:
        nodes: number of nodes; None for all that the job has left, in the last part only.
    """

    nodes: PositiveInt | None = None
    feature: OneLine


class SiteBatch(Record):
    """How jobs are submitted.

    Attributes:
        commands: directory of its commands; None to find them by PATH.
        queue: partition or queue.
        account: account that is charged.
        constraint: features that nodes must have, in the batch system's words.
        parts: unlike nodes, such as one with a feature and the others with another.
        directives: further options of the submitting command, each as one line.
        exclusive: whether jobs have their nodes to themselves.
        time_limit_seconds: of one job; None for the queue's own [s].
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
        found: whether those found automatically are added to the site's own, with their variants.
        sources: directories of the sources of external programs, by the names of their recipes.
        hosts: the nodes, if no batch system allocates them.
        at_once: number of nodes that can measure by themselves at the same time without
            interference; None for all of them.
        agent: command that runs another on a host as ssh does: `agent HOST COMMAND...`; None for
            ssh.
        networks: between the nodes; the first is the default.
        devices: names of kinds of devices, such as `gpu`.
        filesystems: by name, such as `scratch`.
        batch: how jobs are submitted; None for a machine without a batch system.
        work: directory that all nodes see, for runs and programs; None for the current one.
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
