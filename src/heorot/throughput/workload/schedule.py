"""Reads schedules of a throughput test: lines `seconds: copies * name_run`, and `#` for comments.

`_run` belongs to the published names and may be left out. Names may repeat, at the same and at
other times.
Source: A. J. van der Steen, An evaluation of some Beowulf clusters, WFI-2000-07, Utrecht
University, 2000, section 4.1.7.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from heorot.errors import UsageError, WorkloadError
from heorot.files import is_missing
from heorot.throughput.workload.reading import Complaint, finite, read_bytes, shown

_SHIPPED = Path(__file__).parent / "shipped"
_HINT = "a line is `seconds: copies * name`, such as `900: 2 * euroben_run`"
_ENTRY = re.compile(r"([^:]*):([^*]*)\*(.*)", re.DOTALL)
_NAME = re.compile(r"[A-Za-z0-9_+#-][A-Za-z0-9_+#.-]{0,99}")
_SUFFIX = "_run"
_MOST_BYTES = 1 << 22
# A month: a later time is a typing error, such as milliseconds.
_LATEST = 31 * 86400
_MOST_COPIES = 100_000
_MOST_JOBS = 1_000_000


@dataclass(frozen=True)
class Entry:
    """One line of a schedule.

    Attributes:
        seconds: submission of the copies after the begin [s].
        name: of the job class, without `_run`.
        line: its number in the file, from 1.
    """

    seconds: float
    copies: int
    name: str
    line: int


@dataclass(frozen=True)
class Schedule:
    """Jobs to submit, with their times.

    Attributes:
        entries: sorted by time; those of one time in the order of the file.
        complaints: corrections.
    """

    entries: tuple[Entry, ...]
    file: Path
    complaints: tuple[Complaint, ...] = ()


def shipped() -> dict[str, Path]:
    """The schedules that come with Heorot, by name; each has a file of jobs of the same name.

    Results are comparable with the published ones only if it is not edited.
    """
    return {path.stem: path for path in sorted(_SHIPPED.glob("*.schedule"))}


def find(name: str) -> Path:
    """The file of a schedule: by the name of a shipped one, else the file itself.

    Raises:
        UsageError: there is neither.
    """
    path, known = Path(name), shipped()
    if name in known and not path.is_file():
        return known[name]
    if "/" not in name and not path.suffix and is_missing(path):
        hint = f"give a file, or one that comes with Heorot: {', '.join(known)}"
        raise UsageError(f"there is no schedule '{shown(name)}'", hint)
    return path


def read_schedule(path: Path) -> Schedule:
    """Read a schedule.

    Raises:
        WorkloadError: it cannot be read, has a wrong line, or no job.
    """
    entries, n_jobs = [], 0
    for number, raw in enumerate(read_bytes(path, _MOST_BYTES).split(b"\n"), start=1):
        text = raw.partition(b"#")[0].decode(errors="replace").strip()
        if not text:
            continue
        entry = _entry(text, number, path)
        n_jobs += entry.copies
        if n_jobs > _MOST_JOBS:
            message = f"these are more than {_MOST_JOBS} jobs"
            raise WorkloadError(message, file=path, line=number, hint=_HINT)
        entries.append(entry)
    if not entries:
        raise WorkloadError("has no job", file=path, hint=_HINT)
    in_order = tuple(sorted(entries, key=lambda entry: entry.seconds))
    return Schedule(in_order, path, tuple(_moved(entries)))


def _entry(text: str, number: int, path: Path) -> Entry:
    match = _ENTRY.fullmatch(text)
    if match is None:
        message = f"`{shown(text)}` is no line of a schedule"
        raise WorkloadError(message, file=path, line=number, hint=_HINT)
    seconds, copies, name = (piece.strip() for piece in match.groups())
    for problem in (_wrong_time(seconds), _wrong_copies(copies), _wrong_name(name)):
        if problem:
            raise WorkloadError(problem, file=path, line=number, hint=_HINT)
    return Entry(float(seconds) + 0.0, int(copies), base_name(name), number)


def base_name(name: str) -> str:
    """A name without the suffix `_run` of published schedules."""
    return name.removesuffix(_SUFFIX) or name


def _wrong_time(text: str) -> str:
    seconds = finite(text)
    if seconds is None:
        return f"the time `{shown(text)}` is no number of seconds"
    if seconds < 0:
        return f"the time {shown(text)} s lies before the begin"
    if seconds > _LATEST:
        return f"the time {shown(text)} s is more than a month"
    return ""


def _wrong_copies(text: str) -> str:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        return f"`{shown(text)}` is no number of copies"
    if not 1 <= int(text) <= _MOST_COPIES:
        return f"{int(text)} copies: there may be 1 to {_MOST_COPIES}"
    return ""


def _wrong_name(text: str) -> str:
    if _NAME.fullmatch(text):
        return ""
    return f"`{shown(text)}` is no name: letters, digits, `_`, `-`, `+`, `.`"


def _moved(entries: list[Entry]) -> list[Complaint]:
    """Lines below later ones."""
    complaints, latest = [], entries[0]
    for entry in entries[1:]:
        if entry.seconds < latest.seconds:
            above = f"{latest.seconds:g} s of line {latest.line}"
            text = f"{entry.seconds:g} s comes after {above}: sorted"
            complaints.append(Complaint(entry.line, text, lost=False))
        else:
            latest = entry
    return complaints
