"""Reads and writes the Standard Workload Format 2.2: 18 numbers a line, and `;` before comments.

Lines that are no jobs are left out and reported; all others are kept.
Source: D. G. Feitelson et al., The Standard Workload Format, 2.2; S. J. Chapin et al., Benchmarks
and standards for the evaluation of parallel job schedulers, JSSPP 1999.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from heorot.errors import WorkloadError
from heorot.throughput.model.workload import COLUMNS, JOB, UNKNOWN, Jobs, Workload
from heorot.throughput.workload.lines.swf_lines import (
    MOST_COMPLAINTS,
    Found,
    Places,
    Rows,
    read_lines,
)
from heorot.throughput.workload.reading import HINT, Complaint, Odd, Reading, read_bytes
from heorot.units import plural
from heorot.writing import write

_FORM = "a line of SWF has 18 numbers, -1 for unknown ones"
_WRITTEN_LINES = 20_000
_CHUNK_BYTES = 1 << 20
# Control characters that some tools write as blanks.
_BLANKS = bytes.maketrans(b"\r\x0b\x0c\x1c\x1d\x1e\x1f", b" " * 7)
_HEADER = re.compile(r";\s*([A-Za-z][A-Za-z0-9_]*):[ \t]*(.*)", re.DOTALL)
# Columns whose numbers have names in comments: `; Queue: 1 night`; the format has them for queues
# and partitions, Heorot also for users, groups and executables.
_NAMED = {name.capitalize(): name for name in ("user", "group", "executable", "queue", "partition")}
_NAME = re.compile(r"([0-9]{1,15})(?:,\s*|\s+)(\S.*)")


def read_swf(path: Path) -> Reading:
    """Read a trace, unpacked if it is gzip.

    Raises:
        WorkloadError: it cannot be read, or has no job.
    """
    reading = parse_swf(read_bytes(path), path.name)
    if not len(reading.workload.jobs):
        line = reading.complaints[0].line if reading.complaints else None
        raise WorkloadError("has no job in SWF", file=path, line=line, hint=_FORM)
    return reading


def parse_swf(content: bytes, source: str = "") -> Reading:
    """Read the jobs of a text in SWF, possibly none."""
    comments: list[str] = []
    found: list[Found] = []
    parts: list[Jobs] = []
    for first, text in _chunks(content):
        read = read_lines(*_lines_of(text, first, comments))
        parts.append(_as_jobs(read.rows))
        found.append(replace(read, rows=read.rows[:0].copy()))
    del content, text
    jobs = Jobs.joined(parts)
    del parts
    where = np.concatenate([each.where for each in found])
    complaints = [one for each in found for one in each.lost][:MOST_COMPLAINTS]
    complaints += [*_oddities(found), *_parts(found, jobs["number"])]
    late = _out_of_order(jobs["submit"], where)
    complaints += late + _doubled(jobs["number"], where)
    complaints.sort(key=lambda complaint: complaint.line)
    header, names = _header(comments)
    in_order = jobs.chosen(np.argsort(jobs["submit"], kind="stable")) if late else jobs
    per_node = _processors_per_node(header)
    return Reading(Workload(in_order, header, names, per_node, source), tuple(complaints))


def _chunks(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Blocks of whole lines, each with the number of its first."""
    number, start = 1, 0
    while start <= len(content):
        end = content.find(b"\n", start + _CHUNK_BYTES)
        end = len(content) if end < 0 else end
        text = content[start:end].translate(_BLANKS)
        yield number, text
        number, start = number + text.count(b"\n") + 1, end + 1


def _lines_of(text: bytes, first: int, comments: list[str]) -> tuple[Places, list[bytes]]:
    """The lines that may be jobs, and their numbers.

    Args:
        first: number of the first line, from 1.
        comments: receives the comments.
    """
    lines = [line.strip() for line in text.split(b"\n")]
    if b";" not in text and all(lines):
        return np.arange(first, first + len(lines)), lines
    places, texts = [], []
    for number, line in enumerate(lines, start=first):
        if line.startswith(b";"):
            comments.append(line.decode(errors="replace"))
        elif line:
            places.append(number)
            texts.append(line)
    return np.array(places, dtype=np.int64), texts


def _oddities(found: list[Found]) -> Iterator[Complaint]:
    """Impossible values of jobs that count nevertheless: once for each column."""
    columns: dict[str, Odd] = {}
    for each in found:
        for name, odd in each.odd.items():
            columns.setdefault(name, Odd(odd.line, odd.text)).n += odd.n
    for name, odd in columns.items():
        yield odd.complaint(name, ": taken as unknown")


def _parts(found: list[Found], numbers: Places) -> Iterator[Complaint]:
    """One complaint for all lines of partial executions."""
    lines = [line for each in found for line in each.parts]
    if not lines:
        return
    alone = set[int]().union(*(each.part_numbers for each in found)).difference(numbers.tolist())
    n = f"{len(lines)} lines, this the first, are" if len(lines) > 1 else "is"
    text = f"{n} of partial executions (status 2, 3 or 4), no jobs: left out"
    if alone:
        text += f"; {plural(len(alone), 'job')} of theirs without another line"
    yield Complaint(lines[0], text)


def _as_jobs(rows: Rows) -> Jobs:
    columns = zip(COLUMNS, rows.T + 0.0, strict=True)  # no negative zero
    return Jobs({name: column.astype(JOB[name]) for name, column in columns})


def _out_of_order(submit: Rows, where: Places) -> list[Complaint]:
    """One complaint for all lines below later ones."""
    early = np.flatnonzero(submit[1:] < np.maximum.accumulate(submit)[:-1]) + 1
    if not len(early):
        return []
    line = int(where[early[0]])
    n = f"{len(early)} jobs, this the first, come" if len(early) > 1 else "comes"
    text = f"{n} after later ones: sorted by submission"
    return [Complaint(line, text, lost=False)]


def _doubled(numbers: Places, where: Places) -> list[Complaint]:
    """Jobs with the number of an earlier one."""
    if (numbers[1:] > numbers[:-1]).all():
        return []
    order = np.argsort(numbers, kind="stable")
    same = order[1:][(np.diff(numbers[order]) == 0) & (numbers[order][1:] != UNKNOWN)]
    return [
        Complaint(int(where[place]), f"a second job of the number {numbers[place]}", lost=False)
        for place in np.sort(same)[:MOST_COMPLAINTS]
    ]


def _header(comments: list[str]) -> tuple[dict[str, str], dict[str, dict[int, str]]]:
    """Header fields, and the names of numbered values."""
    header: dict[str, str] = {}
    names: dict[str, dict[int, str]] = {}
    for comment in comments:
        match = _HEADER.fullmatch(comment)
        key, value = (match[1], match[2].strip()) if match else ("", comment[1:].strip())
        name = _NAME.fullmatch(value) if key in _NAMED else None
        if name and int(name[1]) not in names.get(_NAMED[key], {}):
            names.setdefault(_NAMED[key], {})[int(name[1])] = name[2]
        elif key in header:
            header[key] += "\n" + value
        elif key or value:
            header[key] = value
    return header, names


def _processors_per_node(header: dict[str, str]) -> int:
    """Processors of a node by `MaxProcs` and `MaxNodes`; 1 without these."""
    found = [re.match(r"[0-9]{1,9}\b", header.get(key, "")) for key in ("MaxProcs", "MaxNodes")]
    processors, nodes = (int(match[0]) if match else 0 for match in found)
    return processors // nodes if nodes and processors % nodes == 0 and processors else 1


def write_swf(workload: Workload, path: Path) -> None:
    """Write a workload, packed if the name ends in `.gz`.

    `read_swf` restores it exactly: numbers to the last digit, comments, names.

    Raises:
        WorkloadError: the file cannot be written.
    """
    content = "".join(_written(workload)).encode()
    try:
        write(path, gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)
    except OSError as error:
        message = f"cannot be written: {error.strerror}"
        raise WorkloadError(message, file=path, hint=HINT) from None


def _written(workload: Workload) -> Iterator[str]:
    plain = {key: text for key, text in workload.header.items() if key not in _NAMED}
    yield from _comments(plain)
    for key, column in _NAMED.items():
        for number, name in sorted(workload.names.get(column, {}).items()):
            yield f"; {key}: {number} {name}\n"
    # Second names of a number must not come first.
    yield from _comments({key: workload.header[key] for key in _NAMED if key in workload.header})
    for start in range(0, len(workload.jobs), _WRITTEN_LINES):
        jobs = workload.jobs.chosen(slice(start, start + _WRITTEN_LINES))
        columns = [_texts(jobs[name]) for name in COLUMNS]
        yield "".join(" ".join(row) + "\n" for row in zip(*columns, strict=True))


def _comments(header: dict[str, str]) -> Iterator[str]:
    for key, value in header.items():
        for line in value.split("\n"):
            yield f"; {key}: {line}".rstrip() + "\n" if key else f"; {line}".rstrip() + "\n"


def _texts(column: Rows | Places) -> list[str]:
    """Numbers in their shortest exact form."""
    with np.errstate(invalid="ignore"):
        whole = column.astype(np.int64)
    if (whole == column).all():
        return list(map(str, whole.tolist()))
    return [repr(value).removesuffix(".0") for value in column.tolist()]
