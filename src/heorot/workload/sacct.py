"""Reads what `sacct -P` or `sacct -p` printed: jobs that Slurm remembers become a workload.

Columns may stand in any order; what is not there is unknown. Steps are not jobs. The components of
a heterogeneous job are one job with all their processors; tasks of an array are a job each.
Source: https://slurm.schedmd.com/sacct.html.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import numpy as np

from heorot.errors import WorkloadError
from heorot.model.day.workload import JOB, UNKNOWN, Workload
from heorot.workload import sacct_words as words
from heorot.workload.reading import Complaint, Reading, read_bytes

FORMAT = (
    "JobID,User,Group,Partition,State,Submit,Start,End,ElapsedRaw,TimelimitRaw,NNodes,AllocCPUS,"
    "ReqCPUS,ReqMem,TotalCPU,JobName"
)
"""Columns to ask for; the name stands last, since it may hold `|`."""
_HINT = f"such a file is made by: sacct -a -X -P --format={FORMAT}"
# Texts of users, which Slurm prints as they are.
_FREE = frozenset({"jobname", "comment", "admincomment", "systemcomment", "submitline", "workdir"})
_NEEDED = (
    ("jobid",),
    ("submit",),
    ("state",),
    ("elapsedraw", "elapsed", "end"),
    ("alloccpus", "ncpus", "reqcpus"),
)
_NAMED = {"user": "user", "group": "group", "jobname": "executable", "partition": "queue"}
_MOST_COMPLAINTS = 100_000

_Value = TypeVar("_Value")


@dataclass(frozen=True)
class _Row:
    """One job, or one component of it; numbers are -1 if they are unknown."""

    line: int
    name: words.JobName
    submit: float
    wait: float
    run: float
    processors: int
    requested: int
    nodes: int
    cpu_seconds: float
    limit: float
    memory_kib: float
    status: int
    texts: dict[str, str] = field(default_factory=dict)
    doubt: str = ""


def read_sacct(path: Path) -> Reading:
    """Read a dump of Slurm's accounting; one that was packed by gzip is unpacked.

    Args:
        path: where it is.

    Raises:
        WorkloadError: it cannot be read, has no line of column names, lacks a column without which
            no job can be submitted, or has no job.
    """
    text = read_bytes(path).decode(errors="replace")
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    columns = _columns(lines[first])
    if "jobid" not in columns:
        message = "the first line does not name the columns"
        raise WorkloadError(message, file=path, line=first + 1, hint=_HINT)
    for several in _NEEDED:
        if not columns.keys() & set(several):
            message = f"has no column `{several[0]}`"
            raise WorkloadError(message, file=path, line=first + 1, hint=_HINT)
    complaints: list[Complaint] = []
    rows = list(_rows(lines, first, complaints))
    if not rows:
        line = complaints[0].line if complaints else first + 1
        raise WorkloadError("has no job", file=path, line=line, hint=_HINT)
    jobs = _whole_jobs(rows, complaints)
    complaints.sort(key=lambda complaint: complaint.line)
    return Reading(_workload(jobs, path.name), tuple(complaints[:_MOST_COMPLAINTS]))


def is_header(line: str) -> bool:
    """Whether a line names columns of sacct."""
    return "|" in line and "jobid" in _columns(line)


def _columns(line: str) -> dict[str, int]:
    """Where each column stands; none if the line names none."""
    names = [name.strip().lower() for name in line.strip().removesuffix("|").split("|")]
    return {name: place for place, name in enumerate(names)}


def _rows(lines: Sequence[str], first: int, complaints: list[Complaint]) -> Iterator[_Row]:
    header, columns = lines[first].strip(), _columns(lines[first])
    for number, line in enumerate(lines[first + 1 :], start=first + 2):
        text = line.strip("\r")
        if not text.strip() or text.strip() == header:
            continue
        try:
            values = _values(text, columns, closed=header.endswith("|"))
            if not words.is_step(values["jobid"]):
                row = _row(values, number)
                if row.doubt:
                    complaints.append(Complaint(number, row.doubt, lost=False))
                yield row
        except ValueError as error:
            complaints.append(Complaint(number, str(error)))
            continue
        if number == len(lines):
            told = "the file ends amid this line: its last column may be cut"
            complaints.append(Complaint(number, told, lost=False))


def _values(text: str, columns: dict[str, int], *, closed: bool) -> dict[str, str]:
    """The fields of a line by column.

    Args:
        text: the line.
        columns: where each stands.
        closed: whether each line ends with `|`.

    Raises:
        ValueError: there are too few, or too many.
    """
    fields = text.split("|")
    if closed and len(fields) > 1 and not fields[-1]:
        fields.pop()
    n = max(columns.values()) + 1
    extra = len(fields) - n
    if extra < 0:
        raise ValueError(f"has {len(fields)} of {n} columns: it was cut off")
    if extra > 0:
        free = [place for name, place in columns.items() if name in _FREE]
        if len(free) != 1:
            raise ValueError(f"has {len(fields)} columns, not {n}")
        # The name of the job has bars of its own.
        end = free[0] + extra + 1
        fields[free[0] : end] = ["|".join(fields[free[0] : end])]
    return {name: fields[place].strip() for name, place in columns.items()}


def _row(values: dict[str, str], line: int) -> _Row:
    """A job of its fields.

    Raises:
        ValueError: one of them is not what its column should hold.
    """
    name = words.job_name(values["jobid"])
    status, word = words.status(values["state"])
    submit = words.moment(values["submit"])
    if submit is None:
        raise ValueError("nobody knows when it was submitted")
    wait, run, doubt = _times(values, word, submit)
    nodes = words.count(values.get("nnodes", "") or values.get("allocnodes", ""))
    processors = _count(values, ("alloccpus", "ncpus"))
    requested = _count(values, ("reqcpus",)) or processors
    if _never_began(values, word):
        processors = 0
    limit = _first(values, (("timelimitraw", words.limit_minutes), ("timelimit", words.limit)))
    # CPUTime is none: it counts processors that idled.
    cpu = _first(values, (("totalcpu", words.elapsed),))
    each = words.memory_kib(values.get("reqmem", ""), requested, nodes)
    return _Row(
        line=line,
        name=name,
        submit=submit,
        wait=_known(wait),
        run=_known(run),
        processors=processors or UNKNOWN,
        requested=requested or UNKNOWN,
        nodes=nodes or UNKNOWN,
        cpu_seconds=_known(cpu) / processors if processors and cpu else UNKNOWN,
        limit=_known(limit),
        memory_kib=each,
        status=status,
        texts={key: values[key] for key in _NAMED if values.get(key)},
        doubt=doubt,
    )


def _times(
    values: dict[str, str], word: str, submit: float
) -> tuple[float | None, float | None, str]:
    """How long a job waited and ran [s], and what is doubtful about that."""
    start, end = (words.moment(values.get(key, "")) for key in ("start", "end"))
    run = _first(values, (("elapsedraw", words.seconds), ("elapsed", words.elapsed)))
    if run is None and start is not None and end is not None:
        run = end - start
    began = end if start is None and _never_began(values, word) else start
    wait = None if began is None else began - submit
    if word in words.UNDER_WAY:
        # What it has run so far is no run time; a start may be the one that is planned.
        return (None if word == "PENDING" else wait), None, ""
    if (run is not None and run < 0) or (wait is not None and wait < 0):
        doubt = "it began before it was submitted, or ended before it began: kept without that time"
        return wait, run, doubt
    return wait, 0.0 if _never_began(values, word) else run, ""


def _never_began(values: dict[str, str], word: str) -> bool:
    """Whether a job ended, as one does that is cancelled while it waits, without having begun."""
    began = "start" not in values or words.moment(values["start"]) is not None
    return not began and word not in words.UNDER_WAY


def _known(value: float | None) -> float:
    return UNKNOWN if value is None or value < 0 else value


def _first(
    values: dict[str, str], columns: Sequence[tuple[str, Callable[[str], _Value | None]]]
) -> _Value | None:
    """What the first column that says something says."""
    for name, read in columns:
        value = read(values[name]) if values.get(name) else None
        if value is not None:
            return value
    return None


def _count(values: dict[str, str], columns: Sequence[str]) -> int:
    return next((n for name in columns if (n := words.count(values.get(name, "")))), 0)


def _whole_jobs(rows: list[_Row], complaints: list[Complaint]) -> list[_Row]:
    """Components of heterogeneous jobs made one, tasks that wait made several."""
    jobs: list[_Row] = []
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


def _together(one: _Row, other: _Row) -> _Row:
    """A heterogeneous job, and one more component of it."""

    def total(a: int, b: int) -> int:
        return max(a, 0) + max(b, 0) or UNKNOWN

    return replace(
        one,
        run=max(one.run, other.run),
        processors=total(one.processors, other.processors),
        requested=total(one.requested, other.requested),
        nodes=total(one.nodes, other.nodes),
        limit=max(one.limit, other.limit),
    )


def _workload(rows: list[_Row], source: str) -> Workload:
    rows = sorted(rows, key=lambda row: row.submit)
    begin = rows[0].submit
    names: dict[str, dict[int, str]] = {column: {} for column in _NAMED.values()}
    jobs = np.full(len(rows), UNKNOWN).astype(JOB)
    jobs["number"] = np.arange(1, len(rows) + 1)
    jobs["submit"] = [row.submit - begin for row in rows]
    jobs["wait"] = [row.wait for row in rows]
    jobs["run"] = [row.run for row in rows]
    jobs["processors"] = [row.processors for row in rows]
    jobs["cpu_seconds"] = [row.cpu_seconds for row in rows]
    jobs["requested_processors"] = [row.requested for row in rows]
    jobs["requested_seconds"] = [row.limit for row in rows]
    jobs["requested_memory_kib"] = [row.memory_kib for row in rows]
    jobs["status"] = [row.status for row in rows]
    for key, column in _NAMED.items():
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
    return Workload(jobs, header, names, max(1, fullest), source)
