"""The table of all jobs of a day, and the same as a file."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path

from heorot.report.tables.table import Allowance, Cell, Row, Table, make_table
from heorot.throughput.model.day import Day, DayJob
from heorot.throughput.model.measures import DayAnalysis
from heorot.throughput.model.story import JobStory
from heorot.throughput.model.timeline import Floats, Timeline
from heorot.throughput.report.tables.day_cells import (
    duration,
    number_columns,
    ratio,
    text_columns,
    whole,
)
from heorot.writing import write

_MOST_NAMED = 2
_CSV = (
    *("serial", "label", "kind", "fate", "raw", "code", "nodes", "cores", "queue", "number"),
    *("submitted_seconds", "eligible_seconds", "start_seconds", "end_seconds", "wait_seconds"),
    *("launch_seconds", "run_seconds", "application_seconds", "turnaround_seconds"),
    *("bounded_slowdown", "stretch", "load_factor", "overtook", "hosts", "company", "why"),
)
_COMPANY = "{kind}: {share:.0f} %"


def job_table(day: Day, analysis: DayAnalysis, allowance: Allowance, file: str) -> Table:
    """A row for each job, in the order of submission.

    Args:
        allowance: how many rows may still be packed; is reduced.
        file: name of the file with all rows.
    """
    columns = [
        *text_columns("job"),
        *number_columns("nodes", "cores"),
        *number_columns("submitted", "waited", "launch", "ran", unit="s"),
        *number_columns("slowdown", "stretch", "run / alone"),
        *text_columns("on", "company", "ended"),
    ]
    n = allowance.most_needed(len(day.jobs))
    rows = [_row(*each, analysis) for each in _pair(day, analysis)[:n]]
    return make_table(
        "jobs-table",
        "Every job",
        columns,
        rows,
        allowance,
        elsewhere=f"{file}, beside this page",
        n_rows=len(day.jobs),
        prominent=len(day.jobs) <= 60,  # noqa: PLR2004 (as many as the graph names)
    )


def timeline_table(
    timeline: Timeline, columns_of: Sequence[Floats], allowance: Allowance, identifier: str
) -> Table:
    """A row for each job of a simulation.

    Args:
        columns_of: wait, run, turnaround and bounded slowdown of each.
        allowance: how many rows may still be packed; is reduced.
    """
    columns = [
        *text_columns("job"),
        *number_columns("nodes", "cores"),
        *number_columns("submitted", "waited", "ran", "turnaround", unit="s"),
        *number_columns("bounded slowdown"),
        *text_columns("ended"),
    ]
    n = timeline.submit.size
    rows = []
    for i in range(allowance.most_needed(n)):
        wait, run, turnaround, slowdown = (float(column[i]) for column in columns_of)
        label = timeline.labels[i] if timeline.labels else f"{i + 1}"
        rows.append(
            Row(
                (
                    Cell(label),
                    whole(int(timeline.nodes[i])),
                    whole(int(timeline.cores[i])),
                    *map(duration, (float(timeline.submit[i]), wait, run, turnaround)),
                    ratio(slowdown),
                    Cell(timeline.fate_names[timeline.fates[i]]),
                )
            )
        )
    return make_table(identifier, "Every job", columns, rows, allowance, n_rows=n)


def write_jobs(day: Day, analysis: DayAnalysis, path: Path) -> None:
    """Writes all jobs as a table that other programs read.

    Args:
        path: the CSV file; times count from the begin of the day [s].
    """
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_CSV)
    writer.writerows(_line(*each, analysis) for each in _pair(day, analysis))
    write(path, text.getvalue())


def _pair(day: Day, analysis: DayAnalysis) -> list[tuple[int, DayJob, JobStory]]:
    """Place in the timeline, job and story."""
    by_serial = {job.serial: job for job in day.jobs}
    return [(i, by_serial[story.serial], story) for i, story in enumerate(analysis.stories)]


def _row(i: int, job: DayJob, story: JobStory, analysis: DayAnalysis) -> Row:
    jobs, timeline = analysis.measures.jobs, analysis.timeline
    well = job.fate == "ok"
    return Row(
        (
            Cell(job.label, id=f"job-{job.serial}"),
            whole(job.nodes),
            whole(job.cores),
            duration(_submitted(timeline, i)),
            duration(float(jobs.wait[i])),
            duration(story.launch_seconds),
            duration(float(jobs.run[i])),
            ratio(float(jobs.slowdown[i])),
            ratio(story.stretch),
            ratio(story.load_factor),
            Cell(_hosts(job.hosts)),
            Cell(", ".join(_company(story)[:_MOST_NAMED])),
            Cell(_ended(job), tone="" if well else "bad"),
        )
    )


def _submitted(timeline: Timeline, i: int) -> float:
    """When a job was submitted, not when it should have been; NaN if it never was [s]."""
    return math.nan if math.isnan(timeline.eligible[i]) else float(timeline.submit[i])


def _company(story: JobStory) -> list[str]:
    return [_COMPANY.format(kind=each.kind, share=100 * each.share) for each in story.company]


def _ended(job: DayJob) -> str:
    why = job.why or job.reason
    return f"{job.fate}: {why}" if job.fate != "ok" and why else job.fate


def _hosts(hosts: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    names = list(dict.fromkeys(hosts))
    more = len(names) - _MOST_NAMED
    text = "\N{NO-BREAK SPACE}".join(names[:_MOST_NAMED])
    return f"{text}\N{NO-BREAK SPACE}+{more}" if more > 0 else text


def _line(i: int, job: DayJob, story: JobStory, analysis: DayAnalysis) -> Iterable[object]:
    jobs, timeline = analysis.measures.jobs, analysis.timeline
    times = (timeline.eligible, timeline.start, timeline.end, jobs.wait)
    numbers: list[float | None] = [
        _submitted(timeline, i),
        *(float(column[i]) for column in times),
        story.launch_seconds,
        float(jobs.run[i]),
        story.application_seconds,
        float(jobs.turnaround[i]),
        float(jobs.slowdown[i]),
        story.stretch,
        story.load_factor,
    ]
    return (
        *(job.serial, job.label, job.kind, job.fate, job.raw, job.code, job.nodes, job.cores),
        *(job.queue, job.number),
        *("" if x is None or math.isnan(x) else f"{x:.10g}" for x in numbers),
        int(jobs.overtook[i]),
        " ".join(job.hosts),
        "; ".join(_company(story)),
        job.why or job.reason,
    )
