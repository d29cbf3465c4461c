"""Reads a workload in SWF or the format of sacct."""

from __future__ import annotations

import re
from pathlib import Path

from heorot.errors import WorkloadError
from heorot.throughput.workload.lines.columns import looks_like
from heorot.throughput.workload.reading import Reading, read_bytes
from heorot.throughput.workload.sacct import HINT, is_header, read_sacct
from heorot.throughput.workload.swf import read_swf

_HINT = "docs/workloads.md shows the formats: SWF with 18 numbers a line, or output of sacct -P"
_SCHEDULE = re.compile(r"[0-9.]+\s*:\s*[0-9]+\s*\*\s*\S+")
_FIRST_LINES = 200


def read_workload(path: Path) -> Reading:
    """Read a trace in either format.

    Raises:
        WorkloadError: it cannot be read, has an unknown format, or no job.
    """
    # All of it is unpacked, which a pipe of packed bytes would be in a few pieces, too.
    head = read_bytes(path)[: 1 << 20]
    lines = head.decode(errors="replace").splitlines()[:_FIRST_LINES]
    stripped = [line.strip() for line in lines if line.strip()]
    if not stripped:
        raise WorkloadError("is empty", file=path, hint=_HINT)
    first = next(number for number, line in enumerate(lines) if line.strip())
    stripped[0] = stripped[0].removeprefix("\ufeff")
    if is_header(stripped[0]):
        return read_sacct(path)
    if message := looks_like(stripped[0]):
        raise WorkloadError(message, file=path, line=first + 1, hint=HINT)
    if any(_SCHEDULE.match(line) for line in stripped):
        hint = "heorot throughput runs it; a trace is made of its run"
        raise WorkloadError("is the schedule of a throughput test", file=path, hint=hint)
    return read_swf(path)
