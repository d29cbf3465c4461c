"""What every way of running a job offers: local, and one file for each batch system."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from heorot.jobs.events import StepEvent
from heorot.launch.job import Job


class Adapter(Protocol):
    """Runs jobs whose scripts are their own witnesses."""

    def start(self, job: Job, after: Job | None = None) -> None:
        """Start the job's script, or find that it runs already; returns when it runs.

        Where somebody else starts it when there is room, it is in the queue when this returns, and
        starts when the job `after` has ended.
        """

    def alive(self, job: Job) -> bool:
        """Whether the job's script runs."""

    def cancel(self, job: Job) -> None:
        """End the job with all its processes; returns when they are gone."""

    def follow(self, job: Job, on_event: Callable[[StepEvent], None]) -> None:
        """Report every start and exit, from the first step on, until the script ends.

        Steps that ended before are reported first. If the script is gone without having ended
        all steps, the missing ones are lost: their absence says so.
        """

    def complaint(self, job: Job) -> str:
        """The last thing the job's script itself complained about, one line or empty."""
