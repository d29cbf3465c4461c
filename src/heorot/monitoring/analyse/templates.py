"""Findings from the samples of nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from heorot.analyse.templates.template import FindingTemplate, Template
from heorot.model.analysis.result import Finding
from heorot.monitoring.model import NodeLoad

SILENT = FindingTemplate(
    "monitoring/silent",
    "{n:node} of {of} stopped reporting",
    severity="error",
    remedy="check their consoles and power: their samplers died",
    columns=("node", "when"),
)
NOT_WATCHED = FindingTemplate(
    "monitoring/not watched",
    "{n:node} {n:=was|were} not monitored",
    severity="note",
    remedy="no findings cover them; the agent of the site file must reach them without a prompt",
    columns=("node", "why"),
)
OVERTAKEN = FindingTemplate(
    "monitoring/out of time",
    "{n:node} {n:=was|were} not monitored to the end: the time limit of samplers was reached",
    severity="note",
    remedy="findings on nodes and jobs cover the time before",
    columns=("node",),
)
HUNG = FindingTemplate(
    "monitoring/hung",
    "{n:node} hung: samples are missing between others",
    remedy="check for swapping, a hung file system, a paused guest",
    columns=("node", "times", "longest"),
)
CLOCKS = FindingTemplate(
    "monitoring/clocks",
    "the clocks of {n:node} are wrong by more than {most:value}",
    remedy="start and end times of jobs use these clocks: synchronise them by NTP or PTP",
    columns=("node", "offset from Heorot's host", "uncertainty"),
)
CLOCKS_SET = FindingTemplate(
    "monitoring/clocks set",
    "clocks were set {n:time} while jobs ran",
    remedy="run times of these jobs may be wrong by as much; slew clocks, do not step them",
    columns=("node", "set"),
)
UNREADABLE = FindingTemplate(
    "monitoring/unreadable",
    "{n:line} of the samples could not be read",
    severity="note",
    remedy="they are left out; the files are kept",
    columns=("where", "what"),
)
KILLED = FindingTemplate(
    "monitoring/killed",
    "the kernel killed processes for lack of memory",
    severity="error",
    remedy="allocate more nodes to their jobs, or enforce memory limits",
    columns=("node", "processes"),
)
MEMORY = FindingTemplate(
    "monitoring/memory",
    "memory use exceeded {most:.0%} on {n:node}",
    remedy="use more nodes, or fewer ranks per node",
    columns=("node", "most", "for"),
)
SWAPPED = FindingTemplate(
    "monitoring/swapped",
    "{n:node} swapped",
    remedy="times measured there include the disk: use less memory, or disable swap",
    columns=("node", "moved", "fastest", "for"),
)
PACKETS = FindingTemplate(
    "monitoring/packets",
    "packets were lost at {where:and}",
    remedy="errors: check cables and adapters; drops: congestion, or unsolicited packets",
    columns=("where", "errors", "drops"),
)
COUNTED = {
    "nodes": Template("monitoring/nodes", "{n:node}"),
    "ports": Template("monitoring/ports", "{n:port}"),
}
STOLEN = FindingTemplate(
    "monitoring/stolen",
    "a hypervisor took processor time from {n:node} (steal)",
    remedy="results on a shared virtual machine do not characterise its hardware",
    columns=("node", "processor time", "on average"),
)
FOREIGN = FindingTemplate(
    "monitoring/foreign",
    "processes of no job ran on {n:node}",
    remedy="they contend with jobs: find their owners; daemons of the batch system, and Heorot on "
    "its host, are among them",
    columns=("node", "user", "processor time", "share of the node", "most CPUs"),
)
SAMPLERS = FindingTemplate(
    "monitoring/samplers",
    "the samplers used more than {most:value} of a CPU",
    severity="note",
    remedy="sample less often: nodes with very many processes cost more",
    columns=("node", "of one CPU"),
)
IDLE = FindingTemplate(
    "monitoring/idle",
    "while jobs were queued, {idle:.1f} of {cpus:.0f} CPUs idled on average: {free:.1f} on nodes "
    "without a job, {under_jobs:.1f} under jobs",
    severity="note",
    remedy="without a job: queued jobs are too wide, or there is no backfill; under jobs: they "
    "request more cores than they use",
    rule="at least {least:.0%} of the CPUs are idle",
)
LEFT_OVER = FindingTemplate(
    "monitoring/left over",
    "processes of {n:job} were left after its end",
    severity="error",
    remedy="they contend with the next jobs: end them in the epilogue",
    columns=("node", "job", "processes", "seen for", "processor time"),
)
STRAYED = FindingTemplate(
    "monitoring/strayed",
    "processes of {n:job} ran on nodes not allocated to it",
    severity="error",
    remedy="check how the launcher gets its list of nodes",
    columns=("node", "job", "processes"),
)
DIFFERENT = FindingTemplate(
    "monitoring/different",
    "samplers and other monitors differ in {n:figure}",
    remedy="samplers miss processes shorter than an interval; Slurm misses steps without "
    "accounting",
    columns=("what", "samplers", "other", "source"),
)


Row = tuple[str, ...]
Truths = np.ndarray[Any, np.dtype[np.bool_]]

_COMPUTER = "the computer that they share"
_MOST_ROWS = 40


def describe(template: FindingTemplate, rows: Sequence[Row], **keys: object) -> list[Finding]:
    """One finding with a table, none without rows.

    rows: of the table; the first column has the names of the affected.
    keys: of the template, besides `n`, the number of rows.
    """
    if not rows:
        return []
    affected = [row[0] for row in rows]
    values: dict[str, Any] = {"n": len(rows)} | keys
    rows = rows[:_MOST_ROWS]
    return [template(affected=affected, rows=rows, **values)]


def once(nodes: Iterable[NodeLoad]) -> list[tuple[str, NodeLoad]]:
    """Nodes with their names; of those that share a computer one represents all."""
    found = {_COMPUTER if node.contained else node.name: node for node in nodes}
    return list(found.items())


def rows_of(
    nodes: Iterable[tuple[str, NodeLoad]], row_of: Callable[[NodeLoad], Row | None]
) -> list[Row]:
    """Rows of the nodes to which something applies, after their names in the table.

    Args:
        row_of: the rest of the row; None if it does not apply.
    """
    rows = [(name, row_of(node)) for name, node in nodes]
    return [(name, *row) for name, row in rows if row is not None]
