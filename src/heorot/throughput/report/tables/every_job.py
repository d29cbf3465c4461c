"""All jobs of a test, as a table and as a file."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from heorot.report.tables.columns import Fields, lay_out, plain, text
from heorot.report.tables.table import Allowance, Cell, Table, make_table
from heorot.throughput.model.explanation import JobLifecycle
from heorot.throughput.model.measures import JobMeasures, ThroughputAnalysis
from heorot.throughput.model.throughput import ThroughputJob, ThroughputTest
from heorot.throughput.model.timeline import Timeline
from heorot.throughput.report.tables.cells import counts, durations, ratios, word_state
from heorot.writing import write

_MOST_NAMED = 2
_CSV = (
    *("serial", "label", "kind", "fate", "raw", "code", "nodes", "cores", "queue", "number"),
    *("submitted_seconds", "eligible_seconds", "start_seconds", "end_seconds", "wait_seconds"),
    *("launch_seconds", "run_seconds", "application_seconds", "turnaround_seconds"),
    *("bounded_slowdown", "stretch", "load_factor", "overtook", "hosts", "company", "why"),
)
_SHARING = "{kind}: {share:.0f} %"


class _Placed(NamedTuple):
    """A job, its index in the timeline, its lifecycle."""

    place: int
    job: ThroughputJob
    lifecycle: JobLifecycle


def job_table(
    test: ThroughputTest, analysis: ThroughputAnalysis, allowance: Allowance, file: str
) -> Table:
    """A row for each job, in the order of submission."""
    jobs, timeline = analysis.measures.jobs, analysis.timeline
    fields: Fields[_Placed] = (
        plain("job", lambda one: Cell(one.job.label, id=f"job-{one.job.serial}")),
        counts("nodes", lambda one: one.job.nodes),
        counts("cores", lambda one: one.job.cores),
        durations("submitted", lambda one: _submitted(timeline, one.place)),
        durations("queue wait", lambda one: float(jobs.wait[one.place])),
        durations("run time", lambda one: float(jobs.run[one.place])),
        ratios("slowdown", lambda one: float(jobs.slowdown[one.place])),
        ratios("run / dedicated", lambda one: one.lifecycle.load_factor),
        text("hosts; co-located", _where),
        plain(
            "final state",
            lambda one: Cell(_ended(one.job), tone="" if one.job.fate == "ok" else "bad"),
        ),
    )
    n = len(test.jobs)
    return make_table(
        "jobs-table",
        "Every job",
        *lay_out(_pair(test, analysis)[: allowance.most_needed(n)], fields),
        allowance,
        elsewhere=f"{file}, next to this page",
        n_rows=n,
        prominent=n <= 60,  # noqa: PLR2004 (as many as the graph names)
    )


def timeline_table(
    timeline: Timeline, jobs: JobMeasures, allowance: Allowance, identifier: str
) -> Table:
    """A row for each job of a simulation."""
    fields: Fields[int] = (
        text("job", lambda i: timeline.labels[i] if timeline.labels else f"{i + 1}"),
        counts("nodes", lambda i: int(timeline.nodes[i])),
        counts("cores", lambda i: int(timeline.cores[i])),
        durations("submitted", lambda i: float(timeline.submit[i])),
        durations("queue wait", lambda i: float(jobs.wait[i])),
        durations("run time", lambda i: float(jobs.run[i])),
        durations("turnaround", lambda i: float(jobs.turnaround[i])),
        ratios("bounded slowdown", lambda i: float(jobs.slowdown[i])),
        text("final state", lambda i: word_state(timeline.state_names[timeline.states[i]])),
    )
    n = timeline.submit.size
    laid = lay_out(range(allowance.most_needed(n)), fields)
    return make_table(identifier, "Every job", *laid, allowance, n_rows=n)


def write_jobs(test: ThroughputTest, analysis: ThroughputAnalysis, path: Path) -> None:
    """Write all jobs as a table for other programs.

    Args:
        path: the CSV file; times count from the begin of the test [s].
    """
    lines = StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(_CSV)
    writer.writerows(_line(*each, analysis) for each in _pair(test, analysis))
    write(path, lines.getvalue())


def _pair(test: ThroughputTest, analysis: ThroughputAnalysis) -> list[_Placed]:
    by_serial = {job.serial: job for job in test.jobs}
    return [
        _Placed(i, by_serial[lifecycle.serial], lifecycle)
        for i, lifecycle in enumerate(analysis.lifecycles)
    ]


def _submitted(timeline: Timeline, i: int) -> float:
    """Actual time of submission; NaN if the job was never submitted [s]."""
    return math.nan if math.isnan(timeline.eligible[i]) else float(timeline.submit[i])


def _sharing_cells(lifecycle: JobLifecycle) -> list[str]:
    return [_SHARING.format(kind=each.kind, share=100 * each.share) for each in lifecycle.sharing]


def _where(one: _Placed) -> str:
    """The nodes of a job, and the job classes that shared them."""
    shared = ", ".join(_sharing_cells(one.lifecycle)[:_MOST_NAMED])
    return "\n".join(filter(None, (_hosts(one.job.hosts), shared)))


def _ended(job: ThroughputJob) -> str:
    why, state = job.why or job.reason, word_state(job.fate)
    return f"{state}: {why}" if job.fate != "ok" and why else state


def _hosts(hosts: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    names = list(dict.fromkeys(hosts))
    more = len(names) - _MOST_NAMED
    text = "\N{NO-BREAK SPACE}".join(names[:_MOST_NAMED])
    return f"{text}\N{NO-BREAK SPACE}+{more}" if more > 0 else text


def _line(
    i: int, job: ThroughputJob, lifecycle: JobLifecycle, analysis: ThroughputAnalysis
) -> Iterable[object]:
    jobs, timeline = analysis.measures.jobs, analysis.timeline
    times = (timeline.eligible, timeline.start, timeline.end, jobs.wait)
    numbers: list[float | None] = [
        _submitted(timeline, i),
        *(float(column[i]) for column in times),
        lifecycle.launch_seconds,
        float(jobs.run[i]),
        lifecycle.application_seconds,
        float(jobs.turnaround[i]),
        float(jobs.slowdown[i]),
        lifecycle.relative_turnaround,
        lifecycle.load_factor,
    ]
    return (
        *(job.serial, job.label, job.kind, job.fate, job.raw, job.code, job.nodes, job.cores),
        *(job.queue, job.number),
        *("" if x is None or math.isnan(x) else f"{x:.10g}" for x in numbers),
        int(jobs.overtook[i]),
        " ".join(job.hosts),
        "; ".join(_sharing_cells(lifecycle)),
        job.why or job.reason,
    )
