"""CPU lists as the kernel writes them, such as `0-3,64-67`."""

from __future__ import annotations

import re
from collections.abc import Iterable

# Far beyond what Linux supports; a longer list is garbage.
_MOST_CPUS = 2**16
_PIECE = re.compile(r"\s*(\d{1,5})(?:-(\d{1,5}))?\s*")


def parse_cpulist(text: str | None) -> frozenset[int]:
    """The CPUs of a list; an empty or unreadable list has none."""
    cpus: set[int] = set()
    for piece in (text or "").split(","):
        if match := _PIECE.fullmatch(piece):
            start, end = int(match[1]), int(match[2] or match[1])
            cpus.update(range(start, end + 1) if end < _MOST_CPUS else ())
    return frozenset(cpus)


def format_cpulist(cpus: Iterable[int]) -> str:
    """The shortest list of these CPUs."""
    runs: list[list[int]] = []
    for cpu in sorted(set(cpus)):
        if runs and cpu == runs[-1][1] + 1:
            runs[-1][1] = cpu
        else:
            runs.append([cpu, cpu])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
