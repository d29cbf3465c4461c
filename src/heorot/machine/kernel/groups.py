"""The control groups around this process, and the CPU time and the memory that they grant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from heorot.machine.kernel.tree import INTEGER, ROOT, list_names, read_integer, read_text
from heorot.model.machine.cpulist import parse_cpulist

# ID:CONTROLLERS:PATH; version 2 has the number 0 and names none.
_GROUP = r"^(\d+):([^:\n]*):(/.*)$"


def read_cpu_quota(root: Path = ROOT) -> float | None:
    """The smallest CPU quota of the control groups around this process, in CPUs."""
    quotas = [parse_cpu_max(read_text(group / "cpu.max")) for group in unified_groups(root)]
    for group in controller_groups(root, "cpu"):
        quota = read_integer(group / "cpu.cfs_quota_us")
        period = read_integer(group / "cpu.cfs_period_us")
        quotas.append(quota / period if quota and quota > 0 and period and period > 0 else None)
    return min((quota for quota in quotas if quota is not None), default=None)


def read_memory_domains(root: Path = ROOT) -> frozenset[int]:
    """The NUMA domains granted by the groups around this process; none if not listed.

    The innermost group with a list determines them, including those around it.
    """
    unified = [group / "cpuset.mems.effective" for group in unified_groups(root)]
    names = ("cpuset.effective_mems", "cpuset.mems")
    files = [group / name for group in controller_groups(root, "cpuset") for name in names]
    sets = (parse_cpulist(read_text(file)) for file in (*unified, *files))
    return next(filter(None, sets), frozenset())


def parse_cpu_max(text: str | None) -> float | None:
    """CPUs from version 2's `cpu.max`, `quota period` in microseconds or `max period`."""
    words = (text or "").split()
    if len(words) != 2 or not all(re.fullmatch(INTEGER, word) for word in words):  # noqa: PLR2004 (a pair)
        return None
    quota, period = map(int, words)
    return quota / period if quota and period else None


def parse_cgroups(text: str) -> dict[str, str]:
    """The group of each version 1 controller in /proc/self/cgroup; version 2 has the key ``."""
    groups: dict[str, str] = {}
    for hierarchy, controllers, path in re.findall(_GROUP, text, re.MULTILINE):
        if controllers or hierarchy == "0":
            groups |= dict.fromkeys(controllers.split(","), path)
    return groups


def unified_groups(root: Path) -> Iterator[Path]:
    """The version 2 groups around this process, innermost first."""
    top = root / "sys/fs/cgroup"
    if not (top / "cgroup.controllers").exists():
        top = top / "unified"
    yield from _upward(top, _own_groups(root).get(""))


def controller_groups(root: Path, controller: str) -> Iterator[Path]:
    """The version 1 groups of a controller around this process, innermost first."""
    for name in list_names(root / "sys/fs/cgroup"):
        if controller in name.split(","):
            yield from _upward(root / "sys/fs/cgroup" / name, _own_groups(root).get(controller))
            return


def _own_groups(root: Path) -> dict[str, str]:
    return parse_cgroups(read_text(root / "proc/self/cgroup") or "")


def _upward(top: Path, path: str | None) -> Iterator[Path]:
    # Inside a container the path may be the host's and missing here; its limits are then at top.
    parts = [part for part in (path or "/").split("/") if part not in ("", "..")]
    for length in range(len(parts), -1, -1):
        yield top.joinpath(*parts[:length])
