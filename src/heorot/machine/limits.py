"""The resources that this process may use: its CPUs and its control group's limits."""

from __future__ import annotations

from pathlib import Path

from heorot.machine.cpus.topology import Cpus
from heorot.machine.kernel.groups import controller_groups, unified_groups
from heorot.machine.kernel.tree import ROOT, parse_integer, read_integer, read_text
from heorot.machine.numa import read_allowed_domains
from heorot.model.machine.cpulist import format_cpulist
from heorot.model.machine.machine import Limits

# Version 1 writes "no limit" as the largest multiple of a page; no machine has an exbibyte.
_UNLIMITED_BYTES = 2**60


def read_limits(cpus: Cpus, root: Path = ROOT) -> Limits:
    """The limits of this process."""
    return Limits(
        allowed_cpus=format_cpulist(cpus.allowed) or None,
        n_allowed_cpus=len(cpus.allowed) or None,
        allowed_domains=format_cpulist(read_allowed_domains(root)) or None,
        cpu_quota=cpus.quota,
        memory_limit_bytes=read_memory_limit(root),
        n_usable_cores=cpus.n_usable_cores,
    )


def read_memory_limit(root: Path = ROOT) -> int | None:
    """The smallest memory limit of the control groups around this process [B].

    Beyond `memory.high` no process is killed, but allocating processes are slowed down until they
    use less: measurements would show that.
    """
    names = ("memory.max", "memory.high")
    unified = [group / name for group in unified_groups(root) for name in names]
    limits = [parse_integer(read_text(file)) for file in unified]
    groups = controller_groups(root, "memory")
    limits.extend(read_integer(group / "memory.limit_in_bytes") for group in groups)
    return min((n for n in limits if n is not None and 0 <= n < _UNLIMITED_BYTES), default=None)
