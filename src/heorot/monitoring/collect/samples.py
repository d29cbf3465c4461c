"""Reads the file of one node's samples; an invalid line is reported and left out.

The format is described in native/monitor/monitor.cpp, which writes it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from heorot.files import read_regular
from heorot.monitoring.model import Ending, Floats

_FORMAT = "1"
_FIRST = ("time", "clock", "own_seconds")
_GROUP_WORDS = 7
_MOST_COMPLAINTS = 20
_ENDINGS: dict[str, Ending] = {"stop": "stop", "time": "time", "signal": "signal"}
_LARGEST = 2.0**64


@dataclass(frozen=True)
class Group:
    """The resources of a group of processes at the time of a sample.

    Attributes:
        kind: `j` a job, `u` a user, `k` the kernel.
        name: mark of the job or number of the user.
        ticks: CPU time so far [ticks].
        pages: present resident memory [pages].
        n: present processes.
        read, written: so far [B].
    """

    kind: str
    name: str
    ticks: float
    pages: float
    n: float
    read: float
    written: float


@dataclass
class Segment:
    """Consecutive samples with the same columns.

    Attributes:
        facts: of its first line.
    """

    facts: dict[str, str]
    columns: tuple[str, ...]
    rows: list[list[float]] = field(default_factory=list)
    groups: list[tuple[Group, ...]] = field(default_factory=list)

    def table(self) -> Floats:
        """All numbers, shape (samples, columns)."""
        return np.array(self.rows, dtype=np.float64).reshape(len(self.rows), len(self.columns))

    def fact(self, name: str, least: float, fallback: float) -> float:
        """A number of the first line.

        Args:
            least: smallest plausible value.
            fallback: its value if it is missing or invalid.
        """
        try:
            number = float(self.facts.get(name, ""))
        except ValueError:
            return fallback
        return number if least <= number < _LARGEST else fallback


@dataclass
class NodeSamples:
    """The content of a file.

    Attributes:
        segments: in order, each with at least one sample.
        ending: why the last of them ends.
        complaints: invalid lines, as `FILE:LINE: what`.
    """

    segments: list[Segment] = field(default_factory=list)
    ending: Ending = "silent"
    complaints: list[str] = field(default_factory=list)


def read_samples(path: Path, latest: int | None = None) -> NodeSamples:
    """Read a file of samples as far as it is valid.

    A last line without its line feed was cut off with its node and does not count.

    Args:
        path: the file; it may be missing.
        latest: number of last lines to read, with the head lines that they need.
    """
    try:
        content = read_regular(path)
        *lines, _ = content.split(b"\n") if latest is None else _latest(content, latest)
    except FileNotFoundError:
        return NodeSamples()
    except OSError as error:
        return NodeSamples(complaints=[f"{path.name}: it cannot be read: {error.strerror}"])
    reader = _Reader(path.name)
    for number, line in enumerate(lines, start=1):
        reader.take(number, line.decode(errors="replace"))
    return reader.finished()


def _latest(content: bytes, n: int) -> list[bytes]:
    """The last lines, after the head lines of the first of them; then an incomplete line."""
    begin = len(content)
    for _ in range(n + 1):
        begin = content.rfind(b"\n", 0, begin)
        if begin < 0:
            return content.split(b"\n")
    heads = []
    for kind in (b"\nmonitor ", b"\ncolumns "):
        # The first line of the file has none before it.
        at = max(content.rfind(kind, 0, begin), -1)
        heads.append(content[at + 1 : content.find(b"\n", at + 1)])
    return [*heads, *content[begin + 1 :].split(b"\n")]


class _Reader:
    """Processes a file line by line."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._found = NodeSamples()
        self._facts: dict[str, str] = {}
        self._segment: Segment | None = None
        self._n_wrong = 0

    def take(self, number: int, line: str) -> None:
        kind, _, rest = line.partition(" ")
        try:
            if kind == "s":
                self._sample(rest)
            elif kind == "columns":
                self._columns(rest.split())
            elif kind == "monitor":
                self._begin(rest)
            elif kind == "end":
                self._found.ending = _ENDINGS.get(rest.partition(" ")[0], "silent")
                self._segment = None
            else:
                raise ValueError("not a line of a sampler")  # noqa: TRY301 (reported in one place)
        except ValueError as error:
            self._n_wrong += 1
            if self._n_wrong <= _MOST_COMPLAINTS:
                self._found.complaints.append(f"{self._name}:{number}: {error}")

    def finished(self) -> NodeSamples:
        more = self._n_wrong - _MOST_COMPLAINTS
        if more > 0:
            self._found.complaints.append(f"{self._name}: and {more} more lines")
        self._found.segments = [each for each in self._found.segments if each.rows]
        return self._found

    def _begin(self, rest: str) -> None:
        self._segment, self._facts = None, {}
        facts = dict(word.split("=", 1) for word in rest.split() if "=" in word)
        if facts.get("format") != _FORMAT:
            raise ValueError("samples of another version of the sampler")
        self._facts, self._found.ending = facts, "silent"

    def _columns(self, columns: Sequence[str]) -> None:
        self._segment = None
        if not self._facts:
            raise ValueError("columns of unknown samples")
        if tuple(columns[: len(_FIRST)]) != _FIRST or len(set(columns)) != len(columns):
            raise ValueError("columns are missing or duplicate")
        self._segment = Segment(self._facts, tuple(columns))
        self._found.segments.append(self._segment)

    def _sample(self, rest: str) -> None:
        if self._segment is None:
            raise ValueError("a sample without column names")
        numbers, *groups = rest.split(" ; ")
        row = _numbers(numbers.split())
        if len(row) != len(self._segment.columns):
            raise ValueError(f"{len(row)} numbers for {len(self._segment.columns)} columns")
        if self._segment.rows and row[1] <= self._segment.rows[-1][1]:
            raise ValueError("its clock goes backwards")
        read = tuple(_group(words.split()) for words in groups)
        self._segment.rows.append(row)
        self._segment.groups.append(read)


def _numbers(words: Sequence[str]) -> list[float]:
    """Words as numbers.

    Raises:
        ValueError: one is not a possible value of a counter.
    """
    numbers = list(map(float, words))
    # For speed only the sum is checked: it is not finite if a number is not.
    if not numbers or min(numbers) < 0 or max(numbers) > _LARGEST or math.isnan(sum(numbers)):
        raise ValueError("a number that is no counter value")
    return numbers


def _group(words: Sequence[str]) -> Group:
    if len(words) != _GROUP_WORDS or words[0] not in {"j", "u", "k"}:
        raise ValueError("an invalid group of processes")
    return Group(words[0], words[1], *_numbers(words[2:]))
