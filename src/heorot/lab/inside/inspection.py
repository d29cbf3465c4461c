"""The state of a node, read by its first process."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_OWN = ("/tmp", "/dev/shm")  # noqa: S108 (only their sizes are read)


def inspect(request: Mapping[str, Any]) -> dict[str, Any]:
    """Operation: processes, CPU time [s], memory [B] and bytes that crossed eth0.

    The first process, this one, is not counted.
    """
    del request
    programs: dict[str, list[int]] = {}
    ticks, resident = 0, 0
    for entry in os.scandir("/proc"):
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError, IndexError):
                text = Path(entry.path, "stat").read_text(encoding="utf-8", errors="replace")
                # The name may contain anything; man 5 proc counts the fields after it from 3.
                head, _, tail = text.rpartition(")")
                fields = tail.split()
                if fields[0] == "Z":
                    continue
                programs.setdefault(head.partition("(")[2], []).append(int(entry.name))
                # The CPU time of ended processes is part of the parent's that waited for them.
                ticks += sum(int(fields[n - 3]) for n in (14, 15, 16, 17))
                resident += int(fields[24 - 3]) * _PAGE_BYTES
    received, sent = traffic(Path("/proc/net/dev").read_text(encoding="ascii"), "eth0")
    return {
        "processes": sum(map(len, programs.values())),
        "programs": programs,
        "cpu_seconds": ticks / _TICKS,
        "memory_bytes": resident + sum(map(_used, _OWN)),
        "received_bytes": received,
        "sent_bytes": sent,
    }


def traffic(table: str, interface: str) -> tuple[int, int]:
    """Bytes received and sent by an interface [B].

    Args:
        interface: its name; a missing one had no traffic.
    """
    for line in table.splitlines():
        name, colon, counters = line.partition(":")
        if colon and name.strip() == interface:
            fields = counters.split()
            return int(fields[0]), int(fields[8])
    return 0, 0


def _used(directory: str) -> int:
    with contextlib.suppress(OSError):
        whole = os.statvfs(directory)
        return (whole.f_blocks - whole.f_bfree) * whole.f_frsize
    return 0
