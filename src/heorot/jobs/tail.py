"""Follows the status file of a job while its script writes it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from heorot.files import read_from
from heorot.jobs.events import Event, StepEnd, StepEvent, StepStart, parse_event
from heorot.jobs.status import JobStatus


class StatusTail:
    """What a job's status file tells, line by line, and where the script stands.

    What lies before an offset is of earlier times the script ran: its steps count, but not its
    beginning or end.

    Attributes:
        status: what it told over all times.
        now: what it told this time.
    """

    def __init__(self, directory: Path, steps: Iterable[str]) -> None:
        self._path = directory / "status.jsonl"
        self._steps = frozenset(steps)
        self._offset = 0
        self._torn = b""
        self.status = self.now = JobStatus(directory)

    @property
    def done(self) -> bool:
        """Whether nothing is left to run, whatever has become of the script.

        A job without steps describes its nodes: it is done when its script is.
        """
        return self.now.ended or (bool(self._steps) and self.status.exits.keys() >= self._steps)

    @property
    def began(self) -> float | None:
        """When the script began, by its own clock; None if it has not [s]."""
        return self.now.last_begun

    @property
    def ended(self) -> float | None:
        """When it ended or was interrupted; None if it has not [s]."""
        return self.now.over

    def read(self, since: int) -> tuple[list[StepEvent], bool]:
        """The step events that are new, and whether there was anything new.

        Args:
            since: offset of the first line of this time [B].
        """
        fresh = read_from(self._path, self._offset)
        at = self._offset - len(self._torn)
        self._offset += len(fresh)
        *lines, self._torn = (self._torn + fresh).split(b"\n")
        earlier: list[Event] = []
        heard: list[Event] = []
        for line in lines:
            event = parse_event(line)
            if event is not None:
                (heard if at >= since else earlier).append(event)
            at += len(line) + 1
        events = (*earlier, *heard)
        if events:
            self.status = replace(self.status, events=(*self.status.events, *events))
            self.now = replace(self.now, events=(*self.now.events, *heard))
        return [event for event in events if isinstance(event, StepStart | StepEnd)], bool(fresh)
