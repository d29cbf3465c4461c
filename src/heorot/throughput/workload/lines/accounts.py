"""One line of Slurm's accounting as a job, or one component of it.

A job without id or time of submission cannot be submitted; any other field may be unreadable, and
the job counts without it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from heorot.throughput.model.workload import UNKNOWN
from heorot.throughput.workload.lines import sacct_words as words

NAMED = {"user": "user", "group": "group", "jobname": "executable", "partition": "queue"}
"""Columns whose texts are numbered, and the columns of a workload for them."""
_Value = TypeVar("_Value")


@dataclass(frozen=True)
class Row:
    """One job, or one component of it; -1 for unknown numbers.

    Attributes:
        name: the parsed id.
        submit: Unix time [s].
        wait, run: lengths [s].
        cpu_seconds: of each processor [s].
        requested_seconds: requested time limit [s].
        requested_memory_kib: of each processor [KiB].
        status: as in SWF.
        texts: contents of its named columns.
        odd: unreadable columns, and why, by their names.
    """

    line: int
    name: words.JobName
    submit: float
    wait: float
    run: float
    processors: int
    requested_processors: int
    nodes: int
    cpu_seconds: float
    requested_seconds: float
    requested_memory_kib: float
    status: int
    texts: dict[str, str] = field(default_factory=dict)
    odd: dict[str, str] = field(default_factory=dict)


class _Fields:
    """The fields of a line; unreadable ones count as missing and are noted."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values
        self.odd: dict[str, str] = {}

    def __getitem__(self, name: str) -> str:
        return self._values.get(name, "")

    def has(self, name: str) -> bool:
        """Whether there is such a column."""
        return name in self._values

    def read(self, name: str, how: Callable[[str], _Value]) -> _Value | None:
        """Parsed value of a column; None if it is missing, empty or unreadable."""
        text = self[name]
        try:
            return how(text) if text else None
        except ValueError as error:
            self.odd[name] = f"{error}: unknown"
            return None

    def first(self, columns: Sequence[tuple[str, Callable[[str], _Value | None]]]) -> _Value | None:
        """The first value of several columns."""
        found = (self.read(name, how) for name, how in columns)
        return next((value for value in found if value is not None), None)

    def count(self, *names: str) -> int:
        """The first of several numbers that is not zero."""
        return next((n for name in names if (n := self.read(name, words.count))), 0)


def row_of(values: Mapping[str, str], line: int) -> Row:
    """Make a job of its fields.

    Raises:
        ValueError: it has no id or no time of submission.
    """
    name = words.job_name(values["jobid"])
    submit = words.moment(values["submit"])
    if submit is None:
        raise ValueError("has no time of submission")
    fields = _Fields(values)
    status, word = _state(fields)
    never_began = _never_began(fields, word)
    wait, run = _times(fields, word, submit, never_began=never_began)
    nodes = fields.count("nnodes", "allocnodes")
    processors = fields.count("alloccpus", "ncpus")
    requested = fields.count("reqcpus") or processors
    if never_began:
        processors = 0
    limit = fields.first((("timelimitraw", words.limit_minutes), ("timelimit", words.limit)))
    # CPUTime does not serve: it counts idle processors.
    cpu = fields.read("totalcpu", words.elapsed)
    memory = fields.read("reqmem", lambda text: words.memory_kib(text, requested, nodes))
    return Row(
        line=line,
        name=name,
        submit=submit,
        wait=_known(wait),
        run=_known(run),
        processors=processors or UNKNOWN,
        requested_processors=requested or UNKNOWN,
        nodes=nodes or UNKNOWN,
        cpu_seconds=_known(cpu) / processors if processors and cpu else UNKNOWN,
        requested_seconds=_known(limit),
        requested_memory_kib=UNKNOWN if memory is None else memory,
        status=status,
        texts={key: values[key] for key in NAMED if values.get(key)},
        odd=fields.odd,
    )


def _state(fields: _Fields) -> tuple[int, str]:
    """Final state in SWF, and Slurm's word; without a known word an end time decides."""
    known = fields.read("state", words.status)
    if known is not None:
        return known
    fields.odd.setdefault("state", "it has no state: unknown")
    over = fields.read("end", words.moment) is not None
    return UNKNOWN, "" if over else "RUNNING"


def _times(
    fields: _Fields, word: str, submit: float, *, never_began: bool
) -> tuple[float | None, float | None]:
    """Queue wait and run time of a job [s]."""
    start, end = fields.read("start", words.moment), fields.read("end", words.moment)
    run = fields.first((("elapsedraw", words.seconds), ("elapsed", words.elapsed)))
    if run is None and start is not None and end is not None:
        run = end - start
    began = end if never_began else start
    wait = None if began is None else began - submit
    if word in words.UNDER_WAY:
        # The elapsed time of a running job is no run time; a start may be a planned one.
        return (None if word == "PENDING" else wait), None
    if (run is not None and run < 0) or (wait is not None and wait < 0):
        fields.odd["start"] = (
            "it began before it was submitted, or ended before it began: kept without that time"
        )
    return wait, 0.0 if never_began else run


def _never_began(fields: _Fields, word: str) -> bool:
    """Whether a job ended without starting, such as one cancelled in the queue."""
    began = fields.read("start", words.moment) is not None or "start" in fields.odd
    return fields.has("start") and not began and word not in words.UNDER_WAY


def _known(value: float | None) -> float:
    return UNKNOWN if value is None or value < 0 else value
