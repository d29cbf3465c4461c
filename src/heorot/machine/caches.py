"""The caches of this node, from /sys/devices/system/cpu."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import Literal

from heorot.machine.cpus.sets import read_cpuset
from heorot.machine.kernel.tree import ROOT, list_names, numbered, read_count, read_text
from heorot.model.machine.cpulist import format_cpulist
from heorot.model.machine.machine import Cache

Kind = Literal["data", "instruction", "unified"]
_FACTORS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}
_KINDS: dict[str, Kind] = {"Data": "data", "Instruction": "instruction", "Unified": "unified"}


def read_caches(root: Path = ROOT) -> tuple[Cache, ...]:
    """All caches of the node, by level, data before instructions.

    Args:
        root: directory that holds `sys`.
    """
    found: dict[Cache, list[str]] = defaultdict(list)
    covered: dict[str, set[int]] = defaultdict(set)
    for cpu, directory in numbered(root / "sys/devices/system/cpu", "cpu"):
        for index in list_names(directory / "cache"):
            # An instance read through one of its CPUs is skipped for the others.
            if not index.startswith("index") or cpu in covered[index]:
                continue
            one = read_instance(directory / "cache" / index)
            cpus = _shared_by(directory / "cache" / index)
            if one is not None:
                found[one].append(format_cpulist(cpus or {cpu}))
            covered[index] |= cpus
    caches = [
        cache.model_copy(update={"n_instances": len(sets), "cpu_sets": tuple(sets)})
        for cache, sets in found.items()
    ]
    return tuple(sorted(caches, key=lambda c: (c.level, c.kind, -(c.size_bytes or 0))))


def read_instance(directory: Path) -> Cache | None:
    """One cache as listed for one CPU, or None if the kernel does not describe it."""
    level = read_count(directory / "level")
    kind = _KINDS.get(read_text(directory / "type") or "")
    if level is None or kind is None:
        return None
    cpus = _shared_by(directory)
    return Cache(
        level=level,
        kind=kind,
        size_bytes=parse_cache_size(read_text(directory / "size")),
        line_bytes=read_count(directory / "coherency_line_size") or None,
        n_ways=read_count(directory / "ways_of_associativity") or None,
        n_cpus=len(cpus) or None,
    )


def _shared_by(directory: Path) -> frozenset[int]:
    return read_cpuset(directory / "shared_cpu_list", directory / "shared_cpu_map")


def parse_cache_size(text: str | None) -> int | None:
    """A size in the kernel's format, `48K` or `32M` [B]."""
    match = re.fullmatch(r"([0-9]{1,9})([KMG]?)", text or "")
    return int(match[1]) * _FACTORS[match[2]] or None if match else None
