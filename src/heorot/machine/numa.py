"""The NUMA nodes of this node, from /sys/devices/system/node."""

from __future__ import annotations

import re
from pathlib import Path

from heorot.machine.cpus.sets import read_domains
from heorot.machine.kernel.tree import INTEGER, ROOT, numbered, read_text
from heorot.model.machine.cpulist import format_cpulist
from heorot.model.machine.machine import NumaNode


def read_numa(root: Path = ROOT) -> tuple[NumaNode, ...]:
    """The NUMA nodes in order of their numbers.

    Args:
        root: directory that holds `sys`.
    """
    domains = read_domains(root)
    return tuple(
        NumaNode(
            number=number,
            cpus=format_cpulist(domains[number]),
            memory_bytes=parse_node_memory(read_text(directory / "meminfo")),
            distances=parse_distances(read_text(directory / "distance")),
        )
        for number, directory in numbered(root / "sys/devices/system/node", "node")
    )


def parse_node_memory(text: str | None) -> int | None:
    """The memory of a NUMA node from its meminfo [B]."""
    match = re.search(rf"^Node \d+ MemTotal:\s+({INTEGER}) kB", text or "", re.MULTILINE)
    return int(match[1]) * 1024 if match else None


def parse_distances(text: str | None) -> tuple[int, ...]:
    """Distances to every NUMA node; 10 is local."""
    return tuple(int(word) for word in (text or "").split() if re.fullmatch(INTEGER, word))
