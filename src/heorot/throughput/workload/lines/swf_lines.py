"""Lines in the Standard Workload Format as rows of 18 numbers.

Blocks of clean lines are read by numpy; a block with a wrong line is read line by line. A job needs
its time of submission. An impossible value in another field counts as unknown, and the job is
kept. Lines of partial executions are no jobs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from heorot.throughput.model.workload import COLUMNS, JOB, UNKNOWN
from heorot.throughput.workload.reading import LONGEST_SECONDS, Complaint, Odd, finite
from heorot.throughput.workload.reading import shown as shorten

_WHOLE = np.array([JOB[name].kind == "i" for name in COLUMNS])
_TIMES = np.array([name in {"submit", "wait", "run", "requested_seconds"} for name in COLUMNS])
_TIMES |= np.array([name in {"cpu_seconds", "think_seconds"} for name in COLUMNS])
_SUBMIT, _STATUS, _NUMBER_OF = (COLUMNS.index(name) for name in ("submit", "status", "number"))
# Status of a part that is continued; of a last part, completed; of a last part, failed.
_PARTIAL = (2, 3, 4)
# Above, doubles skip integers: the number of a job would become another one.
_MOST_WHOLE = 2**53
_LONGEST_LINE = 500
# A line with more odd fields is not SWF.
_MOST_ODD = 4
# A file that is not SWF would yield millions.
MOST_COMPLAINTS = 100_000
_NUMBER = rb"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_LINE = re.compile(_NUMBER + rb"(?:[ \t]+" + _NUMBER + rb"){17}")

Rows = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]


@dataclass
class Found:
    """Result of reading lines.

    Attributes:
        rows: the jobs, shape (n, 18).
        where: their lines in the file, shape (n,).
        lost: lines that are no jobs, and why.
        odd: columns with impossible values, by their names.
        parts: lines of partial executions.
        part_numbers: numbers of their jobs.
    """

    rows: Rows
    where: Places
    lost: list[Complaint] = field(default_factory=list)
    odd: dict[str, Odd] = field(default_factory=dict)
    parts: list[int] = field(default_factory=list)
    part_numbers: set[int] = field(default_factory=set)


def read_lines(where: Places, texts: Sequence[bytes]) -> Found:
    """Read the jobs of lines.

    Args:
        where: line numbers in the file.
        texts: without blanks around them and without comments.
    """
    rows = _all_at_once(texts)
    if rows is not None and not _wrong(rows).any() and not _is_partial(rows).any():
        return Found(rows, where)
    rows, lost = _one_by_one(where, texts)
    whole = np.count_nonzero(~np.isnan(rows), axis=1) > 0
    found = Found(rows[:0], where[:0], lost)
    rows, where = rows[whole], where[whole]
    words = [text for text, kept in zip(texts, whole.tolist(), strict=True) if kept]
    partial = _is_partial(rows)
    found.parts = where[partial].tolist()
    found.part_numbers = {int(number) for number in rows[partial][:, _NUMBER_OF] if number >= 0}
    wrong = _wrong(rows)
    never = wrong[:, _SUBMIT]
    no_job = (never | (wrong.sum(axis=1) > _MOST_ODD)) & ~partial
    reasons = np.where(never, _SUBMIT, np.argmax(wrong, axis=1))
    found.lost += [
        Complaint(int(where[k]), _why(words[k], int(reasons[k]))) for k in np.flatnonzero(no_job)
    ]
    kept = ~(no_job | partial)
    for column, name in enumerate(COLUMNS):
        places = np.flatnonzero(wrong[:, column] & kept)
        if len(places):
            first = int(places[0])
            found.odd[name] = Odd(int(where[first]), _why(words[first], column), len(places))
    found.rows = np.where(wrong, float(UNKNOWN), rows)[kept]
    found.where = where[kept]
    return found


def _one_by_one(where: Places, texts: Sequence[bytes]) -> tuple[Rows, list[Complaint]]:
    """The numbers of lines, NaN for other words; NaN throughout a line without 18 fields."""
    looks = np.array([_looks_well(text) for text in texts], dtype=np.bool_)
    rows = np.full((len(texts), len(COLUMNS)), np.nan)
    if looks.any():
        rows[looks] = _loaded(
            [text for text, plain in zip(texts, looks.tolist(), strict=True) if plain]
        )
    lost = []
    for place in np.flatnonzero(~looks).tolist():
        words = _words(texts[place])
        if len(texts[place]) > _LONGEST_LINE:
            lost.append(Complaint(int(where[place]), f"has more than {_LONGEST_LINE} characters"))
        elif len(words) != len(COLUMNS):
            n = f"more than {len(COLUMNS)}" if len(words) > len(COLUMNS) else str(len(words))
            lost.append(Complaint(int(where[place]), f"has {n} fields, not {len(COLUMNS)}"))
        else:
            values = [finite(word) for word in words]
            rows[place] = [np.nan if value is None else value for value in values]
            if np.isnan(rows[place]).all():
                lost.append(Complaint(int(where[place]), _why(texts[place], 0)))
    return rows, lost


def _words(text: bytes) -> list[str]:
    return re.split(r"[ \t]+", text.decode(errors="replace"), maxsplit=len(COLUMNS))


def _looks_well(text: bytes) -> bool:
    return len(text) <= _LONGEST_LINE and _LINE.fullmatch(text) is not None


def _all_at_once(texts: Sequence[bytes]) -> Rows | None:
    """The numbers of lines with 18 fields each; None if one has another number."""
    if max(map(len, texts), default=0) > _LONGEST_LINE:
        return None
    try:
        rows = _loaded(texts)
    except ValueError:
        return None
    return rows if rows.shape[1] == len(COLUMNS) else None


def _loaded(texts: Sequence[bytes]) -> Rows:
    """The numbers of lines.

    Raises:
        ValueError: a word is no number, or lines differ in length.
    """
    if not texts:
        return np.empty((0, len(COLUMNS)))
    return np.loadtxt(texts, ndmin=2, comments=None, encoding="ascii")


def _is_partial(rows: Rows) -> npt.NDArray[np.bool_]:
    return np.isin(rows[:, _STATUS], _PARTIAL)


def _wrong(rows: Rows) -> npt.NDArray[np.bool_]:
    """Which numbers are impossible, shape of the rows."""
    unsaid = ~np.isfinite(rows)
    rows = np.where(unsaid, 0.0, rows)
    whole = _WHOLE & ((rows != np.floor(rows)) | (rows > _MOST_WHOLE))
    late = _TIMES & (rows >= LONGEST_SECONDS)
    wrong: npt.NDArray[np.bool_] = unsaid | whole | late | ((rows < 0) & (rows != UNKNOWN))
    wrong[:, _SUBMIT] |= rows[:, _SUBMIT] < 0
    return wrong


def _why(text: bytes, column: int) -> str:
    """Describes the error in a field of a line."""
    word, name = _words(text)[column], COLUMNS[column]
    value = finite(word)
    if value is None:
        return f"`{shorten(word)}` is no number for `{name}`"
    if value == UNKNOWN:
        return f"`{name}` is unknown: the job cannot be submitted"
    if value < 0:
        return f"`{name}` is negative: {shorten(word)}"
    if value != int(value):
        return f"`{name}` is no whole number: {shorten(word)}"
    return f"`{name}` is too large: {shorten(word)}"
