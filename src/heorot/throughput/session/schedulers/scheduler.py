"""The interface of schedulers, which allocate nodes to the jobs of a test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from heorot.jobs.batch_states import Phase
from heorot.jobs.facts import BatchState
from heorot.model.base import Record, UnixTime
from heorot.throughput.session.work import Work


@dataclass(frozen=True)
class Change:
    """A job has entered another phase."""

    work: Work
    phase: Phase


class SchedulerNote(Record):
    """State of a job that Heorot allocates nodes to; `scheduler.json` in the job's directory.

    Attributes:
        queued: time of submission, Unix time [s].
        started: when its nodes were allocated; None while it waits [s].
        ended: when they were released; None if they were not [s].
        hosts: its nodes, in the order of allocation.
        why: error at the start of its script; empty if none.
    """

    queued: UnixTime
    started: UnixTime | None = None
    ended: UnixTime | None = None
    hosts: tuple[str, ...] = ()
    why: str = ""

    @property
    def state(self) -> BatchState:
        """The state of the job; `vanished`: its nodes were released, as its script was gone."""
        if self.ended is not None:
            return "vanished"
        return "pending" if self.started is None else "running"


class Scheduler(Protocol):
    """Takes jobs and follows them; no call waits for a job."""

    def submit(self, work: Work) -> None:
        """Submit a job, or follow it if it was submitted earlier.

        Raises:
            SetupError: a file cannot be written, or a batch system does not answer; both can be
                retried.
        """

    def poll(self) -> list[Change]:
        """Changes since the last call; may start waiting jobs."""

    def cancel_all(self) -> None:
        """End all submitted jobs that have not ended."""
