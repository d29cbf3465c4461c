"""What this process may use of the node: its affinity mask and its control group's limits."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

from heorot.machine.kernel.cpulist import parse_cpulist
from heorot.machine.kernel.tree import (
    INTEGER,
    ROOT,
    list_names,
    parse_fields,
    parse_integer,
    read_integer,
    read_text,
)
from heorot.machine.processor import parse_topology, read_topology
from heorot.model.machine.machine import Limits

# Version 1 writes "no limit" as the largest multiple of a page; no machine has an exbibyte.
_UNLIMITED_BYTES = 2**60


def read_limits(root: Path = ROOT) -> Limits:
    """The limits of this process.

    Args:
        root: directory that holds `proc` and `sys`.
    """
    status = parse_fields(read_text(root / "proc/self/status") or "")
    allowed = parse_cpulist(status.get("Cpus_allowed_list"))
    quota = read_cpu_quota(root)
    return Limits(
        allowed_cpus=status.get("Cpus_allowed_list"),
        n_allowed_cpus=len(allowed) or None,
        cpu_quota=quota,
        memory_limit_bytes=read_memory_limit(root),
        n_usable_cores=count_usable_cores(root, allowed, quota),
    )


def count_usable_cores(root: Path, allowed: frozenset[int], quota: float | None) -> int:
    """Distinct cores among the allowed CPUs, no more than the quota keeps busy, at least 1."""
    topology = read_topology(root) or parse_topology(read_text(root / "proc/cpuinfo") or "")
    if topology is None:
        n_cores = len(allowed)
    else:
        n_cores = sum(1 for core in topology.cores if not allowed or core & allowed)
    if quota is not None:
        n_cores = min(n_cores, math.floor(quota))
    return max(1, n_cores)


def read_cpu_quota(root: Path = ROOT) -> float | None:
    """The smallest CPU quota of the control groups around this process, in CPUs."""
    quotas = [parse_cpu_max(read_text(group / "cpu.max")) for group in unified_groups(root)]
    for group in controller_groups(root, "cpu"):
        quota = read_integer(group / "cpu.cfs_quota_us")
        period = read_integer(group / "cpu.cfs_period_us")
        quotas.append(quota / period if quota and quota > 0 and period and period > 0 else None)
    return min((quota for quota in quotas if quota is not None), default=None)


def read_memory_limit(root: Path = ROOT) -> int | None:
    """The smallest memory limit of the control groups around this process [B]."""
    limits = [parse_integer(read_text(group / "memory.max")) for group in unified_groups(root)]
    groups = controller_groups(root, "memory")
    limits.extend(read_integer(group / "memory.limit_in_bytes") for group in groups)
    return min((n for n in limits if n is not None and 0 <= n < _UNLIMITED_BYTES), default=None)


def parse_cpu_max(text: str | None) -> float | None:
    """CPUs from version 2's `cpu.max`, `quota period` in microseconds or `max period`."""
    words = (text or "").split()
    if len(words) != 2 or not all(re.fullmatch(INTEGER, word) for word in words):  # noqa: PLR2004 (a pair)
        return None
    return int(words[0]) / int(words[1]) if int(words[1]) else None


def parse_cgroups(text: str) -> dict[str, str]:
    """The group of each version 1 controller in /proc/self/cgroup; version 2 has the key ``."""
    groups: dict[str, str] = {}
    for line in text.splitlines():
        _, controllers, path = [*line.split(":", 2), "", ""][:3]
        for controller in controllers.split(","):
            groups[controller] = path
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
