"""Progress of a throughput test, for displays."""

from __future__ import annotations

from dataclasses import dataclass

from heorot.monitoring.model import Monitoring
from heorot.session.progress import Progress


@dataclass(frozen=True)
class LoadState:
    """State of the load at a time.

    Attributes:
        seconds: since its begin [s].
        n_jobs: of the whole test.
        later: labels of the jobs that are not submitted yet.
        waiting: labels of jobs in the queue, in the order of their submission.
        running: labels of running jobs, with their run times so far [s].
        ended: labels of ended jobs, with whether they ended well.
        left_seconds: until the last one ends, by single-user times; None if unknown [s].
    """

    seconds: float
    n_jobs: int
    later: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    running: tuple[tuple[str, float], ...] = ()
    ended: tuple[tuple[str, bool], ...] = ()
    left_seconds: float | None = None


class ThroughputView(Progress):
    """Progress of a test; this base class shows nothing.

    Attributes:
        wants_load: whether to call `loaded`.
    """

    wants_load = False

    def loaded(self, monitoring: Monitoring) -> None:
        """The latest samples of the nodes; called every few seconds."""

    def seen(self, load_state: LoadState) -> None:
        """The state of the load; called a few times a second."""

    def settled(self, label: str, text: str) -> None:
        """A job has ended, with its outcome in a few words."""
