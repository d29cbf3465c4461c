"""What samples of nodes show to be amiss."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from heorot.analyse.templates.template import FindingTemplate, Template
from heorot.model.analysis.result import Finding
from heorot.monitoring.model import NodeLoad

SILENT = FindingTemplate(
    "monitoring/silent",
    "{n:node} of {of} fell silent",
    severity="error",
    remedy="look at their consoles and power: their samplers died without a word",
    columns=("node", "when"),
)
NOT_WATCHED = FindingTemplate(
    "monitoring/not watched",
    "{n:node} {n:=was|were} not watched",
    severity="note",
    remedy="nothing is said of them; the agent of the site file must reach them without a question",
    columns=("node", "why"),
)
OVERTAKEN = FindingTemplate(
    "monitoring/out of time",
    "{n:node} {n:=was|were} not watched to the end: the time of samplers was up",
    severity="note",
    remedy="what is said of nodes and jobs is of the time before",
    columns=("node",),
)
HUNG = FindingTemplate(
    "monitoring/hung",
    "{n:node} hung for a while: samples are missing amid others",
    remedy="look for what stopped them: swapping, a file system that hung, a paused guest",
    columns=("node", "times", "longest"),
)
CLOCKS = FindingTemplate(
    "monitoring/clocks",
    "the clocks of {n:node} are wrong by more than {most:value}",
    remedy="start and end of jobs are by these clocks: keep them by NTP or PTP",
    columns=("node", "against where Heorot ran", "give or take"),
)
CLOCKS_SET = FindingTemplate(
    "monitoring/clocks set",
    "clocks were set {n:time} while jobs ran",
    remedy="durations of jobs that ran then may be wrong by as much; slew clocks, do not step them",
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
    "the kernel ended processes for want of memory",
    severity="error",
    remedy="give their jobs more nodes, or let the batch system enforce limits of memory",
    columns=("node", "processes"),
)
MEMORY = FindingTemplate(
    "monitoring/memory",
    "memory was used beyond {most:.0%} on {n:node}",
    remedy="what needs more fails or swaps there: use more nodes, or fewer ranks on each",
    columns=("node", "most", "for"),
)
SWAPPED = FindingTemplate(
    "monitoring/swapped",
    "{n:node} swapped",
    remedy="times measured there are those of the disk: use less memory, or switch swapping off",
    columns=("node", "moved", "fastest", "for"),
)
PACKETS = FindingTemplate(
    "monitoring/packets",
    "packets were lost at {where:and}",
    remedy="errors are cables or adapters; drops are congestion, or packets that nobody wanted",
    columns=("where", "errors", "drops"),
)
COUNTED = {
    "nodes": Template("monitoring/nodes", "{n:node}"),
    "ports": Template("monitoring/ports", "{n:port}"),
}
STOLEN = FindingTemplate(
    "monitoring/stolen",
    "a hypervisor gave processor time of {n:node} to others",
    remedy="a virtual machine that others share tells little of the hardware under it",
    columns=("node", "processor time", "on average"),
)
FOREIGN = FindingTemplate(
    "monitoring/foreign",
    "processes that belong to no job worked on {n:node}",
    remedy="they take time from the jobs there: find out whose they are; daemons of the batch "
    "system, and Heorot where it runs, are among them",
    columns=("node", "whose", "processor time", "share of the node", "most CPUs"),
)
SAMPLERS = FindingTemplate(
    "monitoring/samplers",
    "the samplers took more than {most:value} of a CPU",
    severity="note",
    remedy="sample less often: nodes with very many processes cost more",
    columns=("node", "of one CPU"),
)
IDLE = FindingTemplate(
    "monitoring/idle",
    "while jobs waited, {idle:.1f} of {cpus:.0f} CPUs were idle on average: {free:.1f} on nodes "
    "without a job, {under_jobs:.1f} under jobs",
    severity="note",
    remedy="nodes without a job: waiting jobs are too wide, or the scheduler does not fill gaps; "
    "idle under jobs: they ask for more cores than they use",
    rule="at least {least:.0%} of the CPUs are idle",
)
LEFT_OVER = FindingTemplate(
    "monitoring/left over",
    "processes of {n:job} were still there after the end of the job",
    severity="error",
    remedy="they take time and memory from the next jobs: have an epilogue end them",
    columns=("node", "job", "processes", "seen for", "processor time"),
)
STRAYED = FindingTemplate(
    "monitoring/strayed",
    "processes of {n:job} ran on nodes that the job did not have",
    severity="error",
    remedy="check how the launcher learns of its nodes",
    columns=("node", "job", "processes"),
)
DIFFERENT = FindingTemplate(
    "monitoring/different",
    "samplers and other watchers differ in {n:figure}",
    remedy="processes shorter than an interval escape samplers; steps without accounts escape "
    "Slurm",
    columns=("what", "samplers", "the other", "who"),
)


Row = tuple[str, ...]
Truths = np.ndarray[Any, np.dtype[np.bool_]]

_COMPUTER = "the computer that they share"
_MOST_ROWS = 40


def describe(template: FindingTemplate, rows: Sequence[Row], **keys: object) -> list[Finding]:
    """One finding with a table, none without rows.

    Args:
        rows: of the table; the first column names who is affected.
        keys: of the template, besides `n`, the number of rows.
    """
    if not rows:
        return []
    affected = [row[0] for row in rows]
    told: dict[str, Any] = {"n": len(rows)} | keys
    rows = rows[:_MOST_ROWS]
    return [template(affected=affected, rows=rows, **told)]


def once(nodes: Iterable[NodeLoad]) -> list[tuple[str, NodeLoad]]:
    """Nodes with their names; of those that share a computer one stands for all of them."""
    found = {_COMPUTER if node.contained else node.name: node for node in nodes}
    return list(found.items())


def rows_of(
    nodes: Iterable[tuple[str, NodeLoad]], row_of: Callable[[NodeLoad], Row | None]
) -> list[Row]:
    """Rows of the nodes to which something applies, behind the names that they have in the table.

    Args:
        row_of: what stands behind the name; None if it does not apply.
    """
    rows = [(name, row_of(node)) for name, node in nodes]
    return [(name, *row) for name, row in rows if row is not None]
