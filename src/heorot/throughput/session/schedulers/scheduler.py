"""Where the jobs of a day are handed in, and who gives them their nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from heorot.jobs.batch_states import Phase
from heorot.jobs.facts import BatchState
from heorot.model.base import Record, UnixTime
from heorot.throughput.session.work import Work


@dataclass(frozen=True)
class Change:
    """A job is in another phase than a moment ago."""

    work: Work
    phase: Phase


class SchedulerNote(Record):
    """What a desk keeps of a job it gives nodes to itself; `scheduler.json` in the job's directory.

    Attributes:
        queued: when it was handed in, Unix time [s].
        started: when it was given its nodes; None while it waits [s].
        ended: when they were taken back; None if they were not [s].
        hosts: its nodes, in the order they are filled.
        why: what was wrong when its script was started; empty if nothing was.
    """

    queued: UnixTime
    started: UnixTime | None = None
    ended: UnixTime | None = None
    hosts: tuple[str, ...] = ()
    why: str = ""

    @property
    def state(self) -> BatchState:
        """How the job stands; vanished: its nodes were taken back, as its script was gone."""
        if self.ended is not None:
            return "vanished"
        return "pending" if self.started is None else "running"


class Scheduler(Protocol):
    """Takes jobs and follows them; nothing of it waits for a job."""

    def submit(self, work: Work) -> None:
        """Take a job, unless it was taken earlier: then go on with it.

        Raises:
            SetupError: it cannot be written, or a batch system does not answer: nothing is lost.
        """

    def poll(self) -> list[Change]:
        """What has changed since the last look; may start jobs that have waited."""

    def cancel_all(self) -> None:
        """End whatever was taken and has not ended."""
