"""Present activity of this node: load, stolen time, swap, and readable counters."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from heorot.machine.kernel.tree import ROOT, numbered, read_count, read_integer, read_text
from heorot.machine.memory import parse_meminfo

# Columns of a line of /proc/stat: user nice system idle iowait irq softirq steal (proc_stat(5)).
_BUSY, _STEAL, _ALL = (0, 1, 2, 5, 6), 7, 8
_SECONDS, _PAIR = 0.5, 2


@dataclass(frozen=True)
class NodeActivity:
    """A node while no process of Heorot runs on it; None is unknown.

    Attributes:
        busy_cpus: hardware threads kept busy by programs, on average.
        stolen: share of the time of all hardware threads that a hypervisor gave to others.
        swapped_bytes: swap space in use [B].
        perf_event_paranoid: the kernel's limit for performance counters: whole-system counters
            need 0 or less, or root.
        is_root: whether all counters are readable, whatever that limit is.
        reads_energy: whether the energy counters (RAPL) are readable; None without any.
    """

    busy_cpus: float | None = None
    stolen: float | None = None
    swapped_bytes: int | None = None
    perf_event_paranoid: int | None = None
    is_root: bool = False
    reads_energy: bool | None = None


def read_activity(
    root: Path = ROOT, seconds: float = _SECONDS, sleep: Callable[[float], None] = time.sleep
) -> NodeActivity:
    """Observe the node for an interval.

    Args:
        seconds: length of the interval [s].
    """
    before = read_text(root / "proc/stat") or ""
    sleep(seconds)
    busy, stolen = parse_load(before, read_text(root / "proc/stat") or "")
    sizes = parse_meminfo(read_text(root / "proc/meminfo") or "")
    swap = [sizes[name] for name in ("SwapTotal", "SwapFree") if name in sizes]
    zones = [zone for _, zone in numbered(root / "sys/class/powercap", "intel-rapl:")]
    return NodeActivity(
        busy_cpus=busy,
        stolen=stolen,
        swapped_bytes=max(0, swap[0] - swap[1]) if len(swap) == _PAIR else None,
        perf_event_paranoid=read_integer(root / "proc/sys/kernel/perf_event_paranoid"),
        is_root=os.geteuid() == 0,
        reads_energy=any(_counts(zone) for zone in zones) if zones else None,
    )


def parse_load(before: str, after: str) -> tuple[float | None, float | None]:
    """Busy hardware threads and the stolen share between two readings of /proc/stat."""
    first, second = _ticks(before), _ticks(after)
    spent = [later - earlier for earlier, later in zip(first, second, strict=False)]
    if len(spent) < _ALL or sum(spent[:_ALL]) <= 0:
        return None, None
    total = sum(spent[:_ALL])
    n_cpus = len(re.findall(r"^cpu\d", after, re.MULTILINE))
    return sum(spent[column] for column in _BUSY) / total * n_cpus, spent[_STEAL] / total


def _ticks(text: str) -> list[int]:
    """The time of all hardware threads, by state [ticks]."""
    match = re.search(r"^cpu ([ \d]{1,400})$", text, re.MULTILINE)
    return [int(word) for word in match[1].split()] if match else []


def _counts(zone: Path) -> bool:
    return read_count(zone / "energy_uj") is not None
