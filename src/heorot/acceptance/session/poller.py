"""Queries the queue for all jobs of a check at once: many waits share one query."""

from __future__ import annotations

import threading
from collections.abc import Callable

from heorot.clock import SYSTEM_CLOCK, Clock
from heorot.jobs.facts import QueueState
from heorot.launch.adapters.batch_client import BatchClient, BatchJob
from heorot.launch.batch.dialect import NodeState

_NODES_SECONDS = 3.0
_STOP_TURN_SECONDS = 0.05
# Bounds of the interval between two queries of the queue, and between two reads of jobs' files; it
# grows with the time since the last change [s].
_QUESTION_SECONDS = (0.5, 2.0)
_LOOK_SECONDS = (0.05, 0.5)
_SHARE_OF_WAIT = 0.05


class Poller(threading.Thread):
    """Knows the states of jobs and nodes."""

    def __init__(self, client: BatchClient, clock: Clock = SYSTEM_CLOCK) -> None:
        super().__init__(daemon=True)
        self._client, self._clock = client, clock
        self._news = clock.monotonic()
        self._lock = threading.Lock()
        self._watched: dict[str, BatchJob] = {}
        self._taken: set[str] = set()
        self._states: dict[str, QueueState] = {}
        self._ended: dict[str, float] = {}
        self._gone: set[str] = set()
        self._end = threading.Event()
        self.nodes: tuple[NodeState, ...] = ()

    def watch(self, job: BatchJob) -> None:
        """Include a job in the queries from now on."""
        with self._lock:
            self._watched[job.id] = job
            self._news = self._clock.monotonic()

    def state(self, job: str | None) -> QueueState | None:
        """State of a job at the last query; None if it was unknown then."""
        with self._lock:
            return self._states.get(job or "")

    def taken(self, job: str | None) -> bool:
        """Whether a job's id was reused: the batch system has lost the job."""
        with self._lock:
            return job in self._taken

    def ended(self, job: str | None) -> float | None:
        """When the queue first reported the end of a job, by our clock; None if it has not [s]."""
        with self._lock:
            return self._ended.get(job or "")

    def stop(self) -> None:
        self._end.set()
        while self.is_alive():  # a query may be running
            self._clock.sleep(_STOP_TURN_SECONDS)

    def run(self) -> None:
        nodes_asked = float("-inf")
        while not self._end.is_set():
            try:
                if self._clock.monotonic() - nodes_asked > _NODES_SECONDS:
                    self.nodes = self._client.ask(self._client.dialect.nodes())
                    nodes_asked = self._clock.monotonic()
                self.ask()
            except KeyboardInterrupt:  # the waiting thread gets it, too
                return
            silence = self._clock.monotonic() - self._news
            self._clock.wait(self._end, _turn_seconds(silence, _QUESTION_SECONDS))

    def ask(self) -> None:
        """Query once all jobs that have not ended."""
        with self._lock:
            ids = sorted(self._watched.keys() - self._ended.keys())
        if not ids:
            return
        asked = self._clock.time()
        answers = self._client.states_of([self._watched[job] for job in ids])
        if not all(one.answered for one in answers.values()):
            return
        found = {job: one.state for job, one in answers.items() if one.state is not None}
        for job in ids:
            if job not in found and self._was_gone(job):
                self._account(job, found)
        with self._lock:
            self._taken |= {job for job, one in answers.items() if one.taken}
            if any(self._states.get(job) != state for job, state in found.items()):
                self._news = self._clock.monotonic()
            self._states.update(found)
            for job in ids:
                if job in found and found[job].phase == "ended":
                    self._ended.setdefault(job, asked)

    def _was_gone(self, job: str) -> bool:
        """Whether a job was missing in the last query, too: a new one may not be listed yet."""
        if job in self._gone:
            return True
        self._gone.add(job)
        return False

    def _account(self, job: str, found: dict[str, QueueState]) -> None:
        state = self._client.account(self._watched[job])
        if state is not None:
            found[job] = state


def wait_for(
    condition: Callable[[], bool], seconds: float, check: Callable[[], None], clock: Clock
) -> bool:
    """Wait until a condition holds; returns whether it does.

    Args:
        seconds: time limit [s].
        check: called in each turn; raises if waiting is futile.
    """
    begun = clock.monotonic()
    while not condition():
        check()
        waited = clock.monotonic() - begun
        if waited > seconds:
            return False
        clock.sleep(_turn_seconds(waited, _LOOK_SECONDS))
    return True


def _turn_seconds(waited: float, bounds: tuple[float, float]) -> float:
    """The next interval, by the time waited so far [s]."""
    shortest, longest = bounds
    return min(longest, max(shortest, _SHARE_OF_WAIT * waited))
