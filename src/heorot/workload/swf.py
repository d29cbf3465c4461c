"""Reads and writes the Standard Workload Format 2.2: 18 numbers a line, and `;` before comments.

Clean stretches of a file are read by numpy at once; only a stretch in which a line is wrong is
looked at line by line. What is no job is left out and told; nothing else is lost by it.
Source: D. G. Feitelson et al., The Standard Workload Format, 2.2; S. J. Chapin et al., Benchmarks
and standards for the evaluation of parallel job schedulers, JSSPP 1999.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from heorot.errors import WorkloadError
from heorot.model.day.workload import JOB, UNKNOWN, Jobs, Workload
from heorot.workload.reading import HINT, LONGEST_SECONDS, Complaint, Reading, finite, read_bytes
from heorot.workload.reading import shown as shorten
from heorot.writing import write

COLUMNS = JOB.names or ()
_FORM = "a line of SWF has 18 numbers, -1 for unknown ones"
_WHOLE = np.array([JOB[name].kind == "i" for name in COLUMNS])
_TIMES = np.array([name in {"submit", "wait", "run", "requested_seconds"} for name in COLUMNS])
_TIMES |= np.array([name in {"cpu_seconds", "think_seconds"} for name in COLUMNS])
_SUBMIT = COLUMNS.index("submit")
# Above, floating-point numbers leave out whole ones: a number of a job would become another.
_MOST_WHOLE = 2**53
_CHUNK_LINES = 20_000
_LONGEST_LINE = 500
# So many complaints are kept; of a file that is no SWF at all there would be millions.
MOST_COMPLAINTS = 100_000
# Whatever else some call a blank is one.
_BLANKS = bytes.maketrans(b"\r\x0b\x0c\x1c\x1d\x1e\x1f", b" " * 7)
_NUMBER = rb"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_LINE = re.compile(_NUMBER + rb"(?:[ \t]+" + _NUMBER + rb"){17}")
_HEADER = re.compile(r";\s*([A-Za-z][A-Za-z0-9_]*):[ \t]*(.*)", re.DOTALL)
# Columns whose numbers have names in comments: `; Queue: 1 night`; those of users, groups and
# executables are additions of ours to the format, which has them for queues and partitions.
_NAMED = {name.capitalize(): name for name in ("user", "group", "executable", "queue", "partition")}
_NAME = re.compile(r"([0-9]{1,15})(?:,\s*|\s+)(\S.*)")

Rows = npt.NDArray[np.float64]


def read_swf(path: Path) -> Reading:
    """Read a trace; one that was packed by gzip is unpacked.

    Args:
        path: where it is.

    Raises:
        WorkloadError: it cannot be read, or has no job.
    """
    reading = parse_swf(read_bytes(path), path.name)
    if not len(reading.workload.jobs):
        line = reading.complaints[0].line if reading.complaints else None
        raise WorkloadError("has no job in SWF", file=path, line=line, hint=_FORM)
    return reading


def parse_swf(content: bytes, source: str = "") -> Reading:
    """The jobs of a text in SWF, possibly none.

    Args:
        content: of the file.
        source: what it is called.
    """
    comments: list[str] = []
    complaints: list[Complaint] = []
    rows, numbers = [np.empty((0, len(COLUMNS)))], [np.empty(0, dtype=np.int64)]
    for first, lines in _chunks(content):
        kept, places, wrong = _read_chunk(lines, first, comments)
        rows.append(kept)
        numbers.append(places)
        complaints += wrong[: MOST_COMPLAINTS - len(complaints)]
    jobs = _as_jobs(np.concatenate(rows))
    where = np.concatenate(numbers)
    complaints += _out_of_order(jobs["submit"], where) + _doubled(jobs["number"], where)
    complaints.sort(key=lambda complaint: complaint.line)
    header, names = _told(comments)
    in_order = jobs[np.argsort(jobs["submit"], kind="stable")]
    per_node = _processors_per_node(header)
    return Reading(Workload(in_order, header, names, per_node, source), tuple(complaints))


def _chunks(content: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """Stretches of lines, each with the number of its first."""
    lines = content.translate(_BLANKS).split(b"\n")
    for start in range(0, len(lines), _CHUNK_LINES):
        yield start + 1, lines[start : start + _CHUNK_LINES]


def _read_chunk(
    lines: list[bytes], first: int, comments: list[str]
) -> tuple[Rows, npt.NDArray[np.int64], list[Complaint]]:
    """The jobs of some lines, in which of them they stand, and what was no job.

    Args:
        lines: without their ends.
        first: number of the first, from 1.
        comments: those found are added to it.
    """
    places, texts = [], []
    for number, line in enumerate(lines, start=first):
        text = line.strip()
        if text.startswith(b";"):
            comments.append(text.decode(errors="replace"))
        elif text:
            places.append(number)
            texts.append(text)
    where = np.array(places, dtype=np.int64)
    rows = _all_at_once(texts)
    if rows is not None and not _wrong(rows).any():
        return rows, where, []
    return _sorted_out(where, texts)


def _sorted_out(
    where: npt.NDArray[np.int64], texts: list[bytes]
) -> tuple[Rows, npt.NDArray[np.int64], list[Complaint]]:
    """The same of a stretch with a wrong line somewhere: the others are read at once again."""
    looks = np.array([_looks_well(text) for text in texts])
    rows = _loaded([text for text, plain in zip(texts, looks, strict=True) if plain])
    wrong = _wrong(rows).any(axis=1)
    good = np.flatnonzero(looks)[~wrong]
    doubtful = np.setdiff1d(np.arange(len(texts)), good)
    complaints = [
        Complaint(int(where[place]), _problem(texts[place].decode(errors="replace")))
        for place in doubtful
    ]
    return rows[~wrong], where[good], complaints


def _looks_well(text: bytes) -> bool:
    return len(text) <= _LONGEST_LINE and _LINE.fullmatch(text) is not None


def _all_at_once(texts: list[bytes]) -> Rows | None:
    """The numbers of lines that all have as many; None if one has not."""
    if max(map(len, texts), default=0) > _LONGEST_LINE:
        return None
    try:
        rows = _loaded(texts)
    except ValueError:
        return None
    return rows if rows.shape[1] == len(COLUMNS) else None


def _loaded(texts: list[bytes]) -> Rows:
    """The numbers of lines.

    Raises:
        ValueError: one is none, or a line has not as many as the first.
    """
    if not texts:
        return np.empty((0, len(COLUMNS)))
    return np.loadtxt(texts, ndmin=2, comments=None, encoding="ascii")


def _wrong(rows: Rows) -> npt.NDArray[np.bool_]:
    """Which numbers cannot be, shape as the rows."""
    unsaid = ~np.isfinite(rows)
    rows = np.where(unsaid, 0.0, rows)
    whole = _WHOLE & ((rows != np.floor(rows)) | (rows > _MOST_WHOLE))
    late = _TIMES & (rows >= LONGEST_SECONDS)
    wrong: npt.NDArray[np.bool_] = unsaid | whole | late | ((rows < 0) & (rows != UNKNOWN))
    wrong[:, _SUBMIT] |= rows[:, _SUBMIT] < 0
    return wrong


def _problem(text: str) -> str:
    """Why a line is no job."""
    if len(text) > _LONGEST_LINE:
        return f"has more than {_LONGEST_LINE} characters"
    words = re.split(r"[ \t]+", text, maxsplit=len(COLUMNS))
    if len(words) != len(COLUMNS):
        n = f"more than {len(COLUMNS)}" if len(words) > len(COLUMNS) else str(len(words))
        return f"has {n} fields, not {len(COLUMNS)}"
    values = [finite(word) for word in words]
    for name, word, value in zip(COLUMNS, words, values, strict=True):
        if value is None:
            return f"`{shorten(word)}` is no number for `{name}`"
    place = int(np.argmax(_wrong(np.array([values], dtype=np.float64))[0]))
    return _why(COLUMNS[place], words[place], float(values[place] or 0.0))


def _why(name: str, word: str, value: float) -> str:
    if value == UNKNOWN:
        return f"`{name}` is unknown: nobody can submit such a job"
    if value < 0:
        return f"`{name}` is negative: {shorten(word)}"
    if value != int(value):
        return f"`{name}` is no whole number: {shorten(word)}"
    return f"`{name}` is too large: {shorten(word)}"


def _as_jobs(rows: Rows) -> Jobs:
    jobs = np.empty(len(rows), dtype=JOB)
    for place, name in enumerate(COLUMNS):
        jobs[name] = rows[:, place] + 0.0  # no negative zero
    return jobs


def _out_of_order(submit: Rows, where: npt.NDArray[np.int64]) -> list[Complaint]:
    """One complaint of all lines that stand below later ones."""
    early = np.flatnonzero(submit[1:] < np.maximum.accumulate(submit)[:-1]) + 1
    if not len(early):
        return []
    line = int(where[early[0]])
    text = f"{len(early)} jobs, this the first, come after later ones: sorted by submission"
    return [Complaint(line, text, lost=False)]


def _doubled(numbers: npt.NDArray[np.int64], where: npt.NDArray[np.int64]) -> list[Complaint]:
    """Jobs of a number that another has already."""
    order = np.argsort(numbers, kind="stable")
    same = order[1:][np.diff(numbers[order]) == 0]
    return [
        Complaint(int(where[place]), f"a second job of the number {numbers[place]}", lost=False)
        for place in np.sort(same)[:MOST_COMPLAINTS]
    ]


def _told(comments: list[str]) -> tuple[dict[str, str], dict[str, dict[int, str]]]:
    """What comments say of the whole, and the names of what has numbers."""
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
    """How many processors a node has by `MaxProcs` and `MaxNodes`; 1 if they do not say."""
    found = [re.match(r"[0-9]{1,9}\b", header.get(key, "")) for key in ("MaxProcs", "MaxNodes")]
    processors, nodes = (int(match[0]) if match else 0 for match in found)
    return processors // nodes if nodes and processors % nodes == 0 and processors else 1


def write_swf(workload: Workload, path: Path) -> None:
    """Write a workload; a name that ends in `.gz` has it packed.

    What `read_swf` makes of the file is the same: numbers to the last digit, comments, names.

    Args:
        workload: what is written.
        path: of the file, which is made or replaced.

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
    # Second names of what has one already: they must not come first.
    yield from _comments({key: workload.header[key] for key in _NAMED if key in workload.header})
    for start in range(0, len(workload.jobs), _CHUNK_LINES):
        jobs = workload.jobs[start : start + _CHUNK_LINES]
        columns = [_texts(jobs[name]) for name in COLUMNS]
        yield "".join(" ".join(row) + "\n" for row in zip(*columns, strict=True))


def _comments(header: dict[str, str]) -> Iterator[str]:
    for key, value in header.items():
        for line in value.split("\n"):
            yield f"; {key}: {line}".rstrip() + "\n" if key else f"; {line}".rstrip() + "\n"


def _texts(column: npt.NDArray[np.float64] | npt.NDArray[np.int64]) -> list[str]:
    """Numbers as short as they can be without becoming others."""
    with np.errstate(invalid="ignore"):
        whole = column.astype(np.int64)
    if (whole == column).all():
        return list(map(str, whole.tolist()))
    return [repr(value).removesuffix(".0") for value in column.tolist()]
