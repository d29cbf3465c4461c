"""Follows the status file of a job while its script writes it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from heorot.files import read_from
from heorot.jobs.events import Event, StepEnd, StepEvent, StepStart, parse_event
from heorot.jobs.status import JobStatus


class StatusTail:
    """Events of a job's status file, and the state of the script.

    Lines before an offset belong to earlier runs of the script: their steps count, but not their
    begin or end.

    Attributes:
        status: events of all runs.
        now: events of the current run.
    """

    def __init__(self, directory: Path, steps: Iterable[str]) -> None:
        self._path = directory / "status.jsonl"
        self._steps = frozenset(steps)
        self._offset = 0
        self._torn = b""
        self.status = self.now = JobStatus(directory)

    @property
    def done(self) -> bool:
        """Whether all steps have ended, whatever the state of the script.

        A job without steps describes its nodes: it is done when its script ends.
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
        """The new step events, and whether there were any new events.

        Args:
            since: offset of the first line of the current run [B].
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
