"""The NUMA nodes of this node, from /sys/devices/system/node, and the allowed ones."""

from __future__ import annotations

import re
from pathlib import Path

from heorot.machine.cpus.sets import read_domains
from heorot.machine.kernel.groups import read_memory_domains
from heorot.machine.kernel.tree import INTEGER, ROOT, numbered, parse_fields, read_text
from heorot.model.machine.cpulist import format_cpulist, parse_cpulist
from heorot.model.machine.machine import NumaNode

_NODES = "sys/devices/system/node"
_FREE, _FILES = "MemFree", ("Active(file)", "Inactive(file)")


def read_numa(root: Path = ROOT) -> tuple[NumaNode, ...]:
    """The NUMA nodes in order of their numbers."""
    domains = read_domains(root)
    return tuple(
        NumaNode(
            number=number,
            cpus=format_cpulist(domains[number]),
            memory_bytes=parse_node_memory(read_text(directory / "meminfo")),
            distances=parse_distances(read_text(directory / "distance")),
        )
        for number, directory in numbered(root / _NODES, "node")
    )


def read_allowed_domains(root: Path = ROOT) -> frozenset[int]:
    """The NUMA nodes whose memory this process may use; none if unknown or inconsistent.

    Its own mask and the list of its control group are two sources of the same fact: the
    intersection counts.
    """
    status = parse_fields(read_text(root / "proc/self/status") or "")
    found = (parse_cpulist(status.get("Mems_allowed_list")), read_memory_domains(root))
    known = [domains for domains in found if domains]
    present = frozenset(number for number, _ in numbered(root / _NODES, "node"))
    return present.intersection(*known) if known else frozenset()


def read_available(root: Path = ROOT) -> int | None:
    """Memory available on the NUMA nodes that this process may use [B]; None if it may use all.

    That is free memory plus clean file cache, which the kernel reclaims.
    """
    allowed = read_allowed_domains(root)
    found = numbered(root / _NODES, "node")
    sizes = {number: _sizes(read_text(folder / "meminfo")) for number, folder in found}
    barred = [each for number, each in sizes.items() if number not in allowed]
    usable = [sizes[number] for number in allowed]
    if not any(each.get("MemTotal") != 0 for each in barred) or not usable:
        return None
    if any(_FREE not in each for each in usable):
        return None
    return sum(each.get(name, 0) for each in usable for name in (_FREE, *_FILES))


def _sizes(text: str | None) -> dict[str, int]:
    """The sizes in a node's meminfo [B]."""
    lines = re.findall(rf"^Node \d+ (\S+):\s+({INTEGER}) kB", text or "", re.MULTILINE)
    return {name: int(size) * 1024 for name, size in lines}


def parse_node_memory(text: str | None) -> int | None:
    """The memory of a NUMA node from its meminfo [B]."""
    return _sizes(text).get("MemTotal")


def parse_distances(text: str | None) -> tuple[int, ...]:
    """Distances to every NUMA node; 10 is local."""
    return tuple(int(word) for word in (text or "").split() if re.fullmatch(INTEGER, word))
