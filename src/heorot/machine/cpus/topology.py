"""Creates the record of a node's CPUs, from /sys/devices/system/cpu, else from /proc/cpuinfo."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from heorot.errors import SetupError
from heorot.machine.cpus.contradictions import (
    agreed,
    at_odds,
    at_odds_by_number,
    describe_contradictions,
)
from heorot.machine.cpus.kinds import Kind, read_kinds
from heorot.machine.cpus.sets import read_cpuset, read_domains
from heorot.machine.kernel.groups import read_cpu_quota
from heorot.machine.kernel.tree import (
    ROOT,
    list_names,
    numbered,
    parse_fields,
    parse_integer,
    read_integer,
    read_text,
)
from heorot.model.machine.cores import Core, Cores, each_core
from heorot.model.machine.cpulist import format_cpulist, parse_cpulist

# Newer names first: an older name always lists the threads of a core, but not on all processors the
# CPUs of a package.
_CORE = ("core_cpus_list", "core_cpus", "thread_siblings_list", "thread_siblings")
_PACKAGE = ("package_cpus_list", "package_cpus", "core_siblings_list", "core_siblings")
_ARM = "CPU implementer"


@dataclass(frozen=True)
class Cpus:
    """The hardware threads of a node, and its cores.

    Attributes:
        online: the online hardware threads.
        allowed: those that this process may use.
        quota: CPU time granted by the control group [CPUs], None for no limit.
        groups: the online cores, in the order in which ranks take them.
        n_sockets: processor packages, None if unknown.
        cores_known: whether the threads of each core are known; else each thread counts as a core.
        contradictions: contradictions in the kernel's reports, in clauses.
    """

    online: frozenset[int] = frozenset()
    allowed: frozenset[int] = frozenset()
    quota: float | None = None
    groups: tuple[Cores, ...] = ()
    n_sockets: int | None = None
    cores_known: bool = False
    contradictions: tuple[str, ...] = ()

    @property
    def cores(self) -> tuple[Core, ...]:
        """The online cores."""
        return each_core(self.groups)

    @property
    def n_usable_cores(self) -> int:
        """Cores that may be used at once: allowed ones, limited to whole CPUs of the quota."""
        n_cores = len(each_core(self.groups, self.allowed))
        if self.quota is not None:
            n_cores = min(n_cores, math.floor(self.quota))
        return max(1, n_cores)


@dataclass(frozen=True)
class _CpuEntry:
    """The kernel's description of one CPU: CPUs of its core, of its package, and its number."""

    core: frozenset[int]
    package: frozenset[int]
    number: int | None


def read_cpus(root: Path = ROOT) -> Cpus:
    """The CPUs of a node.

    Args:
        root: directory that holds `proc` and `sys`.

    Raises:
        SetupError: none of the CPUs that this process may use is online.
    """
    cpuinfo = read_text(root / "proc/cpuinfo") or ""
    status = parse_fields(read_text(root / "proc/self/status") or "")
    mask, quota = parse_cpulist(status.get("Cpus_allowed_list")), read_cpu_quota(root)
    entries = _from_sysfs(root) or _from_cpuinfo(cpuinfo)
    online = _find_online(root, frozenset(entries), mask, quota) or processors(cpuinfo) or mask
    allowed = mask & online if mask else online
    if mask and not allowed:
        raise SetupError(
            f"of the CPUs that this process may use ({format_cpulist(mask)}) none is online "
            f"({format_cpulist(online)})",
            "a container that shows other CPUs than it grants, or a CPU set made before some went "
            "offline: start it anew, or bind to existing CPUs (taskset -c)",
        )
    kinds = read_kinds(root, online)
    cores = {cpu: one.core & online for cpu, one in entries.items() if cpu in online}
    domains = _find_domains(root, online)
    sockets = _find_sockets(root, entries, online, kinds, arm=_ARM in parse_fields(cpuinfo))
    members, numbers = _packages(entries, online)
    known = {} if at_odds(cores) else cores
    return Cpus(
        online=online,
        allowed=allowed,
        quota=quota,
        groups=_group(known, domains, online, kinds, sockets),
        n_sockets=len(set(sockets.values())) or None,
        cores_known=bool(known),
        contradictions=tuple(describe_contradictions(cores, members, numbers, domains)),
    )


def processors(cpuinfo: str) -> frozenset[int]:
    """The hardware threads in /proc/cpuinfo."""
    return frozenset(map(int, re.findall(r"^processor\s*:\s*(\d{1,5})\s*$", cpuinfo, re.MULTILINE)))


def _from_sysfs(root: Path) -> dict[int, _CpuEntry]:
    """The described CPUs: the kernel describes online ones only."""
    found: dict[int, _CpuEntry] = {}
    for cpu, folder in numbered(root / "sys/devices/system/cpu", "cpu"):
        topology = folder / "topology"
        if list_names(topology) and read_integer(folder / "online") != 0:
            found[cpu] = _CpuEntry(
                core=read_cpuset(*(topology / name for name in _CORE)),
                package=read_cpuset(*(topology / name for name in _PACKAGE)),
                number=read_integer(topology / "physical_package_id"),
            )
    return found


def _from_cpuinfo(cpuinfo: str) -> dict[int, _CpuEntry]:
    """The same from the x86 lines of /proc/cpuinfo."""
    cores: dict[tuple[str, str], set[int]] = {}
    packages: dict[str, set[int]] = {}
    for block in cpuinfo.split("\n\n"):
        fields = parse_fields(block)
        cpu = parse_integer(fields.get("processor"))
        if cpu is not None and cpu >= 0 and {"physical id", "core id"} <= fields.keys():
            cores.setdefault((fields["physical id"], fields["core id"]), set()).add(cpu)
            packages.setdefault(fields["physical id"], set()).add(cpu)
    return {
        cpu: _CpuEntry(frozenset(core), frozenset(packages[package]), parse_integer(package))
        for (package, _), core in cores.items()
        for cpu in core
    }


def _find_online(
    root: Path, described: frozenset[int], mask: frozenset[int], quota: float | None
) -> frozenset[int]:
    """The online CPUs: the listed ones, unless the list renumbers the CPUs of a container.

    Such a list counts from 0 to the number of allowed CPUs or of the quota, while the kernel
    describes allowed CPUs that are not in it (lxcfs).
    """
    listed = parse_cpulist(read_text(root / "sys/devices/system/cpu/online"))
    hidden = (mask & described) - listed
    lengths = {len(mask & described), math.ceil(quota) if quota else 0}
    anew = listed == set(range(len(listed))) and len(listed) in lengths
    if not listed or (hidden and (anew or not mask & listed)):
        return described
    return listed


def _packages(
    entries: Mapping[int, _CpuEntry], online: frozenset[int]
) -> tuple[dict[int, frozenset[int]], dict[int, int]]:
    """The CPUs of each CPU's package, and its number; -1 if unknown."""
    here = {cpu: one for cpu, one in entries.items() if cpu in online}
    return (
        {
            cpu: frozenset() if one.number == -1 else one.package & online
            for cpu, one in here.items()
        },
        {
            cpu: one.number
            for cpu, one in here.items()
            if one.number is not None and one.number >= 0
        },
    )


def _find_sockets(
    root: Path,
    entries: Mapping[int, _CpuEntry],
    online: frozenset[int],
    kinds: tuple[Kind, ...],
    *,
    arm: bool,
) -> dict[int, int]:
    """The package of each CPU, counted from 0; none if unknown.

    Without information on packages, ARM kernels report clusters of cores as packages. Clusters of
    different types are in one package; whether clusters of one type are is unknown, unless each has
    memory of its own.
    """
    members, numbers = _packages(entries, online)
    told_by_some = len(set(map(bool, members.values()))) > 1
    if told_by_some or at_odds(members) or at_odds_by_number(members, numbers):
        return {}
    # On some machines packages have the same number in each drawer.
    keys = {}
    for cpu, own in members.items():
        known = (numbers.get(one) for one in sorted(own) or [cpu])
        keys[cpu] = (next((n for n in known if n is not None), 0), tuple(sorted(own)))
    packages = sorted(set(keys.values()))
    sockets = {cpu: packages.index(key) for cpu, key in keys.items()}
    if arm and len(packages) > 1:
        of_kind = {cpu: kind.name for kind in kinds for cpu in kind.cpus}
        of_socket: dict[int, set[str]] = {}
        for cpu, socket in sockets.items():
            of_socket.setdefault(socket, set()).add(of_kind.get(cpu, ""))
        if len({frozenset(names) for names in of_socket.values()}) > 1:
            return dict.fromkeys(sockets, 0)
        if len(packages) > sum(bool(cpus & online) for cpus in read_domains(root).values()):
            return {}
    return sockets


def _find_domains(root: Path, online: frozenset[int]) -> dict[int, list[int]]:
    """The NUMA domains that list each CPU: one, unless the firmware is wrong."""
    domains: dict[int, list[int]] = {}
    for number, cpus in read_domains(root).items():
        for cpu in cpus & online:
            domains.setdefault(cpu, []).append(number)
    return domains


def _group(
    cores: Mapping[int, frozenset[int]],
    domains: Mapping[int, list[int]],
    online: frozenset[int],
    kinds: tuple[Kind, ...],
    sockets: Mapping[int, int],
) -> tuple[Cores, ...]:
    """The cores, the fastest type first, then by socket, domain and first CPU."""
    of_kind = {cpu: place for place, kind in enumerate(kinds) for cpu in kind.cpus}
    sole = {cpu: numbers[0] for cpu, numbers in domains.items() if len(numbers) == 1}
    groups: dict[tuple[int, int, int], list[str]] = {}
    placed: set[int] = set()
    for cpu in sorted(online):
        if cpu not in placed:
            core = sorted({cpu, *cores.get(cpu, ())})
            placed.update(core)
            socket, domain = (agreed([of.get(one, -1) for one in core]) for of in (sockets, sole))
            key = (of_kind.get(cpu, 0), socket, domain)
            groups.setdefault(key, []).append(format_cpulist(core))
    return tuple(
        Cores(
            kind=kinds[kind].name if kinds else "",
            socket=None if socket < 0 else socket,
            domain=None if domain < 0 else domain,
            cpus=tuple(cores),
        )
        for (kind, socket, domain), cores in sorted(groups.items())
    )
