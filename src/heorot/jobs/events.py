"""What a job's script writes: a line of status.jsonl for each event, complaints to stderr.

Whoever follows a job adds to both: a step that was overdue, an end that the script did not live to
write, processes that cannot be ended.
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
# How a script says that it ended; it was interrupted: for a reason that others may know.
Own = Literal["ok", "failed", "timeout", "interrupted"]


class Event(BaseModel):
    """An event of the whole job; what else a line says is left out.

    Attributes:
        event: the script began, received a signal to end, or ended.
        time: Unix time [s].
        host: where it began.
        hosts: that it was given, or that a step has.
        cause: of an interruption: `time_limit`, or empty.
        exit_code: with which it came to its end, if it says so.
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
    """A step ended: without one of its facts it has not.

    Attributes:
        code: exit code of the launcher.
        timed_out: whether it was killed for taking too long.
        started: Unix time [s].
        clock_set: by how much the clock was set meanwhile [s].
    """

    event: Literal["exit"]  # type: ignore[assignment]
    step: str
    code: Int64
    timed_out: bool
    started: UnixTime
    clock_set: Int64 = 0

    def exit(self, *, late: bool = False) -> Exit:
        """How the step ended.

        Args:
            late: whether it was overdue: it had its time then, whatever code its programs gave.
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
    """Steps left processes behind."""

    event: Literal["left"]  # type: ignore[assignment]
    steps: tuple[str, ...]
    n: Count
    names: tuple[str, ...] = ()

    @property
    def left(self) -> Left:
        """What they left, with a few names."""
        names = tuple(one_line(name)[:_LONGEST_NAME] for name in self.names[:_MOST_NAMES])
        return Left(steps=self.steps, n=self.n, names=names)


class StepOverdue(Event):
    """The script let a step's time limit pass; `stopped` if it had been stopped itself."""

    event: Literal["overdue"]  # type: ignore[assignment]
    step: str
    stopped: bool


class Said(Event):
    """What a script saw that tests its batch system.

    Attributes:
        what: it is about.
        words: that it saw.
    """

    event: Literal["said"]  # type: ignore[assignment]
    what: str
    words: tuple[str, ...] = ()


StepEvent = StepStart | StepEnd
_LINE: TypeAdapter[Event] = TypeAdapter(
    Annotated[
        Event | StepStart | StepEnd | StepsLeft | StepOverdue | Said, Field(discriminator="event")
    ]
)


def parse_event(line: bytes) -> Event | None:
    """The event of a line; None for one that is torn or damaged."""
    try:
        return _LINE.validate_json(line)
    except ValidationError:
        return None


def note(directory: Path, **fields: object) -> None:
    """Add a line to what a job's script has written, if that can be done."""
    with suppress(OSError):
        append(directory / "status.jsonl", json.dumps(fields, separators=(",", ":")) + "\n")


def complaints(directory: Path, since: int = 0) -> Sequence[str]:
    """What the job's script itself complained about, a line each.

    Args:
        since: what lies before this offset of its file does not count [B].
    """
    lines = read_from(directory / "stderr", since).decode(errors="replace").splitlines()
    return [one_line(line[8:]) for line in lines if line.startswith("heorot: ")]


def last_complaint(directory: Path, since: int = 0) -> str:
    """The last of them, empty if there is none; as `complaints`."""
    return next(reversed(complaints(directory, since)), "")


def complain(directory: Path, what: str) -> None:
    """Add a complaint to those of the job's script, if that can be written."""
    with suppress(OSError):
        append(directory / "stderr", f"heorot: job {directory.name}: {what}\n")
