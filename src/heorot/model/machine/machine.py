"""The description of a machine: its nodes with processors, memory and network, and its software."""

from __future__ import annotations

import math
from collections.abc import Collection

from pydantic import Field

from heorot.model.base import Count, NonNegative, PositiveInt, Record
from heorot.model.machine.cores import Core, Cores, each_core
from heorot.model.machine.cpulist import parse_cpulist
from heorot.model.machine.filesystem import FileSystem
from heorot.model.machine.memory import Cache, Memory, NumaNode
from heorot.model.machine.network import Hca, HcaPort, NetworkInterface
from heorot.model.machine.pace import Pace
from heorot.model.machine.site import SiteHost, SiteNetwork
from heorot.model.machine.software import (
    BatchSystem,
    BlasInstall,
    CompilerInstall,
    Family,
    ModulesSystem,
    MpiInstall,
)
from heorot.model.resource import Resource

__all__ = [
    "BatchSystem",
    "Cache",
    "CompilerInstall",
    "Cores",
    "Family",
    "FileSystem",
    "Hca",
    "HcaPort",
    "Limits",
    "Machine",
    "Memory",
    "ModulesSystem",
    "MpiInstall",
    "NetworkInterface",
    "Node",
    "NumaNode",
    "Pace",
    "Platform",
    "Processor",
]


class Processor(Record):
    """The processors of one node.

    Attributes:
        isa: instruction set as the kernel names it, such as `x86_64`.
        microarchitecture: archspec's name, the generic level if it has no other, `unknown, at least
            icelake` if the processor has further features.
        feature_level: the best generic level supported, such as `x86_64_v4`.
        signature: family, model and stepping numbers, or implementer and part.
        n_sockets: processor packages.
        n_cores: physical cores online.
        n_threads: hardware threads online.
        threads_per_core: largest number of online hardware threads per core.
        smt: whether several hardware threads of a core are active.
        smt_control: the kernel's switch of it: `on`, `off`, `forceoff`, `notsupported`.
        nominal_hz: base clock [Hz].
        min_hz: lowest clock [Hz].
        max_hz: highest clock, boost included [Hz].
        governor: frequency governors in use, comma-separated.
        frequency_driver: frequency driver, such as `intel_pstate`; the meaning of a governor
            depends on it.
        boost: whether the clock may rise above the base clock.
    """

    isa: str
    microarchitecture: str | None = None
    feature_level: str | None = None
    vendor: str | None = None
    model: str | None = None
    signature: str | None = None
    n_sockets: Count | None = None
    n_cores: Count | None = None
    n_threads: Count | None = None
    threads_per_core: Count | None = None
    smt: bool | None = None
    smt_control: str | None = None
    features: tuple[str, ...] = ()
    nominal_hz: NonNegative | None = None
    min_hz: NonNegative | None = None
    max_hz: NonNegative | None = None
    governor: str | None = None
    frequency_driver: str | None = None
    boost: bool | None = None


class Limits(Record):
    """The part of the node that this process may use.

    Attributes:
        allowed_cpus: CPU list of the online hardware threads in the affinity mask.
        allowed_domains: list of the NUMA nodes whose memory this process may use, None if unknown.
        cpu_quota: CPUs granted by the control group, None for no limit.
        memory_limit_bytes: memory granted by the control group, beyond which it kills or slows down
            processes [B], None for no limit.
        n_usable_cores: distinct physical cores that may run at once: allowed ones, cut to whole
            CPUs of the quota, at least 1.
    """

    allowed_cpus: str | None = None
    n_allowed_cpus: Count | None = None
    allowed_domains: str | None = None
    cpu_quota: NonNegative | None = None
    memory_limit_bytes: Count | None = None
    n_usable_cores: PositiveInt = 1


class Platform(Record):
    """The environment of the node and its operating system.

    Attributes:
        hypervisor: the hypervisor under this system, None on bare metal or if unknown.
        kernel: release of the kernel.
        kernel_version: build of the kernel.
        numa_balancing: whether the kernel moves pages between NUMA nodes by itself.
        mitigations: the kernel's mitigation of each vulnerability of the processor, by its name;
            None if unknown.
        boot_options: words of the kernel's command line that affect speed; the others are not
            recorded. None if it cannot be read.
    """

    product: str | None = None
    hypervisor: str | None = None
    container: str | None = None
    kernel: str | None = None
    kernel_version: str | None = None
    distribution: str | None = None
    clocksource: str | None = None
    numa_balancing: bool | None = None
    mitigations: dict[str, str] | None = None
    boot_options: tuple[str, ...] | None = None


class Node(Record):
    """A kind of node; equal nodes are one entry.

    Attributes:
        names: host names of the nodes of this kind.
        cores: online cores, by kind, socket and NUMA domain, in the order in which ranks take them;
            none if unknown.
        doubts: contradictions in the kernel's reports on its CPUs, in clauses.
        devices: accelerators with a driver, number of each kind: `gpu`, `accelerator`.
        device_variables: by kind, the environment variable that selects visible devices; without
            kinds for which it is unknown.
    """

    names: tuple[str, ...]
    n_nodes: PositiveInt = 1
    processor: Processor
    cores: tuple[Cores, ...] = ()
    doubts: tuple[str, ...] = ()
    caches: tuple[Cache, ...] = ()
    numa: tuple[NumaNode, ...] = ()
    memory: Memory = Memory()
    limits: Limits = Limits()
    platform: Platform = Platform()
    interfaces: tuple[NetworkInterface, ...] = ()
    hcas: tuple[Hca, ...] = ()
    devices: dict[str, Count] = Field(default_factory=dict)
    device_variables: dict[str, str] = Field(default_factory=dict)

    @property
    def usable_cores(self) -> tuple[Core, ...]:
        """The cores that this process may run on, each with its allowed hardware threads."""
        text = self.limits.allowed_cpus
        return each_core(self.cores, parse_cpulist(text) if text else None)

    @property
    def n_alike(self) -> float:
        """Number of its cores of the type that ranks take first; infinite if all are alike."""
        kinds = [core.kind for core in self.usable_cores]
        return kinds.count(kinds[0]) if len(set(kinds)) > 1 else math.inf

    @property
    def usable_numa(self) -> tuple[NumaNode, ...]:
        """The NUMA nodes whose memory this process may use: all, unless restricted."""
        allowed = parse_cpulist(self.limits.allowed_domains)
        return tuple(one for one in self.numa if one.number in allowed) or self.numa

    @property
    def barred_numa(self) -> tuple[NumaNode, ...]:
        """The other NUMA nodes, except those known to be without memory."""
        usable = self.usable_numa
        return tuple(one for one in self.numa if one not in usable and one.memory_bytes != 0)

    @property
    def allowed_memory_bytes(self) -> int | None:
        """Memory of the usable NUMA nodes, if others are excluded; else None [B].

        None, too, if the size of one is not known.
        """
        sizes = [one.memory_bytes for one in self.usable_numa]
        known = [size for size in sizes if size is not None]
        return sum(known) if self.barred_numa and len(known) == len(sizes) else None

    @property
    def near_memory_bytes(self) -> int | None:
        """Memory of usable domains with CPUs, if other domains have memory, too; else None [B]."""
        usable = self.usable_numa
        near = sum(one.memory_bytes or 0 for one in usable if one.cpus)
        return near if near and any(one.memory_bytes for one in usable if not one.cpus) else None

    @property
    def lasting_memory_bytes(self) -> int | None:
        """Memory available to jobs on an otherwise idle node; None if unknown [B].

        Memory of domains without CPUs, such as that of GPUs, does not count: pages are placed there
        only on request, or when all else is full. Nor does that of domains outside its CPU set.
        """
        known = (
            self.near_memory_bytes,
            self.allowed_memory_bytes,
            self.memory.total_bytes,
            self.limits.memory_limit_bytes,
        )
        return min((size for size in known if size), default=None)

    def count_cores(self, cpus: Collection[int]) -> int:
        """Number of cores that hardware threads belong to, at least 1."""
        # A record of an earlier version has no cores.
        per_core = self.processor.threads_per_core or 1
        counted = len(each_core(self.cores, cpus)) if self.cores else len(cpus) // per_core
        return max(1, counted)

    def sharers(self, cache: Cache) -> int:
        """Number of cores that share one instance of a cache, at least 1."""
        cpus = parse_cpulist(next(iter(cache.cpu_sets), None))
        return self.count_cores(cpus or range(cache.n_cpus or 1))


class Machine(Record):
    """A machine as described by its own tools, with the software found on it.

    Attributes:
        name: given by its site; None if it has none.
        batch_systems: those whose commands are installed.
        mpis: message-passing libraries, the preferred first.
        compilers: C++ compilers, the preferred first.
        networks: between its nodes, as the site describes them.
        hosts: its nodes, as the site describes them; none in runs of earlier versions.
        pace: measured speed of its node when a run was planned; None if not measured.
    """

    hostname: str
    name: str | None = None
    nodes: tuple[Node, ...] = Field(min_length=1)
    filesystems: tuple[FileSystem, ...] = ()
    batch_systems: tuple[BatchSystem, ...] = ()
    modules: ModulesSystem | None = None
    mpis: tuple[MpiInstall, ...] = ()
    compilers: tuple[CompilerInstall, ...] = ()
    blases: tuple[BlasInstall, ...] = ()
    networks: tuple[SiteNetwork, ...] = ()
    hosts: tuple[SiteHost, ...] = Field(default=(), exclude_if=lambda several: not several)
    pace: Pace | None = None

    def is_between_nodes(self, resource: Resource) -> bool:
        """Whether all nodes share it, so that more nodes do not have more of it."""
        places = (each for each in self.filesystems if each.role == resource.name)
        own = resource.kind == "filesystem" and any(not each.between_nodes for each in places)
        return resource.kind in {"filesystem", "link"} and not own

    @property
    def system(self) -> str:
        """The name for stored results of this machine."""
        return self.name or self.hostname

    @property
    def node(self) -> Node:
        """The kind of node the evaluation runs on."""
        return self.nodes[0]
