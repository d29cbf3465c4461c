"""Small trees of /proc and /sys with the CPU descriptions of real machines, in a few lines each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from heorot.model.machine.cpulist import format_cpulist, parse_cpulist

SYS = "sys/devices/system"


@dataclass(frozen=True)
class Tree:
    """A kernel's description of CPUs.

    Attributes:
        cores: CPU list of each core that is described.
        sockets: CPU list of each package by its number.
        domains: CPU list of each NUMA domain by its number; empty for memory alone.
        online: the list of CPUs on line; None if there is no such file.
        mask: CPUs that the process may use; None if unknown.
        n_usable: distinct cores that are right.
        kinds: the kinds of cores that are right, the fastest first, with how many there are.
        n_sockets: packages that are right.
        masks: whether the kernel is an old one, which writes masks and no lists.
        caches: CPU list of each L1d cache.
        files: further files.
    """

    cores: tuple[str, ...]
    n_usable: int
    sockets: Mapping[int, str] = field(default_factory=dict)
    domains: Mapping[int, str] = field(default_factory=dict)
    online: str | None = None
    mask: str | None = None
    kinds: tuple[tuple[str, int], ...] = ()
    n_sockets: int | None = 1
    masks: bool = False
    caches: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)


def groups(n: int, first: int = 0, size: int = 1, stride: int = 1) -> tuple[str, ...]:
    """CPU lists of n cores: the i-th has `size` threads from first + i, `stride` apart."""
    step = size if stride == 1 else 1
    return tuple(
        format_cpulist(first + i * step + j * stride for j in range(size)) for i in range(n)
    )


def each(cpus: str | Iterable[int], file: str, text: str) -> dict[str, str]:
    """A file of each of some CPUs."""
    numbers = parse_cpulist(cpus) if isinstance(cpus, str) else cpus
    return {f"{SYS}/cpu/cpu{cpu}/{file}": text for cpu in numbers}


def _mask(cpus: Iterable[int]) -> str:
    bits = sum(1 << cpu for cpu in cpus)
    digits = f"{bits:x}"
    digits = digits.zfill(-(-len(digits) // 8) * 8)
    return ",".join(digits[i : i + 8] for i in range(0, len(digits), 8))


def _set_files(
    tree: Tree, place: str, mask: str, lists: str, cpus: Iterable[int]
) -> dict[str, str]:
    chosen = sorted(cpus)
    as_list = {} if tree.masks else {f"{place}/{lists}": format_cpulist(chosen)}
    return {f"{place}/{mask}": _mask(chosen), **as_list}


def _topology(tree: Tree) -> dict[str, str]:
    files: dict[str, str] = {}
    package = {
        cpu: (n, parse_cpulist(of)) for n, of in tree.sockets.items() for cpu in parse_cpulist(of)
    }
    for core in map(parse_cpulist, tree.cores):
        for cpu in core:
            place = f"{SYS}/cpu/cpu{cpu}/topology"
            files |= _set_files(tree, place, "thread_siblings", "thread_siblings_list", core)
            if cpu in package:
                number, members = package[cpu]
                files[f"{place}/physical_package_id"] = str(number)
                files |= _set_files(tree, place, "core_siblings", "core_siblings_list", members)
    return files


def files_of(tree: Tree) -> dict[str, str]:
    """The contents of a tree's files, by their names below the root."""
    files = _topology(tree)
    for cache in map(parse_cpulist, tree.caches):
        for cpu in cache:
            place = f"{SYS}/cpu/cpu{cpu}/cache/index0"
            files |= {f"{place}/level": "1", f"{place}/type": "Data", f"{place}/size": "32K"}
            files |= _set_files(tree, place, "shared_cpu_map", "shared_cpu_list", cache)
    for number, cpus in tree.domains.items():
        place = f"{SYS}/node/node{number}"
        files |= _set_files(tree, place, "cpumap", "cpulist", parse_cpulist(cpus))
        files.setdefault(f"{place}/meminfo", f"Node {number} MemTotal: 1048576 kB")
    if tree.online is not None:
        files[f"{SYS}/cpu/online"] = tree.online
    if tree.mask is not None:
        files["proc/self/status"] = f"Name:\tx\nCpus_allowed_list:\t{tree.mask}\n"
    return files | dict(tree.files)


def plant_tree(root: Path, tree: Tree) -> Path:
    """Write a tree below a root."""
    for name, text in files_of(tree).items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n")
    return root


def arm(parts: Mapping[str, str]) -> dict[str, str]:
    """/proc/cpuinfo of ARM cores, by the CPU list of each design."""
    blocks = [
        f"processor : {cpu}\nCPU implementer : 0x41\nCPU part : {part}\nFeatures : fp asimd\n"
        for cpus, part in parts.items()
        for cpu in sorted(parse_cpulist(cpus))
    ]
    return {"proc/cpuinfo": "\n".join(blocks)}


_FOUR = "0,4,8,12,16,20,24,28,32,36"

# The properties of each are from the machine or report that it represents.
TREES: dict[str, Tree] = {
    "POWER7, 8 domains, masks alone, no numbers of packages": Tree(
        groups(64, size=4),
        64,
        sockets=dict.fromkeys((-1,), "0-255"),
        domains={n: f"{32 * n}-{32 * n + 31}" for n in range(8)},
        masks=True,
        caches=groups(64, size=4),
    ),
    "POWER9 with SMT4, L1d caches of pairs, memory of GPUs": Tree(
        groups(4, size=4) + groups(4, first=88, size=4),
        8,
        sockets={0: "0-15", 8: "88-103"},
        domains={0: "0-15", 8: "88-103", **dict.fromkeys(range(252, 256), "")},
        online="0-15,88-103",
        n_sockets=2,
        caches=groups(8, size=2) + groups(8, first=88, size=2),
    ),
    "a guest with two threads a core and no caches": Tree(
        groups(2, size=2), 2, sockets={0: "0-3"}, online="0-3", mask="0-3"
    ),
    "a guest with cores in /proc/cpuinfo only": Tree(
        (),
        2,
        n_sockets=2,
        mask="0-3",
        files={
            "proc/cpuinfo": "\n".join(
                f"processor : {cpu}\nphysical id : {cpu // 2}\ncore id : 0\n" for cpu in range(4)
            )
        },
    ),
    "SMT off, siblings next to each other": Tree(
        ("0", "2", "4", "6"), 4, sockets={0: "0,2,4,6"}, online="0,2,4,6", mask="0-7"
    ),
    "SMT off, but the threads that are off still described": Tree(
        groups(4, size=2),
        4,
        sockets={0: "0-7"},
        online="0,2,4,6",
        mask="0-7",
        files=each("1,3,5,7", "online", "0"),
    ),
    "CPU 0 and 7 more off line": Tree(
        groups(17, first=4), 17, sockets={0: "4-11", 1: "12-20"}, online="4-20", n_sockets=2
    ),
    "off line without a list": Tree(
        ("0", "2-3"), 2, sockets={0: "0,2-3"}, mask="0-3", files=each("1", "online", "0")
    ),
    "a container that counts its CPUs anew": Tree(
        groups(16, size=2, stride=16),
        2,
        sockets={0: "0-31"},
        online="0-3",
        mask="8-9,24-25",
        caches=groups(16, size=2, stride=16),
    ),
    "a container whose new numbers overlap the true ones": Tree(
        groups(16, size=2, stride=16), 3, sockets={0: "0-31"}, online="0-2", mask="2-4"
    ),
    "a container that shows as many CPUs as its quota": Tree(
        groups(8), 2, sockets={0: "0-7"}, online="0-1", mask="1-6",
        files={
            "sys/fs/cgroup/cgroup.controllers": "cpu",
            "sys/fs/cgroup/cpu.max": "200000 100000",
            "proc/self/cgroup": "0::/",
        },
    ),
    "firmware that numbers CPUs alternately over four sockets": Tree(
        groups(40),
        40,
        sockets={n: ",".join(str(int(c) + n) for c in _FOUR.split(",")) for n in range(4)},
        domains={n: ",".join(str(int(c) + n) for c in _FOUR.split(",")) for n in range(4)},
        online="0-39",
        n_sockets=4,
    ),
    "two sockets without NUMA, numbered alternately": Tree(
        groups(8), 8, sockets={0: "0,2,4,6", 1: "1,3,5,7"}, domains={0: "0-7"}, n_sockets=2
    ),
    "firmware that puts all CPUs into each of two domains": Tree(
        groups(8), 8, sockets={0: "0-3", 1: "4-7"}, domains={0: "0-7", 1: "0-7"}, n_sockets=2
    ),
    "P and E cores that the kernel lists": Tree(
        (*groups(6, size=2), *groups(8, first=12)),
        14,
        sockets={0: "0-19"},
        domains={0: "0-19"},
        online="0-19",
        kinds=(("P-core", 6), ("E-core", 8)),
        files={"sys/devices/cpu_core/cpus": "0-11", "sys/devices/cpu_atom/cpus": "12-19"},
    ),
    "P and E cores known by clocks only, some of them favoured": Tree(
        (*groups(6, size=2), *groups(8, first=12)),
        14,
        sockets={0: "0-19"},
        kinds=(("up to 5.20 GHz", 6), ("up to 3.90 GHz", 8)),
        files={
            **each("0-7", "cpufreq/cpuinfo_max_freq", "5000000"),
            **each("8-11", "cpufreq/cpuinfo_max_freq", "5200000"),
            **each("12-19", "cpufreq/cpuinfo_max_freq", "3900000"),
        },
    ),
    "favoured cores are of no other kind": Tree(
        groups(4), 4, sockets={0: "0-3"}, files={
            **each("0-1", "cpufreq/cpuinfo_max_freq", "4800000"),
            **each("2-3", "cpufreq/cpuinfo_max_freq", "5100000"),
        },
    ),
    "a phone: clusters of three designs that look like packages": Tree(
        groups(8),
        8,
        sockets={0: "0-2", 1: "3-6", 2: "7"},
        kinds=(("part 0xd4e", 1), ("part 0xd4d", 2), ("part 0xd47", 2), ("part 0xd46", 3)),
        files={
            **arm({"0-2": "0xd46", "3-4": "0xd4d", "5-6": "0xd47", "7": "0xd4e"}),
            **each("0-2", "cpu_capacity", "280"),
            **each("3-6", "cpu_capacity", "855"),
            **each("7", "cpu_capacity", "1024"),
        },
    ),
    "big and little cores of one design, known by the register": Tree(
        groups(4),
        4,
        sockets={0: "0-3"},
        kinds=(("part 0xd0b, capacity 1024", 2), ("part 0xd0b, capacity 700", 2)),
        files={
            **arm({"0-3": "0xd0b"}),
            **each("0-3", "regs/identification/midr_el1", "0x00000000414fd0b1"),
            **each("0-1", "cpu_capacity", "700"),
            **each("2-3", "cpu_capacity", "1024"),
        },
    ),
    "two packages of one ARM design without NUMA: sockets or clusters": Tree(
        groups(8),
        8,
        sockets={0: "0-3", 1: "4-7"},
        domains={0: "0-7"},
        n_sockets=None,
        files=arm({"0-7": "0xd03"}),
    ),
    "an ARM server with two sockets": Tree(
        groups(8),
        8,
        sockets={36: "0-3", 3180: "4-7"},
        domains={0: "0-3", 1: "4-7"},
        n_sockets=2,
        files=arm({"0-7": "0xd0c"}),
    ),
    "nothing but the mask": Tree((), 3, n_sockets=None, mask="5-7"),
}  # fmt: skip
