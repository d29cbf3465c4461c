"""A clock of several threads: time passes only when all of them let it pass."""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable

from tests.unit.turned import TurnedClock

# Waiting threads poll for the end of others, fast at first, in real time [s].
_SOON_SECONDS, _LATER_SECONDS = 0.0002, 0.01


class SharedClock(TurnedClock):
    """A clock that stands still while any thread does something, and then jumps to what is due.

    Args:
        now: Unix time at first [s].
    """

    def __init__(self, now: float = 1_764_000_000.0) -> None:
        super().__init__(now)
        self._foreign = frozenset(threading.enumerate()) - {threading.current_thread()}
        self._moved = threading.Condition()
        self._waiting: dict[threading.Thread, tuple[float, Callable[[], bool]]] = {}

    def sleep(self, seconds: float) -> None:
        self._let_pass(seconds, lambda: False)

    def wait(self, event: threading.Event, seconds: float) -> bool:
        self._let_pass(seconds, event.is_set)
        return event.is_set()

    def after(self, seconds: float, act: Callable[[], object]) -> None:
        with self._moved:
            super().after(seconds, act)

    def _let_pass(self, seconds: float, enough: Callable[[], bool]) -> None:
        me = threading.current_thread()
        with self._moved:
            until = self._now + seconds
            self._waiting[me] = until, enough
            look = _SOON_SECONDS
            try:
                while self._now < until and not enough():
                    if self._all_wait():
                        self._jump()
                    else:
                        self._moved.wait(look)
                        look = min(2.0 * look, _LATER_SECONDS)
            finally:
                del self._waiting[me]

    def _all_wait(self) -> bool:
        for thread in threading.enumerate():
            if thread in self._foreign:
                continue
            until, enough = self._waiting.get(thread, (self._now, bool))
            if until <= self._now or enough():
                return False
        return True

    def _jump(self) -> None:
        """Jump to the next due time, which may be the end of a sleep."""
        end = min(until for until, _ in self._waiting.values())
        if self._due and self._due[0][0] <= end:
            self._now, _, act = heapq.heappop(self._due)
            act()
        else:
            self._now = end
            self._moved.notify_all()
