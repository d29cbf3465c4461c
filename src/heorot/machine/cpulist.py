"""CPU lists as the kernel writes them, such as `0-3,64-67`."""

from __future__ import annotations

from collections.abc import Iterable

# Far beyond what Linux supports; a longer list is garbage.
_MOST_CPUS = 2**20


def parse_cpulist(text: str | None) -> frozenset[int]:
    """The CPUs of a list; an empty or unreadable list has none."""
    cpus: set[int] = set()
    for piece in (text or "").split(","):
        first, dash, last = piece.strip().partition("-")
        if first.isdecimal() and (last.isdecimal() or not dash):
            start, end = int(first), int(last or first)
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
