"""Sets of CPUs in files of /sys, which older kernels write as a mask only."""

from __future__ import annotations

import re
from pathlib import Path

from heorot.machine.kernel.tree import ROOT, numbered, read_text
from heorot.model.machine.cpulist import parse_cpulist

_MASK = re.compile(r"(0x)?[0-9a-fA-F]{1,16}(,[0-9a-fA-F]{1,8}){0,2048}")


def read_cpuset(*files: Path) -> frozenset[int]:
    """The CPUs in the first file that has some: a list or a mask, according to its name."""
    for file in files:
        text = read_text(file)
        cpus = parse_cpulist(text) if file.name.endswith("list") else parse_cpumask(text)
        if cpus:
            return cpus
    return frozenset()


def parse_cpumask(text: str | None) -> frozenset[int]:
    """The CPUs of a mask such as `00000000,0000000f`; none if it is unreadable."""
    if not _MASK.fullmatch(text or ""):
        return frozenset()
    bits = int((text or "").replace(",", ""), 16)
    return frozenset(cpu for cpu in range(bits.bit_length()) if bits >> cpu & 1)


def read_domains(root: Path = ROOT) -> dict[int, frozenset[int]]:
    """The CPUs of every NUMA domain by its number; memory without CPUs has none."""
    return {
        number: read_cpuset(folder / "cpulist", folder / "cpumap")
        for number, folder in numbered(root / "sys/devices/system/node", "node")
    }
