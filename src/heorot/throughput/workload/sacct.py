"""Reads the output of `sacct -P` or `sacct -p` as a workload.

Columns may have any order; missing ones are unknown. Steps are not jobs. The components of a
heterogeneous job are one job with all their processors; each task of an array is a job.
Source: https://slurm.schedmd.com/sacct.html.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from heorot.errors import WorkloadError
from heorot.throughput.model.workload import JOB, UNKNOWN, Jobs, Workload
from heorot.throughput.workload.lines import sacct_words as words
from heorot.throughput.workload.lines.accounts import NAMED, Row, row_of
from heorot.throughput.workload.lines.columns import columns_of, fields_of, looks_like
from heorot.throughput.workload.reading import Complaint, Odd, Reading, read_bytes

FORMAT = (
    "JobID,User,Group,Partition,State,Submit,Start,End,ElapsedRaw,TimelimitRaw,NNodes,AllocCPUS,"
    "ReqCPUS,ReqMem,TotalCPU,JobName"
)
"""Columns to request; the name stands last, since it may contain `|`."""
HINT = f"such a file is made by: sacct -a -X -P --format={FORMAT}"
"""The command that produces a readable file."""
_NEEDED = (
    ("jobid",),
    ("submit",),
    ("state",),
    ("elapsedraw", "elapsed", "end"),
    ("alloccpus", "ncpus", "reqcpus"),
)
# Columns of a workload that equal fields of rows.
_KEPT = (
    *("wait", "run", "processors", "cpu_seconds", "status"),
    *("requested_processors", "requested_seconds", "requested_memory_kib"),
)
_MOST_COMPLAINTS = 100_000


def read_sacct(path: Path) -> Reading:
    """Read a dump of Slurm's accounting, unpacked if it is gzip.

    Raises:
        WorkloadError: it cannot be read, has no line of column names, lacks a required column, or
            has no job.
    """
    text = read_bytes(path).decode(errors="replace").removeprefix("\ufeff")
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    columns = columns_of(lines[first])
    if "jobid" not in columns:
        message = looks_like(lines[first]) or "the first line does not name the columns"
        raise WorkloadError(message, file=path, line=first + 1, hint=HINT)
    for several in _NEEDED:
        if not columns.keys() & set(several):
            message = f"has no column `{several[0]}`"
            raise WorkloadError(message, file=path, line=first + 1, hint=HINT)
    complaints: list[Complaint] = []
    rows = list(_rows(lines, first, complaints))
    if not rows:
        line, why = first + 1, ""
        if complaints:
            line, why = complaints[0].line, f": {complaints[0].text}"
        raise WorkloadError(f"has no job{why}", file=path, line=line, hint=HINT)
    complaints += _odd(rows)
    jobs = _whole_jobs(rows, complaints)
    complaints.sort(key=lambda complaint: complaint.line)
    return Reading(_workload(jobs, path.name), tuple(complaints[:_MOST_COMPLAINTS]))


def is_header(line: str) -> bool:
    """Whether a line names columns of sacct."""
    return "|" in line and "jobid" in columns_of(line)


def _rows(lines: Sequence[str], first: int, complaints: list[Complaint]) -> Iterator[Row]:
    header, columns = lines[first].strip(), columns_of(lines[first])
    for number, line in enumerate(lines[first + 1 :], start=first + 2):
        text = line.strip("\r")
        if not text.strip() or text.strip() == header:
            continue
        try:
            values = fields_of(text, columns, closed=header.endswith("|"))
            if not words.is_step(values["jobid"]):
                yield row_of(values, number)
        except ValueError as error:
            complaints.append(Complaint(number, str(error)))
            continue
        if number == len(lines):
            cut_off = "the file ends amid this line: its last column may be cut"
            complaints.append(Complaint(number, cut_off, lost=False))


def _odd(rows: Sequence[Row]) -> Iterator[Complaint]:
    """Unreadable values of jobs that count nevertheless: once for each column."""
    columns: dict[str, Odd] = {}
    for row in rows:
        for column, text in row.odd.items():
            columns.setdefault(column, Odd(row.line, text)).n += 1
    for column, odd in columns.items():
        yield odd.complaint(column)


def _whole_jobs(rows: list[Row], complaints: list[Complaint]) -> list[Row]:
    """Merge components of heterogeneous jobs, and expand waiting tasks of arrays."""
    jobs: list[Row] = []
    known: dict[str, int] = {}
    components: dict[str, set[int]] = {}
    for row in rows:
        base, component = row.name.base, row.name.component
        if component is not None and base in known and component not in components[base]:
            components[base].add(component)
            jobs[known[base]] = _together(jobs[known[base]], row)
            continue
        if base in known and row.name.tasks == 1:
            text = f"job {base} is there again, as one that was requeued: both are kept"
            complaints.append(Complaint(row.line, text, lost=False))
        known[base] = len(jobs)
        components[base] = set() if component is None else {component}
        jobs += [row] * row.name.tasks
    return jobs


def _together(one: Row, other: Row) -> Row:
    """A heterogeneous job with one more component."""

    def total(a: int, b: int) -> int:
        return max(a, 0) + max(b, 0) or UNKNOWN

    return replace(
        one,
        run=max(one.run, other.run),
        processors=total(one.processors, other.processors),
        requested_processors=total(one.requested_processors, other.requested_processors),
        nodes=total(one.nodes, other.nodes),
        requested_seconds=max(one.requested_seconds, other.requested_seconds),
    )


def _workload(rows: list[Row], source: str) -> Workload:
    rows = sorted(rows, key=lambda row: row.submit)
    begin = rows[0].submit
    names: dict[str, dict[int, str]] = {column: {} for column in NAMED.values()}
    jobs = np.full(len(rows), UNKNOWN).astype(JOB)
    jobs["number"] = np.arange(1, len(rows) + 1)
    jobs["submit"] = [row.submit - begin for row in rows]
    for column in _KEPT:
        jobs[column] = [getattr(row, column) for row in rows]
    for key, column in NAMED.items():
        numbers: dict[str, int] = {}
        texts = [row.texts.get(key, "") for row in rows]
        jobs[column] = [
            numbers.setdefault(text, len(numbers) + 1) if text else UNKNOWN for text in texts
        ]
        names[column] = {number: text for text, number in numbers.items()}
    names["number"] = {number: row.name.base for number, row in enumerate(rows, start=1)}
    start = datetime.fromtimestamp(begin, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    header = {"Version": "2.2", "Conversion": "Slurm's accounting by Heorot", "StartTime": start}
    fullest = max((-(-row.processors // row.nodes) for row in rows if row.nodes > 0), default=1)
    return Workload(Jobs.of(jobs), header, names, max(1, fullest), source)
