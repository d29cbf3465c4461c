"""A clock that tests turn: a sleep by it does not wait, and events due meanwhile happen."""

from __future__ import annotations

import heapq
import itertools
import threading
from collections.abc import Callable


class TurnedClock:
    """A clock that stands still until a caller sleeps by it; for one thread.

    Args:
        now: Unix time at first [s].

    Attributes:
        set_by: by how much it was set since [s].
    """

    set_by = 0.0

    def __init__(self, now: float = 1_764_000_000.0) -> None:
        self._begin = self._now = now
        self._due: list[tuple[float, int, Callable[[], object]]] = []
        self._order = itertools.count()

    def time(self) -> float:
        return self._now + self.set_by

    def monotonic(self) -> float:
        return self._now - self._begin

    def sleep(self, seconds: float) -> None:
        until = self._now + seconds
        while self._due and self._due[0][0] <= until:
            self._now, _, act = heapq.heappop(self._due)
            act()
        self._now = until

    def wait(self, event: threading.Event, seconds: float) -> bool:
        until = self._now + seconds
        while not event.is_set() and self._due and self._due[0][0] <= until:
            self.sleep(self._due[0][0] - self._now)
        if not event.is_set():
            self.sleep(until - self._now)
        return event.is_set()

    def after(self, seconds: float, act: Callable[[], object]) -> None:
        """Schedule a call after some time [s]."""
        heapq.heappush(self._due, (self._now + seconds, next(self._order), act))
