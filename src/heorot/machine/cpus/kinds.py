"""Types of cores of hybrid nodes: Intel's P and E cores, ARM's big and little ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from heorot.machine.kernel.tree import parse_fields, parse_integer, read_count, read_text
from heorot.model.machine.cpulist import parse_cpulist
from heorot.units import format_quantity

# Linux names its performance counters by the type of core that has them.
_INTEL = {"cpu_core": "P-core", "cpu_atom": "E-core", "cpu_lowpower": "LP E-core"}
# Cores of one type differ a little: some reach a higher boost, or were rated by a measurement.
_ALIKE = 1.1


@dataclass(frozen=True)
class Kind:
    """A type of core.

    Attributes:
        name: such as `P-core`, `part 0xd85`, `up to 3.9 GHz`.
        cpus: its hardware threads.
    """

    name: str
    cpus: frozenset[int]


def read_kinds(root: Path, cpus: Iterable[int]) -> tuple[Kind, ...]:
    """The types of cores, the fastest first; none if all are alike.

    Cores are of different types if the kernel lists them separately (Intel), if their designs have
    different numbers (ARM), or if their ratings are more than 10 % apart: their capacity, else
    their highest clock.

    Args:
        cpus: the online hardware threads.
    """
    online = sorted(cpus)
    designs = _designs(root, online)
    speeds, describe = _speeds(root, online)
    found: list[tuple[float, int, Kind]] = []
    for place, design in enumerate(dict.fromkeys(designs.values())):
        steps = _steps([cpu for cpu in online if designs[cpu] == design], speeds)
        for step in steps:
            best = max(speeds[cpu] for cpu in step)
            words = (design, describe(best) if len(steps) > 1 else "")
            kind = Kind(", ".join(filter(None, words)), frozenset(step))
            found.append((-best, place, kind))
    return tuple(kind for _, _, kind in sorted(found, key=lambda one: one[:2])) * (len(found) > 1)


def _designs(root: Path, online: list[int]) -> dict[int, str]:
    """The design of each CPU's core; empty if there is only one."""
    names = dict.fromkeys(online, "")
    for folder, name in _INTEL.items():
        listed = parse_cpulist(read_text(root / "sys/devices" / folder / "cpus"))
        names.update((cpu, name) for cpu in online if cpu in listed)
    parts = _arm_parts(root) if not any(names.values()) else {}
    for cpu in online:
        midr = root / f"sys/devices/system/cpu/cpu{cpu}/regs/identification/midr_el1"
        part = _part_of(read_text(midr)) or parts.get(cpu)
        names[cpu] = names[cpu] or (f"part {part}" if part else "")
    order = {name: place for place, name in enumerate(_INTEL.values())}
    # The order of equal ones is that of this table.
    return dict(sorted(names.items(), key=lambda item: (order.get(item[1], 0), item[0])))


def _part_of(register: str | None) -> str:
    """The design number in ARM's main identification register."""
    try:
        return f"0x{int(register or '', 16) >> 4 & 0xFFF:03x}"
    except ValueError:
        return ""


def _arm_parts(root: Path) -> dict[int, str]:
    """The same from /proc/cpuinfo, by CPU."""
    parts = {}
    for block in (read_text(root / "proc/cpuinfo") or "").split("\n\n"):
        fields = parse_fields(block)
        cpu = parse_integer(fields.get("processor"))
        if cpu is not None and "CPU part" in fields:
            parts[cpu] = fields["CPU part"]
    return parts


def _speeds(root: Path, online: list[int]) -> tuple[dict[int, float], Callable[[float], str]]:
    """The rating of each CPU, in one measure for all, and its format."""
    cpus = root / "sys/devices/system/cpu"
    for file, describe in (
        ("cpu_capacity", lambda speed: f"capacity {speed:.0f}"),
        (
            "cpufreq/cpuinfo_max_freq",
            lambda speed: f"up to {format_quantity(speed * 1e3, 'Hz')}",
        ),
    ):
        rated = {cpu: read_count(cpus / f"cpu{cpu}" / file) for cpu in online}
        known = {cpu: float(speed) for cpu, speed in rated.items() if speed}
        if len(known) == len(online):
            return known, describe
    return dict.fromkeys(online, 0.0), lambda _: ""


def _steps(cpus: list[int], speeds: dict[int, float]) -> list[list[int]]:
    """CPUs grouped by rating."""
    groups: list[list[int]] = []
    last = 0.0
    for cpu in sorted(cpus, key=lambda cpu: speeds[cpu]):
        if groups and speeds[cpu] <= _ALIKE * last:
            groups[-1].append(cpu)
        else:
            groups.append([cpu])
        last = speeds[cpu]
    return groups
