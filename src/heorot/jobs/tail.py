"""Follows the status file of a job while its script writes it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from heorot.files import read_from
from heorot.jobs.events import Event, Own, StepEnd, StepEvent, StepStart, parse_event


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

    def __init__(self, directory: Path, steps: Iterable[str]) -> None:
        self._path = directory / "status.jsonl"
        self._steps = frozenset(steps)
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

    @property
    def own(self) -> Own | None:
        """How the script says that it ended, the last time it was started."""
        if self.ended is None:
            return None
        return "ok" if self.complete else "timeout" if self.overtime else "interrupted"

    def read(self, since: int) -> tuple[list[StepEvent], bool]:
        """The step events that are new, and whether there was anything new.

        Args:
            since: offset of the first line of this time [B].
        """
        fresh = read_from(self._path, self._offset)
        at = self._offset - len(self._torn)
        self._offset += len(fresh)
        *lines, self._torn = (self._torn + fresh).split(b"\n")
        events: list[StepEvent] = []
        for line in lines:
            event = parse_event(line)
            if isinstance(event, StepEnd):
                events.append(event)
                self.exits.add(event.step)
                self.running.pop(event.step, None)
            elif isinstance(event, StepStart):
                events.append(event)
                self.running[event.step] = event.time
            elif event is not None:
                self._note(event, counts=at >= since)
            at += len(line) + 1
        return events, bool(fresh)

    def _note(self, event: Event, *, counts: bool) -> None:
        if event.event == "job":
            self.running.clear()  # what an earlier copy did not live to end
        if not counts:
            return
        if event.event == "job":
            self.began, self.ended, self.complete, self.overtime = event.time, None, False, False
        elif event.event in {"end", "interrupted"}:
            self.ended, self.complete = event.time, event.event == "end"
            self.overtime = event.cause == "time_limit"
