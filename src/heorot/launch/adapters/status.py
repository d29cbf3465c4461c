"""Follows the status file of a job while its script writes it."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from heorot.files import open_regular
from heorot.launch.adapters.adapter import StepEvent
from heorot.launch.job import Job
from heorot.writing import append


def read_from(path: Path, offset: int) -> bytes:
    """What a file holds from an offset on; nothing if it is not there.

    Args:
        path: the file.
        offset: where to begin [B].
    """
    try:
        with open_regular(path) as file:
            file.seek(offset)
            return file.read()
    except OSError:
        return b""


def parse_event(line: bytes) -> StepEvent | None:
    """A start or exit event; None for every other line, also a torn one.

    Args:
        line: of a status file.
    """
    try:
        fields = json.loads(line)
        wanted = {name: fields[name] for name in StepEvent.model_fields if name in fields}
        return StepEvent.model_validate(wanted)
    except (ValueError, TypeError, RecursionError):
        return None


def script_complaint(job: Job, since: int = 0) -> str:
    """The last thing the job's script itself complained about, one line or empty.

    Args:
        job: which one.
        since: what lies before this offset of its file does not count [B].
    """
    text = read_from(job.directory / "stderr", since).decode(errors="replace")
    said = [line for line in text.splitlines() if line.startswith("heorot: ")]
    return said[-1].removeprefix("heorot: ") if said else ""


def complain(job: Job, what: str) -> None:
    """Add a complaint to those of the job's script, if that can be written.

    Args:
        job: which one.
        what: a clause.
    """
    with suppress(OSError):
        append(job.directory / "stderr", f"heorot: job {job.id}: {what}\n")


class StatusTail:
    """What a job's status file tells, line by line, and where the script stands.

    What lies before an offset is of earlier times the script ran: its steps count, but not its
    beginning or end.

    Attributes:
        began: when the script began, by its own clock; None if it has not [s].
        ended: when it ended or was interrupted; None if it has not [s].
        complete: whether it came to its end.
        overtime: whether it was interrupted because its time was up.
        exits: steps that have ended.
        running: when those started that have not, Unix time [s].
    """

    def __init__(self, job: Job) -> None:
        self._path = job.status
        self._steps = frozenset(job.steps)
        self._offset = 0
        self._torn = b""
        self.began: float | None = None
        self.ended: float | None = None
        self.complete = self.overtime = False
        self.exits: set[str] = set()
        self.running: dict[str, float] = {}

    @property
    def done(self) -> bool:
        """Whether nothing is left to run, whatever has become of the script.

        A job without steps describes its nodes: it is done when its script is.
        """
        return self.complete or (bool(self._steps) and self.exits >= self._steps)

    def read(self, since: int) -> tuple[list[StepEvent], bool]:
        """The step events that are new, and whether there was anything new.

        Args:
            since: offset of the first line of this time [B].
        """
        fresh = read_from(self._path, self._offset)
        at = self._offset - len(self._torn)
        self._offset += len(fresh)
        *lines, self._torn = (self._torn + fresh).split(b"\n")
        events = []
        for line in lines:
            event = parse_event(line)
            if event is not None:
                events.append(event)
                if event.event == "exit":
                    self.exits.add(event.step)
                    self.running.pop(event.step, None)
                else:
                    self.running[event.step] = event.time
            else:
                self._note(line, counts=at >= since)
            at += len(line) + 1
        return events, bool(fresh)

    def _note(self, line: bytes, *, counts: bool) -> None:
        try:
            fields = json.loads(line)
            kind, time = fields.get("event"), float(fields.get("time", 0.0))
        except (ValueError, TypeError, AttributeError, RecursionError, OverflowError):
            return
        if not 0.0 <= time < 1e11:  # noqa: PLR2004 (as Moment has it)
            return
        if kind == "job":
            self.running.clear()  # what an earlier copy did not live to end
        if not counts:
            return
        if kind == "job":
            self.began, self.ended, self.complete, self.overtime = time, None, False, False
        elif kind in {"end", "interrupted"}:
            self.ended, self.complete = time, kind == "end"
            self.overtime = fields.get("cause") == "time_limit"
