"""Protocol of the ways to run a job: on this machine, on other hosts, by a batch system."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from heorot.jobs.events import StepEvent
from heorot.launch.job import Job


class Adapter(Protocol):
    """Runs jobs whose scripts record their own events."""

    def start(self, job: Job, after: Job | None = None) -> None:
        """Start the job's script unless it runs already; returns when it runs.

        In a batch system the job is in the queue when this returns, and starts after the job
        `after` has ended.
        """

    def alive(self, job: Job) -> bool:
        """Whether the job's script runs."""

    def cancel(self, job: Job) -> None:
        """End the job with all its processes; returns when they are gone."""

    def follow(self, job: Job, on_event: Callable[[StepEvent], None]) -> None:
        """Report every start and exit, from the first step on, until the script ends.

        Events of earlier steps are reported first. A step without an exit event when the script is
        gone is lost.
        """

    def complaint(self, job: Job) -> str:
        """The last complaint of the job's script, one line or empty."""
