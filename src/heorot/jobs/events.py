"""Output of a job's script: events in status.jsonl, one a line; complaints in stderr.

The process that follows a job adds to both: overdue steps, an end that the script could not write,
processes that cannot be ended.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from heorot.files import read_from
from heorot.model.base import Count, Int64, UnixTime
from heorot.model.run.outcome import Exit, Left
from heorot.printable import one_line
from heorot.writing import append

_MOST_NAMES, _LONGEST_NAME = 5, 32
# The end of a script by its own record; `interrupted`: the batch system may know the reason.
Own = Literal["ok", "failed", "timeout", "interrupted"]


class Event(BaseModel):
    """An event of the whole job; other keys of its line are ignored.

    Attributes:
        event: the script began, received a termination signal, or ended.
        time: Unix time [s].
        host: of the script.
        hosts: of the allocation, or of a step.
        cause: of an interruption: `time_limit`, or empty.
        exit_code: of the script, if recorded.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    event: Literal["job", "interrupted", "end"]
    time: UnixTime
    host: str = ""
    hosts: tuple[str, ...] = ()
    cause: str = ""
    exit_code: Int64 | None = None


class StepStart(Event):
    """A step started."""

    event: Literal["start"]  # type: ignore[assignment]
    step: str


class StepEnd(Event):
    """A step ended; all its facts are required.

    Attributes:
        code: exit code of the launcher.
        timed_out: whether it was killed at its time limit.
        started: Unix time [s].
        clock_set: change of the clock during the step [s].
    """

    event: Literal["exit"]  # type: ignore[assignment]
    step: str
    code: Int64
    timed_out: bool
    started: UnixTime
    clock_set: Int64 = 0

    def exit(self, *, late: bool = False) -> Exit:
        """The end of the step.

        Args:
            late: whether it was overdue: then it timed out, whatever its exit code.
        """
        return Exit(
            step=self.step,
            started=self.started,
            ended=self.time,
            code=self.code,
            timed_out=self.timed_out or late,
            clock_set=self.clock_set,
        )


class StepsLeft(Event):
    """Processes of steps were left."""

    event: Literal["left"]  # type: ignore[assignment]
    steps: tuple[str, ...]
    n: Count
    names: tuple[str, ...] = ()

    @property
    def left(self) -> Left:
        """The processes left, with a few names."""
        names = tuple(one_line(name)[:_LONGEST_NAME] for name in self.names[:_MOST_NAMES])
        return Left(steps=self.steps, n=self.n, names=names)


class StepOverdue(Event):
    """The script missed a step's time limit; `stopped` if it had been suspended."""

    event: Literal["overdue"]  # type: ignore[assignment]
    step: str
    stopped: bool


class Observation(Event):
    """An observation by the script of a probe job.

    Attributes:
        what: its name.
        words: its values.
    """

    event: Literal["said"]  # type: ignore[assignment]
    what: str
    words: tuple[str, ...] = ()


StepEvent = StepStart | StepEnd
_LINE: TypeAdapter[Event] = TypeAdapter(
    Annotated[
        Event | StepStart | StepEnd | StepsLeft | StepOverdue | Observation,
        Field(discriminator="event"),
    ]
)


def parse_event(line: bytes) -> Event | None:
    """The event of a line; None for a torn or damaged one."""
    try:
        return _LINE.validate_json(line)
    except ValidationError:
        return None


def note(directory: Path, **fields: object) -> None:
    """Append a line to the status file of a job, if possible."""
    with suppress(OSError):
        append(directory / "status.jsonl", json.dumps(fields, separators=(",", ":")) + "\n")


def complaints(directory: Path, since: int = 0) -> Sequence[str]:
    """Complaints of the job's script, a line each.

    Args:
        since: offset in the file to begin at [B].
    """
    lines = read_from(directory / "stderr", since).decode(errors="replace").splitlines()
    return [one_line(line[8:]) for line in lines if line.startswith("heorot: ")]


def last_complaint(directory: Path, since: int = 0) -> str:
    """The last complaint, empty if there is none; see `complaints`."""
    return next(reversed(complaints(directory, since)), "")


def complain(directory: Path, what: str) -> None:
    """Append a complaint to those of the job's script, if possible."""
    with suppress(OSError):
        append(directory / "stderr", f"heorot: job {directory.name}: {what}\n")
