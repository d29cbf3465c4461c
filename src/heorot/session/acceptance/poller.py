"""Asks the queue about all jobs of a check at once: many wait for answers to one question."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from heorot.launch.adapters.ask import Caller
from heorot.launch.batch.dialect import NodeState, QueueState

_TURN_SECONDS = 0.5
_NODES_SECONDS = 3.0


class Poller(threading.Thread):
    """Knows how jobs and nodes stand.

    Args:
        caller: how to reach the batch system.
        turn_seconds: between two questions [s].
    """

    def __init__(self, caller: Caller, turn_seconds: float = _TURN_SECONDS) -> None:
        super().__init__(daemon=True)
        self._caller, self._turn = caller, turn_seconds
        self._lock = threading.Lock()
        self._watched: set[str] = set()
        self._states: dict[str, QueueState] = {}
        self._ended: dict[str, float] = {}
        self._gone: set[str] = set()
        self._end = threading.Event()
        self.nodes: tuple[NodeState, ...] = ()

    def watch(self, job: str) -> None:
        """Ask about a job from now on."""
        with self._lock:
            self._watched.add(job)

    def state(self, job: str | None) -> QueueState | None:
        """How a job stood when the queue was last asked; None if it was not known then."""
        with self._lock:
            return self._states.get(job or "")

    def ended(self, job: str | None) -> float | None:
        """When the queue first said that a job had ended, by our clock; None if it has not [s]."""
        with self._lock:
            return self._ended.get(job or "")

    def stop(self) -> None:
        """Ask no more."""
        self._end.set()
        if self.ident is not None:  # the end may come before it was started
            self.join()

    def run(self) -> None:
        """Ask again and again."""
        nodes_asked = 0.0
        while not self._end.is_set():
            try:
                if time.monotonic() - nodes_asked > _NODES_SECONDS:
                    self.nodes = self._caller.ask(self._caller.dialect.nodes())
                    nodes_asked = time.monotonic()
                self.ask()
            except KeyboardInterrupt:  # whoever waits for us hears of it, too
                return
            self._end.wait(self._turn)

    def ask(self) -> None:
        """Ask once about all jobs that have not ended."""
        with self._lock:
            ids = sorted(self._watched - set(self._ended))
        if not ids:
            return
        asked = time.time()
        states = self._caller.ask(self._caller.dialect.query(ids))
        if states is None:
            return
        found = dict(states)
        for job in ids:
            if job not in found and self._was_gone(job):
                self._account(job, found)
        with self._lock:
            self._states.update(found)
            for job in ids:
                if job in found and found[job].phase == "ended":
                    self._ended.setdefault(job, asked)

    def _was_gone(self, job: str) -> bool:
        """Whether a job was not in the queue last time either: one that is new may not be yet."""
        if job in self._gone:
            return True
        self._gone.add(job)
        return False

    def _account(self, job: str, found: dict[str, QueueState]) -> None:
        state = self._caller.account(job)
        if state is not None:
            found[job] = state


def wait_for(
    condition: Callable[[], bool], seconds: float, check: Callable[[], None], turn: float = 0.05
) -> bool:
    """Wait until something is so; returns whether it is.

    Args:
        condition: what is waited for.
        seconds: for how long at most [s].
        check: called in each turn; raises if there is no use in waiting.
        turn: between two looks [s].
    """
    deadline = time.monotonic() + seconds
    while not condition():
        check()
        if time.monotonic() > deadline:
            return False
        time.sleep(turn)
    return True
