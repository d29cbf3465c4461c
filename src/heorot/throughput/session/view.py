"""Progress of a throughput test, for displays."""

from __future__ import annotations

from dataclasses import dataclass

from heorot.monitoring.model import Monitoring
from heorot.session.progress import Progress


@dataclass(frozen=True)
class Glimpse:
    """How a day stands at a moment.

    Attributes:
        seconds: since its begin [s].
        n_jobs: of the whole day.
        later: labels of the jobs that are not submitted yet.
        waiting: labels of those that wait for nodes, in the order of their submission.
        running: labels of those that run, with the time since they began [s].
        ended: labels of those that have ended, with whether all was well.
        left_seconds: until the last one ends, by single-user times; None if nobody knows [s].
    """

    seconds: float
    n_jobs: int
    later: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    running: tuple[tuple[str, float], ...] = ()
    ended: tuple[tuple[str, bool], ...] = ()
    left_seconds: float | None = None


class ThroughputView(Progress):
    """Whoever shows how far a day is; this one shows nothing.

    Attributes:
        wants_load: whether `loaded` is to be called.
    """

    wants_load = False

    def loaded(self, monitoring: Monitoring) -> None:
        """What the nodes did in the last moments; called every few seconds."""

    def seen(self, glimpse: Glimpse) -> None:
        """How the day stands; called a few times a second."""

    def settled(self, label: str, text: str) -> None:
        """A job has ended, and how, in a few words."""
